// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tutti/system_file.hpp>
#include <tutti/version.hpp>
#include <tutti/version_number.hpp>

#include "base/text.hpp"
#include "base/whole_file.hpp"
#include "fmi/file_cache.hpp"
#include "formats/files.hpp"
#include "formats/registry.hpp"
#include "formats/toml/read.hpp"
#include "formats/toml/values.hpp"
#include "models/start_values.hpp"
#include "session/supported.hpp"
#include "solvers/ode/ode.hpp"
#include "system/component_kind.hpp"
#include "system/package_paths.hpp"

namespace tutti {

using session::known_words;

namespace {

/// Checks values of variables with the descriptions of their components.
class VariableCheck {
 public:
  VariableCheck(const System& system, const FmuOptions& options)
      : system_(system), names_(system), options_(fmi::with_cache(options)) {}

  void check(const NamedValue& value, system::Problems& problems) {
    const Endpoint end = system_.is_single_fmu
                             ? Endpoint{system_.components.front().name, value.name}
                             : names_.split(value.name);
    const std::int32_t index = names_.find(end.component);
    if (index < 0) return;  // a setting
    const Component& component = system_.components[static_cast<std::size_t>(index)];
    const auto set =
        std::ranges::find(component.set, end.variable, &std::pair<std::string, std::string>::first);
    if (set == component.set.end()) return;
    try {
      const ModelDescription& description = *of(static_cast<std::size_t>(index));
      // The size of an array may depend on other values; it is checked with all of them.
      const Variable* const variable =
          description.find(std::string_view(end.variable).substr(0, end.variable.find('[')));
      if (variable != nullptr && variable->is_array()) return;
      models::StartValues(description, {{end.variable, value.value}});
    } catch (const Error& error) {
      problems.add(value.place,
                   system_.is_single_fmu ? "" : fmt::format("component \"{}\"", component.name),
                   error.as(ErrorCode::usage), {.component = component.name});
    }
  }

 private:
  const std::shared_ptr<const ModelDescription>& of(std::size_t component) {
    auto& found = descriptions_[component];
    if (!found)
      found = system::description_of(system_.components[component], system_.folder, options_);
    return found;
  }

  const System& system_;
  const system::ComponentNames names_;
  const FmuOptions options_;
  std::map<std::size_t, std::shared_ptr<const ModelDescription>> descriptions_;
};

/// Values of inputs that the system keeps constant replace the constants.
void move_to_constants(System& system, std::span<const NamedValue> values) {
  if (system.inputs.constants.empty()) return;
  const system::ComponentNames names(system);
  for (const NamedValue& value : values) {
    const Endpoint end = names.split(value.name);
    for (auto& [input, constant] : system.inputs.constants)
      if (input == end) constant = value.value;
  }
}

}  // namespace

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

std::vector<NamedValue> read_values(const std::filesystem::path& file) {
  return formats::parse_values(formats::file_content(file, "file of values"), file.string());
}

void write_values(const std::filesystem::path& file, std::span<const NamedValue> values,
                  std::string_view comment) {
  write_whole_file(file, formats::values_text(values, comment));
}

void assign(System& system, std::span<const NamedValue> values, const FmuOptions& options,
            const Log& log) {
  System changed = system;
  formats::assign(changed, values, known_words(), log);
  move_to_constants(changed, values);
  system::Problems problems;
  VariableCheck variables(changed, options);
  for (const NamedValue& value : values) variables.check(value, problems);
  problems.raise();
  system = std::move(changed);
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
