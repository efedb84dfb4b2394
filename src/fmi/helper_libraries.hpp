// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string>
#include <tutti/log.hpp>
#include <vector>

namespace tutti::fmi {

/// Libraries that an FMU's binary needs and the loader does not find by itself: those that the FMU
/// brings, and old ones for which Tutti has a stand-in. What is loaded here satisfies the loader,
/// because it bears the name that is asked for, and stays until this object goes.
class HelperLibraries {
 public:
  HelperLibraries() = default;
  ~HelperLibraries();
  HelperLibraries(const HelperLibraries&) = delete;
  HelperLibraries& operator=(const HelperLibraries&) = delete;

  /// Loads the library `name`. False: neither is it in `folder` nor is there a stand-in, or this
  /// was tried before.
  bool load(const std::string& name, const std::filesystem::path& folder, const Log& log);
  /// The libraries whose place a stand-in has taken.
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

/// The library that the loader's text complains of; empty if it complains of something else.
std::string missing_library(std::string_view reason);

/// The bytes of a shared library of ours that can take the place of the library `name`, which
/// current systems lack and FMUs of former times need; empty if there is none.
std::string_view stand_in_for(std::string_view name);

}  // namespace tutti::fmi
