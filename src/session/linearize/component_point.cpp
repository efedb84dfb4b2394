// SPDX-License-Identifier: BSD-2-Clause
#include "session/linearize/component_point.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "analysis/linearization.hpp"
#include "base/text.hpp"
#include "session/linearize/co_simulation_point.hpp"
#include "system/component_kind.hpp"
#include "system/endpoint.hpp"

namespace tutti::session {
namespace {

using analysis::Source;
using models::RealElement;

const Variable& variable_behind(const ComponentPoint& point, const RealElement& element) {
  return point.description().variables[static_cast<std::size_t>(element.variable)];
}

/// A component without states: D from the instance, which may be evaluated with other inputs.
std::optional<ComponentModel> by_instance_derivatives(const ComponentPoint& point,
                                                      bool with_parameters = false) {
  const models::LinearQuestion& question = point.question;
  const auto is_scalar = [&](const RealElement& element) {
    return variable_behind(point, element).type == Type::float64 &&
           !variable_behind(point, element).is_array() &&
           variable_behind(point, element).alias != AliasKind::negated;
  };
  if (!point.instance.differentiate({}, {}, {}, {}) ||
      (has_parameters(point) && !with_parameters) ||
      !std::ranges::all_of(question.inputs, is_scalar) ||
      !std::ranges::all_of(question.outputs, is_scalar))
    return {};
  std::vector<std::int32_t> unknowns;
  for (const RealElement& output : question.outputs) unknowns.push_back(output.variable);
  std::vector<double> slopes(unknowns.size());
  ComponentModel result;
  result.source = to_string(Source::directional_derivatives);
  for (std::size_t j = 0; j < question.inputs.size() && !unknowns.empty(); ++j) {
    const double seed = 1;
    point.instance.differentiate(unknowns, {&question.inputs[j].variable, 1}, {&seed, 1}, slopes);
    for (std::size_t i = 0; i < slopes.size(); ++i) {
      if (!std::isfinite(slopes[i]))
        throw Error(ErrorCode::numeric, "a partial derivative of its outputs is not finite");
      if (slopes[i] != 0) result.equations.d.push_back({i, j, slopes[i]});
    }
  }
  result.equations.y = read_reals(point, question.outputs);
  return result;
}

/// A built-in component is a function of time and inputs, unless it stores past inputs.
ComponentModel linearize_function(const ComponentPoint& point) {
  models::ValueSet& inputs = point.instance.inputs();
  for (const models::Scalar& scalar : inputs.scalars()) {
    const auto asked =
        std::ranges::find(point.question.inputs, RealElement{scalar.variable, scalar.element});
    if (asked != point.question.inputs.end())
      inputs.write_real(
          scalar,
          point.question.u[static_cast<std::size_t>(asked - point.question.inputs.begin())]);
  }
  if (!point.instance.differentiate({}, {}, {}, {}))
    throw Error(ErrorCode::capability,
                fmt::format("component \"{}\" ({}) stores past inputs: no finite number of states "
                            "describes it",
                            point.name(),
                            system::source_of(point.prepared.system().components[point.component])),
                {.component = point.name(),
                 .hint = "Replace it by a model with states, such as a Padé approximation."});
  point.instance.handle_event(point.time);
  auto result = by_instance_derivatives(point, true);
  if (!result)
    throw Error(ErrorCode::capability, "its inputs and outputs are not all real scalars",
                {.component = point.name()});
  result->source = "differences of a built-in component without states";
  result->has_states = result->adjusts = true;
  return *std::move(result);
}

/// D as far as the description states it; the names of pairs that it leaves open.
std::optional<ComponentModel> by_description(const ComponentPoint& point,
                                             std::vector<std::string>& open) {
  analysis::LinearizationTask task;
  for (const RealElement& u : point.question.inputs) task.u.push_back({u.variable, u.element});
  for (const RealElement& y : point.question.outputs) task.y.push_back({y.variable, y.element});
  const analysis::Linearization found = analysis::linearize_by_structure(point.description(), task);
  for (std::size_t i = 0; i < task.y.size(); ++i)
    for (std::size_t j = 0; j < task.u.size(); ++j)
      // The dependencies are those on inputs and states.
      if (found.uncertain[i * task.u.size() + j] ||
          variable_behind(point, point.question.inputs[j]).causality == Causality::parameter)
        open.push_back(fmt::format("{} on {}",
                                   variable_behind(point, point.question.outputs[i]).name,
                                   variable_behind(point, point.question.inputs[j]).name));
  if (!open.empty()) return {};
  ComponentModel result;
  result.source = "the dependencies in its description: no output depends directly on an input";
  result.equations.y = read_reals(point, point.question.outputs);
  return result;
}

/// The sources of a component that is stepped, the best first. Failures lead to the next.
class SteppedComponent {
 public:
  explicit SteppedComponent(const ComponentPoint& point) : point_(point) {}

  ComponentModel run() {
    std::optional<ComponentModel> found =
        attempt("its model-exchange interface", [&] { return by_model_exchange(point_); });
    if (!found) found = attempt("its listed states", [&] { return by_listed_states(point_); });
    if (found) return finished(*std::move(found));
    std::optional<ComponentModel> direct =
        attempt("its directional derivatives", [&] { return by_instance_derivatives(point_); });
    std::vector<std::string> open;
    if (!direct) direct = by_description(point_, open);
    found = attempt("a fit to small steps",
                    [&] { return by_small_steps(point_, direct ? *direct : ComponentModel()); });
    if (!found && point_.is_start && point_.prepared.fmu(point_.component) != nullptr)
      found = attempt("new instances", [&] { return by_new_instances(point_); });
    if (found && (found->has_states || !direct)) return finished(*std::move(found));
    if (direct) return finished(*std::move(direct));
    refuse(open);
  }

 private:
  template <class Make>
  std::optional<ComponentModel> attempt(std::string_view what, const Make& make) {
    try {
      return make();
    } catch (const Error& error) {
      if (error.code() == ErrorCode::interrupted) throw;
      notes_.push_back(fmt::format("{}: {}", what, error.what()));
      return {};
    }
  }
  ComponentModel finished(ComponentModel found) const {
    auto& notes = found.equations.notes;
    notes.insert(notes.begin(), notes_.begin(), notes_.end());
    return found;
  }
  [[noreturn]] void refuse(const std::vector<std::string>& open) const {
    throw Error(
        ErrorCode::capability,
        fmt::format("component \"{}\" cannot be linearized at t = {:.13g} s: its description does "
                    "not exclude that outputs depend directly on inputs ({}), and nothing shows "
                    "by how much{}{}",
                    point_.name(), point_.time, list_some(open),
                    notes_.empty() ? "" : ". Tried: ", fmt::join(notes_, "; ")),
        {.component = point_.name(),
         .hint = "Use an FMU with a model-exchange interface, with directional derivatives, or one "
                 "that can save its state."});
  }

  const ComponentPoint& point_;
  std::vector<std::string> notes_;
};

}  // namespace

models::ValueSet ComponentPoint::make_set(const std::vector<RealElement>& elements) const {
  std::vector<std::int32_t> variables;
  for (const RealElement& element : elements) variables.push_back(element.variable);
  std::ranges::sort(variables);
  variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
  return {description(), variables, start().structure()};
}

std::vector<double> read_reals(const ComponentPoint& point,
                               const std::vector<RealElement>& elements) {
  if (elements.empty()) return {};
  models::ValueSet values = point.make_set(elements);
  point.instance.read(values);
  std::vector<double> result;
  for (const RealElement& element : elements)
    for (const models::Scalar& scalar : values.scalars())
      if (RealElement{scalar.variable, scalar.element} == element)
        result.push_back(as_real(scalar.type, values.read(scalar)));
  return result;
}

bool has_parameters(const ComponentPoint& point) {
  return std::ranges::any_of(point.question.inputs, [&](const RealElement& input) {
    return variable_behind(point, input).causality == Causality::parameter;
  });
}

ComponentModel linearize_component(const ComponentPoint& point) {
  if (auto* const equations = dynamic_cast<models::HasEquations*>(&point.instance)) {
    ComponentModel result;
    result.equations = equations->linearize(point.question);
    result.source = to_string(result.equations.is_exact ? Source::model_exchange_derivatives
                                                        : Source::model_exchange_differences);
    result.has_states = result.adjusts = true;
    return result;
  }
  const Component& component = point.prepared.system().components[point.component];
  if (system::kind_of(component).origin == system::Origin::built_in)
    return linearize_function(point);
  return SteppedComponent(point).run();
}

}  // namespace tutti::session
