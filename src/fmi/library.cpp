// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <tutti/error.hpp>
#include <utility>
#include <vector>

#include "fmi/elf.hpp"

namespace tutti::fmi {
namespace {

namespace fs = std::filesystem;

struct Platform {
  const char*
      folder_v2;  ///< FMI 1.0 and 2.0; FMI 2.0 knows no name for ARM and borrows that of 3.0
  const char* folder_v3;
  const char* suffix;
};

constexpr Platform this_platform =
#if defined(__APPLE__) && defined(__aarch64__)
    {"darwin64", "aarch64-darwin", ".dylib"};
#elif defined(__APPLE__)
    {"darwin64", "x86_64-darwin", ".dylib"};
#elif defined(_WIN64)
    {"win64", "x86_64-windows", ".dll"};
#elif defined(__aarch64__)
    {"aarch64-linux", "aarch64-linux", ".so"};
#elif defined(__i386__)
    {"linux32", "x86-linux", ".so"};
#else
    {"linux64", "x86_64-linux", ".so"};
#endif

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

[[noreturn]] void no_platform(const fs::path& folder, const char* wanted) {
  const std::vector<std::string> platforms = names_in(folder / "binaries");
  std::string text = fmt::format("the FMU has no binary for this machine (binaries/{}): ", wanted);
  text += platforms.empty() ? "it has no binaries at all."
                            : fmt::format("it has {}.", fmt::join(platforms, ", "));
  std::error_code ignored;
  text += fs::is_directory(folder / "sources", ignored)
              ? " It contains sources: compile them for this machine and put the library into that "
                "folder, or export the FMU again with this platform."
              : " Export the FMU again with this platform.";
  throw Error(ErrorCode::binary, text);
}

// The folder of this version's convention, else that of the other one.
fs::path platform_folder(const fs::path& folder, FmiVersion version, const Log& log) {
  const bool v3 = version == FmiVersion::v3;
  const char* const wanted = v3 ? this_platform.folder_v3 : this_platform.folder_v2;
  const char* const other = v3 ? this_platform.folder_v2 : this_platform.folder_v3;
  std::error_code ignored;
  if (fs::is_directory(folder / "binaries" / wanted, ignored)) return folder / "binaries" / wanted;
  if (!fs::is_directory(folder / "binaries" / other, ignored)) no_platform(folder, wanted);
  log.warning({}, fmt::format("the FMU keeps its binary in binaries/{}; for FMI {} the folder is "
                              "binaries/{}",
                              other, to_string(version), wanted));
  return folder / "binaries" / other;
}

// <modelIdentifier>.so. If the only library there has another name, it must be the one; but in FMI
// 1.0 the identifier is also part of the names of its functions.
std::string library_name(const fs::path& platform, FmiVersion version,
                         const std::string& model_identifier, const Log& log) {
  const std::string wanted = model_identifier + this_platform.suffix;
  std::error_code ignored;
  if (fs::is_regular_file(platform / wanted, ignored)) return wanted;
  const std::vector<std::string> names = names_in(platform);
  std::vector<std::string> libraries;
  for (const std::string& name : names)
    if (name.ends_with(this_platform.suffix)) libraries.push_back(name);
  if (libraries.size() != 1 || version == FmiVersion::v1)
    throw Error(ErrorCode::binary,
                fmt::format("the FMU has no {} in binaries/{}; the name is that of the attribute "
                            "modelIdentifier. The folder holds: {}",
                            wanted, platform.filename().string(), fmt::join(names, ", ")));
  log.warning({},
              fmt::format("the FMU's binary is {}, not {} as modelIdentifier demands; it is the "
                          "only one there and taken for it",
                          libraries.front(), wanted));
  return libraries.front();
}

// The loader stops at the first library that it does not find; the others are asked for one by one.
// Those beside the binary may be found by the RUNPATH of the binary, which does not hold for us.
std::vector<std::string> missing_libraries(const fs::path& file, const BinaryFile& binary,
                                           const std::string& reason) {
  std::vector<std::string> missing;
  const auto add = [&](const std::string& name) {
    if (name.empty() || std::find(missing.begin(), missing.end(), name) != missing.end()) return;
    missing.push_back(name);
  };
  add(missing_library(reason));
  std::error_code ignored;
  for (const std::string& name : binary.needed) {
    if (fs::exists(file.parent_path() / name, ignored)) continue;
    if (void* const handle = ::dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL)) {
      ::dlclose(handle);
    } else if (const char* const text = ::dlerror()) {
      add(missing_library(text));
    }
  }
  return missing;
}

}  // namespace

bool has_binary_here(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_directory(folder / "binaries" / this_platform.folder_v2, ignored) ||
         fs::is_directory(folder / "binaries" / this_platform.folder_v3, ignored);
}

Library::Library(const fs::path& folder, FmiVersion version, const std::string& model_identifier,
                 const Log& log) {
  const fs::path platform = platform_folder(folder, version, log);
  file_ = fs::absolute(platform / library_name(platform, version, model_identifier, log));
  load(log);
  if (version == FmiVersion::v1) choose_prefix(model_identifier, log);
}

Library::~Library() {
  // After a fatal status even the library's own finalizers could run into what it has corrupted.
  if (corrupted) {
    helpers_.abandon();
  } else if (handle_) {
    ::dlclose(handle_);
  }
}

// Lazy: a function that the FMU refers to but never calls need not exist. But a stand-in has to
// have all that the FMU could call.
// Local: the FMU's symbols stay its own.
void Library::load(const Log& log) {
  for (;;) {
    const int when = helpers_.stand_ins().empty() ? RTLD_LAZY : RTLD_NOW;
    handle_ = ::dlopen(file_.c_str(), when | RTLD_LOCAL);
    if (handle_) return;
    const char* const text = ::dlerror();
    const std::string reason = text ? text : "unknown reason";
    if (!helpers_.load(missing_library(reason), file_.parent_path(), log)) explain_failure(reason);
  }
}

void Library::explain_failure(const std::string& reason) const {
  const std::string name = file_.filename().string();
  const BinaryFile binary = inspect_binary(file_);
  if (binary.kind != BinaryFile::Kind::elf) {
    const char* const what = binary.kind == BinaryFile::Kind::windows ? "a Windows library"
                             : binary.kind == BinaryFile::Kind::mac   ? "a macOS library"
                                                                      : "not a shared library";
    throw Error(ErrorCode::binary,
                fmt::format("{} cannot be loaded: it is {}, but this machine needs ELF for {}.",
                            name, what, this_machine()));
  }
  if (binary.machine != this_machine()) {
    throw Error(ErrorCode::binary,
                fmt::format("{} cannot be loaded: it was compiled for {}, this machine is {}.",
                            name, binary.machine, this_machine()));
  }
  std::vector<std::string> missing = missing_libraries(file_, binary, reason);
  const std::vector<std::string>& replaced = helpers_.stand_ins();
  missing.insert(missing.end(), replaced.begin(), replaced.end());
  if (missing.empty()) {
    throw Error(ErrorCode::binary, fmt::format("{} cannot be loaded: {}", name, reason));
  }
  throw Error(
      ErrorCode::binary,
      fmt::format("{} cannot be loaded: it needs {}, which this machine does not find. Install the "
                  "package that has it, or add its folder to LD_LIBRARY_PATH. ({})",
                  name, fmt::join(missing, ", "), reason));
}

// FMI 1.0 puts the model identifier before each name. Some exporters forget it.
void Library::choose_prefix(const std::string& model_identifier, const Log& log) {
  prefix_ = model_identifier + "_";
  if (symbol("fmiGetVersion") || symbol("fmiInstantiateSlave") || symbol("fmiInstantiateModel")) {
    return;
  }
  const std::string expected = std::exchange(prefix_, "");
  if (symbol("fmiGetVersion") || symbol("fmiInstantiateSlave") || symbol("fmiInstantiateModel")) {
    log.warning({}, fmt::format("the functions in {} have no prefix \"{}\", which FMI 1.0 demands",
                                file_.filename().string(), expected));
  } else {
    prefix_ = expected;
  }
}

void* Library::symbol(const char* name) const {
  return ::dlsym(handle_, prefix_.empty() ? name : (prefix_ + name).c_str());
}

void* Library::required_symbol(const char* name) const {
  if (void* const address = symbol(name)) return address;
  throw Error(ErrorCode::binary,
              fmt::format("{} lacks the function {}{}, which every FMU with this interface must "
                          "have. Export the FMU again; if it was compiled from sources, check that "
                          "its functions are exported.",
                          file_.filename().string(), prefix_, name));
}

}  // namespace tutti::fmi
