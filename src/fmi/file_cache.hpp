// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tutti/fmu.hpp>
#include <vector>

#include "base/csv.hpp"

namespace tutti {
namespace fmi {
class Fmu;
}

/// The parsed contents of files, by their canonical paths. Thread-safe.
class FileCache {
 public:
  /// The description as read_description() reads it. Its messages go to the log of every caller,
  /// also of later ones.
  std::shared_ptr<const ModelDescription> description(const std::filesystem::path& fmu,
                                                      const FmuOptions& options, const Log& log);
  /// As CsvTable::read() reads it.
  std::shared_ptr<const CsvTable> table(const std::filesystem::path& file);

  /// Opened FMUs are kept from now on, until they are forgotten: only by an owner who calls
  /// forget_fmus(), because FMUs refer to the cache.
  void keep_fmus() { keeps_fmus_ = true; }
  void forget_fmus();
  /// As fmi::Fmu::open() opens it; a kept one, if there is one.
  std::shared_ptr<fmi::Fmu> fmu(const std::filesystem::path& file, const FmuOptions& options,
                                const Log& log);

 private:
  struct Message {
    Severity severity{};
    std::string component, category, text;
  };
  struct Description {
    std::shared_ptr<const ModelDescription> model;
    std::vector<Message> messages;
  };
  std::mutex mutex_;
  std::map<std::filesystem::path, Description> descriptions_;
  std::map<std::filesystem::path, std::shared_ptr<const CsvTable>> tables_;
  bool keeps_fmus_ = false;
  std::mutex fmus_mutex_;
  std::map<std::filesystem::path, std::shared_ptr<fmi::Fmu>> fmus_;
};

namespace fmi {

class Archive;

/// The description, and the terminals of 3.0, from an archive that is already open. `fmu` names it
/// in messages.
ModelDescription read_description(const Archive& archive, const std::filesystem::path& fmu,
                                  const FmuOptions& options, const Log& log);

/// The same options with a cache: a new one, unless they have one.
FmuOptions with_cache(FmuOptions options);

/// From the cache of the options, if they have one. @throws Error as read_description() does
std::shared_ptr<const ModelDescription> description_of(const std::filesystem::path& fmu,
                                                       const FmuOptions& options,
                                                       const Log& log = {});

}  // namespace fmi
}  // namespace tutti
