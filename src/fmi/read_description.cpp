// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <set>
#include <string>
#include <string_view>

#include "fmi/archive.hpp"
#include "fmi/description/reader.hpp"
#include "fmi/file_cache.hpp"

namespace tutti {
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

}  // namespace fmi

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

}  // namespace tutti
