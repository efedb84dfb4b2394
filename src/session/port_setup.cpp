// SPDX-License-Identifier: BSD-2-Clause
#include "session/port_setup.hpp"

#include <fmt/format.h>

#include <cmath>

#include "fmi/shape.hpp"
#include "system/line_start.hpp"
#include "system/lines.hpp"

namespace tutti::session {
namespace {

/// As a user writes it: an array as a whole, or one scalar after the other.
void assign_in_a_row(const SystemModels& models, const system::PortValue& value,
                     std::vector<models::Assignment>& assignments) {
  const system::Point& point = value.point;
  const ModelDescription& model = *models.descriptions[point.component];
  const auto text = [](double number) { return fmt::format("{:.17g}", number); };
  for (std::size_t i = 0; i < value.values.size(); ++i) {
    const Variable& variable = model.variables[static_cast<std::size_t>(point.variable) + i];
    std::string name = variable.name, all = text(value.values[i]);
    if (variable.is_array() && value.values.size() == 1)
      name = fmi::element_name(
          name, fmi::shape_of(model, variable, models.structures[point.component]), point.element);
    else if (variable.is_array())
      for (std::size_t k = 1; k < value.values.size(); ++k) all += " " + text(value.values[k]);
    assignments.push_back({std::move(name), std::move(all)});
    if (variable.is_array()) return;
  }
}

/// Steps of islands divide the distance between synchronization points.
void note_fitted_steps(const System& system, const system::LinePlan& plan,
                       std::span<const double> steps, const Log& log) {
  for (std::size_t i = 0; i < steps.size(); ++i)
    for (const std::uint32_t c : plan.islands[i]) {
      const Component& component = system.components[c];
      if (component.step && std::abs(*component.step - steps[i]) > 1e-6 * steps[i])
        log.info(component.name,
                 fmt::format("components.{}.step = {:.6g} s is changed to {:.6g} s: an integer "
                             "fraction of simulation.step, and the minimum of its island",
                             component.name, *component.step, steps[i]));
    }
}

}  // namespace

void add_port_values(const System& system, const SystemModels& models, const system::LinePlan& plan,
                     std::size_t component, std::vector<models::Assignment>& assignments) {
  for (const system::PlannedLine& line : plan.lines)
    for (std::size_t end = 0; end < 2; ++end) {
      const system::PlannedPort& port = plan.ports[line.ports[end]];
      if (port.component != component) continue;
      for (const system::PortValue& value :
           system::start_values(line, end, port, system.simulation.start.value_or(0)))
        assign_in_a_row(models, value, assignments);
    }
}

void add_port_variables(const SystemModels& models, const system::LinePlan& plan,
                        VariableSets& inputs, VariableSets& outputs) {
  const auto drive = [&](const system::Point& to) { inputs[to.component].insert(to.variable); };
  const auto read = [&](const system::Point& from) {
    outputs[from.component].insert(from.variable);
  };
  for (const system::PlannedPort& port : plan.ports) {
    for (const system::Point& input :
         system::input_points(port, *models.descriptions[port.component]))
      drive(input);
    for (const system::PortDirection& direction : port.directions) read(direction.flow);
    for (const auto& [output, input] : port.carried) read(output);
  }
  for (const system::PlannedDelay& delay : plan.delays) {
    read(delay.from);
    drive(delay.to);
  }
}

void make_network(const System& system, const system::LinePlan& plan, double step,
                  std::vector<bool> is_model_exchange, const Log& log, master::MadeIslands& made) {
  made.steps = master::tlm::island_steps(system, plan, step);
  note_fitted_steps(system, plan, made.steps, log);
  std::vector<double> steps(system.components.size());
  for (std::size_t i = 0; i < plan.islands.size(); ++i)
    for (const std::uint32_t c : plan.islands[i]) steps[c] = made.steps[i];
  made.network = std::make_unique<master::tlm::LineNetwork>(master::tlm::LineNetwork::Setup{
      &system, &plan, std::move(is_model_exchange), std::move(steps), log});
}

}  // namespace tutti::session
