// SPDX-License-Identifier: BSD-2-Clause
// Packs an FMU so that the same files give the same bytes: entries sorted, one date, fixed rights.
//   fmukit-pack OUTPUT [--replace OLD NEW]... ENTRY=FILE...
// --replace changes the text of modelDescription.xml, which must contain OLD.
#include <zip.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using Entries = std::map<std::string, std::string>;  // name in the archive, contents

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

void replace(std::string& text, const std::string& from, const std::string& to) {
  std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::runtime_error("the description has no \"" + from + "\"");
  for (; at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

void write_archive(const std::string& path, const Entries& entries) {
  int code = 0;
  zip_t* archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
  if (!archive) throw std::runtime_error("cannot create " + path);
  for (const auto& [name, contents] : entries) {
    zip_source_t* source = zip_source_buffer(archive, contents.data(), contents.size(), 0);
    const zip_int64_t index = zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (!source || index < 0) {
      zip_discard(archive);
      throw std::runtime_error("cannot add " + name);
    }
    const auto at = static_cast<zip_uint64_t>(index);
    constexpr zip_uint16_t midnight = 0, first_of_january_1980 = (1 << 5) | 1;
    const zip_uint32_t rights = name.rfind("binaries/", 0) == 0 ? 0100755 : 0100644;
    zip_file_set_dostime(archive, at, midnight, first_of_january_1980, 0);
    zip_file_set_external_attributes(archive, at, 0, ZIP_OPSYS_UNIX, rights << 16);
    zip_set_file_compression(archive, at, ZIP_CM_DEFLATE, 6);
  }
  if (zip_close(archive) != 0) {
    const std::string reason = zip_strerror(archive);
    zip_discard(archive);
    throw std::runtime_error("cannot write " + path + ": " + reason);
  }
}

void run(const std::vector<std::string>& arguments) {
  if (arguments.size() < 2)
    throw std::runtime_error("usage: fmukit-pack OUTPUT [--replace OLD NEW]... ENTRY=FILE...");
  Entries entries;
  std::vector<std::pair<std::string, std::string>> replacements;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (arguments[i] == "--replace" && i + 2 < arguments.size()) {
      replacements.emplace_back(arguments[i + 1], arguments[i + 2]);
      i += 2;
      continue;
    }
    const std::size_t equals = arguments[i].find('=');
    if (equals == std::string::npos) throw std::runtime_error("no file for " + arguments[i]);
    entries[arguments[i].substr(0, equals)] = read_file(arguments[i].substr(equals + 1));
  }
  for (const auto& [from, to] : replacements) replace(entries["modelDescription.xml"], from, to);
  write_archive(arguments[0], entries);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run({argv + 1, argv + argc});
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "fmukit-pack: %s\n", e.what());
    return 1;
  }
}
