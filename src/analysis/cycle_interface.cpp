// SPDX-License-Identifier: BSD-2-Clause
#include "analysis/cycle_interface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "base/number_type.hpp"

namespace tutti::analysis {
namespace {

/// By component of the system, its place in the calling sequence of the cycle.
using Positions = std::vector<std::uint32_t>;
constexpr std::uint32_t outside = std::numeric_limits<std::uint32_t>::max();

/// The points of one side, numbered by component in calling sequence.
class Side {
 public:
  explicit Side(const Positions& positions) : positions_(positions) {}
  void add(const system::Point& point) { numbers_.emplace(key(point), 0); }
  void count() {
    std::size_t next = 0;
    for (auto& [point, number] : numbers_) number = next++;
  }
  std::size_t number(const system::Point& point) const { return numbers_.at(key(point)); }
  std::size_t size() const { return numbers_.size(); }

  template <class Action>
  void visit(const Action& action) const {
    for (const auto& [point, number] : numbers_)
      action(std::size_t{point.component}, point.variable, point.element);
  }

 private:
  /// The component replaced by its position.
  system::Point key(const system::Point& point) const {
    return {positions_[point.component], point.variable, point.element};
  }
  const Positions& positions_;
  std::map<system::Point, std::size_t> numbers_;
};

bool is_continuous(const Variable& variable) {
  return is_float(variable.type) && variable.variability == Variability::continuous;
}

}  // namespace

DrivenInputs find_driven(const system::Plan& plan,
                         std::span<const ModelDescription* const> descriptions) {
  std::vector<system::Point> points;
  const auto add = [&](const system::Point& point) {
    if (is_continuous(
            descriptions[point.component]->variables[static_cast<std::size_t>(point.variable)]))
      points.push_back(point);
  };
  for (const system::Link& link : plan.links) add(link.to);
  for (const system::ExternalInput& external : plan.external) add(external.to);
  std::ranges::sort(points);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  DrivenInputs driven(descriptions.size());
  for (const system::Point& point : points)
    driven[point.component].push_back({point.variable, point.element});
  return driven;
}

CycleInterface find_interface(const System& system, const system::Plan& plan,
                              std::span<const ModelDescription* const> descriptions,
                              std::span<const fmi::StructuralValues> structures,
                              const DrivenInputs& driven, const system::Stage& stage) {
  CycleInterface result;
  result.components = stage.components;
  for (const std::uint32_t c : stage.components) result.names.push_back(system.components[c].name);
  const auto variable = [&](const system::Point& point) -> const Variable& {
    return descriptions[point.component]->variables[static_cast<std::size_t>(point.variable)];
  };
  Positions positions(system.components.size(), outside);
  for (std::size_t i = 0; i < stage.components.size(); ++i)
    positions[stage.components[i]] = static_cast<std::uint32_t>(i);
  const auto is_member = [&](std::uint32_t c) { return positions[c] != outside; };
  std::vector<const system::Link*> links;
  for (const system::Link& link : plan.links) {
    if (!is_member(link.from.component) || !is_member(link.to.component)) continue;
    if (is_continuous(variable(link.from)) && is_continuous(variable(link.to)))
      links.push_back(&link);
    else
      ++result.other_links;
  }

  Side inputs(positions), outputs(positions);
  for (const system::Link* link : links) {
    inputs.add(link->to);
    outputs.add(link->from);
  }
  inputs.count();
  outputs.count();
  const auto list = [&](const Side& side, std::vector<CycleInterface::Scalar>& all,
                        std::vector<std::vector<LinearizationTask::Scalar>>& by_position) {
    by_position.resize(result.components.size());
    side.visit([&](std::size_t part, std::int32_t index, std::uint64_t element) {
      by_position[part].push_back({index, element});
      const std::uint32_t c = result.components[part];
      const Variable& v = descriptions[c]->variables[static_cast<std::size_t>(index)];
      const auto shape = fmi::shape_of(*descriptions[c], v, structures[c]);
      all.push_back({part, fmt::format("{}.{}", system.components[c].name,
                                       fmi::element_name(v.name, shape, element))});
    });
  };
  list(inputs, result.inputs, result.u);
  list(outputs, result.outputs, result.y);
  for (std::size_t i = 0; i < result.components.size(); ++i) {
    auto& outside = result.outside.emplace_back(driven[result.components[i]]);
    std::erase_if(outside, [&](const LinearizationTask::Scalar& scalar) {
      return std::ranges::binary_search(result.u[i], scalar);
    });
  }
  result.l = stability::SparseMatrix(inputs.size(), outputs.size());
  for (const system::Link* link : links)
    if (link->factor != 0)
      result.l.entries.push_back(
          {inputs.number(link->to), outputs.number(link->from), link->factor});
  std::ranges::sort(result.l.entries, [](const auto& a, const auto& b) {
    return std::pair(a.row, a.column) < std::pair(b.row, b.column);
  });
  return result;
}

CycleInterface find_interface_alone(const System& system,
                                    std::span<const ModelDescription* const> descriptions,
                                    const DrivenInputs& driven, std::uint32_t component) {
  CycleInterface result;
  result.components = {component};
  result.names = {system.components[component].name};
  const ModelDescription& description = *descriptions[component];
  result.u.push_back(driven[component]);
  result.outside.emplace_back();
  result.y.emplace_back();
  for (std::size_t v = 0; v < description.variables.size(); ++v) {
    const Variable& variable = description.variables[v];
    if (variable.causality == Causality::output && is_continuous(variable) && !variable.is_array())
      result.y[0].push_back({static_cast<std::int32_t>(v), 0});
  }
  return result;
}

bool covers(const CycleInterface& interface, const CycleInterface& one) {
  const auto& components = interface.components;
  const auto place = std::ranges::find(components, one.components.front());
  if (place == components.end()) return false;
  const auto i = static_cast<std::size_t>(place - components.begin());
  const auto has = [](const auto& all, const auto& some) {
    return std::ranges::all_of(some, [&](const LinearizationTask::Scalar& scalar) {
      return std::ranges::find(all, scalar) != all.end();
    });
  };
  return has(interface.u[i], one.u.front()) && has(interface.y[i], one.y.front());
}

}  // namespace tutti::analysis
