// SPDX-License-Identifier: BSD-2-Clause
#include "system/package_paths.hpp"

namespace tutti::system {

PackagePaths::PackagePaths(const std::filesystem::path& folder,
                           const std::filesystem::path& package)
    : folder_(folder.string()), package_(package.string()) {}

PackagePaths::PackagePaths(const System& system)
    : PackagePaths(system.package ? *system.package : std::filesystem::path(),
                   system.package_file) {}

std::string PackagePaths::shown(std::string_view text) const {
  std::string result(text);
  if (folder_.empty()) return result;
  for (std::size_t at = 0; (at = result.find(folder_, at)) != std::string::npos;
       at += package_.size())
    result.replace(at, folder_.size(), package_);
  return result;
}

Error PackagePaths::shown(const Error& error) const {
  std::vector<Error> parts;
  for (const Error& part : error.parts()) parts.push_back(shown(part));
  if (!parts.empty()) return Error(error.code(), std::move(parts));
  ErrorRecord record = error.record();
  for (std::string* text : {&record.message, &record.text, &record.details.file})
    *text = shown(*text);
  return Error(std::move(record));
}

Log PackagePaths::shown(const Log& log) const {
  if (folder_.empty()) return log;
  return Log(
      [paths = *this, log](const LogRecord& record) {
        LogRecord renamed = record;
        const std::string text = paths.shown(record.text);
        renamed.text = text;
        log.write(renamed);
      },
      log.wants(Severity::debug) ? Severity::debug : Severity::info);
}

}  // namespace tutti::system
