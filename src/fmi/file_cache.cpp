// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/file_cache.hpp"

#include <fmt/format.h>

#include <set>
#include <string>
#include <string_view>

#include "fmi/archive.hpp"
#include "fmi/description/reader.hpp"
#include "fmi/fmu.hpp"

namespace tutti {

ModelDescription read_description(const std::filesystem::path& fmu, const FmuOptions& options,
                                  const Log& log) {
  if (options.cache) return *options.cache->description(fmu, options, log);
  return fmi::read_description(fmi::Archive(fmu, options, log), fmu, options, log);
}

FmuContents list_contents(const std::filesystem::path& fmu, const FmuOptions& options) {
  const fmi::Archive archive(fmu, options, {});
  FmuContents contents;
  for (const fmi::ArchiveEntry& entry : archive.entries()) {
    if (entry.folder) continue;
    const std::string_view path = entry.path;
    ++contents.files;
    contents.bytes += entry.size;
    if (path.starts_with("sources/")) contents.has_sources = true;
    if (path.starts_with("documentation/")) contents.has_documentation = true;
  }
  const std::set<std::string> platforms = archive.platforms();
  contents.platforms.assign(platforms.begin(), platforms.end());
  return contents;
}

std::shared_ptr<FileCache> make_file_cache() { return std::make_shared<FileCache>(); }

std::shared_ptr<const ModelDescription> FileCache::description(const std::filesystem::path& fmu,
                                                               const FmuOptions& options,
                                                               const Log& log) {
  const std::lock_guard lock(mutex_);
  std::error_code none;
  Description& known = descriptions_[std::filesystem::weakly_canonical(fmu, none)];
  if (!known.model) {
    known.messages.clear();
    const Log noting(
        [&](const LogRecord& record) {
          known.messages.push_back({record.severity, std::string(record.component),
                                    std::string(record.category), std::string(record.text)});
          log.write(record);
        },
        Severity::debug);
    known.model = std::make_shared<const ModelDescription>(
        fmi::read_description(fmi::Archive(fmu, options, noting), fmu, options, noting));
  } else {
    for (const Message& m : known.messages)
      log.write({m.severity, m.component, m.category, m.text});
  }
  return known.model;
}

std::shared_ptr<const CsvTable> FileCache::table(const std::filesystem::path& file) {
  const std::lock_guard lock(mutex_);
  std::error_code none;
  std::shared_ptr<const CsvTable>& known = tables_[std::filesystem::weakly_canonical(file, none)];
  if (!known) known = std::make_shared<const CsvTable>(CsvTable::read(file));
  return known;
}

std::shared_ptr<fmi::Fmu> FileCache::fmu(const std::filesystem::path& file,
                                         const FmuOptions& options, const Log& log) {
  if (!keeps_fmus_) return fmi::Fmu::open(file, options, log);
  const std::lock_guard lock(fmus_mutex_);
  std::error_code none;
  std::shared_ptr<fmi::Fmu>& known = fmus_[std::filesystem::weakly_canonical(file, none)];
  if (!known) known = fmi::Fmu::open(file, options, log);
  return known;
}

void FileCache::forget_fmus() {
  keeps_fmus_ = false;
  const std::lock_guard lock(fmus_mutex_);
  fmus_.clear();
}

namespace fmi {

ModelDescription read_description(const Archive& archive, const std::filesystem::path& fmu,
                                  const FmuOptions& options, const Log& log) {
  constexpr std::string_view description = "modelDescription.xml";
  constexpr std::string_view terminals = "terminalsAndIcons/terminalsAndIcons.xml";
  const auto called = [name = fmu.filename().string()](std::string_view file) {
    return name.empty() ? std::string(file) : fmt::format("{}/{}", name, file);
  };
  ModelDescription result =
      read_model_description(archive.read(description, options.limits.description_bytes),
                             called(description), log, options.limits);
  if (result.version == FmiVersion::v3 && archive.contains(terminals)) {
    read_terminals(archive.read(terminals, options.limits.description_bytes), called(terminals),
                   log, result, options.limits);
  }
  return result;
}

FmuOptions with_cache(FmuOptions options) {
  if (!options.cache) options.cache = make_file_cache();
  return options;
}

std::shared_ptr<const ModelDescription> description_of(const std::filesystem::path& fmu,
                                                       const FmuOptions& options, const Log& log) {
  if (options.cache) return options.cache->description(fmu, options, log);
  return std::make_shared<const ModelDescription>(read_description(fmu, options, log));
}

}  // namespace fmi
}  // namespace tutti
