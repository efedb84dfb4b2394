// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tutti::fmi {

/// What other programs can see of an ELF shared library.
struct ElfLibrary {
  bool is_elf = false;
  int bits = 0;                      ///< 32 or 64
  unsigned machine = 0;              ///< EM_X86_64, ...
  bool has_symbols = false;          ///< its dynamic symbol table could be read
  std::vector<std::string> exports;  ///< functions that it defines, sorted
};

/// Reads the dynamic symbol table from the bytes of a file, without loading it. Files of the other
/// byte order have no symbols here. Never throws for a damaged file: what cannot be read is absent.
ElfLibrary read_elf(std::string_view bytes);

}  // namespace tutti::fmi
