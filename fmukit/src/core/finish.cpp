// SPDX-License-Identifier: BSD-2-Clause
#include "core/access.hpp"
#include "core/units.hpp"

#include <fmukit/info.hpp>
#include <fmukit/model.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace fmukit {
namespace {

/// Completes one description; every step may add errors.
class Finisher {
 public:
  explicit Finisher(ModelInfo& info) : info_(info) {
    for (std::size_t i = 0; i < info.variables.size(); ++i)
      if (!by_name_.emplace(info.variables[i].name, i).second)
        error(info.variables[i], "is declared twice");
  }

  void run() {
    for (VariableInfo& v : info_.variables) link_state(v);
    for (VariableInfo& v : info_.variables) {
      default_initial(v);
      resolve_shape(v);
      check(v);
      check_dependencies(v, v.dependencies);
      check_dependencies(v, v.initial_dependencies);
      add_unit(v);
    }
    std::sort(info_.units.begin(), info_.units.end(),
              [](const UnitInfo& a, const UnitInfo& b) { return a.name < b.name; });
    info_.covered = covered();
    if (info_.internal_step < 0 || info_.substeps < 1)
      info_.errors.push_back("internal_step and substeps must be positive");
    if (info_.promises.rejects_steps && !info_.abilities.copyable)
      info_.errors.push_back("rejects_steps needs a copyable class");
  }

 private:
  void error(const VariableInfo& v, const std::string& what) {
    info_.errors.push_back("variable \"" + v.name + "\" " + what);
  }
  VariableInfo* find(const std::string& name) {
    const auto it = by_name_.find(name);
    return it == by_name_.end() ? nullptr : &info_.variables[it->second];
  }

  void link_state(VariableInfo& v) {
    if (v.derivative_of.empty()) return;
    VariableInfo* x = find(v.derivative_of);
    if (!x) return error(v, "is the derivative of \"" + v.derivative_of + "\", which is unknown");
    if (v.type != Type::float64 || x->type != Type::float64 || v.count != x->count)
      return error(v, "and its state must be double and of the same size");
    if (x->causality != Causality::output && x->causality != Causality::local)
      return error(*x, "has a derivative, so it must be an output or a local");
    if (x->state) return error(*x, "has two derivatives");
    x->state = true;
    v.state_index = by_name_.at(v.derivative_of);
  }

  static void default_initial(VariableInfo& v) {
    if (v.initial || v.causality == Causality::input || v.causality == Causality::independent)
      return;
    const bool given = v.causality == Causality::parameter ||
                       v.causality == Causality::structural_parameter || v.state;
    v.initial = given ? Initial::exact : Initial::calculated;
  }

  void resolve_shape(VariableInfo& v) {
    std::size_t count = 1;
    for (Dimension& d : v.shape) {
      if (!d.parameter.empty()) {
        const VariableInfo* n = find(d.parameter);
        if (!n || n->causality != Causality::structural_parameter || n->type != Type::uint64)
          return error(v, "has the dimension \"" + d.parameter +
                              "\", which is not a structural parameter of type std::uint64_t");
        if (v.storage != Storage::vector)
          return error(v, "has a dimension that may change, so it must be a std::vector");
        d.size = *element<std::uint64_t>(*info_.prototype, *n);
      }
      count *= d.size;
    }
    if (count != v.count)
      error(v, "has " + std::to_string(v.count) + " elements, but its dimensions give " +
                   std::to_string(count));
  }

  void check(const VariableInfo& v) {
    const bool is_float = v.type == Type::float64 || v.type == Type::float32;
    if (v.name.empty()) info_.errors.push_back("a variable has no name");
    if (v.offset < 0 || static_cast<std::size_t>(v.offset) + v.bytes > info_.object_bytes)
      error(v, "does not lie inside the object");
    if (!is_float && (!v.unit.empty() || v.nominal || v.event_indicator))
      error(v, "is not a float, so it has no unit, nominal value or event indicator");
    if (!is_float && v.variability == Variability::continuous)
      error(v, "is not a float, so it cannot be continuous");
    if (v.event_indicator && v.type != Type::float64) error(v, "must be double to be an indicator");
    if (v.reinit && !v.state) error(v, "is not a state, so reinit has no meaning");
    if (v.state && v.variability != Variability::continuous)
      error(v, "is a state, so it must be continuous");
    const auto known = [&](const EnumerationInfo& e) { return e.key == v.enumeration; };
    if (v.type == Type::enumeration &&
        std::none_of(info_.enumerations.begin(), info_.enumerations.end(), known))
      error(v, "has an enumeration type that was not named with enumeration()");
    const bool parameter =
        v.causality == Causality::parameter || v.causality == Causality::structural_parameter;
    if (parameter && v.variability != Variability::fixed && v.variability != Variability::tunable)
      error(v, "is a parameter, so it must be fixed or tunable");
    if (parameter && v.initial != Initial::exact) error(v, "is a parameter, so it must be exact");
  }

  void check_dependencies(const VariableInfo& v,
                          const std::optional<std::vector<Dependency>>& dependencies) {
    if (!dependencies) return;
    for (const Dependency& d : *dependencies)
      if (!find(d.name)) error(v, "depends on \"" + d.name + "\", which is unknown");
  }

  void add_unit(const VariableInfo& v) {
    if (v.unit.empty()) return;
    auto unit = std::find_if(info_.units.begin(), info_.units.end(),
                             [&](const UnitInfo& u) { return u.name == v.unit; });
    if (unit == info_.units.end()) {
      const BaseUnit* known = known_unit(v.unit);
      info_.units.push_back({v.unit, known ? std::optional(*known) : std::nullopt, {}});
      unit = info_.units.end() - 1;
    }
    const auto same = [&](const DisplayUnit& d) { return d.name == v.display_unit; };
    if (!v.display_unit.empty() && std::none_of(unit->displays.begin(), unit->displays.end(), same))
      error(v, "has the display unit \"" + v.display_unit + "\", which its unit does not have");
  }

  /// Whether no member can be hidden between those that are declared. A gap under 8 bytes may be
  /// padding.
  bool covered() const {
    std::set<std::pair<std::size_t, std::size_t>> parts;  // begin, end
    for (const VariableInfo& v : info_.variables)
      parts.emplace(static_cast<std::size_t>(v.offset),
                    static_cast<std::size_t>(v.offset) + v.bytes);
    for (const MemoryInfo& m : info_.memory)
      parts.emplace(static_cast<std::size_t>(m.offset),
                    static_cast<std::size_t>(m.offset) + m.bytes);
    std::size_t reached = info_.object_begin;
    for (const auto& [begin, end] : parts) {
      if (begin >= reached + 8) return false;
      reached = std::max(reached, end);
    }
    return info_.object_bytes < reached + 8;
  }

  ModelInfo& info_;
  std::map<std::string, std::size_t> by_name_;
};

}  // namespace

void finish(ModelInfo& info) { Finisher(info).run(); }

}  // namespace fmukit
