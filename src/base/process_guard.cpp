// SPDX-License-Identifier: BSD-2-Clause
#include "base/process_guard.hpp"

#include <unistd.h>

#include <clocale>
#include <cstdlib>
#include <vector>

namespace tutti {
namespace {

// Empty when the directory is gone or unreadable; then there is nothing to go back to.
std::string working_directory() {
  char* const text = ::getcwd(nullptr, 0);  // glibc allocates
  std::string result = text ? text : "";
  std::free(text);
  return result;
}

std::string locale() {
  const char* const text = std::setlocale(LC_ALL, nullptr);
  return text ? text : "";
}

std::recursive_mutex& process_mutex() {
  static std::recursive_mutex mutex;
  return mutex;
}

}  // namespace

ProcessGuard::ProcessGuard()
    : lock_(process_mutex()),
      directory_(working_directory()),
      locale_(locale()),
      float_control_(FloatControl::now()) {}

ProcessGuard::~ProcessGuard() { restore(); }

std::string ProcessGuard::restore() {
  std::vector<std::string> changed;
  if (!directory_.empty() && working_directory() != directory_ &&
      ::chdir(directory_.c_str()) == 0) {
    changed.emplace_back("the working directory");
  }
  if (locale() != locale_ && std::setlocale(LC_ALL, locale_.c_str())) {
    changed.emplace_back("the C locale");
  }
  for (std::string& what : float_control_.restore()) changed.push_back(std::move(what));
  return list_changes(changed);
}

}  // namespace tutti
