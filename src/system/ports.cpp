// SPDX-License-Identifier: BSD-2-Clause
#include "system/ports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tutti/error.hpp>

#include "base/text.hpp"
#include "system/dependencies.hpp"
#include "system/endpoint.hpp"
#include "system/make_plan.hpp"
#include "system/port_units.hpp"

namespace tutti::system {
namespace {

/// Requirements for the variables of a role.
struct RoleRule {
  Causality causality;
  bool or_parameter = false;
  bool may_be_discrete = false;
};
constexpr RoleRule effort_rule{Causality::input};
constexpr RoleRule wave_rule{Causality::input, false, true};
constexpr RoleRule impedance_rule{Causality::input, true, true};
constexpr RoleRule flow_rule{Causality::output};
constexpr RoleRule state_rule{Causality::output, false, true};

constexpr PortInput all_inputs[] = {PortInput::constant, PortInput::slope, PortInput::constant_wave,
                                    PortInput::coarse,   PortInput::table, PortInput::callback,
                                    PortInput::equations};

/// One port of one component.
class PortPlanner {
 public:
  PortPlanner(const Component& component, const Port& port, const ModelDescription& description,
              const fmi::StructuralValues& structure, std::uint32_t index, Problems& problems,
              const Log& log)
      : component_(component),
        given_(port),
        port_(port),
        description_(description),
        structure_(structure),
        index_(index),
        problems_(problems),
        log_(log) {}

  bool plan(TlmRules rules, PlannedPort& planned) {
    const std::size_t before = problems_.all().size();
    planned.component = index_;
    planned.domain = port_.domain;
    planned.directions.resize(direction_count(port_.domain));
    if (!attempt("terminal", [&] { port_ = with_terminal(given_, component_, description_); }))
      return false;
    check_roles();
    if (problems_.all().size() > before) return false;
    find_flow(planned);
    find_inputs(planned);
    find_carried(planned);
    if (problems_.all().size() > before) return false;
    planned.sign = is_mechanical(port_.domain) ? -port_.sign : port_.sign;
    planned.flow_sign = port_.flow_sign / port_.density.value_or(1);
    attempt("input", [&] { choose(rules, planned); });
    planned.has_feed_through = has_feed_through(planned);
    return problems_.all().size() == before;
  }

 private:
  std::string key(std::string_view name) const {
    return key_of(component_, fmt::format("ports.{}.{}", given_.name, name));
  }

  template <class Action>
  bool attempt(std::string_view name, const Action& action) {
    try {
      action();
      return true;
    } catch (const Error& error) {
      problems_.add(given_.place, key(name), error,
                    {.component = component_.name, .key = key(name)});
      return false;
    }
  }
  void refuse_port(std::string_view name, const std::string& text, std::string hint = "") {
    problems_.add(given_.place, fmt::format("port \"{}\" {}", port_name(component_, given_), text),
                  {.component = component_.name, .key = key(name), .hint = std::move(hint)});
  }

  /// Checks that the given roles are complete and compatible.
  void check_roles() {
    const WaveInputs& wave = port_.wave;
    const bool has_wave = !wave.value.empty() || !wave.table.empty();
    const std::string_view of_terminal =
        port_.terminal.empty() ? "" : ", and neither has its terminal";
    if (port_.flow.empty())
      refuse_port("flow", fmt::format("has no flow{}", of_terminal),
                  "Name the output of the FMU with the key flow.");
    if (port_.effort.empty() && !has_wave)
      refuse_port("effort", fmt::format("has neither effort nor wave{}", of_terminal),
                  "Name the input of the FMU with the key effort, or with wave if the FMU computes "
                  "the effort itself.");
    if (!port_.effort.empty() && has_wave)
      refuse_port("effort", "has both effort and wave", "Remove one of the two keys.");
    if (!has_wave && (!wave.slope.empty() || !wave.impedance.empty()))
      refuse_port("wave", "has wave-slope or impedance, but no wave", "Name the wave, too.");
    if (wave.table.empty() != wave.times.empty())
      refuse_port("time-table", "has only one of wave-table and time-table", "A table needs both.");
    if (port_.domain == PortDomain::thermofluid) return;
    if (!port_.carry.empty())
      refuse_port("carry",
                  fmt::format("carries quantities, but its domain is {}", to_string(port_.domain)),
                  "Only thermofluid ports carry quantities; [[delays]] holds other signals.");
    if (port_.density)
      refuse_port("density",
                  fmt::format("has a density, but its domain is {}", to_string(port_.domain)),
                  "Only flows of thermofluid ports may be mass flows.");
  }

  /// The scalars of a name: a variable, all elements of an array, or variables named like the
  /// elements of an array (FMI 1.0 and 2.0).
  std::vector<Point> scalars(const std::string& name, const RoleRule& rule) const {
    std::vector<Point> points;
    if (description_.find(name) == nullptr)
      while (const Variable* element =
                 description_.find(fmt::format("{}[{}]", name, points.size() + 1))) {
        check_variable(*element, rule);
        points.push_back({index_, index_of(*element), 0});
      }
    if (!points.empty() && !is_element(name)) return points;
    const Selection selection = select(component_, description_, structure_, name);
    check_variable(*selection.variable, rule);
    for (std::uint64_t i = 0; i < selection.count; ++i)
      points.push_back({index_, selection.index, selection.first + i});
    return points;
  }
  static bool is_element(std::string_view name) { return name.ends_with(']'); }
  std::int32_t index_of(const Variable& variable) const {
    return static_cast<std::int32_t>(&variable - description_.variables.data());
  }

  static void check_variable(const Variable& variable, const RoleRule& rule) {
    const bool is_parameter = rule.or_parameter && variable.causality == Causality::parameter;
    std::string wrong;
    if (variable.causality != rule.causality && !is_parameter)
      wrong =
          fmt::format("must be an {}{}, but its causality is \"{}\"", to_string(rule.causality),
                      rule.or_parameter ? " or a parameter" : "", to_string(variable.causality));
    else if (variable.type != Type::float64)
      wrong = fmt::format("must be of type Float64 (Real), but is of type {}",
                          to_string(variable.type));
    else if (!is_parameter && variable.variability != Variability::continuous &&
             !(rule.may_be_discrete && variable.variability == Variability::discrete))
      wrong = fmt::format("must be continuous, but its variability is \"{}\"",
                          to_string(variable.variability));
    if (!wrong.empty())
      throw Error(ErrorCode::usage, fmt::format("\"{}\" {}", variable.name, wrong),
                  {.variable = variable.name});
  }

  /// One scalar for each direction.
  std::vector<Point> role(const std::vector<std::string>& names, const RoleRule& rule) const {
    std::vector<Point> all;
    for (const std::string& name : names) {
      const std::vector<Point> points = scalars(name, rule);
      all.insert(all.end(), points.begin(), points.end());
    }
    check_count(all.size());
    return all;
  }
  void check_count(std::size_t count) const {
    if (const std::size_t wanted = direction_count(port_.domain); count != wanted)
      throw Error(ErrorCode::usage,
                  fmt::format("{} variable{} given, but a {} port has {}", count,
                              count == 1 ? " is" : "s are", to_string(port_.domain),
                              wanted == 1 ? "one" : "three: x, y and angle"));
  }

  double unit_of(const Point& point, const PortQuantity& quantity) const {
    std::string note;
    const double unit = si_units_in(description_, variable(point), quantity, note);
    if (!note.empty())
      log_.warning("", fmt::format("{}port \"{}\": {}", at(given_.place),
                                   port_name(component_, given_), note));
    return unit;
  }
  const Variable& variable(const Point& point) const {
    return description_.variables[static_cast<std::size_t>(point.variable)];
  }

  void find_flow(PlannedPort& planned) {
    attempt("flow", [&] {
      const std::vector<Point> flow = role(port_.flow, flow_rule);
      for (std::size_t d = 0; d < flow.size(); ++d) {
        planned.directions[d].flow = flow[d];
        const PortQuantity& quantity = flow_quantity(port_.domain, d, port_.density.has_value());
        try {
          planned.directions[d].flow_unit = unit_of(flow[d], quantity);
        } catch (const Error& error) {
          if (port_.domain != PortDomain::thermofluid) throw;
          throw Error(ErrorCode::usage, error.record().text,
                      {.hint = port_.density ? "Leave density out: then the flow is a volume flow."
                                             : "A mass flow needs the key density."});
        }
      }
    });
    if (!port_.state.empty())
      attempt("state", [&] {
        const std::vector<Point> state = role(port_.state, state_rule);
        for (std::size_t d = 0; d < state.size(); ++d) {
          if (const PortQuantity* const quantity = state_quantity(port_.domain, d))
            unit_of(state[d], *quantity);
          planned.directions[d].state = state[d];
        }
      });
  }

  void find_inputs(PlannedPort& planned) {
    const WaveInputs& wave = port_.wave;
    const auto take = [&](std::string_view name, const std::vector<std::string>& names,
                          const RoleRule& rule) {
      attempt(name, [&] {
        const std::vector<Point> inputs = role(names, rule);
        for (std::size_t d = 0; d < inputs.size(); ++d) {
          planned.directions[d].input = inputs[d];
          planned.directions[d].effort_unit = unit_of(inputs[d], effort_quantity(port_.domain, d));
        }
      });
    };
    if (!port_.effort.empty()) take("effort", port_.effort, effort_rule);
    if (!wave.value.empty()) take("wave", wave.value, wave_rule);
    if (!wave.slope.empty())
      attempt("wave-slope", [&] {
        const std::vector<Point> slopes = role(wave.slope, wave_rule);
        for (std::size_t d = 0; d < slopes.size(); ++d) planned.directions[d].slope = slopes[d];
      });
    if (!wave.impedance.empty()) attempt("impedance", [&] { find_impedance(planned); });
    if (!wave.table.empty()) find_table(planned);
  }

  /// A planar port may have two impedances: of both directions, and of the angle.
  void find_impedance(PlannedPort& planned) const {
    std::vector<std::string> names = port_.wave.impedance;
    if (port_.domain == PortDomain::planar && names.size() == 2)
      names.insert(names.begin(), names[0]);
    const std::vector<Point> found = role(names, impedance_rule);
    for (std::size_t d = 0; d < found.size(); ++d) planned.directions[d].impedance = found[d];
  }

  /// The elements must be consecutive.
  std::vector<Point> table_of(const std::string& name) const {
    std::vector<Point> points = scalars(name, wave_rule);
    if (points.size() < 2)
      throw Error(ErrorCode::usage,
                  fmt::format("\"{}\" must be an array of two elements or more", printable(name)));
    for (std::size_t i = 1; i < points.size(); ++i)
      if (points[i].variable != points[0].variable &&
          points[i].variable != points[0].variable + static_cast<std::int32_t>(i))
        throw Error(
            ErrorCode::usage,
            fmt::format("the elements of \"{}\" are not consecutive in the model description",
                        printable(name)));
    return points;
  }

  void find_table(PlannedPort& planned) {
    attempt("time-table", [&] {
      const std::vector<Point> times = table_of(port_.wave.times);
      planned.times = times.front();
      planned.table_size = times.size();
    });
    if (!planned.times) return;
    attempt("wave-table", [&] {
      check_count(port_.wave.table.size());
      for (std::size_t d = 0; d < port_.wave.table.size(); ++d) {
        const std::vector<Point> table = table_of(port_.wave.table[d]);
        if (table.size() != planned.table_size)
          throw Error(ErrorCode::usage, fmt::format("\"{}\" has {} elements, but time-table has {}",
                                                    printable(port_.wave.table[d]), table.size(),
                                                    planned.table_size));
        tables_.push_back(table.front());
        table_units_.push_back(unit_of(table.front(), effort_quantity(port_.domain, d)));
      }
    });
  }

  void find_carried(PlannedPort& planned) {
    attempt("carry", [&] {
      const auto one = [&](const std::string& name, const RoleRule& rule) {
        const std::vector<Point> points = scalars(name, rule);
        if (points.size() != 1)
          throw Error(ErrorCode::usage, fmt::format("\"{}\" is an array; name its elements, as "
                                                    "\"{}[1]\"",
                                                    printable(name), printable(name)));
        return points.front();
      };
      for (const CarriedQuantity& quantity : port_.carry)
        planned.carried.emplace_back(one(quantity.out, state_rule), one(quantity.in, wave_rule));
    });
  }

  void choose(TlmRules rules, PlannedPort& planned) {
    const PortAbilities abilities = abilities_of(planned);
    planned.input =
        port_.input == PortInput::automatic ? choose_input(abilities, rules) : port_.input;
    if (const std::string reason = why_not(planned.input, abilities); !reason.empty()) {
      std::string possible;
      for (const PortInput input : all_inputs)
        if (why_not(input, abilities).empty())
          possible += fmt::format("{}\"{}\"", possible.empty() ? "" : ", ", to_string(input));
      throw Error(ErrorCode::usage,
                  fmt::format("\"{}\" is impossible with {}: {}", to_string(planned.input),
                              source_of(component_, description_), reason),
                  {.hint = fmt::format("Use \"auto\", or one of: {}.", possible)});
    }
    const bool uses_table =
        planned.input == PortInput::table || (abilities.has_table && !abilities.has_wave);
    if (uses_table)
      for (std::size_t d = 0; d < tables_.size(); ++d) {
        planned.directions[d].input = tables_[d];
        planned.directions[d].effort_unit = table_units_[d];
      }
    else
      planned.times.reset(), planned.table_size = 0;
    planned.kind = uses_table           ? PortKind::table
                   : abilities.has_wave ? PortKind::wave
                                        : PortKind::effort;
  }

  PortAbilities abilities_of(const PlannedPort& planned) const {
    PortAbilities can;
    can.has_effort = !port_.effort.empty();
    can.has_wave = !port_.wave.value.empty();
    can.has_slope = !port_.wave.slope.empty();
    can.has_table = !port_.wave.table.empty();
    can.is_model_exchange =
        is_model_exchange(component_, description_) && (can.has_effort || can.has_wave);
    const bool has_face = description_.co_simulation || can.is_model_exchange;
    if (!has_face || !(can.has_effort || can.has_wave)) return can;
    std::vector<std::int32_t> inputs;
    for (const PortDirection& direction : planned.directions)
      inputs.push_back(direction.input.variable);
    can.follows_inputs =
        any_moves(description_, inputs) && follows_inputs(component_, description_, inputs);
    const auto is_open = [&](const Point& point) { return variable(point).intermediate_update; };
    can.has_callback = !can.is_model_exchange && description_.version == FmiVersion::v3 &&
                       description_.co_simulation->provides_intermediate_update &&
                       std::ranges::all_of(planned.directions, [&](const PortDirection& direction) {
                         return is_open(direction.flow) && is_open(direction.input);
                       });
    return can;
  }

  bool has_feed_through(const PlannedPort& planned) const {
    const RunningDependencies dependencies(description_);
    return std::ranges::any_of(planned.directions, [&](const PortDirection& flow) {
      const auto inputs = dependencies.inputs_of(flow.flow.variable);
      return !inputs ||
             std::ranges::any_of(planned.directions, [&](const PortDirection& direction) {
               return std::ranges::binary_search(*inputs, direction.input.variable);
             });
    });
  }

  const Component& component_;
  const Port& given_;
  Port port_;  // with the roles of its terminal
  const ModelDescription& description_;
  const fmi::StructuralValues& structure_;
  std::uint32_t index_;
  Problems& problems_;
  const Log& log_;
  std::vector<Point> tables_;        // by direction
  std::vector<double> table_units_;  // by direction
};

}  // namespace

std::size_t direction_count(PortDomain domain) { return domain == PortDomain::planar ? 3 : 1; }

bool is_mechanical(PortDomain domain) {
  return domain == PortDomain::translational || domain == PortDomain::rotational ||
         domain == PortDomain::planar;
}

std::string port_name(const Component& component, const Port& port) {
  return fmt::format("{}.{}", component.name, port.name);
}

std::optional<PlannedPort> PortResolver::resolve(std::uint32_t component, std::uint32_t number) {
  const Component& owner = system_.components[component];
  PlannedPort planned;
  planned.number = number;
  PortPlanner planner(owner, owner.ports[number], *descriptions_[component], structures_[component],
                      component, problems_, log_);
  if (!planner.plan(system_.simulation.tlm, planned)) return std::nullopt;
  return planned;
}

}  // namespace tutti::system
