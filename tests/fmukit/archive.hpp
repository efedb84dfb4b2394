// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <pugixml.hpp>

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace fmukit_test {

/// An FMU of the build folder, unpacked into a temporary folder and loaded. Functions are looked up
/// by their symbol.
class Archive {
 public:
  /// For example Archive("2.0", "BouncingBall").
  Archive(const std::string& kind, const std::string& model);
  ~Archive();
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  static std::string path(const std::string& kind, const std::string& model);

  /// Null if there is no such symbol.
  void* find(const std::string& symbol) const;
  template <class Function>
  Function* function(const std::string& symbol) const {
    void* found = find(symbol);
    if (!found) throw std::runtime_error("no symbol " + symbol);
    return reinterpret_cast<Function*>(found);
  }

  pugi::xml_node root() const { return description_.child("fmiModelDescription"); }
  /// The value reference of a variable.
  std::uint32_t reference(const std::string& variable) const;
  /// The XML element of a variable.
  pugi::xml_node variable(const std::string& name) const;

  const std::string& folder() const { return folder_; }
  const std::string& binary() const { return binary_; }

 private:
  std::string folder_, binary_;
  pugi::xml_document description_;
  void* library_ = nullptr;
};

struct Entry {
  std::string name, contents;
  std::int64_t modified;
};
std::vector<Entry> read_zip(const std::string& path);
std::string read_file(const std::string& path);

}  // namespace fmukit_test
