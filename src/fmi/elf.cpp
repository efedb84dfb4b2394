// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/elf.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

namespace tutti::fmi {
namespace {

std::string machine_name(unsigned machine) {
  constexpr std::pair<unsigned, const char*> names[] = {{EM_X86_64, "x86_64"},
                                                        {EM_386, "x86"},
                                                        {EM_AARCH64, "aarch64"},
                                                        {EM_ARM, "arm"},
                                                        {EM_RISCV, "riscv"}};
  for (const auto& [known, name] : names)
    if (known == machine) return name;
  return fmt::format("machine number {}", machine);
}

template <class T>
std::optional<T> read_at(std::ifstream& file, std::uint64_t offset) {
  T value;
  file.clear();
  file.seekg(static_cast<std::streamoff>(offset));
  if (!file.read(reinterpret_cast<char*>(&value), sizeof value)) return std::nullopt;
  return value;
}

std::string text_at(std::ifstream& file, std::uint64_t offset) {
  char text[256] = "";  // longer than any file name; a damaged file may have no end
  file.clear();
  file.seekg(static_cast<std::streamoff>(offset));
  file.getline(text, sizeof text, '\0');
  return text;
}

constexpr std::size_t most_needed = 1000;

// The DT_NEEDED entries of a 64-bit file in native byte order; the dynamic section names its
// strings by offset into the section that sh_link points to.
std::vector<std::string> needed_libraries(std::ifstream& file, const Elf64_Ehdr& head) {
  std::vector<std::string> names;
  for (unsigned i = 0; i < head.e_shnum; ++i) {
    const auto section = read_at<Elf64_Shdr>(file, head.e_shoff + i * sizeof(Elf64_Shdr));
    if (!section || section->sh_type != SHT_DYNAMIC) continue;
    const auto strings =
        read_at<Elf64_Shdr>(file, head.e_shoff + section->sh_link * sizeof(Elf64_Shdr));
    if (!strings) break;
    for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= section->sh_size;
         at += sizeof(Elf64_Dyn)) {
      const auto entry = read_at<Elf64_Dyn>(file, section->sh_offset + at);
      if (!entry || entry->d_tag == DT_NULL) break;
      if (entry->d_tag == DT_NEEDED) {
        names.push_back(text_at(file, strings->sh_offset + entry->d_un.d_val));
      }
      if (names.size() == most_needed) return names;
    }
    break;  // there is one such section
  }
  return names;
}

/// The end of the last loaded segment, of a 64-bit file in native byte order.
std::uint64_t end_of_segments(std::ifstream& file, const Elf64_Ehdr& head) {
  std::uint64_t end = head.e_phoff + head.e_phnum * sizeof(Elf64_Phdr);
  for (unsigned i = 0; i < head.e_phnum; ++i) {
    const auto segment = read_at<Elf64_Phdr>(file, head.e_phoff + i * sizeof(Elf64_Phdr));
    if (!segment) break;
    if (segment->p_type == PT_LOAD) end = std::max(end, segment->p_offset + segment->p_filesz);
  }
  return end;
}

constexpr unsigned char our_byte_order =
    std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;

template <class T>
std::optional<T> at(std::string_view bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

/// The bytes of a section, as far as the file contains them.
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

BinaryFile inspect_binary(const std::filesystem::path& path) {
  BinaryFile result;
  std::ifstream file(path, std::ios::binary);
  const auto magic = read_at<std::uint32_t>(file, 0);
  if (!magic) return result;
  if (std::memcmp(&*magic, "MZ", 2) == 0) result.kind = BinaryFile::Kind::windows;
  if (*magic == 0xfeedfacf || *magic == 0xcafebabe || *magic == 0xbebafeca) {
    result.kind = BinaryFile::Kind::mac;
  }
  if (std::memcmp(&*magic, ELFMAG, SELFMAG) != 0) return result;
  result.kind = BinaryFile::Kind::elf;
  // e_machine has the same offset in 32-bit and 64-bit files.
  std::error_code ignored;
  result.size = std::filesystem::file_size(path, ignored);
  result.needed_size = sizeof(Elf64_Ehdr);
  const auto head = read_at<Elf64_Ehdr>(file, 0);
  if (!head) return result;
  result.machine = machine_name(head->e_machine);
  if (head->e_ident[EI_CLASS] == ELFCLASS64 && head->e_shentsize == sizeof(Elf64_Shdr)) {
    result.needed = needed_libraries(file, *head);
  }
  if (head->e_ident[EI_CLASS] == ELFCLASS64 && head->e_phentsize == sizeof(Elf64_Phdr))
    result.needed_size = end_of_segments(file, *head);
  return result;
}

std::string this_machine() {
#if defined(__x86_64__)
  return "x86_64";
#elif defined(__aarch64__)
  return "aarch64";
#elif defined(__i386__)
  return "x86";
#else
  return "other";
#endif
}

ElfLibrary read_elf(std::string_view bytes) {
  ElfLibrary library;
  // e_machine has the same offset in 32-bit and 64-bit files.
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
