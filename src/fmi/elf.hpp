// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::fmi {

/// The header of a shared library; read without loading it, to explain why loading fails.
struct BinaryFile {
  enum class Kind { elf, windows, mac, other };
  Kind kind = Kind::other;
  std::string machine;              ///< for example "x86_64", "aarch64", "x86"; ELF only
  std::vector<std::string> needed;  ///< other libraries that it requires (DT_NEEDED)
  std::uint64_t size = 0;           ///< in bytes
  std::uint64_t needed_size =
      0;  ///< end of the loaded segments; more than `size`: the file is truncated
};

/// Never throws for a damaged file: unreadable parts are omitted.
BinaryFile inspect_binary(const std::filesystem::path& file);

/// The machine that this program was compiled for, as in BinaryFile::machine.
std::string this_machine();

/// The exported interface of an ELF shared library.
struct ElfLibrary {
  bool is_elf = false;
  int bits = 0;                      ///< 32 or 64
  unsigned machine = 0;              ///< EM_X86_64, ...
  bool has_symbols = false;          ///< its dynamic symbol table could be read
  std::vector<std::string> exports;  ///< functions that it defines, sorted
};

/// Reads the dynamic symbol table from the bytes of a file, without loading it. Files of the other
/// byte order have no symbols here. Never throws for a damaged file: unreadable parts are omitted.
ElfLibrary read_elf(std::string_view bytes);

}  // namespace tutti::fmi
