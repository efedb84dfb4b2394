// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/helper_libraries.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace tutti::fmi {
namespace {

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// Loads a library without a file: there may be no folder with write and execute permission.
void* load_from_memory(const std::string& name, std::string_view bytes) {
#ifdef __linux__
  const int file = ::memfd_create(name.c_str(), MFD_CLOEXEC);
  if (file < 0) return nullptr;
  void* handle = nullptr;
  if (write_all(file, bytes))
    handle = ::dlopen(fmt::format("/proc/self/fd/{}", file).c_str(), RTLD_NOW | RTLD_LOCAL);
  ::close(file);
  return handle;
#else
  return nullptr;
#endif
}

}  // namespace

std::string missing_library(std::string_view reason) {
  const std::size_t end = reason.find(": cannot open shared object file");
  return end == std::string_view::npos ? "" : std::string(reason.substr(0, end));
}

HelperLibraries::~HelperLibraries() {
  for (auto handle = handles_.rbegin(); handle != handles_.rend(); ++handle) ::dlclose(*handle);
}

bool HelperLibraries::load(const std::string& name, const std::filesystem::path& folder,
                           const Log& log) {
  const bool again = std::ranges::find(tried_, name) != tried_.end();
  if (again || name.empty() || name.find('/') != std::string::npos) return false;
  tried_.push_back(name);
  std::error_code ignored;
  if (std::filesystem::is_regular_file(folder / name, ignored)) {
    if (!load_beside(folder / name, log)) return false;
    log.warning({}, fmt::format("{} is in the folder of the FMU's binary, which was linked without "
                                "RPATH=\"$ORIGIN\" (FMI 3.0, section 2.5.1.4); loaded from there",
                                name));
    return true;
  }
  if (!load_stand_in(name)) return false;
  log.warning({}, fmt::format("the FMU needs {}, which was not found; a replacement in Tutti "
                              "with the functions that BLAS and LAPACK use is loaded",
                              name));
  return true;
}

bool HelperLibraries::load_beside(const std::filesystem::path& file, const Log& log) {
  for (;;) {
    if (void* const handle = ::dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL)) {
      handles_.push_back(handle);
      return true;
    }
    const char* const reason = ::dlerror();
    if (!reason || !load(missing_library(reason), file.parent_path(), log)) return false;
  }
}

bool HelperLibraries::load_stand_in(const std::string& name) {
  const std::string_view bytes = stand_in_for(name);
  if (bytes.empty()) return false;
  void* const handle = load_from_memory(name, bytes);
  if (!handle) return false;
  handles_.push_back(handle);
  stand_ins_.push_back(name);
  return true;
}

}  // namespace tutti::fmi
