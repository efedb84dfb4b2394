// SPDX-License-Identifier: BSD-2-Clause
#include "archive.hpp"
#include "support/places.hpp"

#include <dlfcn.h>
#include <zip.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace fmukit_test {
namespace fs = std::filesystem;

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<Entry> read_zip(const std::string& path) {
  zip_t* zip = zip_open(path.c_str(), ZIP_RDONLY, nullptr);
  if (!zip) throw std::runtime_error("cannot open " + path);
  std::vector<Entry> entries;
  const auto count = static_cast<zip_uint64_t>(zip_get_num_entries(zip, 0));
  for (zip_uint64_t i = 0; i < count; ++i) {
    zip_stat_t stat;
    zip_stat_index(zip, i, 0, &stat);
    Entry& entry = entries.emplace_back();
    entry.name = stat.name;
    entry.modified = stat.mtime;
    entry.contents.resize(stat.size);
    zip_file_t* file = zip_fopen_index(zip, i, 0);
    zip_fread(file, entry.contents.data(), stat.size);
    zip_fclose(file);
  }
  zip_close(zip);
  return entries;
}

std::string Archive::path(const std::string& kind, const std::string& model) {
  return tutti::places::fmu_folder() / kind / (model + ".fmu");
}

Archive::Archive(const std::string& kind, const std::string& model) {
  std::string pattern = (fs::temp_directory_path() / "fmukit-test-XXXXXX").string();
  if (!mkdtemp(pattern.data())) throw std::runtime_error("cannot make a temporary folder");
  folder_ = pattern;
  for (const Entry& entry : read_zip(path(kind, model))) {
    const fs::path target = fs::path(folder_) / entry.name;
    fs::create_directories(target.parent_path());
    std::ofstream(target, std::ios::binary) << entry.contents;
    if (target.extension() == ".so") binary_ = target.string();
  }
  if (!description_.load_file((folder_ + "/modelDescription.xml").c_str()))
    throw std::runtime_error("bad XML in " + path(kind, model));
  library_ = dlopen(binary_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library_) {
    const std::string reason = dlerror();
    fs::remove_all(folder_);
    throw std::runtime_error(reason);
  }
}

Archive::~Archive() {
  if (library_) dlclose(library_);
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void* Archive::find(const std::string& symbol) const { return dlsym(library_, symbol.c_str()); }

pugi::xml_node Archive::variable(const std::string& name) const {
  for (const pugi::xml_node& node : root().child("ModelVariables"))
    if (name == node.attribute("name").value()) return node;
  throw std::runtime_error("no variable " + name);
}

std::uint32_t Archive::reference(const std::string& name) const {
  return variable(name).attribute("valueReference").as_uint();
}

}  // namespace fmukit_test
