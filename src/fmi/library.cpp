// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <tutti/error.hpp>
#include <utility>
#include <vector>

#include "fmi/elf.hpp"

namespace tutti::fmi {
namespace {

namespace fs = std::filesystem;

struct Platform {
  const char* folder_v2;  ///< FMI 1.0 and 2.0; FMI 2.0 has no name for ARM; that of 3.0 is used
  const char* folder_v3;
  const char* suffix;
};

constexpr Platform our_platform =
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
  std::ranges::sort(names);
  return names;
}

std::string no_platform(const fs::path& folder, const char* wanted) {
  const std::vector<std::string> platforms = names_in(folder / "binaries");
  return fmt::format(
      "the FMU has no binary for this machine (binaries/{}): it has {}.", wanted,
      platforms.empty() ? "no binaries at all" : fmt::format("{}", fmt::join(platforms, ", ")));
}

// The identifier becomes a file name; names with separators are rejected.
void check_file_name(const std::string& identifier) {
  const bool strange = identifier.empty() || identifier == "." || identifier == ".." ||
                       identifier.find_first_of("/\\") != std::string::npos;
  if (!strange && identifier.size() <= 200) return;
  throw Error(ErrorCode::binary,
              fmt::format("the modelIdentifier \"{:.100}\" is not a valid file name", identifier),
              {.hint = "Export the FMU again."});
}

// A single library with another name is assumed to be the right one; but in FMI 1.0 the identifier
// is also part of the names of its functions.
std::optional<std::string> only_library(const fs::path& platform, FmiVersion version) {
  if (version == FmiVersion::v1) return std::nullopt;
  std::vector<std::string> libraries;
  for (const std::string& name : names_in(platform))
    if (name.ends_with(our_platform.suffix)) libraries.push_back(name);
  return libraries.size() == 1 ? std::optional(libraries.front()) : std::nullopt;
}

// The loader stops at the first library that it does not find; the others are tried one by one.
// Those in the folder of the binary may be found by the RUNPATH of the binary, which does not apply
// to this call.
std::vector<std::string> missing_libraries(const fs::path& file, const BinaryFile& binary,
                                           const std::string& reason) {
  std::vector<std::string> missing;
  const auto add = [&](const std::string& name) {
    if (name.empty() || std::ranges::find(missing, name) != missing.end()) return;
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

// The names of the existing instances by token and model identifier. The limit is per process, so
// this table is global.
struct InstanceNames {
  std::mutex mutex;
  std::map<std::string, std::string> names;
};

InstanceNames& instance_names() {
  static InstanceNames table;
  return table;
}

}  // namespace

bool has_binary_here(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_directory(folder / "binaries" / our_platform.folder_v2, ignored) ||
         fs::is_directory(folder / "binaries" / our_platform.folder_v3, ignored);
}

std::string this_platform() { return our_platform.folder_v3; }

// In the folder of this version's convention, else in that of the other one.
BinarySearch find_binary(const fs::path& folder, FmiVersion version,
                         const std::string& model_identifier, const Log& log) {
  check_file_name(model_identifier);
  const bool v3 = version == FmiVersion::v3;
  const char* const wanted = v3 ? our_platform.folder_v3 : our_platform.folder_v2;
  const char* const other = v3 ? our_platform.folder_v2 : our_platform.folder_v3;
  const auto file_in = [&](const char* platform) {
    return fs::absolute(folder / "binaries" / platform / (model_identifier + our_platform.suffix));
  };
  std::error_code ignored;
  const bool has_wanted = fs::is_directory(folder / "binaries" / wanted, ignored);
  const bool has_other = fs::is_directory(folder / "binaries" / other, ignored);
  if (!has_wanted && !has_other) return {file_in(wanted), no_platform(folder, wanted)};
  const char* const used = has_wanted ? wanted : other;
  fs::path file = file_in(used);
  if (!fs::is_regular_file(file, ignored)) {
    const std::string name = file.filename().string();
    const std::optional<std::string> other_name = only_library(file.parent_path(), version);
    if (!other_name) {
      return {file, fmt::format("the FMU has no {} in binaries/{}; the name must be the "
                                "modelIdentifier. The folder contains: {}.",
                                name, used, fmt::join(names_in(file.parent_path()), ", "))};
    }
    log.warning({}, fmt::format("the FMU's binary is {}, not {} as modelIdentifier requires; it is "
                                "the only one in the folder and is used",
                                *other_name, name));
    file.replace_filename(*other_name);
  }
  if (!has_wanted) {
    log.warning(
        {},
        fmt::format("the FMU has its binary in binaries/{}; for FMI {} the folder is binaries/{}",
                    other, to_string(version), wanted));
  }
  return {file, ""};
}

Library::Library(const fs::path& file, FmiVersion version, const std::string& model_identifier,
                 const Log& log)
    : file_(file) {
  load(log);
  choose_prefix(version, model_identifier, log);
}

Library::~Library() {
  // After a fatal status even the library's own finalizers could access corrupted memory.
  if (corrupted) {
    helpers_.abandon();
  } else if (handle_) {
    ::dlclose(handle_);
  }
}

// Lazy: a function that the FMU refers to but never calls need not exist. But a stand-in must have
// all functions that the FMU could call. Local: the FMU's symbols are not visible to other
// libraries.
void Library::load(const Log& log) {
  refuse_cut_off_file();
  for (;;) {
    const int when = helpers_.stand_ins().empty() ? RTLD_LAZY : RTLD_NOW;
    handle_ = ::dlopen(file_.c_str(), when | RTLD_LOCAL);
    if (handle_) return;
    const char* const text = ::dlerror();
    const std::string reason = text ? text : "unknown reason";
    if (!helpers_.load(missing_library(reason), file_.parent_path(), log)) explain_failure(reason);
  }
}

Error Library::not_loaded(const std::string& why, ErrorDetails details) const {
  return Error(ErrorCode::binary,
               fmt::format("{} cannot be loaded: {}", file_.filename().string(), why),
               std::move(details));
}

// The loader would map pages that do not exist, and crash.
void Library::refuse_cut_off_file() const {
  const BinaryFile binary = inspect_binary(file_);
  if (binary.kind != BinaryFile::Kind::elf || binary.needed_size <= binary.size) return;
  throw not_loaded(
      fmt::format("the file is truncated: it has {} bytes, and its segments end at byte {}",
                  binary.size, binary.needed_size),
      {.hint = "Export or copy the FMU again."});
}

void Library::explain_failure(const std::string& reason) const {
  const BinaryFile binary = inspect_binary(file_);
  if (binary.kind != BinaryFile::Kind::elf) {
    const char* const what = binary.kind == BinaryFile::Kind::windows ? "a Windows library"
                             : binary.kind == BinaryFile::Kind::mac   ? "a macOS library"
                                                                      : "not a shared library";
    throw not_loaded(
        fmt::format("it is {}, but this machine needs ELF for {}.", what, this_machine()));
  }
  if (binary.machine != this_machine())
    throw not_loaded(
        fmt::format("it was compiled for {}, this machine is {}.", binary.machine, this_machine()));
  std::vector<std::string> missing = missing_libraries(file_, binary, reason);
  const std::vector<std::string>& replaced = helpers_.stand_ins();
  missing.insert(missing.end(), replaced.begin(), replaced.end());
  struct statvfs system {};
  if (missing.empty() && ::statvfs(file_.c_str(), &system) == 0 && (system.f_flag & ST_NOEXEC) != 0)
    throw not_loaded(
        fmt::format("programs may not be run from \"{}\", which is mounted noexec. Set "
                    "TMPDIR to another folder. ({})",
                    file_.parent_path().string(), reason));
  if (missing.empty()) throw not_loaded(reason);
  throw not_loaded(
      fmt::format("it needs {}, which was not found. Install the package that contains it, or "
                  "add its folder to LD_LIBRARY_PATH. ({})",
                  fmt::join(missing, ", "), reason));
}

// FMI 1.0 puts the model identifier before each name; some exporters forget it. Later versions do
// so in static libraries only; sources that were meant for one may still have it.
void Library::choose_prefix(FmiVersion version, const std::string& model_identifier,
                            const Log& log) {
  const auto has_functions = [&] {
    switch (version) {
      case FmiVersion::v1:
        return symbol("fmiGetVersion") || symbol("fmiInstantiateSlave") ||
               symbol("fmiInstantiateModel");
      case FmiVersion::v2:
        return symbol("fmi2GetVersion") || symbol("fmi2Instantiate");
      default:
        return symbol("fmi3GetVersion") || symbol("fmi3FreeInstance");
    }
  };
  const std::string prefix = model_identifier + "_";
  const bool wanted = version == FmiVersion::v1;
  prefix_ = wanted ? prefix : "";
  if (has_functions()) return;
  prefix_ = wanted ? "" : prefix;
  if (has_functions()) {
    log.warning({}, fmt::format("the functions in {} have {} prefix \"{}\", which FMI {} {}",
                                file_.filename().string(), wanted ? "no" : "the", prefix,
                                to_string(version),
                                wanted ? "requires" : "allows in static libraries only"));
    return;
  }
  prefix_ = wanted ? prefix : "";
}

void* Library::symbol(const char* name) const {
  return ::dlsym(handle_, prefix_.empty() ? name : (prefix_ + name).c_str());
}

void* Library::required_symbol(const char* name) const {
  if (void* const address = symbol(name)) return address;
  throw Error(ErrorCode::binary,
              fmt::format("{} lacks the function {}{}, which every FMU with this interface must "
                          "have",
                          file_.filename().string(), prefix_, name),
              {.hint = "Export the FMU again; if it was compiled from sources, check that its "
                       "functions are exported."});
}

OncePerProcess::OncePerProcess(const std::string& token, const std::string& model_identifier,
                               const std::string& instance_name) {
  const std::string key = token + '\n' + model_identifier;
  const std::lock_guard lock(instance_names().mutex);
  const auto [place, is_new] = instance_names().names.emplace(key, instance_name);
  if (!is_new) {
    throw Error(
        ErrorCode::capability,
        fmt::format(
            "component \"{}\": the FMU \"{}\" can be instantiated only once per process "
            "(canBeInstantiatedOnlyOncePerProcess=\"true\"), and \"{}\" is an existing instance",
            instance_name, model_identifier, place->second),
        {.component = instance_name,
         .hint = "Export the FMU without this limit, or use a copy with another model "
                 "identifier."});
  }
  key_ = key;
}

OncePerProcess::~OncePerProcess() {
  if (key_.empty()) return;
  const std::lock_guard lock(instance_names().mutex);
  instance_names().names.erase(key_);
}

}  // namespace tutti::fmi
