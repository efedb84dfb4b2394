// SPDX-License-Identifier: BSD-2-Clause
#include "support/zip_writer.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace tutti::test {
namespace {

void put16(std::string& out, std::uint32_t value) {
  out += static_cast<char>(value & 0xFF);
  out += static_cast<char>(value >> 8 & 0xFF);
}

void put32(std::string& out, std::uint32_t value) {
  put16(out, value & 0xFFFF);
  put16(out, value >> 16);
}

std::uint32_t crc32(std::string_view data) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char c : data) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xEDB88320 : 0);
  }
  return ~crc;
}

/// RFC 1951, section 3.2.4: blocks without compression.
std::string stored_blocks(std::string_view data) {
  std::string out;
  do {
    const std::string_view block = data.substr(0, 65535);
    data.remove_prefix(block.size());
    out += data.empty() ? '\1' : '\0';
    put16(out, static_cast<std::uint32_t>(block.size()));
    put16(out, ~static_cast<std::uint32_t>(block.size()) & 0xFFFF);
    out += block;
  } while (!data.empty());
  return out;
}

/// What local header and central directory have in common.
void put_common(std::string& out, const ZipItem& item, std::uint32_t packed_size) {
  put16(out, item.flags);
  put16(out, item.method.value_or(item.deflate ? 8 : 0));
  put32(out, 0x00210000);  // 1 January 1980
  put32(out, item.crc.value_or(crc32(item.data)));
  put32(out, item.packed.value_or(packed_size));
  put32(out, item.size.value_or(static_cast<std::uint32_t>(item.data.size())));
  put16(out, static_cast<std::uint32_t>(item.name.size()));
  put16(out, 0);
}

}  // namespace

std::string make_zip(const std::vector<ZipItem>& items) {
  std::string out, directory;
  for (const ZipItem& item : items) {
    const auto offset = static_cast<std::uint32_t>(out.size());
    const std::string packed = item.deflate ? stored_blocks(item.data) : item.data;
    const auto packed_size = static_cast<std::uint32_t>(packed.size());
    put32(out, 0x04034b50);
    put16(out, 20);
    put_common(out, item, packed_size);
    out += item.name;
    out += packed;

    put32(directory, 0x02014b50);
    put16(directory, static_cast<std::uint32_t>(item.system) << 8 | 20);
    put16(directory, 20);
    put_common(directory, item, packed_size);
    put16(directory, 0);
    put16(directory, 0);
    put16(directory, 0);
    put32(directory, item.mode << 16);
    put32(directory, offset);
    directory += item.name;
  }
  const auto start = static_cast<std::uint32_t>(out.size());
  out += directory;
  put32(out, 0x06054b50);
  put32(out, 0);
  put16(out, static_cast<std::uint32_t>(items.size()));
  put16(out, static_cast<std::uint32_t>(items.size()));
  put32(out, static_cast<std::uint32_t>(directory.size()));
  put32(out, start);
  put16(out, 0);
  return out;
}

TestFolder::TestFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "tutti-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) std::abort();
  path_ = name;
}

TestFolder::~TestFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::filesystem::path TestFolder::write(std::string_view name, std::string_view content) const {
  const std::filesystem::path file = path_ / name;
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << content;
  return file;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string minimal_description() {
  return "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"m\" guid=\"g\">\n"
         "<CoSimulation modelIdentifier=\"m\"/><ModelVariables/><ModelStructure/>\n"
         "</fmiModelDescription>\n";
}

}  // namespace tutti::test
