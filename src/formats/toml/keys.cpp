// SPDX-License-Identifier: BSD-2-Clause
#include "formats/toml/keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tutti/error.hpp>

#include "base/text.hpp"
#include "formats/toml/take.hpp"
#include "system/place.hpp"

namespace tutti::formats {
namespace {

using T = Target;
using V = Value;

void set_arrow(T& t, const V& v) {
  const std::string text = take_text(t, v);
  const std::size_t arrow = text.find("->");
  if (arrow == std::string::npos)
    refuse(v, fmt::format("\"{}\" is not of the form \"component.output -> component.input\"",
                          printable(text)));
  try {
    t.connection->from = t.names->resolve(std::string_view(text).substr(0, arrow));
    t.connection->to = t.names->resolve(std::string_view(text).substr(arrow + 2));
  } catch (const Error& error) {
    refuse(v, fmt::format("connection \"{}\": {}", printable(text), error.what()));
  }
}

void set_values(T& t, const V& v) {
  for (auto& [name, value] : take_assignments(t, v)) {
    auto& set = t.component->set;
    if (v.place.line == 0) t.component->assigned.push_back(name);
    const auto found =
        std::find_if(set.begin(), set.end(), [&](const auto& pair) { return pair.first == name; });
    if (found == set.end())
      set.emplace_back(std::move(name), std::move(value));
    else
      found->second = std::move(value);
  }
}

void set_constants(T& t, const V& v) {
  for (auto& [name, value] : take_assignments(t, v)) {
    try {
      t.system.inputs.constants.emplace_back(t.names->resolve(name), std::move(value));
    } catch (const Error& error) {
      refuse(v, fmt::format("{}: \"{}\": {}", t.path, printable(name), error.what()));
    }
  }
}

void set_column(T& t, const V::Entry& entry) {
  InputColumn& column = t.table->columns.emplace_back();
  try {
    column.to = t.names->resolve(entry.key);
  } catch (const Error& error) {
    refuse(entry.value, fmt::format("{}: \"{}\": {}", t.path, printable(entry.key), error.what()));
  }
  if (!entry.value.is(V::Kind::table)) {
    column.column = take_text(t, entry.value);
    return;
  }
  constexpr std::string_view known[] = {"column", "factor", "offset"};
  for (const V::Entry& part : entry.value.entries) {
    if (part.key == known[0])
      column.column = take_text(t, part.value);
    else if (part.key == known[1])
      column.factor = take_number(t, part.value);
    else if (part.key == known[2])
      column.offset = take_number(t, part.value);
    else
      refuse(part.value, fmt::format("{}: unknown key \"{}\".{}", t.path, printable(part.key),
                                     did_you_mean(part.key, {known, known + 3})));
  }
  if (column.column.empty())
    refuse(entry.value, fmt::format("{}: \"{}\" names no column", t.path, printable(entry.key)));
}

void set_columns(T& t, const V& v) {
  if (!v.is(V::Kind::table))
    refuse(v,
           fmt::format("{} must be a table of inputs and columns, not {}", t.path, described(v)));
  for (const V::Entry& entry : v.entries) set_column(t, entry);
}

void set_members(T& t, const V& v, std::vector<std::string>& members) {
  members = take_texts(t, v);
  for (std::size_t i = 0; i < members.size(); ++i)
    if (t.names->find(members[i]) < 0)
      refuse(v.is(V::Kind::list) ? v.items[i] : v, t.names->unknown(members[i]));
}

void set_relaxation(T& t, const V& v) {
  t.system.simulation.aitken = v.is(V::Kind::text) && take_word(t, v, {"aitken"}) == 0;
  if (t.system.simulation.aitken)
    t.system.simulation.relaxation.reset();
  else
    t.system.simulation.relaxation = take_positive(t, v);
}

ControlSettings& control(T& t) { return t.system.simulation.control; }

/// A word that stands for the value of the enumeration with its index.
template <typename Enum>
Enum word(T& t, const V& v, const std::vector<std::string_view>& words) {
  return static_cast<Enum>(take_word(t, v, words));
}

const std::vector<std::string_view> derivative_sources = {"auto", "fmu", "differences", "backward"};

std::uint32_t take_order(T& t, const V& v) {
  const double order = take_number(t, v);
  if (order != 0 && order != 1 && order != 2)
    refuse(v, fmt::format("{} must be 0, 1 or 2, not {}", t.path, described(v)));
  return static_cast<std::uint32_t>(order);
}

Correction take_correction(T& t, const V& v) {
  if (v.is(V::Kind::boolean)) return take_boolean(t, v) ? Correction::linear : Correction::none;
  return word<Correction>(t, v, {"none", "linear", "consistent"});
}

// clang-format off
const Key key_table[] = {
    {"system.name", "text", "the file's name", "", "Name of the system, for titles",
     [](T& t, const V& v) { t.system.name = take_text(t, v); }},

    {"components.*.fmu", "file", required, "", "The FMU, relative to the system file: a file or an unpacked folder",
     [](T& t, const V& v) { t.component->fmu = take_text(t, v); }},
    {"components.*.as", "cs | me", "cs if the FMU has it", "", "Co-simulation, or model exchange with a solver of Tutti's",
     [](T& t, const V& v) {
       t.component->as = take_word(t, v, {"cs", "me"}) == 0 ? FmuKind::co_simulation : FmuKind::model_exchange;
     }},
    {"components.*.set", "table", "", "", "Parameters and start values by variable name: numbers, texts, booleans, arrays, enumeration items by name", set_values},
    {"components.*.solver.name", "text", "cvode", "", "Integrator of a model-exchange FMU",
     [](T& t, const V& v) { t.component->solver.name = take_solver(t, v); }},
    {"components.*.solver.rtol", "number", "1e-6", "", "Its relative tolerance",
     [](T& t, const V& v) { t.component->solver.rtol = take_positive(t, v); }},
    {"components.*.solver.atol", "number", "rtol/100", "", "Its absolute tolerance, times the nominal values of the states",
     [](T& t, const V& v) { t.component->solver.atol = take_positive(t, v); }},
    {"components.*.solver.max-step", "number", "as it likes", "s", "Its longest step",
     [](T& t, const V& v) { t.component->solver.max_step = take_positive(t, v); }},
    {"components.*.solver.at-points", "restart | continue", "restart", "", "At communication points it starts anew, or goes on with what it knows of the past: good where inputs are smooth",
     [](T& t, const V& v) { t.component->solver.at_points = word<AtPoints>(t, v, {"restart", "continue"}); }},
    {"components.*.tolerance", "number", "the FMU's", "", "Relative tolerance given to the FMU",
     [](T& t, const V& v) { t.component->tolerance = take_positive(t, v); }},
    {"components.*.step", "number", "the system's", "s", "Communication step of this component, an integer fraction of the system's",
     [](T& t, const V& v) { t.component->step = take_positive(t, v); }},
    {"components.*.timeout", "number", "600", "s", "Wall time after which a step that does not return is ended; 0 waits for ever",
     [](T& t, const V& v) { t.component->timeout = take_not_negative(t, v); }},
    {"components.*.log", "boolean", "false", "", "The FMU's debug messages",
     [](T& t, const V& v) { t.component->log = take_boolean(t, v); }},

    {"connections.list[]", "text", "", "", "\"a.y -> b.u\": output y of component a feeds input u of component b", set_arrow},
    {"connections.list[].from", "text", required, "", "The long form: component.output",
     [](T& t, const V& v) { t.connection->from = take_endpoint(t, v); }},
    {"connections.list[].to", "text", required, "", "component.input",
     [](T& t, const V& v) { t.connection->to = take_endpoint(t, v); }},
    {"connections.list[].factor", "number", "1", "", "The input is factor * output + offset, after the conversion of units",
     [](T& t, const V& v) { t.connection->factor = take_number(t, v); }},
    {"connections.list[].offset", "number", "0", "of the input", "See factor",
     [](T& t, const V& v) { t.connection->offset = take_number(t, v); }},
    {"connections.list[].units", "convert | ignore", "convert", "", "Whether the output is converted to the unit of the input",
     [](T& t, const V& v) { t.connection->convert_units = take_word(t, v, {"convert", "ignore"}) == 0; }},
    {"connections.list[].map", "table", "", "", "Booleans, whole numbers or items of enumerations that become others: { true = false }, { 1 = 3 }, { low = \"off\" }",
     [](T& t, const V& v) { t.connection->map = take_assignments(t, v); }},
    {"connections.list[].inside", "hold | linear", "the simulation's", "", "As in simulation.inputs, for this connection",
     [](T& t, const V& v) { t.connection->inputs.inside = word<InsideStep>(t, v, {"hold", "linear"}); }},
    {"connections.list[].order", "0 | 1 | 2", "the simulation's", "", "As in simulation.inputs, for this connection",
     [](T& t, const V& v) { t.connection->inputs.order = take_order(t, v); }},
    {"connections.list[].derivatives", "auto | fmu | differences | backward", "the simulation's", "", "As in simulation.inputs, for this connection",
     [](T& t, const V& v) { t.connection->inputs.derivatives = word<DerivativeSource>(t, v, derivative_sources); }},
    {"connections.list[].smooth", "boolean", "the simulation's", "", "As in simulation.inputs, for this connection",
     [](T& t, const V& v) { t.connection->inputs.smooth = take_boolean(t, v); }},

    {"inputs.file", "file", "none", "", "CSV with the time first and columns named component.variable, relative to the system file",
     [](T& t, const V& v) {
       t.system.inputs.file = take_text(t, v);
       t.system.inputs.place = v.place;
     }},
    {"inputs.tables[].file", "file", required, "", "A table whose columns have names of their own",
     [](T& t, const V& v) { t.table->file = take_text(t, v); }},
    {"inputs.tables[].columns", "table", required, "", "\"component.variable\" = \"column\", or { column = \"name\", factor = 1, offset = 0 }", set_columns},
    {"inputs.tables[].time-factor", "number", "1", "s", "A unit of its time",
     [](T& t, const V& v) { t.table->time_factor = take_positive(t, v); }},
    {"inputs.tables[].hold", "start | end", "start", "", "Which of its values holds over a step",
     [](T& t, const V& v) { t.table->hold = word<HeldValue>(t, v, {"start", "end"}); }},
    {"inputs.set", "table", "", "", "Constant inputs: \"component.variable\" = value", set_constants},

    {"simulation.start", "number", "0", "s", "Start time",
     [](T& t, const V& v) { t.system.simulation.start = take_number(t, v); }},
    {"simulation.stop", "number", "start + 1", "s", "Stop time, after the start",
     [](T& t, const V& v) { t.system.simulation.stop = take_number(t, v); }},
    {"simulation.step", "number", "span/500", "s", "Communication step",
     [](T& t, const V& v) { t.system.simulation.step = take_positive(t, v); }},
    {"simulation.method", "text or list", "gauss-seidel", "", "Coupling method of the cycles; the later ones of a list are fallbacks. auto: chosen for each cycle, with steps controlled to the tolerance",
     [](T& t, const V& v) { t.system.simulation.methods = take_methods(t, v); }},
    {"simulation.tolerance.abs", "number", "1e-6", "", "An iteration has converged when changes are below abs + rel * |value|",
     [](T& t, const V& v) { t.system.simulation.tolerance.abs = take_not_negative(t, v); }},
    {"simulation.tolerance.rel", "number", "1e-4", "", "See abs",
     [](T& t, const V& v) { t.system.simulation.tolerance.rel = take_not_negative(t, v); }},
    {"simulation.tolerance.iterations", "integer", "20", "", "Most iterations of a step",
     [](T& t, const V& v) { t.system.simulation.tolerance.iterations = take_count(t, v); }},
    {"simulation.tolerance.on-limit", "stop | continue", "stop", "", "If they do not suffice: end the run, or go on with a warning",
     [](T& t, const V& v) { t.system.simulation.tolerance.on_limit = word<OnLimit>(t, v, {"stop", "continue"}); }},
    {"simulation.tolerance.norm", "wrms | components", "wrms", "", "Judge the weighted root mean square of all changes, or each on its own",
     [](T& t, const V& v) { t.system.simulation.tolerance.norm = word<Norm>(t, v, {"wrms", "components"}); }},
    {"simulation.relaxation", "number or aitken", "1", "", "Part of a change that an iteration takes over; aitken: found from the last two", set_relaxation},
    {"simulation.sweeps", "seidel | jacobi", "seidel", "", "How iterated goes through a cycle: each component with the newest values, or all with the last ones",
     [](T& t, const V& v) { t.system.simulation.sweeps = take_word(t, v, {"seidel", "jacobi"}) == 0 ? Sweeps::seidel : Sweeps::jacobi; }},
    {"simulation.save-states", "auto | always | never", "auto", "", "Save states before each step, so that it can be taken back; auto: if it turns out to be needed",
     [](T& t, const V& v) { t.system.simulation.save_states = static_cast<SaveStates>(take_word(t, v, {"auto", "always", "never"})); }},
    {"simulation.threads", "integer", "1", "", "Components that step side by side",
     [](T& t, const V& v) { t.system.simulation.threads = take_count(t, v); }},
    {"simulation.inputs.inside", "hold | linear", "hold", "", "An input inside a step: held, or linear to the value at its end",
     [](T& t, const V& v) { t.system.simulation.inputs.inside = word<InsideStep>(t, v, {"hold", "linear"}); }},
    {"simulation.inputs.order", "0 | 1 | 2", "0", "", "Extrapolation where the value at the end of the step is not known; where it is, interpolation of the same order",
     [](T& t, const V& v) { t.system.simulation.inputs.order = take_order(t, v); }},
    {"simulation.inputs.derivatives", "auto | fmu | differences | backward", "auto", "", "Where derivatives for that come from: the output derivatives of the FMUs, a polynomial through the last points, or backward differences; auto: the FMUs that have them",
     [](T& t, const V& v) { t.system.simulation.inputs.derivatives = word<DerivativeSource>(t, v, derivative_sources); }},
    {"simulation.inputs.smooth", "boolean", "false", "", "Extrapolated inputs do not jump at communication points",
     [](T& t, const V& v) { t.system.simulation.inputs.smooth = take_boolean(t, v); }},
    {"simulation.inputs.correct", "none | linear | consistent", "none", "", "Outputs that depend directly on extrapolated inputs: taken as they are, corrected linearly (also: true), or computed again with the new inputs",
     [](T& t, const V& v) { t.system.simulation.inputs.correct = take_correction(t, v); }},
    {"simulation.control.name", "fixed | convergence | richardson | predictor", "fixed", "", "Choice of the communication step; simulation.step is the first one, if it lies between min and max",
     [](T& t, const V& v) { control(t).name = word<StepControl>(t, v, {"fixed", "convergence", "richardson", "predictor"}); }},
    {"simulation.control.variant", "tutti | eas | mastersim | mastersim-2018 | pyfmi | textbook", "tutti", "", "Whose rules it follows",
     [](T& t, const V& v) { control(t).variant = word<ControlVariant>(t, v, {"tutti", "eas", "mastersim", "mastersim-2018", "pyfmi", "textbook"}); }},
    {"simulation.control.estimator", "classic | linear | extended", "the variant's", "", "For richardson: how the error of a step is estimated",
     [](T& t, const V& v) { control(t).estimator = word<ErrorEstimator>(t, v, {"classic", "linear", "extended"}); }},
    {"simulation.control.atol", "number", "1e-4", "", "Absolute tolerance of the error of a step",
     [](T& t, const V& v) { control(t).atol = take_not_negative(t, v); }},
    {"simulation.control.rtol", "number", "1e-4", "", "Relative tolerance of the error of a step",
     [](T& t, const V& v) { control(t).rtol = take_not_negative(t, v); }},
    {"simulation.control.min", "number", "1e-9 of the time", "s", "Shortest step",
     [](T& t, const V& v) { control(t).min = take_positive(t, v); }},
    {"simulation.control.max", "number", "0.1 of the time", "s", "Longest step",
     [](T& t, const V& v) { control(t).max = take_positive(t, v); }},
    {"simulation.control.at-min", "stop | continue", "stop", "", "If the error of the shortest step is too large, too: end the run, or accept it and count it",
     [](T& t, const V& v) { control(t).at_min = word<OnLimit>(t, v, {"stop", "continue"}); }},
    {"simulation.control.safety", "number", "the variant's", "", "Part of the step that the error suggests",
     [](T& t, const V& v) { control(t).safety = take_positive(t, v); }},
    {"simulation.control.shrink", "number", "the variant's", "", "Least factor from a step to the next; given, it replaces the halving of variant tutti and of predictor",
     [](T& t, const V& v) { control(t).shrink = take_positive(t, v); }},
    {"simulation.control.grow", "number", "the variant's", "", "Greatest factor from a step to the next",
     [](T& t, const V& v) { control(t).grow = take_positive(t, v); }},
    {"simulation.control.fall-back", "number", "0", "s", "In shorter steps cycles do not iterate",
     [](T& t, const V& v) { control(t).fall_back = take_not_negative(t, v); }},
    {"simulation.control.clock", "integer | accumulate", "integer", "", "Times from the number of the step, or by adding up steps with their rounding errors",
     [](T& t, const V& v) { control(t).clock = word<TimeStepping>(t, v, {"integer", "accumulate"}); }},
    {"simulation.control.end", "exact | overshoot", "exact", "", "The last step ends at the stop time, or is a whole one",
     [](T& t, const V& v) { control(t).end = word<LastStep>(t, v, {"exact", "overshoot"}); }},

    {"cycles[].of", "list", required, "", "The components of a cycle, all of them, in any order",
     [](T& t, const V& v) { set_members(t, v, t.cycle->of); }},
    {"cycles[].method", "text or list", "the simulation's", "", "Coupling method of this cycle",
     [](T& t, const V& v) { t.cycle->methods = take_methods(t, v); }},
    {"cycles[].order", "list", "the best one found", "", "The order in which the components are called",
     [](T& t, const V& v) { set_members(t, v, t.cycle->order); }},
    {"clusters", "list of tables", "", "", "Model-exchange components that are solved together", nullptr},

    {"results.file", "file", "<system>.csv", "", "Where the results go, relative to the system file; none: nowhere",
     [](T& t, const V& v) { t.system.results.file = take_text(t, v); }},
    {"results.variables", "text or list", "all outputs and connected inputs", "", "What is recorded: component.variable with * and ?; [] records the time only",
     [](T& t, const V& v) {
       t.system.results.variables = take_texts(t, v);
       t.system.results.only_time = t.system.results.variables.empty();
     }},
    {"results.interval", "number", "every communication point", "s", "Time between recorded points",
     [](T& t, const V& v) { t.system.results.interval = take_positive(t, v); }},
    {"results.steps", "boolean", "false", "", "Also record each step: columns step (its length), iterations and error (of step control)",
     [](T& t, const V& v) { t.system.results.steps = take_boolean(t, v); }},
    {"results.gnuplot", "boolean", "false", "", "Also write <name>.gnuplot beside the results, a script that draws them",
     [](T& t, const V& v) { t.system.results.gnuplot = take_boolean(t, v); }},
};
// clang-format on

const std::vector<Shorthand> short_forms = {
    {"system", {"name"}},
    {"components.*", {"fmu"}},
    {"components.*.solver", {"name"}},
    {"connections", {"list"}},
    {"inputs", {"file"}},
    {"simulation.tolerance", {"abs", "rel"}},
    {"simulation.inputs", {"inside"}},
    {"simulation.control", {"name"}},
    {"results", {"file"}},
};

}  // namespace

std::span<const Key> keys() { return key_table; }

const Key* find_key(std::string_view path) {
  const auto* const found = std::find_if(std::begin(key_table), std::end(key_table),
                                         [&](const Key& key) { return key.path == path; });
  return found == std::end(key_table) ? nullptr : found;
}

std::span<const Shorthand> shorthands() { return short_forms; }

std::vector<std::string_view> names_below(std::string_view path) {
  std::vector<std::string_view> names;
  for (const Key& key : key_table) {
    std::string_view rest = key.path;
    if (!path.empty()) {
      if (!rest.starts_with(path)) continue;
      rest.remove_prefix(path.size());
      if (!rest.starts_with('.')) continue;
      rest.remove_prefix(1);
    }
    const std::string_view name = rest.substr(0, rest.find_first_of(".["));
    if (!name.empty() && (names.empty() || names.back() != name)) names.push_back(name);
  }
  return names;
}

}  // namespace tutti::formats
