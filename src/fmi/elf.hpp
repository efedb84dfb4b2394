// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::fmi {

/// What the head of a shared library says; read without loading it, to explain why it cannot be.
struct BinaryFile {
  enum class Kind { elf, windows, mac, other };
  Kind kind = Kind::other;
  std::string machine;              ///< for example "x86_64", "aarch64", "x86"; ELF only
  std::vector<std::string> needed;  ///< other libraries that it asks for (DT_NEEDED)
  std::uint64_t size = 0;           ///< in bytes
  std::uint64_t needed_size = 0;    ///< what is loaded ends there; more than `size`: it is cut off
};

/// Never throws for a damaged file: what cannot be read is left out.
BinaryFile inspect_binary(const std::filesystem::path& file);

/// The machine that this program was compiled for, in the words of BinaryFile::machine.
std::string this_machine();

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
