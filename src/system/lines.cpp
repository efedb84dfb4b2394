// SPDX-License-Identifier: BSD-2-Clause
#include "system/lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <tutti/error.hpp>

#include "base/text.hpp"
#include "system/endpoint.hpp"
#include "system/line_parameters.hpp"
#include "system/names.hpp"
#include "system/ports.hpp"
#include "system/value_map.hpp"

namespace tutti::system {
namespace {

std::string line_text(const TlmLine& line) {
  std::string ends;
  for (const PortName& end : line.between)
    ends += fmt::format("{}\"{}.{}\"", ends.empty() ? "" : ", ", end.component, end.port);
  return fmt::format("tlm, between = [{}]", ends);
}

std::string delay_text(const System& system, const DelayedSignal& delay) {
  const ComponentNames names(system);
  return fmt::format("delayed signal \"{} -> {}\"", names.text(delay.from), names.text(delay.to));
}

/// Components that links join.
class Islands {
 public:
  explicit Islands(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), 0u);
  }
  void join(std::uint32_t a, std::uint32_t b) {
    a = root(a), b = root(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }
  bool are_joined(std::uint32_t a, std::uint32_t b) { return root(a) == root(b); }
  /// The lowest component of the island.
  std::uint32_t root(std::uint32_t c) {
    while (parent_[c] != c) c = parent_[c] = parent_[parent_[c]];
    return c;
  }
  std::vector<std::vector<std::uint32_t>> list() {
    std::map<std::uint32_t, std::vector<std::uint32_t>> by_root;
    for (std::uint32_t c = 0; c < parent_.size(); ++c) by_root[root(c)].push_back(c);
    std::vector<std::vector<std::uint32_t>> all;
    for (auto& [first, members] : by_root) all.push_back(std::move(members));
    return all;
  }

 private:
  std::vector<std::uint32_t> parent_;
};

class LinePlanner {
 public:
  LinePlanner(const System& system, std::span<const ModelDescription* const> descriptions,
              std::span<const fmi::StructuralValues> structures, std::span<const Link> links,
              Problems& problems, const Log& log)
      : system_(system),
        descriptions_(descriptions),
        structures_(structures),
        problems_(problems),
        log_(log),
        names_(system),
        islands_(system.components.size()) {
    for (const Link& link : links) islands_.join(link.from.component, link.to.component);
  }

  LinePlan run() {
    resolve_ports();
    for (std::uint32_t i = 0; i < system_.tlm.size(); ++i)
      within(system_.tlm[i].place, line_text(system_.tlm[i]), "tlm", [&] { add_line(i); });
    for (std::uint32_t i = 0; i < system_.delays.size(); ++i)
      within(system_.delays[i].place, delay_text(system_, system_.delays[i]), "delays",
             [&] { add_delay(i); });
    keep_ports();
    if (plan_.empty() && system_.tlm.empty() && system_.delays.empty()) {
      plan_.islands.resize(system_.components.empty() ? 0 : 1);
      for (std::uint32_t c = 0; c < system_.components.size(); ++c) plan_.islands[0].push_back(c);
      return std::move(plan_);
    }
    plan_.islands = islands_.list();
    check_simulation();
    check_steps();
    return std::move(plan_);
  }

 private:
  struct OwnPort {
    std::uint32_t component = 0, number = 0;
    std::optional<PlannedPort> planned;
    std::int64_t line = -1;   ///< in System::tlm
    std::int64_t index = -1;  ///< in LinePlan::ports
  };

  template <class Action>
  void within(const Place& place, const std::string& context, const std::string& key,
              const Action& action) {
    try {
      action();
    } catch (const Error& error) {
      problems_.add(place, context, error, {.key = key});
    }
  }

  void resolve_ports() {
    PortResolver resolver(system_, descriptions_, structures_, problems_, log_);
    for (std::uint32_t c = 0; c < system_.components.size(); ++c) {
      const Component& component = system_.components[c];
      for (std::uint32_t n = 0; n < component.ports.size(); ++n) {
        const Port& port = component.ports[n];
        const bool is_new =
            ports_.try_emplace({c, port.name}, OwnPort{c, n, resolver.resolve(c, n)}).second;
        if (!is_new)
          problems_.add(
              port.place,
              fmt::format("component \"{}\" has two ports \"{}\"", component.name, port.name),
              {.component = component.name});
      }
    }
  }

  OwnPort& find_port(const PortName& name) {
    const std::int32_t c = names_.find(name.component);
    if (c < 0) throw names_.unknown(name.component);
    const auto found = ports_.find({static_cast<std::uint32_t>(c), name.port});
    if (found != ports_.end()) return found->second;
    std::vector<std::string_view> known;
    for (const Port& port : system_.components[static_cast<std::size_t>(c)].ports)
      known.push_back(port.name);
    throw Error(
        ErrorCode::usage,
        fmt::format("component \"{}\" has no port \"{}\".", name.component, printable(name.port)),
        {.component = name.component,
         .hint = known.empty() ? fmt::format("Describe it: [components.{}.ports.{}].",
                                             name.component, printable(name.port))
                               : did_you_mean(name.port, known)});
  }

  const Port& given(const OwnPort& port) const {
    return system_.components[port.component].ports[port.number];
  }

  void add_line(std::uint32_t number) {
    const TlmLine& line = system_.tlm[number];
    if (line.between.size() != 2)
      throw Error(ErrorCode::usage, fmt::format("a line has two ends, not {}", line.between.size()),
                  {.key = "tlm.between"});
    OwnPort &first = find_port(line.between[0]), &second = find_port(line.between[1]);
    check_components(first, second);
    for (OwnPort* const end : {&first, &second}) {
      if (end->line >= 0) {
        const Place& other = system_.tlm[static_cast<std::size_t>(end->line)].place;
        throw Error(ErrorCode::usage,
                    fmt::format("port \"{}.{}\" has a line already{}",
                                system_.components[end->component].name, given(*end).name,
                                other.line == 0 ? "" : fmt::format(" (line {})", other.line)),
                    {.key = "tlm.between", .hint = "A port has one line."});
      }
      end->line = number;
    }
    check_ends(line, first, second);
    PlannedLine planned;
    planned.number = number;
    set_parameters(line, given(first).domain, planned);
    if (system_.simulation.tlm == TlmRules::omtlm && planned.wave == WaveRule::automatic)
      planned.wave = WaveRule::exact;
    planned.ports = {place_port(first), place_port(second)};
    plan_.lines.push_back(std::move(planned));
  }

  static void check_components(const OwnPort& first, const OwnPort& second) {
    if (first.component == second.component)
      throw Error(ErrorCode::usage, "both ends are at the same component",
                  {.key = "tlm.between", .hint = "Put the two ends into different components."});
  }

  void check_ends(const TlmLine& line, const OwnPort& first, const OwnPort& second) {
    const auto refuse_ends = [](const std::string& text, std::string hint) {
      throw Error(ErrorCode::usage, text, {.key = "tlm.between", .hint = std::move(hint)});
    };
    const auto name = [&](std::size_t end) {
      return fmt::format("\"{}.{}\"", line.between[end].component, line.between[end].port);
    };
    const Port &a = given(first), &b = given(second);
    if (a.domain != b.domain)
      refuse_ends(fmt::format("the domain of {} is {}, that of {} is {}", name(0),
                              to_string(a.domain), name(1), to_string(b.domain)),
                  "A line joins ports of one domain.");
    if (islands_.are_joined(first.component, second.component))
      refuse_ends(
          "connections join its two ends, so they take their steps together and a line cannot "
          "decouple them",
          "Replace these connections by [[delays]], or the line by connections.");
    if (a.density != b.density)
      refuse_ends("its ends have different densities", "A line has one density.");
    if (!first.planned || !second.planned) return;
    if (const std::size_t n = first.planned->carried.size(), m = second.planned->carried.size();
        n != m)
      refuse_ends(fmt::format("{} carries {} quantities, {} carries {}", name(0), n, name(1), m),
                  "Give both ends the same quantities in the same order.");
  }

  std::uint32_t place_port(OwnPort& port) {
    if (!port.planned) return 0;
    port.index = static_cast<std::int64_t>(plan_.ports.size());
    plan_.ports.push_back(*port.planned);
    return static_cast<std::uint32_t>(port.index);
  }

  void add_delay(std::uint32_t number) {
    const DelayedSignal& delay = system_.delays[number];
    const auto component = [&](const Endpoint& end) {
      const std::int32_t index = names_.find(end.component);
      if (index < 0) throw names_.unknown(end.component);
      return static_cast<std::uint32_t>(index);
    };
    const std::uint32_t a = component(delay.from), b = component(delay.to);
    const Selection from = select_in(a, delay.from.variable);
    const Selection to = select_in(b, delay.to.variable);
    check_source(system_.components[a], *from.variable);
    check_target(system_.components[b], *to.variable);
    check_signal(delay, from, to);
    if (a == b)
      throw Error(ErrorCode::usage, "both ends are at the same component",
                  {.hint = "Put the two ends into different components."});
    if (islands_.are_joined(a, b))
      throw Error(ErrorCode::usage,
                  "connections join its two ends, so they take their steps together and a delayed "
                  "signal cannot decouple them",
                  {.hint = "Delay all signals between them, or none."});
    PlannedDelay planned;
    planned.number = number;
    planned.delay = delay.delay;
    planned.initial = delay.initial;
    convert(delay, from, to, *descriptions_[a], *descriptions_[b], planned);
    for (std::uint64_t i = 0; i < to.count; ++i) {
      planned.from = {a, from.index, from.first + i};
      planned.to = {b, to.index, to.first + i};
      plan_.delays.push_back(planned);
    }
  }

  Selection select_in(std::uint32_t c, const std::string& variable) const {
    return select(system_.components[c], *descriptions_[c], structures_[c], variable);
  }

  static void check_signal(const DelayedSignal& delay, const Selection& from, const Selection& to) {
    if (!(delay.delay > 0) || !std::isfinite(delay.delay))
      throw Error(ErrorCode::usage, fmt::format("%key% = {} must be positive", delay.delay),
                  {.key = "delays.delay", .hint = "Without a delay, use a connection."});
    if (delay.initial && !std::isfinite(*delay.initial))
      throw Error(ErrorCode::usage, fmt::format("%key% = {} must be finite", *delay.initial),
                  {.key = "delays.initial"});
    for (const Variable* variable : {from.variable, to.variable})
      if (variable->type != Type::float64)
        throw Error(ErrorCode::usage,
                    fmt::format("\"{}\" must be of type Float64 (Real), but is of type {}",
                                variable->name, to_string(variable->type)),
                    {.hint = "Other values are not interpolated between the steps of the sender."});
    if (from.shape != to.shape)
      throw Error(ErrorCode::usage,
                  fmt::format("\"{}\" has {} elements, \"{}\" has {}", delay.from.variable,
                              from.count, delay.to.variable, to.count),
                  {.hint = "Name single elements, as \"y[1]\"."});
  }

  void convert(const DelayedSignal& delay, const Selection& from, const Selection& to,
               const ModelDescription& from_model, const ModelDescription& to_model,
               PlannedDelay& planned) const {
    const UnitConversion units = convert_units(from_model, *from.variable, to_model, *to.variable);
    const auto words = [&] {
      return fmt::format("unit \"{}\" of the output and \"{}\" of the input",
                         from.variable->attributes.unit, to.variable->attributes.unit);
    };
    if (units.kind == UnitConversion::Kind::clash)
      throw Error(ErrorCode::usage, words() + " measure different quantities",
                  {.hint = "Delay an output of the same quantity."});
    if (units.kind == UnitConversion::Kind::unclear)
      log_.warning("", fmt::format("{}{}: {} have different names, and no base unit defines "
                                   "them; nothing is converted",
                                   at(delay.place), delay_text(system_, delay), words()));
    planned.factor = units.factor;
    planned.offset = units.offset;
  }

  /// A port without a line is not an error: its inputs keep their start values.
  void keep_ports() {
    for (const auto& [name, port] : ports_) {
      if (port.line >= 0 || !port.planned) continue;
      log_.info("", fmt::format("port \"{}.{}\" has no line: its inputs keep their start values",
                                system_.components[name.first].name, name.second));
      const std::vector<Point> inputs = input_points(*port.planned, *descriptions_[name.first]);
      plan_.open_inputs.insert(plan_.open_inputs.end(), inputs.begin(), inputs.end());
    }
    std::ranges::sort(plan_.open_inputs);
  }

  void check_simulation() {
    const SimulationSettings& run = system_.simulation;
    const auto refuse_setting = [&](const std::string& text, std::string key, std::string hint) {
      problems_.add(text, {.key = std::move(key), .hint = std::move(hint)});
    };
    if (!run.points.empty() || run.per_decade)
      refuse_setting("%key%: with [[tlm]] or [[delays]] communication points must be equidistant",
                     run.points.empty() ? "simulation.per-decade" : "simulation.points",
                     "Use simulation.step.");
    if (system_.results.steps)
      refuse_setting("%key%: with [[tlm]] or [[delays]] components have steps of their own",
                     "results.steps", "Leave it out.");
    if (std::ranges::find(run.methods, "auto") != run.methods.end())
      refuse_setting(
          "%key% = \"auto\" does not choose methods for systems with [[tlm]] or "
          "[[delays]]",
          "simulation.method",
          "Use \"gauss-seidel\", \"jacobi\", \"iterated\" or \"newton\" within islands.");
  }

  /// A step must not exceed the shortest delay to the island, the time for which its inputs are
  /// known (Braun, Hällqvist, Fritzson, TLM-based Asynchronous Co-simulation with the Functional
  /// Mockup Interface, 2017).
  void check_steps() {
    std::vector<double> limit(system_.components.size(), std::numeric_limits<double>::infinity());
    const auto lower = [&](std::uint32_t component, double delay) {
      double& own = limit[islands_.root(component)];
      own = std::min(own, delay);
    };
    for (const PlannedLine& line : plan_.lines)
      for (const PortName& end : system_.tlm[line.number].between)
        lower(static_cast<std::uint32_t>(names_.find(end.component)), line.delay);
    for (const PlannedDelay& delay : plan_.delays) lower(delay.to.component, delay.delay);
    for (std::uint32_t c = 0; c < system_.components.size(); ++c) {
      const Component& component = system_.components[c];
      const double shortest = limit[islands_.root(c)];
      if (!component.step || *component.step <= shortest * (1 + 1e-9)) continue;
      problems_.add(component.place,
                    fmt::format("component \"{}\": %key% = {:.13g} s is longer than {:.13g} s, the "
                                "shortest delay of a line or signal to it{}",
                                component.name, *component.step, shortest,
                                plan_.islands.size() < system_.components.size()
                                    ? " or to components connected with it"
                                    : ""),
                    {.component = component.name,
                     .key = key_of(component, "step"),
                     .hint = "Use a step at most as long as that delay, or a longer delay."});
    }
  }

  const System& system_;
  std::span<const ModelDescription* const> descriptions_;
  std::span<const fmi::StructuralValues> structures_;
  Problems& problems_;
  const Log& log_;
  ComponentNames names_;
  Islands islands_;
  std::map<std::pair<std::uint32_t, std::string>, OwnPort> ports_;  // by component and name
  LinePlan plan_;
};

}  // namespace

std::vector<Point> input_points(const PlannedPort& port, const ModelDescription& description) {
  std::vector<Point> all;
  const auto is_array = [&](const Point& first) {
    return description.variables[static_cast<std::size_t>(first.variable)].is_array();
  };
  const auto add_table = [&](Point at) {
    const bool by_element = is_array(at);
    for (std::uint64_t i = 0; i < port.table_size; ++i) {
      all.push_back(at);
      by_element ? ++at.element : static_cast<std::uint64_t>(++at.variable);
    }
  };
  for (const PortDirection& direction : port.directions) {
    if (port.kind == PortKind::table)
      add_table(direction.input);
    else
      all.push_back(direction.input);
    if (direction.slope) all.push_back(*direction.slope);
  }
  if (port.times) add_table(*port.times);
  for (const auto& [out, in] : port.carried) all.push_back(in);
  std::vector<Point> impedances;  // directions may share one
  for (const PortDirection& direction : port.directions)
    if (direction.impedance &&
        description.variables[static_cast<std::size_t>(direction.impedance->variable)].causality ==
            Causality::input &&
        std::ranges::find(impedances, *direction.impedance) == impedances.end())
      impedances.push_back(*direction.impedance);
  all.insert(all.end(), impedances.begin(), impedances.end());
  return all;
}

LinePlan plan_lines(const System& system, std::span<const ModelDescription* const> descriptions,
                    std::span<const fmi::StructuralValues> structures, std::span<const Link> links,
                    Problems& problems, const Log& log) {
  return LinePlanner(system, descriptions, structures, links, problems, log).run();
}

}  // namespace tutti::system
