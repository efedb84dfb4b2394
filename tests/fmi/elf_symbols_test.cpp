// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/elf.hpp"

#include <elf.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "fmi/archive.hpp"
#include "support/places.hpp"

namespace tutti::fmi {
namespace {

std::string library_bytes() {
  const Archive archive(tutti::places::fmu_folder() / "2.0/Dahlquist.fmu", {}, {});
  for (const ArchiveEntry& entry : archive.entries()) {
    if (entry.path.ends_with(".so")) return archive.read(entry.path, 1u << 30);
  }
  return "";
}

TEST(ElfSymbols, AreTheFunctionsThatALibraryExports) {
  const ElfLibrary library = read_elf(library_bytes());
  EXPECT_TRUE(library.is_elf);
  EXPECT_EQ(library.bits, static_cast<int>(8 * sizeof(void*)));
  ASSERT_TRUE(library.has_symbols);
  const auto exports = [&](const std::string& name) {
    return std::binary_search(library.exports.begin(), library.exports.end(), name);
  };
  EXPECT_TRUE(exports("fmi2DoStep"));
  EXPECT_TRUE(exports("fmi2Instantiate"));
  EXPECT_FALSE(exports("malloc"));  // used, not defined
}

// Whatever part of the file is left, nothing outside of it is read (the sanitizer would tell).
TEST(ElfSymbols, OfATruncatedFileAreNoneOrFewer) {
  const std::string bytes = library_bytes();
  const std::size_t all = read_elf(bytes).exports.size();
  for (std::size_t size = 0; size < bytes.size(); size += 97) {
    EXPECT_LE(read_elf(std::string_view(bytes).substr(0, size)).exports.size(), all);
  }
}

TEST(ElfSymbols, OfAForgedFileAreReadWithinItsBounds) {
  const std::string bytes = library_bytes();
  for (std::size_t at = 0; at < sizeof(Elf64_Ehdr); ++at) {
    for (const char value : {'\0', '\x01', '\x7f', '\xff'}) {
      std::string forged = bytes;
      forged[at] = value;
      (void)read_elf(forged);
    }
  }
  EXPECT_FALSE(read_elf("MZ this is no ELF file, but one that is long enough to be one").is_elf);
}

}  // namespace
}  // namespace tutti::fmi
