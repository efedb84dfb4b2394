// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tutti/error.hpp>
#include <tutti/new_system.hpp>

#include "fmi/file_cache.hpp"
#include "formats/files.hpp"
#include "formats/toml/keys.hpp"
#include "formats/toml/new_system.hpp"
#include "system/component_kind.hpp"
#include "system/make_plan.hpp"
#include "system/patterns.hpp"
#include "system/proposals.hpp"

namespace tutti {
namespace fs = std::filesystem;
namespace {

/// The descriptions of the components of a system, each file read once.
class Descriptions {
 public:
  Descriptions(const System& system, const FmuOptions& options, const Log& log) {
    const FmuOptions shared = fmi::with_cache(options);
    for (const Component& component : system.components) {
      const bool is_fmu = system::kind_of(component).origin == system::Origin::file;
      auto& model = read_[is_fmu ? (system.folder / component.fmu).lexically_normal().string()
                                 : ":" + component.name];
      if (!model) model = system::description_of(component, system.folder, shared, log);
      all_.push_back(model.get());
    }
  }
  std::span<const ModelDescription* const> all() const { return all_; }

 private:
  std::map<std::string, std::shared_ptr<const ModelDescription>> read_;
  std::vector<const ModelDescription*> all_;
};

/// A name that needs no quotes in a system file, and no dot, behind which a variable would begin.
std::string plain_name(const fs::path& fmu) {
  const fs::path file = fmu.has_filename() ? fmu : fmu.parent_path();
  const std::string stem = fs::is_directory(fmu) ? file.filename().string() : file.stem().string();
  std::string name;
  for (const char c : stem) {
    const bool is_plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    if (is_plain)
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  }
  while (name.ends_with('_')) name.pop_back();
  return name.empty() ? "component" : name;
}

/// Names by file, numbered if there are several; avoids names that `--set` takes for a section.
std::vector<std::string> names_for(std::span<const fs::path> fmus) {
  std::vector<std::string> names;
  std::map<std::string, int> count;
  for (const fs::path& fmu : fmus) ++count[names.emplace_back(plain_name(fmu))];
  const std::vector<std::string_view> top = formats::names_below("");
  const std::set<std::string> sections(top.begin(), top.end());
  std::set<std::string> taken = sections;
  for (const auto& [name, times] : count)
    if (times == 1) taken.insert(name);
  for (std::string& name : names) {
    if (count[name] == 1 && !sections.contains(name)) continue;
    std::string numbered;
    for (int n = 1; numbered.empty() || !taken.insert(numbered).second; ++n)
      numbered = fmt::format("{}_{}", name, n);
    name = numbered;
  }
  return names;
}

/// Times for all FMUs: the earliest start, the latest stop, the smallest step.
void take_times(SimulationSettings& run, std::span<const ModelDescription* const> descriptions) {
  const auto take = [](std::optional<double>& into, const std::optional<double>& value,
                       const auto& is_better) {
    if (value && std::isfinite(*value) && (!into || is_better(*value, *into))) into = value;
  };
  // Its tolerance is that of the solver in the FMU: as tolerance of the coupling it would make
  // steps of method "auto" far too short.
  for (const ModelDescription* model : descriptions) {
    const DefaultExperiment& given = model->default_experiment;
    take(run.start, given.start, std::less());
    take(run.stop, given.stop, std::greater());
    if (given.step > 0) take(run.step, given.step, std::less());
  }
}

/// A step that divides the simulated time: FMUs with a fixed step cannot shorten the last one.
void fit_step(System& system, std::span<const ModelDescription* const> descriptions) {
  SimulationSettings& run = system.simulation;
  const double start = run.start.value_or(0);
  if (!run.stop || *run.stop <= start) run.stop = start + 1;
  const double span = *run.stop - start;
  constexpr double usual_count = 500, most_count = 1e9;
  if (!run.step || *run.step > span || span / *run.step > most_count) run.step = span / usual_count;
  const double count = span / *run.step;
  bool varies = true;
  for (std::size_t i = 0; i < descriptions.size(); ++i)
    varies &= system::can_vary_step(system.components[i], *descriptions[i]);
  constexpr double rounding = 1e-9;
  if (!varies && std::abs(count - std::round(count)) > rounding * count)
    run.stop = start + std::ceil(count) * *run.step;
}

/// The inputs that have a source, as variables.
std::set<system::Point> driven_inputs(const System& system,
                                      std::span<const ModelDescription* const> descriptions) {
  std::set<system::Point> driven;
  const auto add = [&](const Endpoint& to) {
    const std::int32_t c = system.find(to.component);
    if (c < 0) return;
    const ModelDescription& model = *descriptions[static_cast<std::size_t>(c)];
    if (const Variable* variable = model.find(to.variable))
      driven.insert({static_cast<std::uint32_t>(c),
                     static_cast<std::int32_t>(variable - model.variables.data())});
  };
  for (const Connection& c : system::expanded_connections(system, descriptions)) add(c.to);
  for (const auto& [to, value] : system.inputs.constants) add(to);
  for (const InputFile& table : system.inputs.tables)
    for (const InputColumn& column : table.columns) add(column.to);
  for (const DelayedSignal& delay : system.delays) add(delay.to);
  return driven;
}

}  // namespace

System new_system(std::span<const fs::path> fmus, const fs::path& folder, const FmuOptions& options,
                  const Log& log) {
  if (fmus.empty()) throw Error(ErrorCode::usage, "a system needs at least one FMU");
  System system;
  const System here;
  system.folder = folder;
  const std::vector<std::string> names = names_for(fmus);
  for (std::size_t i = 0; i < fmus.size(); ++i) {
    Component& component = system.components.emplace_back();
    component.name = names[i];
    component.fmu = formats::path_seen_from(here, fmus[i], folder);
  }
  const Descriptions descriptions(system, options, log);
  take_times(system.simulation, descriptions.all());
  fit_step(system, descriptions.all());
  return system;
}

std::vector<ProposedConnection> propose_connections(const System& system, const FmuOptions& options,
                                                    const Log& log) {
  const Descriptions descriptions(system, options, log);
  return system::propose_connections(system, descriptions.all(),
                                     driven_inputs(system, descriptions.all()));
}

std::string new_system_text(const System& system, std::span<const ProposedConnection> connections,
                            const fs::path& file, const FmuOptions& options) {
  const Descriptions descriptions(system, options, {});
  return formats::new_toml_text(system, descriptions.all(), connections, file);
}

}  // namespace tutti
