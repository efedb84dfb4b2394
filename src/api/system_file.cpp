// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <tutti/system_file.hpp>
#include <tutti/version.hpp>
#include <tutti/version_number.hpp>

#include "fmi/file_cache.hpp"
#include "formats/registry.hpp"
#include "formats/toml/read.hpp"
#include "session/supported.hpp"
#include "solvers/ode/ode.hpp"
#include "system/package_paths.hpp"

namespace tutti {

using session::known_words;

std::string version() { return TUTTI_VERSION; }

std::string library_versions() {
  return fmt::format("SUNDIALS {}, fmt {}.{}.{}", solvers::sundials_version(), FMT_VERSION / 10000,
                     FMT_VERSION / 100 % 100, FMT_VERSION % 100);
}

System read_system(const std::filesystem::path& file, const FmuOptions& options, const Log& log) {
  const formats::Words words = known_words();
  return formats::read_system(file, {words, fmi::with_cache(options), log});
}

void write_system(const System& system, const std::filesystem::path& file, std::string_view format,
                  const FmuOptions& options, const Log& log) {
  const formats::Words words = known_words();
  const system::PackagePaths paths(system);
  paths.during([&] {
    formats::write_system(system, file, format,
                          {words, fmi::with_cache(options), paths.shown(log)});
  });
}

void assign(System& system, std::string_view assignment, const Log& log) {
  formats::assign(system, assignment, known_words(), log);
}

std::vector<SystemFormat> system_formats() {
  std::vector<SystemFormat> all;
  for (const formats::Format& format : formats::formats())
    all.push_back({std::string(format.name), std::string(format.extension),
                   std::string(format.summary), format.write != nullptr});
  return all;
}

bool is_system_file(const std::filesystem::path& file) {
  return formats::find_format(file) != nullptr;
}

std::string system_keys_text() { return formats::keys_text(known_words()); }
std::string system_keys_markdown() { return formats::keys_markdown(known_words()); }

}  // namespace tutti
