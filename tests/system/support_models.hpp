// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <deque>
#include <string>
#include <tutti/error.hpp>
#include <tutti/system.hpp>
#include <vector>

#include "support/small_description.hpp"
#include "system/make_plan.hpp"
#include "system/names.hpp"

namespace tutti::system {

/// A system whose models are made by hand.
class Bench {
 public:
  /// A component with a model of its own, whose outputs depend on all inputs.
  testing::SmallDescription& add(const std::string& name) {
    models_.emplace_back().description.co_simulation.emplace();
    share(name, models_.back());
    return models_.back();
  }
  void share(const std::string& name, const testing::SmallDescription& model) {
    Component component;
    component.name = name;
    component.fmu = name + ".fmu";
    system.components.push_back(component);
    descriptions.push_back(&model.description);
    structures.emplace_back();
  }
  Connection& connect(const std::string& from, const std::string& to) {
    const ComponentNames names(system);
    Connection connection;
    connection.from = names.resolve_end(from);
    connection.to = names.resolve_end(to);
    system.connections.push_back(connection);
    return system.connections.back();
  }
  Plan plan(const Log& log = {}, const std::vector<std::string>& columns = {}) const {
    return make_plan(system, descriptions, structures, log, columns);
  }
  std::string refusal(const std::vector<std::string>& columns = {}) const {
    try {
      plan({}, columns);
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing refused";
  }

  System system;
  std::vector<const ModelDescription*> descriptions;
  std::vector<fmi::StructuralValues> structures;

 private:
  std::deque<testing::SmallDescription> models_;
};

/// One input u and one output y, both real.
inline testing::SmallDescription& add_siso(Bench& bench, const std::string& name) {
  testing::SmallDescription& model = bench.add(name);
  model.add("u", Type::float64, Causality::input);
  model.add("y", Type::float64, Causality::output);
  return model;
}

}  // namespace tutti::system
