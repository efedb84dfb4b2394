// SPDX-License-Identifier: BSD-2-Clause
#include "formats/toml/keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tutti/error.hpp>

#include "base/text.hpp"
#include "formats/toml/fields.hpp"
#include "system/names.hpp"

namespace tutti::formats {
namespace {

void read_arrow(Target& t, const Value& v) {
  const std::string text = take_text(t, v);
  const std::size_t arrow = text.find("->");
  if (arrow == std::string::npos)
    refuse(v, fmt::format("\"{}\" is not of the form \"component.output -> component.input\"",
                          printable(text)));
  try {
    t.connection->from = t.names->resolve_end(std::string_view(text).substr(0, arrow));
    t.connection->to = t.names->resolve_end(std::string_view(text).substr(arrow + 2));
  } catch (const Error& error) {
    refuse(v, fmt::format("connection \"{}\": {}", printable(text), error.what()));
  }
}

constexpr std::string_view unit_words[] = {"convert", "ignore"};

void read_units(Target& t, const Value& v) {
  t.connection->convert_units = take_word(t, v, unit_words) == 0;
}

std::optional<Value> write_units(const Source& s, bool /*always*/) {
  if (s.connection->convert_units) return std::nullopt;
  return text_value(unit_words[1]);
}

Value solver_option_value(bool option) { return boolean_value(option); }
Value solver_option_value(double option) { return number_value(option); }
Value solver_option_value(std::int64_t option) { return integer_value(option); }
Value solver_option_value(const std::string& option) { return text_value(option); }

/// Without the key, the interfaces of the FMU decide.
constexpr auto interface_words = std::span(words_of<FmuKind>).subspan(1);

FmuKind take_interface(const Target& t, const Value& v) {
  return static_cast<FmuKind>(1 + take_word(t, v, interface_words));
}

void read_set(Target& t, const Value& v) {
  for (auto& [name, value] : take_assignments(t, v)) {
    auto& set = t.component->set;
    if (v.place.line == 0) t.component->assigned.push_back(name);
    const auto found =
        std::ranges::find_if(set, [&](const auto& pair) { return pair.first == name; });
    if (found == set.end())
      set.emplace_back(std::move(name), std::move(value));
    else
      found->second = std::move(value);
  }
}

/// A table of names and values that `take` reads.
template <auto member, auto take>
void read_pairs(Target& t, const Value& v) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const auto& [name, place, value] : take_table(t, v)) {
    const std::string whole = t.path;
    t.path += "." + printable(name);
    pairs.emplace_back(name, take(t, value));
    t.path = whole;
  }
  at<member>(t) = std::move(pairs);
}
template <auto member>
constexpr auto read_formulas = read_pairs<member, take_formula>;
template <auto member>
constexpr auto read_numbers = read_pairs<member, take_number_text>;

void read_solver_options(Target& t, const Value& v) {
  if (!v.is(Value::Kind::table))
    refuse(v,
           fmt::format("{} must be a table of options and values, not {}", t.path, described(v)));
  for (const Value::Entry& entry : v.entries) {
    t.path += "." + printable(entry.key);
    place(t, Of<SolverSettings>()).options[entry.key] = take_solver_option(t, entry.value);
    t.path.resize(t.path.size() - printable(entry.key).size() - 1);
  }
}

void read_input_file(Target& t, const Value& v) {
  t.system->inputs.file = take_text(t, v);
  t.system->inputs.place = v.place;
}

/// The variable that an entry of a table sets.
Endpoint entry_endpoint(const Target& t, const std::string& name, const Value& v) {
  try {
    return t.names->resolve(name);
  } catch (const Error& error) {
    throw error.within(fmt::format("{}: \"{}\"", t.path, printable(name)), system::where(v.place));
  }
}

void read_constants(Target& t, const Value& v) {
  for (auto& [name, value] : take_assignments(t, v))
    t.system->inputs.constants.emplace_back(entry_endpoint(t, name, v), std::move(value));
}

/// On the command line, an existing entry gets a new value.
void read_action_values(Target& t, const Value& v) {
  auto& set = t.action->set;
  const bool changes = v.place.line == 0;
  for (auto& [name, value] : take_assignments(t, v)) {
    Endpoint to = entry_endpoint(t, name, v);
    const auto known =
        std::ranges::find_if(set, [&](const auto& pair) { return pair.first == to; });
    if (known == set.end())
      set.emplace_back(std::move(to), std::move(value));
    else if (changes)
      known->second = std::move(value);
    else
      refuse(v, fmt::format("{} sets \"{}\" twice", t.path, printable(name)));
  }
  if (set.empty()) refuse(v, t.path + " is empty: name a variable and its value");
}

void read_column(Target& t, const Value::Entry& entry) {
  InputColumn& column = t.table->columns.emplace_back();
  column.to = entry_endpoint(t, entry.key, entry.value);
  if (!entry.value.is(Value::Kind::table)) {
    column.column = take_text(t, entry.value);
    return;
  }
  constexpr std::string_view known[] = {"column", "factor", "offset"};
  for (const Value::Entry& part : entry.value.entries) {
    if (part.key == known[0])
      column.column = take_text(t, part.value);
    else if (part.key == known[1])
      column.factor = take_finite(t, part.value);
    else if (part.key == known[2])
      column.offset = take_finite(t, part.value);
    else
      refuse(part.value, fmt::format("{}: unknown key \"{}\".", t.path, printable(part.key)),
             did_you_mean(part.key, {known, known + 3}));
  }
  if (column.column.empty())
    refuse(entry.value,
           fmt::format("{}: \"{}\" does not name a column", t.path, printable(entry.key)));
}

void read_columns(Target& t, const Value& v) {
  if (!v.is(Value::Kind::table))
    refuse(v,
           fmt::format("{} must be a table of inputs and columns, not {}", t.path, described(v)));
  for (const Value::Entry& entry : v.entries) read_column(t, entry);
}

constexpr std::string_view relaxation_words[] = {"aitken"};

void read_relaxation(Target& t, const Value& v) {
  SimulationSettings& run = t.system->simulation;
  run.aitken = v.is(Value::Kind::text) && take_word(t, v, relaxation_words) == 0;
  run.relaxation = run.aitken ? std::nullopt : std::optional(take_positive(t, v));
}

std::optional<Value> write_relaxation(const Source& s, bool /*always*/) {
  const SimulationSettings& run = s.system->simulation;
  if (run.aitken) return text_value(relaxation_words[0]);
  return run.relaxation ? std::optional(number_value(*run.relaxation)) : std::nullopt;
}

Correction take_correction(const Target& t, const Value& v) {
  if (v.is(Value::Kind::boolean)) return v.boolean ? Correction::linear : Correction::none;
  return take_enum<Correction>(t, v);
}

void read_variables(Target& t, const Value& v) {
  t.system->results.variables = take_texts(t, v);
  t.system->results.only_time = t.system->results.variables.empty();
}

std::optional<Value> write_variables(const Source& s, bool /*always*/) {
  const ResultSettings& results = s.system->results;
  if (results.variables.empty() && !results.only_time) return std::nullopt;
  return list_value(results.variables);
}

ResultGroup take_group(const Target& t, const Value::Entry& entry) {
  Target inner = t;
  inner.path = fmt::format("{}.{}", t.path, printable(entry.key));
  if (!entry.value.is(Value::Kind::table))
    refuse(entry.value,
           fmt::format("{} must be a table, not {}", inner.path, described(entry.value)),
           "Write { variables = [\"motor.*\"], every = 10 }.");
  ResultGroup group{.name = entry.key, .variables = {}};
  constexpr std::string_view known[] = {"variables", "every"};
  const std::string path = inner.path;
  for (const Value::Entry& part : entry.value.entries) {
    inner.path = fmt::format("{}.{}", path, part.key);
    if (part.key == known[0])
      group.variables = take_texts(inner, part.value);
    else if (part.key == known[1])
      group.every = take_count(inner, part.value);
    else
      refuse(part.value, fmt::format("{}: unknown key \"{}\".", path, printable(part.key)),
             did_you_mean(part.key, {known, known + 2}));
  }
  if (group.variables.empty())
    refuse(entry.value, path + " does not name variables (variables = [...])");
  return group;
}

void read_groups(Target& t, const Value& v) {
  if (!v.is(Value::Kind::table))
    refuse(v, fmt::format("{} must be a table of groups, not {}", t.path, described(v)));
  t.system->results.groups.clear();
  for (const Value::Entry& entry : v.entries)
    t.system->results.groups.push_back(take_group(t, entry));
}

using namespace fields;
// clang-format off
const Key key_table[] = {
    {"system.name", text<&System::name>, "the file's name", "", "Name of the system, for titles", R"("quarter car")"},

    {"components.*.fmu", file<&Component::fmu>, "required without type", "", "FMU file or unpacked folder, relative to the system file", R"("motor.fmu")"},
    {"components.*.type", {"", {}, read_member<take_built_in, &BuiltIn::type>, write_member<&BuiltIn::type>, &Words::built_ins}, "", "", "Kind of a built-in component, instead of an FMU", R"("gain")"},
    {"components.*.inputs", count<&BuiltIn::inputs>, "2", "", "sum: number of inputs"},
    {"components.*.outputs", {"table", {}, read_formulas<&BuiltIn::outputs>, write_member<&BuiltIn::outputs>}, "", "", "expression: outputs and their formulas, { y = \"2*u + sin(w*time)\" }", R"x({ y = "2*u + sin(w*time)" })x"},
    {"components.*.parameters", {"table", {}, read_numbers<&BuiltIn::parameters>, write_member<&BuiltIn::parameters>}, "", "", "expression: parameters of the formulas and their values, { w = 3.0 }", "{ w = 3.0 }"},
    {"components.*.file", file<&BuiltIn::file>, "", "", "table: CSV file; the first column is the time, every other column is an output", R"("road.csv")"},
    {"components.*.interpolation", word<&BuiltIn::interpolation>, "linear", "", "table: interpolation between rows"},
    {"components.*.data-type", word<&BuiltIn::data_type>, "real", "", "constant: type of the values"},
    {"components.*.unit", text<&BuiltIn::unit>, "none", "", "Unit of the outputs of a built-in component", R"("m/s")"},
    {"components.*.as", {"", interface_words, read_member<take_interface, &Component::as>, write_member<&Component::as>}, "cs if the FMU has it", "", "Co-simulation, or model exchange with a solver of Tutti"},
    {"components.*.set", {"table", {}, read_set, write_member<&Component::set>}, "", "", "Parameters and start values by variable name: numbers, strings, booleans, arrays, names of enumeration items", R"({ inertia = 0.2, mode = "fast" })"},
    {"components.*.solver.name", {"string", {}, read_member<take_solver, &SolverSettings::name>, write_member<&SolverSettings::name>, nullptr, &Words::solvers}, "cvode", "", "Integrator of a model-exchange FMU", R"("radau5")"},
    {"components.*.solver.rtol", positive<&SolverSettings::rtol>, "1e-6", "", "Relative tolerance of the solver"},
    {"components.*.solver.atol", positive<&SolverSettings::atol>, "rtol/100", "", "Absolute tolerance of the solver, scaled by the nominal values of the states", "1e-9"},
    {"components.*.solver.max-step", positive<&SolverSettings::max_step>, "no limit", "s", "Maximum step size of the solver", "0.01"},
    {"components.*.solver.first-step", positive<&SolverSettings::first_step>, "chosen by the solver", "s", "First step size of the solver, at the start and after each event", "1e-6"},
    {"components.*.solver.options", {"table", {}, read_solver_options, write_member<&SolverSettings::options>}, "", "", "Options of this solver, { maxord = 3 }, also accepted as keys of solver. `tutti solvers NAME` lists them", "{ maxord = 3 }"},
    {"components.*.solver.at-points", word<&SolverSettings::at_points>, "restart", "", "Restart the solver at communication points, or continue with its history (for smooth inputs)"},
    {"components.*.solver.diagnose", boolean<&SolverSettings::diagnose>, "false", "", "Report which states limit the solver's steps, and why steps are rejected"},
    {"components.*.tolerance", positive<&Component::tolerance>, "the FMU's", "", "Relative tolerance passed to the FMU", "1e-8"},
    {"components.*.step", positive<&Component::step>, "the system's; with lines a fraction of the delay", "s", "Communication step of this component, an integer fraction of the system's; with lines at most the shortest delay to its island", "1e-4"},
    {"components.*.timeout", not_negative<&Component::timeout>, "600", "s", "Maximum wall-clock time of one step; 0: no limit"},
    {"components.*.log", boolean<&Component::log>, "false", "", "Log the FMU's debug messages"},
    {"components.*.event-mode", word<&Component::event_mode>, "auto", "", "FMI 3.0: run the FMU with event mode; auto: where inputs jump, and with step size control"},
    {"components.*.early-return", boolean<&Component::early_return>, "false", "", "FMI 3.0: let steps end at events of the FMU, even if some components cannot roll back"},

    {"components.*.ports.*.domain", word<&Port::domain>, required, "", "Physical domain of effort and flow: force and velocity, torque and angular velocity, both in a plane, voltage and current, pressure and volume flow"},
    {"components.*.ports.*.terminal", text<&Port::terminal>, "", "", "FMI 3.0: terminal of the FMU from which omitted effort, flow and carry are taken", R"("flange")"},
    {"components.*.ports.*.effort", texts<&Port::effort>, "", "", "Inputs: force, torque, voltage or pressure; planar: x, y and angle, or one array", R"("torque")"},
    {"components.*.ports.*.flow", texts<&Port::flow>, "", "", "Outputs: velocity in a direction that both ends share, or current or volume flow out of the component", R"("w")"},
    {"components.*.ports.*.state", texts<&Port::state>, "", "", "Outputs: position or angle, for information only", R"("phi")"},
    {"components.*.ports.*.sign", sign<&Port::sign>, "1", "", "Sign of the FMU's effort relative to the force of the line on the component, or to the pressure or voltage in the line"},
    {"components.*.ports.*.flow-sign", sign<&Port::flow_sign>, "1", "", "Sign of the flow relative to that of the FMU"},
    {"components.*.ports.*.input", word<&Port::input>, "auto", "", "What the FMU receives for a communication step: constant effort, effort and slope, constant wave, wave and slope, or a table of the wave; or the effort inside the step, or in the equations of a model-exchange FMU"},
    {"components.*.ports.*.wave", texts<&WaveInputs::value>, "", "", "Inputs for the wave, instead of effort, of an FMU that computes effort = wave + impedance * flow itself", R"("c")"},
    {"components.*.ports.*.wave-slope", texts<&WaveInputs::slope>, "", "", "Inputs for the slope of the wave over a step", R"("dc")"},
    {"components.*.ports.*.impedance", texts<&WaveInputs::impedance>, "", "", "Inputs or parameters for the impedance of the line", R"("Z")"},
    {"components.*.ports.*.wave-table", texts<&WaveInputs::table>, "", "", "Array inputs for the wave at several times of a step", R"("waves")"},
    {"components.*.ports.*.time-table", text<&WaveInputs::times>, "", "", "Array input for the times of wave-table", R"("times")"},
    {"components.*.ports.*.carry", field<take_carried, &Port::carry>("list of tables"), "", "", "thermofluid: quantities that the medium carries, each an output and the input for the value of the other end: { out = \"h_out\", in = \"h_in\" }", R"([{ out = "h_out", in = "h_in" }])"},
    {"components.*.ports.*.density", positive<&Port::density>, "", "kg/m3", "thermofluid: fluid density, if the flow of the FMU is a mass flow", "870"},

    {"connections.list[]", {"string", {}, read_arrow, nullptr}, "", "", "\"a.y -> b.u\": output y of component a feeds input u of component b; \"a -> b\" and \"a.out_* -> b.in_*\": several connections", R"(["motor.torque -> shaft.torque"])"},
    {"connections.list[].from", end<&Connection::from>, required, "", "Long form: component.output, or a pattern", R"("motor.torque")"},
    {"connections.list[].to", end<&Connection::to>, required, "", "component.input, or a pattern", R"("shaft.torque")"},
    {"connections.list[].factor", number<&Connection::factor>, "1", "", "input = factor * output + offset, after unit conversion"},
    {"connections.list[].offset", number<&Connection::offset>, "0", "of the input", "See factor"},
    {"connections.list[].units", {"", unit_words, read_units, write_units}, "convert", "", "Convert the output to the unit of the input, or ignore units"},
    {"connections.list[].map", field<take_assignments, &Connection::map>("table"), "", "", "Mapping of booleans, integers or enumeration items: { true = false }, { 1 = 3 }, { low = \"off\" }", "{ true = 1, false = 0 }"},
    {"connections.list[].inside", word<&ConnectionInputs::inside>, "the simulation's", "", "simulation.inputs.inside for this connection"},
    {"connections.list[].order", order<&ConnectionInputs::order>, "the simulation's", "", "simulation.inputs.order for this connection", "1"},
    {"connections.list[].derivatives", word<&ConnectionInputs::derivatives>, "the simulation's", "", "simulation.inputs.derivatives for this connection"},
    {"connections.list[].smooth", boolean<&ConnectionInputs::smooth>, "the simulation's", "", "simulation.inputs.smooth for this connection"},

    {"tlm[].between", field<take_ports, &TlmLine::between>("list"), required, "", "The two ports that the line connects: [\"component.port\", \"component.port\"]", R"(["motor.flange", "shaft.flange"])"},
    {"tlm[].delay", positive<&TlmLine::delay>, "", "s", "Propagation time of a wave from one end to the other; give two of delay, impedance, stiffness and mass", "1e-3"},
    {"tlm[].impedance", positive<&TlmLine::impedance>, "stiffness * delay", "of effort per flow", "Characteristic impedance", "50"},
    {"tlm[].stiffness", positive<&TlmLine::stiffness>, "impedance / delay", "", "Stiffness of the line, or the inverse of its capacitance", "5e4"},
    {"tlm[].mass", positive<&TlmLine::mass>, "impedance * delay", "", "Mass of the line, or its moment of inertia, inductance or inertance", "0.05"},
    {"tlm[].rotational-impedance", not_negative<&TlmLine::rotational_impedance>, "required for planar", "N m s", "Impedance of the angle of planar ports; 0 leaves the angle free", "2"},
    {"tlm[].damping", field<take_damping, &TlmLine::damping>("number"), "0", "", "Coefficient a of the wave filter, at least 0 and below 1: c(t) = (1-a) w(t-D) + a c(t-1.5 D)"},
    {"tlm[].keep-stiffness", boolean<&TlmLine::keep_stiffness>, "false", "", "Increase the impedance to compensate the stiffness lost by damping"},
    {"tlm[].initial.effort", numbers<&TlmLine::initial_effort>, "those of the FMUs", "SI", "Effort in the line at the start, by direction; mechanical: force of the first component on the line", "10"},
    {"tlm[].initial.flow", numbers<&TlmLine::initial_flow>, "those of the FMUs", "SI", "Flow at the start, by direction: of the first port, then of the second", "0.5"},
    {"tlm[].wave", word<&TlmLine::wave>, "auto", "", "Compute the outgoing wave from the delayed one (exact), or from the effort that acted in the FMU (consistent)"},

    {"delays[].from", endpoint<&DelayedSignal::from>, required, "", "Source of the delayed signal: component.output", R"("sensor.y")"},
    {"delays[].to", endpoint<&DelayedSignal::to>, required, "", "Destination of the delayed signal: component.input", R"("controller.y")"},
    {"delays[].delay", positive<&DelayedSignal::delay>, required, "s", "Delay of the signal: to(t) = from(t - delay)", "2e-3"},
    {"delays[].initial", number<&DelayedSignal::initial>, "from at the start", "of the input", "Value of the input until the delay has passed", "0"},

    {"inputs.file", {"file", {}, read_input_file, write_member<&ExternalInputs::file>}, "none", "", "CSV file, relative to the system file: the time first, then columns named component.variable", R"("road.csv")"},
    {"inputs.tables[].file", file<&InputFile::file>, required, "", "Table with column names of its own", R"("measured.csv")"},
    {"inputs.tables[].columns", {"table", {}, read_columns, write_member<&InputFile::columns>}, required, "", "Columns by input: \"component.variable\" = \"column\", or { column = \"name\", factor = 1, offset = 0 }", R"({ "motor.load" = "M_load" })"},
    {"inputs.tables[].time-factor", positive<&InputFile::time_factor>, "1", "s", "Time unit of the table"},
    {"inputs.tables[].sample", word<&InputFile::sample>, "start", "", "Value of the table for a communication step: at its start or at its end"},
    {"inputs.exact", boolean<&ExternalInputs::exact>, "false", "", "Model-exchange components whose inputs all come from tables follow them inside steps; their integrators interpolate at communication points"},
    {"inputs.set", {"table", {}, read_constants, write_member<&ExternalInputs::constants>}, "", "", "Constant inputs: \"component.variable\" = value", R"({ "controller.setpoint" = 20 })"},

    {"actions[].at", number<&TimedAction::at>, required, "s", "Time at which the values are set, from the start time to before the stop time", "0.5"},
    {"actions[].set", {"table", {}, read_action_values, write_member<&TimedAction::set>}, required, "", "Inputs without a source and tunable parameters: \"component.variable\" = value", R"({ "controller.setpoint" = 20 })"},

    {"simulation.start", number<&SimulationSettings::start>, "0", "s", "Start time"},
    {"simulation.stop", number<&SimulationSettings::stop>, "start + 1", "s", "Stop time, after the start", "10"},
    {"simulation.step", positive<&SimulationSettings::step>, "span/500", "s", "Communication step", "1e-3"},
    {"simulation.points", field<take_numbers, &SimulationSettings::points>("list of numbers"), "", "s", "List of communication points from the start to the stop time, instead of start, stop and step", "[0, 0.1, 0.5, 2]"},
    {"simulation.per-decade", positive<&SimulationSettings::per_decade>, "", "", "Number of communication points per decade, logarithmically spaced", "10"},
    {"simulation.first", positive<&SimulationSettings::first>, "start", "s", "First of the logarithmically spaced points", "1e-6"},
    {"simulation.method", methods<&SimulationSettings::methods>, "gauss-seidel", "", "Coupling method of the cycles; further entries of a list are fallbacks. auto: chosen for each cycle, with step size control to the tolerance", R"(["iterated", "newton"])"},
    {"simulation.tolerance.abs", not_negative<&IterationSettings::abs>, "1e-6", "", "Iterations converge when changes are below abs + rel * |value|; richardson and predictor use at most a tenth of control.atol"},
    {"simulation.tolerance.rel", not_negative<&IterationSettings::rel>, "1e-4", "", "See abs; richardson and predictor use at most a tenth of control.rtol"},
    {"simulation.tolerance.iterations", count<&IterationSettings::iterations>, "20", "", "Maximum number of iterations per step"},
    {"simulation.tolerance.on-limit", word<&IterationSettings::on_limit>, "stop", "", "At the maximum number of iterations: stop the run, or continue with a warning"},
    {"simulation.tolerance.norm", word<&IterationSettings::norm>, "wrms", "", "Convergence test: weighted root mean square of all changes, or every change separately"},
    {"simulation.relaxation", {"number or aitken", {}, read_relaxation, write_relaxation}, "1", "", "Relaxation factor of iterations; aitken: computed from the last two"},
    {"simulation.sweeps", word<&SimulationSettings::sweeps>, "seidel", "", "Sweeps of iterated over a cycle: with the newest values (Gauss-Seidel), or with those of the previous sweep (Jacobi)"},
    {"simulation.save-states", word<&SimulationSettings::save_states>, "auto", "", "Save states before each step for rollback; auto: when needed"},
    {"simulation.threads", count<&SimulationSettings::threads>, "1", "", "Number of worker threads"},
    {"simulation.inputs.inside", word<&InputSettings::inside>, "constant", "", "Inputs inside a step: constant (zero-order hold), or linear to the value at its end"},
    {"simulation.inputs.order", order<&InputSettings::order>, "0", "", "Order of extrapolation where the value at the end of the step is unknown, else of interpolation"},
    {"simulation.inputs.derivatives", word<&InputSettings::derivatives>, "auto", "", "Input derivatives: output derivatives of the FMUs, a polynomial through the last points, or backward differences; auto: fmu if available, else differences"},
    {"simulation.inputs.smooth", boolean<&InputSettings::smooth>, "false", "", "Avoid jumps of extrapolated inputs at communication points"},
    {"simulation.inputs.correct", {"", words_of<Correction>, read_member<take_correction, &InputSettings::correct>, write_member<&InputSettings::correct>}, "none", "", "Outputs with direct feed-through from extrapolated inputs: uncorrected, corrected linearly (also: true), or computed again with the new inputs"},
    {"simulation.inputs.start", word<&InputSettings::start>, "auto", "", "First step of inputs extrapolated with order 2, at fixed steps. auto: from a step that is rolled back, from model-exchange equations or in short first steps, if the FMUs support one of these"},
    {"simulation.tlm", word<&SimulationSettings::tlm>, "tutti", "", "Rules for transmission lines; omtlm: those of OMTLMSimulator in 2017"},
    {"simulation.monolithic", boolean<&SimulationSettings::monolithic>, "false", "", "Solve connected model-exchange components together, as [[clusters]] does with those it names"},
    {"simulation.control.name", {"", {}, read_member<take_control, &ControlSettings::name>, write_member<&ControlSettings::name>, &Words::controls}, "fixed", "", "Step size control; simulation.step is the first step, if it is between min and max"},
    {"simulation.control.variant", word<&ControlSettings::variant>, "tutti", "", "Program whose step size rules are used"},
    {"simulation.control.estimator", word<&ControlSettings::estimator>, "the variant's", "", "richardson: error estimator"},
    {"simulation.control.atol", not_negative<&ControlSettings::atol>, "1e-4", "", "Absolute tolerance of the error of a step"},
    {"simulation.control.rtol", not_negative<&ControlSettings::rtol>, "1e-4", "", "Relative tolerance of the error of a step"},
    {"simulation.control.min", positive<&ControlSettings::min>, "1e-9 of the time span", "s", "Minimum step size", "1e-6"},
    {"simulation.control.max", positive<&ControlSettings::max>, "0.1 of the time span", "s", "Maximum step size", "0.1"},
    {"simulation.control.at-min", word<&ControlSettings::at_min>, "stop", "", "If the error is too large at the minimum step size: stop the run, or accept and count the step"},
    {"simulation.control.safety", positive<&ControlSettings::safety>, "the variant's", "", "Safety factor for the next step size", "0.9"},
    {"simulation.control.shrink", positive<&ControlSettings::shrink>, "the variant's", "", "Minimum ratio of successive step sizes; if set, it replaces the halving of variant tutti and of predictor", "0.2"},
    {"simulation.control.grow", positive<&ControlSettings::grow>, "the variant's", "", "Maximum ratio of successive step sizes", "2"},
    {"simulation.control.fall-back", not_negative<&ControlSettings::fall_back>, "0", "s", "Step size below which cycles do not iterate"},
    {"simulation.control.clock", word<&ControlSettings::clock>, "integer", "", "Compute times from the step number, or add step sizes with their rounding errors"},
    {"simulation.control.end", word<&ControlSettings::end>, "exact", "", "End the last step at the stop time, or beyond it; whole: if a component cannot take a shorter step, stop after the last whole step"},

    {"cycles[].of", components<&CycleSettings::of>, required, "", "All components of the cycle, in any order", R"(["motor", "shaft"])"},
    {"cycles[].method", methods<&CycleSettings::methods>, "the simulation's", "", "Coupling method of this cycle", R"("newton")"},
    {"cycles[].order", components<&CycleSettings::order>, "the best one found", "", "Calling sequence of the components", R"(["shaft", "motor"])"},
    {"clusters[].of", components<&ClusterSettings::of>, required, "", "Model-exchange components that are solved together, as one system of equations", R"(["motor", "shaft"])"},
    {"clusters[].loops", word<&ClusterSettings::loops>, "newton", "", "Algebraic loops between the members: solved by Newton's method at every evaluation, or by the solver, as a differential-algebraic equation"},
    {"clusters[].step", positive<&ClusterSettings::step>, "the system's", "s", "Communication step of the cluster, an integer fraction of the system's", "1e-4"},
    {"clusters[].timeout", not_negative<&ClusterSettings::timeout>, "600", "s", "Maximum wall-clock time of a step; 0: no limit"},
    {"clusters[].solver.name", {"string", {}, read_member<take_solver, &SolverSettings::name>, write_member<&SolverSettings::name>, nullptr, &Words::solvers}, "cvode", "", "Integrator of the cluster", R"("radau5")"},
    {"clusters[].solver.rtol", positive<&SolverSettings::rtol>, "1e-6", "", "Relative tolerance of the integrator"},
    {"clusters[].solver.atol", positive<&SolverSettings::atol>, "rtol/100", "", "Absolute tolerance of the integrator, times the nominal values of the states", "1e-9"},
    {"clusters[].solver.max-step", positive<&SolverSettings::max_step>, "no limit", "s", "Maximum step size of the integrator", "0.01"},
    {"clusters[].solver.first-step", positive<&SolverSettings::first_step>, "chosen", "s", "First step of the integrator, at the start and after each event", "1e-6"},
    {"clusters[].solver.options", {"table", {}, read_solver_options, write_member<&SolverSettings::options>}, "", "", "Options of this solver: { maxord = 3 }; also directly among the keys of solver", "{ maxord = 3 }"},
    {"clusters[].solver.at-points", word<&SolverSettings::at_points>, "restart", "", "At communication points the integrator restarts, or continues with its past"},
    {"clusters[].solver.diagnose", boolean<&SolverSettings::diagnose>, "false", "", "Report which states limit the steps, and why steps are rejected"},

    {"results.file", file<&ResultSettings::file>, "<system>.csv", "", "Result file, relative to the system file; none: no results", R"("motor.csv")"},
    {"results.variables", {"string or list", {}, read_variables, write_variables}, "all outputs and connected inputs", "", "Recorded variables: component.variable with * and ?; [] records the time only", R"(["motor.*", "shaft.w"])"},
    {"results.inputs", boolean<&ResultSettings::inputs>, "true", "", "Record connected inputs too, if variables is not set"},
    {"results.interval", positive<&ResultSettings::interval>, "every communication point", "s", "Time between recorded points", "0.01"},
    {"results.steps", boolean<&ResultSettings::steps>, "false", "", "Record each step: columns step (its size), iterations and error (of step size control)"},
    {"results.ports", texts<&ResultSettings::ports>, "none", "", "Recorded variables of ports, in <name>-ports beside the results: component.port.effort, .flow, .wave (incoming) and .sent (outgoing), with * and ?", R"(["motor.flange.*"])"},
    {"results.ports-interval", not_negative<&ResultSettings::ports_interval>, "1/1000 of the time span", "s", "Time between recorded points of ports; 0: at every sample of a port", "1e-3"},
    {"results.gnuplot", boolean<&ResultSettings::gnuplot>, "false", "", "Also write <name>.gnuplot, a script that plots the results"},
    {"results.compress", boolean<&ResultSettings::compress>, "false", "", "Compress the results, if their format can: HDF5 (.h5)"},
    {"results.groups", {"table", {}, read_groups, write_member<&ResultSettings::groups>}, "none", "", "Recorded variables to store at every n-th point only, in <name>-<group> beside the results: { slow = { variables = [\"wheel.*\"], every = 10 } }", R"({ slow = { variables = ["wheel.*"], every = 10 } })"},
};
// clang-format on

const std::vector<Shorthand> short_forms = {
    {"system", {"name"}},
    {"components.*", {"fmu"}},
    {"components.*.solver", {"name"}},
    {"clusters[].solver", {"name"}},
    {"connections", {"list"}},
    {"inputs", {"file"}},
    {"simulation.tolerance", {"abs", "rel"}},
    {"simulation.inputs", {"inside"}},
    {"simulation.control", {"name"}},
    {"results", {"file"}},
};

}  // namespace

Value value_of(const std::vector<std::pair<std::string, std::string>>& assignments) {
  Value table(Value::Kind::table);
  for (const auto& [name, value] : assignments) table.add(name, variable_value(value));
  return table;
}

Value value_of(const std::vector<std::pair<Endpoint, std::string>>& constants) {
  Value table(Value::Kind::table);
  for (const auto& [to, value] : constants) table.add(value_of(to).text, variable_value(value));
  return table;
}

Value value_of(const std::vector<InputColumn>& columns) {
  Value table(Value::Kind::table);
  for (const InputColumn& column : columns) {
    Value from = text_value(column.column);
    if (column.factor != 1 || column.offset != 0) {
      from = Value(Value::Kind::table);
      from.add("column", text_value(column.column));
      from.add("factor", number_value(column.factor));
      from.add("offset", number_value(column.offset));
    }
    table.add(value_of(column.to).text, std::move(from));
  }
  return table;
}

Value value_of(const std::vector<ResultGroup>& groups) {
  Value table(Value::Kind::table);
  for (const ResultGroup& group : groups) {
    Value settings(Value::Kind::table);
    settings.add("variables", list_value(group.variables));
    settings.add("every", integer_value(group.every));
    table.add(group.name, std::move(settings));
  }
  return table;
}

Value value_of(const std::vector<CarriedQuantity>& quantities) {
  Value list(Value::Kind::list);
  for (const CarriedQuantity& quantity : quantities) {
    Value& table = list.items.emplace_back(Value::Kind::table);
    table.add("out", text_value(quantity.out));
    table.add("in", text_value(quantity.in));
  }
  return list;
}

Value value_of(const std::vector<PortName>& ports) {
  Value list(Value::Kind::list);
  for (const PortName& port : ports)
    list.items.push_back(text_value(port.component + "." + port.port));
  return list;
}

Value value_of(const SolverOptions& options) {
  Value table(Value::Kind::table);
  for (const auto& [name, option] : options)
    table.add(name, std::visit([](const auto& held) { return solver_option_value(held); }, option));
  return table;
}

std::span<const Key> keys() { return key_table; }

const Key* find_key(std::string_view path) {
  const auto* const found = std::ranges::find(key_table, path, &Key::path);
  return found == std::end(key_table) ? nullptr : found;
}

std::string type_text(const Key& key, const Words& names) {
  if (key.field.names) return fmt::format("{}", fmt::join(names.*key.field.names, " | "));
  return key.field.words.empty() ? std::string(key.field.type)
                                 : fmt::format("{}", fmt::join(key.field.words, " | "));
}

std::vector<std::string_view> allowed_words(const Key& key, const Words& names) {
  if (const auto list = key.field.names ? key.field.names : key.field.parts) return names.*list;
  std::vector<std::string_view> words(key.field.words.begin(), key.field.words.end());
  if (key.field.type == "boolean") words = {"true", "false"};
  return words;
}

std::string_view rest_of_part(std::string_view key, std::string_view part) {
  if (!key.starts_with(part)) return {};
  const std::string_view rest = key.substr(part.size());
  return rest.starts_with('.') && rest.find_first_of("[*") == rest.npos ? rest : "";
}

Value written_keys(std::string_view path, const Source& source) {
  Value table(Value::Kind::table);
  for (const Key& key : key_table) {
    const std::string_view rest = rest_of_part(key.path, path);
    if (key.field.write == nullptr || rest.empty()) continue;
    if (std::optional<Value> value = key.field.write(source, key.fallback == required))
      table.add(std::string(rest.substr(1)), std::move(*value));
  }
  return table;
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
