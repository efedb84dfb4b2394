// SPDX-License-Identifier: BSD-2-Clause
#include "session/system_models.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "base/text.hpp"
#include "fmi/file_cache.hpp"
#include "models/cluster/cluster_fmu.hpp"
#include "models/input_table.hpp"
#include "models/start_values.hpp"
#include "system/cluster.hpp"
#include "system/component_kind.hpp"
#include "system/endpoint.hpp"
#include "system/make_plan.hpp"
#include "system/names.hpp"

namespace tutti::session {
namespace {

/// The reason why an FMU cannot run, with the message for its first component.
struct Obstacle {
  std::optional<Error> error;
  std::vector<std::string> others;  ///< components with the same problem
};

void check_times(const CsvTable& table) {
  for (std::size_t row = 1; row < table.row_count(); ++row)
    if (!(table.number(row, 0) >= table.number(row - 1, 0)))
      table.refuse(table.line(row), "the time decreases");
}

void read_tables(const System& system, FileCache& files, SystemModels& models,
                 system::Problems& problems) {
  for (const InputFile& input : system.inputs.tables) {
    try {
      models.tables.push_back(files.table(system.folder / input.file));
      const CsvTable& table = *models.tables.back();
      check_times(table);
      for (const InputColumn& column : input.columns) models::find_column(table, column.column);
    } catch (const Error& error) {
      problems.add(input.place, "table of inputs", error);
    }
  }
}

void read_input_file(const System& system, FileCache& files, SystemModels& models,
                     system::Problems& problems) {
  if (system.inputs.file.empty()) return;
  try {
    models.input_file = files.table(system.folder / system.inputs.file);
    const CsvTable& table = *models.input_file;
    for (std::size_t i = 1; i < table.header().size(); ++i)
      models.input_columns.emplace_back(table.header()[i]);
    check_times(table);
  } catch (const Error& error) {
    problems.add(system.inputs.place, "inputs.file", error, {.key = "inputs.file"});
  }
}

/// Checks values and returns the sizes that follow from them.
fmi::StructuralValues structure_of(const ModelDescription& description,
                                   const std::vector<std::pair<std::string, std::string>>& set) {
  std::vector<models::Assignment> assignments;
  for (const auto& [name, value] : set) assignments.push_back({name, value});
  return models::StartValues(description, assignments).structure();
}

std::vector<std::pair<std::string, std::string>> set_in_file(const Component& component) {
  auto set = component.set;
  std::erase_if(set, [&](const auto& pair) {
    return std::find(component.assigned.begin(), component.assigned.end(), pair.first) !=
           component.assigned.end();
  });
  return set;
}

bool is_size(const ModelDescription& description, const std::string& name) {
  const Variable* variable = description.find(name);
  return variable != nullptr && variable->causality == Causality::structural_parameter;
}

/// The sizes that a component sets, despite other errors in its values. False: the sizes are wrong.
bool take_sizes(const ModelDescription& description, const Component& component,
                fmi::StructuralValues& sizes) {
  auto set = component.set;
  std::erase_if(set, [&](const auto& pair) { return !is_size(description, pair.first); });
  try {
    sizes = structure_of(description, set);
    return true;
  } catch (const Error&) {
    return false;
  }
}

bool can_select(const Component& component, const ModelDescription& description,
                const fmi::StructuralValues& structure, const std::string& name) {
  try {
    system::select(component, description, structure, name);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// Every file once, for components that are no clusters.
std::vector<std::shared_ptr<fmi::Fmu>> open_files(
    const System& system, std::span<const ModelDescription* const> descriptions,
    const FmuOptions& options, system::Problems& problems, const Log& log) {
  std::map<std::filesystem::path, std::shared_ptr<fmi::Fmu>> by_file;
  std::map<std::pair<const fmi::Fmu*, std::string>, Obstacle> obstacles;  // by library
  std::vector<Obstacle*> in_order;
  std::vector<std::shared_ptr<fmi::Fmu>> fmus;
  for (std::size_t c = 0; c < system.components.size(); ++c) {
    const Component& component = system.components[c];
    if (system::kind_of(component).origin != system::Origin::file) {
      fmus.emplace_back();
      continue;
    }
    const std::filesystem::path file = (system.folder / component.fmu).lexically_normal();
    std::shared_ptr<fmi::Fmu>& fmu = by_file[file];
    try {
      if (!fmu)
        fmu = options.cache ? options.cache->fmu(file, options, log)
                            : fmi::Fmu::open(file, options, log);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::interrupted) throw;
      problems.add(component.place, fmt::format("component \"{}\"", component.name), error,
                   {.component = component.name});
    }
    fmus.push_back(fmu);
    if (!fmu) continue;
    const Capabilities& used = system::interface_of(component, *descriptions[c]);
    const auto [known, is_new] = obstacles.try_emplace({fmu.get(), used.model_identifier});
    Obstacle& obstacle = known->second;
    if (!is_new) {
      if (obstacle.error) obstacle.others.push_back(component.name);
      continue;
    }
    try {
      fmu->ensure_runnable(component.name, used);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::interrupted) throw;
      obstacle.error = error.within("", system::where(component.place));
      in_order.push_back(&obstacle);
    }
  }
  for (const Obstacle* const obstacle : in_order)
    problems.add(
        obstacle->others.empty()
            ? *obstacle->error
            : obstacle->error->within("", {.hint = fmt::format("The same applies to {}.",
                                                               list_some(obstacle->others))}));
  return fmus;
}

}  // namespace

std::vector<std::shared_ptr<fmi::Fmu>> open_fmus(const System& system, const SystemModels& models,
                                                 const FmuOptions& options,
                                                 system::Problems& problems, const Log& log) {
  if (std::ranges::none_of(system.components,
                           [](const Component& c) { return c.cluster != nullptr; }))
    return open_files(system, models.descriptions, options, problems, log);
  // The members of clusters are opened with the other components: files are shared.
  System flat;
  flat.folder = system.folder;
  std::vector<const ModelDescription*> descriptions;
  for (std::size_t c = 0; c < system.components.size(); ++c) {
    const Component& component = system.components[c];
    if (component.cluster == nullptr) {
      flat.components.push_back(component);
      descriptions.push_back(models.descriptions[c]);
      continue;
    }
    const auto& members = component.cluster->system.components;
    flat.components.insert(flat.components.end(), members.begin(), members.end());
    for (const ModelDescription* const model : component.cluster->models())
      descriptions.push_back(model);
  }
  const auto opened = open_files(flat, descriptions, options, problems, log);
  std::vector<std::shared_ptr<fmi::Fmu>> fmus;
  auto next = opened.begin();
  for (const Component& component : system.components) {
    if (component.cluster == nullptr) {
      fmus.push_back(*next++);
      continue;
    }
    const auto last = next + static_cast<std::ptrdiff_t>(component.cluster->size());
    const std::vector<std::shared_ptr<fmi::Fmu>> members(next, last);
    next = last;
    const bool is_complete = std::ranges::find(members, nullptr) == members.end();
    fmus.push_back(is_complete ? models::make_cluster_fmu(component.cluster, members) : nullptr);
  }
  return fmus;
}

SystemModels read_models(const System& system, const FmuOptions& options,
                         system::Problems& problems, const Log& log) {
  SystemModels models;
  const FmuOptions shared = fmi::with_cache(options);
  read_input_file(system, *shared.cache, models, problems);
  read_tables(system, *shared.cache, models, problems);
  models.structures.resize(system.components.size());
  models.component_tables.resize(system.components.size());
  std::unordered_map<std::string, const ModelDescription*> by_file;
  for (std::size_t i = 0; i < system.components.size(); ++i) {
    const Component& component = system.components[i];
    const system::ComponentKind& kind = system::kind_of(component);
    const bool is_fmu = kind.origin == system::Origin::file;
    const std::filesystem::path file =
        system.folder / (is_fmu ? component.fmu : component.built_in.file);
    const auto [found, is_new] = by_file.try_emplace(
        is_fmu ? file.lexically_normal().string() : fmt::format(":{}", i), nullptr);
    Place place = component.place;
    try {
      if (is_new) {
        models.owned.push_back(kind.describe(component, file, shared, log));
        found->second = models.owned.back().get();
        if (!component.built_in.file.empty())
          models.component_tables[i] = shared.cache->table(file);
      }
      if (found->second != nullptr && !component.assigned.empty()) {
        structure_of(*found->second, set_in_file(component));
        place = {};  // problems from here on are not in the file
      }
      if (found->second != nullptr && !component.set.empty())
        models.structures[i] = structure_of(*found->second, component.set);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::interrupted) throw;
      problems.add(place, fmt::format("component \"{}\"", component.name), error,
                   {.component = component.name});
      // Without its sizes, its connections would be wrong, too.
      if (found->second != nullptr &&
          !take_sizes(*found->second, component, models.structures[i])) {
        models.descriptions.push_back(nullptr);
        continue;
      }
    }
    models.descriptions.push_back(found->second);
  }
  const system::ComponentNames names(system);
  for (const auto& [endpoint, value] : system.inputs.constants) {
    const std::int32_t index = names.find(endpoint.component);
    if (index < 0 || models.descriptions[static_cast<std::size_t>(index)] == nullptr) continue;
    const auto c = static_cast<std::size_t>(index);
    const ModelDescription& description = *models.descriptions[c];
    if (!can_select(system.components[c], description, models.structures[c], endpoint.variable))
      continue;  // the plan reports it
    try {
      auto set = system.components[c].set;
      std::erase_if(set, [&](const auto& pair) { return !is_size(description, pair.first); });
      set.emplace_back(endpoint.variable, value);
      structure_of(description, set);
    } catch (const Error& error) {
      problems.add({}, fmt::format("constant input of component \"{}\"", endpoint.component), error,
                   {.component = endpoint.component, .key = "inputs.set"});
    }
  }
  return models;
}

}  // namespace tutti::session
