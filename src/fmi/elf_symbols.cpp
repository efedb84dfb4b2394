// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/elf_symbols.hpp"

#include <elf.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

namespace tutti::fmi {
namespace {

constexpr unsigned char our_byte_order =
    std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;

template <class T>
std::optional<T> at(std::string_view bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

/// The bytes of a section, as far as the file has them.
template <class Section>
std::string_view contents(std::string_view bytes, const Section& section) {
  if (section.sh_offset > bytes.size()) return {};
  return bytes.substr(section.sh_offset, section.sh_size);
}

/// The functions of one symbol table that have a definition here and are visible from outside.
template <class Symbol>
void add_exports(std::string_view table, std::string_view names, std::vector<std::string>& to) {
  for (std::uint64_t offset = 0; offset + sizeof(Symbol) <= table.size();
       offset += sizeof(Symbol)) {
    const Symbol symbol = *at<Symbol>(table, offset);
    const unsigned binding = symbol.st_info >> 4, kind = symbol.st_info & 0xf;
    const bool visible =
        (symbol.st_other & 3) == STV_DEFAULT || (symbol.st_other & 3) == STV_PROTECTED;
    if (symbol.st_shndx == SHN_UNDEF || !visible || binding == STB_LOCAL) continue;
    if (kind != STT_FUNC && kind != STT_GNU_IFUNC && kind != STT_NOTYPE) continue;
    if (symbol.st_name >= names.size()) continue;
    const std::string_view rest = names.substr(symbol.st_name);
    to.emplace_back(rest.substr(0, rest.find('\0')));
  }
}

template <class Head, class Section, class Symbol>
void read_symbols(std::string_view bytes, ElfLibrary& to) {
  const auto head = at<Head>(bytes, 0);
  if (!head || head->e_shentsize != sizeof(Section)) return;
  const auto section = [&](std::uint64_t number) {
    return at<Section>(bytes, head->e_shoff + number * sizeof(Section));
  };
  for (unsigned i = 0; i < head->e_shnum; ++i) {
    const auto table = section(i);
    if (!table) return;
    if (table->sh_type != SHT_DYNSYM) continue;
    const auto names = section(table->sh_link);
    if (!names) return;
    to.has_symbols = true;
    add_exports<Symbol>(contents(bytes, *table), contents(bytes, *names), to.exports);
  }
}

}  // namespace

ElfLibrary read_elf(std::string_view bytes) {
  ElfLibrary library;
  // e_machine stands at the same place in 32-bit and 64-bit files.
  const auto head = at<Elf32_Ehdr>(bytes, 0);
  if (!head || std::memcmp(head->e_ident, ELFMAG, SELFMAG) != 0) return library;
  library.is_elf = true;
  library.bits = head->e_ident[EI_CLASS] == ELFCLASS64 ? 64 : 32;
  if (head->e_ident[EI_DATA] != our_byte_order) return library;
  library.machine = head->e_machine;
  if (library.bits == 64) {
    read_symbols<Elf64_Ehdr, Elf64_Shdr, Elf64_Sym>(bytes, library);
  } else {
    read_symbols<Elf32_Ehdr, Elf32_Shdr, Elf32_Sym>(bytes, library);
  }
  std::ranges::sort(library.exports);
  return library;
}

}  // namespace tutti::fmi
