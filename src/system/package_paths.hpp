// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <tutti/error.hpp>
#include <tutti/log.hpp>
#include <tutti/system.hpp>

namespace tutti::system {

/// Messages name the files of a package by their path in the package,
/// `car.ssp/resources/wheel.fmu`, not by the folder where it was unpacked.
class PackagePaths {
 public:
  /// @param folder where the package was unpacked; empty: there is none, and nothing changes
  PackagePaths(const std::filesystem::path& folder, const std::filesystem::path& package);
  explicit PackagePaths(const System& system);

  std::string shown(std::string_view text) const;
  Error shown(const Error& error) const;
  Log shown(const Log& log) const;

  /// Runs an action whose errors may name such files.
  template <class Action>
  auto during(const Action& action) const {
    try {
      return action();
    } catch (const Error& error) {
      if (folder_.empty()) throw;
      throw shown(error);
    }
  }

 private:
  std::string folder_, package_;
};

}  // namespace tutti::system
