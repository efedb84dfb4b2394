// SPDX-License-Identifier: BSD-2-Clause
#include "session/system_fmus.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "base/text.hpp"
#include "system/make_plan.hpp"

namespace tutti::session {
namespace {

/// What stands in the way of one FMU, in the words for its first component.
struct Obstacle {
  std::optional<Error> error;
  std::vector<std::string> others;  ///< components for which the same holds
};

}  // namespace

std::vector<std::shared_ptr<fmi::Fmu>> open_fmus(const System& system, const SystemModels& models,
                                                 const FmuOptions& options,
                                                 system::Problems& problems, const Log& log) {
  std::map<std::filesystem::path, std::shared_ptr<fmi::Fmu>> by_file;
  std::map<std::pair<const fmi::Fmu*, std::string>, Obstacle> obstacles;  // by library
  std::vector<Obstacle*> in_order;
  std::vector<std::shared_ptr<fmi::Fmu>> fmus;
  for (std::size_t c = 0; c < system.components.size(); ++c) {
    const Component& component = system.components[c];
    if (component.model) {
      fmus.emplace_back();
      continue;
    }
    const std::filesystem::path file = (system.folder / component.fmu).lexically_normal();
    std::shared_ptr<fmi::Fmu>& fmu = by_file[file];
    try {
      if (!fmu) fmu = fmi::Fmu::open(file, options, log);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::interrupted) throw;
      problems.add(component.place, fmt::format("component \"{}\"", component.name), error,
                   {.component = component.name});
    }
    fmus.push_back(fmu);
    if (!fmu) continue;
    const Capabilities& used = system::interface_of(component, *models.descriptions[c]);
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
            : obstacle->error->within("", {.hint = fmt::format("The same holds for {}.",
                                                               list_some(obstacle->others))}));
  return fmus;
}

}  // namespace tutti::session
