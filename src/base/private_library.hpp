// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <dlfcn.h>
#include <fmt/format.h>

#include <string_view>
#include <tutti/error.hpp>

namespace tutti {

/// A shared library of the system, opened at run time and privately, so that an FMU with its own
/// copy never uses ours. It stays open until the process ends.
struct PrivateLibrary {
  const char* file;
  std::string_view package;
  std::string_view version;                    ///< the oldest that has all functions
  std::string_view missing_effect, otherwise;  ///< what the user cannot do, and the alternative
  void* handle = dlopen(file, RTLD_LOCAL | RTLD_LAZY);

  /// A function, to be converted to a pointer of its type.
  struct Symbol {
    void* address;
    template <class F>
    operator F*() const {
      return reinterpret_cast<F*>(address);
    }
  };
  /// @throws Error (file) if the library or the function is missing
  Symbol find(const char* name) const {
    if (handle == nullptr) {
      const char* const told = dlerror();
      const std::string_view reason = told != nullptr ? told : "no reason given";
      if (reason.find("failed to map") != reason.npos || reason.find("allocate") != reason.npos)
        throw Error(ErrorCode::capability,
                    fmt::format("cannot {}: there is not enough memory to load {} ({})",
                                missing_effect, file, reason),
                    {.hint = "Close other programs, or raise the limit (ulimit -v)."});
      throw Error(ErrorCode::file,
                  fmt::format("cannot {}: {} is missing ({}). Install the package {}, or {}.",
                              missing_effect, file, reason, package, otherwise));
    }
    if (void* const address = dlsym(handle, name)) return {address};
    throw Error(ErrorCode::file,
                fmt::format("{} has no function \"{}\". Install {} or newer (package {}).", file,
                            name, version, package));
  }
};

}  // namespace tutti
