// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <filesystem>
#include <mutex>
#include <set>
#include <string>
#include <tutti/error.hpp>
#include <tutti/log.hpp>
#include <tutti/model_description.hpp>
#include <utility>

#include "fmi/helper_libraries.hpp"

namespace tutti::fmi {

/// A function of an FMU with its names for messages. An optional function that the FMU lacks has no
/// address, which is an error only when it is called.
template <class F>
struct Function {
  F* address = nullptr;
  const char* name = "";        ///< as in the standard, for example "fmi2DoStep"
  const char* capability = "";  ///< the attribute that declares it, if any
};

/// Whether an unpacked FMU has a folder of binaries for this machine.
bool has_binary_here(const std::filesystem::path& folder);

/// The platform tuple of FMI 3.0, for example "x86_64-linux".
std::string this_platform();

/// Where the library for this machine is, or should be.
struct BinarySearch {
  std::filesystem::path file;  ///< absolute
  std::string missing;         ///< a sentence if it does not exist
};
/// Looks into `<folder>/binaries`. @throws Error (binary) if the identifier is not a file name
BinarySearch find_binary(const std::filesystem::path& folder, FmiVersion version,
                         const std::string& model_identifier, const Log& log);

/// The shared library of an FMU for this machine, loaded during the lifetime of the object.
class Library {
 public:
  /// @throws Error (binary)
  Library(const std::filesystem::path& file, FmiVersion version,
          const std::string& model_identifier, const Log& log);
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  const std::filesystem::path& file() const { return file_; }

  /// A symbol, convertible to a Function of its type.
  struct Symbol {
    void* address;
    const char *name, *capability;
    template <class F>
    operator Function<F>() const {
      return {reinterpret_cast<F*>(address), name, capability};
    }
  };
  /// @throws Error (binary) if the FMU lacks it.
  Symbol require(const char* name) const { return {required_symbol(name), name, ""}; }
  Symbol find(const char* name, const char* capability = "") const {
    return {symbol(name), name, capability};
  }

  /// Set when an instance returned the status fatal: then no function may be called for any
  /// instance any more (FMI 2.0.5 section 2.1.3, FMI 3.0 section 2.2.4).
  std::atomic<bool> corrupted = false;

  /// Whether this text is new for the FMU, over all its instances.
  bool is_first_report(const std::string& text) {
    const std::lock_guard lock(said_mutex_);
    return said_.insert(text).second;
  }

 private:
  void* symbol(const char* name) const;           ///< null if absent
  void* required_symbol(const char* name) const;  ///< throws if absent
  void load(const Log& log);
  void choose_prefix(FmiVersion version, const std::string& model_identifier, const Log& log);
  void refuse_cut_off_file() const;
  [[noreturn]] void explain_failure(const std::string& reason) const;
  Error not_loaded(const std::string& why, ErrorDetails details = {}) const;

  std::filesystem::path file_;
  std::string prefix_;  ///< FMI 1.0: "<modelIdentifier>_"; else mostly none
  HelperLibraries helpers_;
  std::mutex said_mutex_;
  std::set<std::string> said_;
  void* handle_ = nullptr;
};

/// Reserves the only instance of an FMU with canBeInstantiatedOnlyOncePerProcess in this process,
/// for all openings of its file.
class OncePerProcess {
 public:
  OncePerProcess() = default;  ///< reserves nothing
  /// @throws Error (capability) if another instance exists.
  OncePerProcess(const std::string& token, const std::string& model_identifier,
                 const std::string& instance_name);
  OncePerProcess(OncePerProcess&& other) noexcept : key_(std::exchange(other.key_, {})) {}
  OncePerProcess& operator=(OncePerProcess&& other) noexcept {
    std::swap(key_, other.key_);
    return *this;
  }
  ~OncePerProcess();

 private:
  std::string key_;
};

}  // namespace tutti::fmi
