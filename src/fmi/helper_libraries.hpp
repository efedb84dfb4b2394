// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string>
#include <tutti/log.hpp>
#include <vector>

namespace tutti::fmi {

/// Libraries that an FMU's binary needs and the loader does not find: those that the FMU contains,
/// and old ones that Tutti replaces. A library loaded here has the required name, so the loader
/// uses it. It is unloaded with this object.
class HelperLibraries {
 public:
  HelperLibraries() = default;
  ~HelperLibraries();
  HelperLibraries(const HelperLibraries&) = delete;
  HelperLibraries& operator=(const HelperLibraries&) = delete;

  /// Loads the library `name`. False: it is not in `folder` and has no stand-in, or this was tried
  /// before.
  bool load(const std::string& name, const std::filesystem::path& folder, const Log& log);
  /// The libraries replaced by a stand-in.
  const std::vector<std::string>& stand_ins() const { return stand_ins_; }
  /// They stay in memory until the process ends.
  void abandon() { handles_.clear(); }

 private:
  bool load_beside(const std::filesystem::path& file, const Log& log);
  bool load_stand_in(const std::string& name);

  std::vector<void*> handles_;
  std::vector<std::string> tried_;
  std::vector<std::string> stand_ins_;
};

/// The library named in the loader's error; empty for other errors.
std::string missing_library(std::string_view reason);

/// The bytes of a shared library that replaces the library `name`, which current systems lack and
/// old FMUs need; empty if there is none.
std::string_view stand_in_for(std::string_view name);

}  // namespace tutti::fmi
