// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tutti/result_table.hpp>
#include <tutti/simulation.hpp>
#include <tutti/system_run.hpp>
#include <tutti/version.hpp>

#include "base/text.hpp"
#include "base/whole_file.hpp"
#include "formats/toml/keys.hpp"
#include "system/endpoint.hpp"

namespace tutti {
namespace {

nlohmann::ordered_json settings_of(const SimulateOptions& options, const RunReport& report) {
  const RunStatistics& s = report.statistics;
  nlohmann::ordered_json settings = {{"fmu", options.fmu.string()},
                                     {"type", interface_word(s.model_exchange)},
                                     {"start", s.start},
                                     {"stop", s.stop},
                                     {"step", s.step},
                                     {"input", options.input.string()},
                                     {"variables", options.variables}};
  settings["set"] = nlohmann::ordered_json::object();
  for (const auto& [name, value] : options.set) settings["set"][name] = value;
  if (s.tolerance) settings["rtol"] = *s.tolerance;
  if (s.model_exchange) settings["solver"] = options.solver;
  if (options.absolute_tolerance) settings["atol"] = *options.absolute_tolerance;
  if (options.max_step) settings["maxStep"] = *options.max_step;
  if (options.first_step) settings["firstStep"] = *options.first_step;
  for (const auto& [name, value] : options.solver_options)
    std::visit([&, &key = name](const auto& held) { settings["solverOptions"][key] = held; },
               value);
  if (options.interval) settings["interval"] = *options.interval;
  if (options.per_decade) settings["perDecade"] = *options.per_decade;
  if (options.first) settings["first"] = *options.first;
  if (options.event_mode != EventMode::automatic)
    settings["eventMode"] = options.event_mode == EventMode::on;
  if (options.early_return) settings["earlyReturn"] = true;
  return settings;
}

/// Behind all others, under a name that no other has: objects that keep their order are searched
/// from the first name on.
void append_new(nlohmann::ordered_json& object, const std::string& name,
                nlohmann::ordered_json value) {
  if (object.is_null()) object = nlohmann::ordered_json::object();
  object.get_ref<nlohmann::ordered_json::object_t&>().emplace_back(name, std::move(value));
}

nlohmann::ordered_json to_json(const formats::Value& value) {
  using ValueKind = formats::Value::Kind;
  nlohmann::ordered_json json;
  switch (value.kind) {
    case ValueKind::integer:
      return value.integer;
    case ValueKind::number:
      return value.number;
    case ValueKind::boolean:
      return value.boolean;
    case ValueKind::list:
      json = nlohmann::ordered_json::array();
      for (const formats::Value& item : value.items) json.push_back(to_json(item));
      return json;
    case ValueKind::table:
      for (const formats::Value::Entry& entry : value.entries)
        json[entry.key] = to_json(entry.value);
      return json;
    default:
      return value.text;
  }
}

/// Keys of system files; what has its default is left out.
nlohmann::ordered_json settings_of(const System& system, const RunReport& report) {
  const RunStatistics& s = report.statistics;
  nlohmann::ordered_json settings = {{"start", s.start},
                                     {"stop", s.stop},
                                     {"step", s.step},
                                     {"method", system.simulation.methods}};
  formats::Value simulation = formats::written_keys("simulation", {&system});
  for (auto& [key, place, value] : simulation.entries) {
    std::replace(key.begin(), key.end(), '.', '/');
    const nlohmann::ordered_json::json_pointer at("/" + key);
    if (!settings.contains(at)) settings[at] = to_json(value);
  }
  for (const CycleSettings& cycle : system.cycles)
    settings["cycles"].push_back(
        to_json(formats::written_keys("cycles[]", {.system = &system, .cycle = &cycle})));
  for (const TimedAction& action : system.actions)
    settings["actions"].push_back(
        to_json(formats::written_keys("actions[]", {.system = &system, .action = &action})));
  nlohmann::ordered_json& components = settings["components"];
  for (const Component& component : system.components)
    append_new(components, component.name, system::path_of(component));
  return settings;
}

nlohmann::ordered_json counts_json(const SolverStatistics& s) {
  return {{"name", s.name},
          {"steps", s.steps},
          {"rightHandSides", s.evaluations},
          {"jacobians", s.jacobians},
          {"rightHandSidesForJacobians", s.jacobian_evaluations},
          {"errorTestFailures", s.error_test_failures},
          {"convergenceFailures", s.convergence_failures},
          {"indicatorEvaluations", s.root_evaluations},
          {"stateEvents", s.state_events},
          {"timeEvents", s.time_events},
          {"stepEvents", s.step_events},
          {"inputEvents", s.input_events},
          {"chattering", s.chattering}};
}

nlohmann::ordered_json to_json(const SolverDiagnosis& d) {
  nlohmann::ordered_json json = {{"steps", d.accepted},
                                 {"errorTestFailures", d.error_failures},
                                 {"convergenceFailures", d.convergence_failures},
                                 {"evaluationFailures", d.evaluation_failures}};
  json["states"] = nlohmann::ordered_json::array();
  for (const SolverDiagnosis::State& state : d.states)
    json["states"].push_back(
        {{"name", state.name}, {"limited", state.limited}, {"rejected", state.rejected}});
  nlohmann::ordered_json points = {{"time", nlohmann::ordered_json::array()}};
  for (const SolverDiagnosis::Step& step : d.steps) {
    points["time"].push_back(step.t);
    points["size"].push_back(step.h);
    points["order"].push_back(step.order);
    points["state"].push_back(step.state);
    points["error"].push_back(step.error);
  }
  json["points"] = std::move(points);
  return json;
}

nlohmann::ordered_json to_json(const SolverStatistics& s) {
  nlohmann::ordered_json json = counts_json(s);
  if (!s.note.empty()) json["note"] = s.note;
  for (const auto& [name, count] : {std::pair("factorizations", s.factorizations),
                                    {"newtonIterations", s.newton_iterations},
                                    {"jacobianProducts", s.jacobian_products}})
    if (count > 0) json[name] = count;
  if (s.diagnosis) json["diagnosis"] = to_json(*s.diagnosis);
  return json;
}

nlohmann::ordered_json to_json(const Verification& v) {
  nlohmann::ordered_json json = {{"outcome", to_string(v.outcome)},
                                 {"change", v.change},
                                 {"tolerance", {{"abs", v.absolute}, {"rel", v.relative}}},
                                 {"limit", Verification::limit},
                                 {"shift", v.shift}};
  if (!v.message.empty()) json["message"] = v.message;
  nlohmann::ordered_json& variables = json["variables"] = nlohmann::ordered_json::array();
  for (const Deviation& d : v.variables)
    variables.push_back({{"name", d.name},
                         {"unit", d.unit},
                         {"tolerances", d.tolerances},
                         {"deviation", d.largest},
                         {"time", d.time},
                         {"result", d.result},
                         {"reference", d.reference}});
  return json;
}

nlohmann::ordered_json to_json(const Error& error) {
  nlohmann::ordered_json json = {{"code", to_string(error.code())}};
  for_each_field(error.details(), [&](const char* name, const auto& field) {
    if (field == std::remove_cvref_t<decltype(field)>{}) return;
    if constexpr (requires { field.value(); })
      json[name] = field.value();
    else
      json[name] = field;
  });
  return json;
}

nlohmann::ordered_json to_json(const nlohmann::ordered_json& settings, const RunReport& report) {
  const RunStatistics& s = report.statistics;
  nlohmann::ordered_json json = {{"tutti", version()}, {"model", s.model}};
  if (s.version) json["fmi"] = to_string(*s.version);
  json["settings"] = settings;
  json["end"] = {{"kind", to_string(report.end.kind)}, {"time", report.end.time}};
  if (report.end.error) {
    json["end"]["error"] = report.end.error->what();
    json["end"]["errorDetails"] = to_json(*report.end.error);
  }
  json["statistics"] = {
      {"steps", s.steps},
      {"rows", s.rows},
      {"calls",
       {{"doStep", s.do_step}, {"get", s.get}, {"set", s.set}, {"eventUpdates", s.event_updates}}},
      {"warnings", s.warnings},
      {"seconds",
       {{"load", s.load_seconds},
        {"initialize", s.initialize_seconds},
        {"step", s.step_seconds},
        {"output", s.output_seconds}}}};
  if (s.actions > 0) json["statistics"]["actions"] = s.actions;
  if (!s.automatic.empty()) json["statistics"]["auto"] = s.automatic;
  if (!s.components.empty()) {
    json["statistics"]["seconds"]["method"] = s.method_seconds;
    json["statistics"]["threads"] = s.threads;
    json["statistics"]["initialEvaluations"] = s.initial_evaluations;
  }
  if (s.controlled)
    json["statistics"]["failures"] = {{"convergence", s.convergence_failures},
                                      {"errorTest", s.error_test_failures},
                                      {"acceptedAtMin", s.accepted_at_min},
                                      {"acceptedWithoutRollback", s.accepted_without_rollback}};
  for (const ComponentStatistics& c : s.components) {
    nlohmann::ordered_json component = {{"doStep", c.do_step},
                                        {"get", c.get},
                                        {"set", c.set},
                                        {"getState", c.get_state},
                                        {"setState", c.set_state},
                                        {"eventUpdates", c.event_updates},
                                        {"seconds", c.seconds}};
    if (c.solver) component["solver"] = to_json(*c.solver);
    append_new(json["statistics"]["components"], c.name, std::move(component));
  }
  for (const CycleStatistics& c : s.cycles)
    json["statistics"]["cycles"].push_back({{"components", c.components},
                                            {"method", c.method},
                                            {"steps", c.steps},
                                            {"iterations", c.iterations},
                                            {"limitHits", c.limit_hits},
                                            {"fallbacks", c.fallbacks}});
  for (const EstimatedError& output : s.estimated_errors)
    json["statistics"]["estimatedErrors"].push_back(
        {{"name", output.name},
         {"error", output.error ? nlohmann::ordered_json(*output.error) : nullptr}});
  if (s.solver) json["statistics"]["solver"] = to_json(*s.solver);
  if (report.verification) json["verification"] = to_json(*report.verification);
  return json;
}

std::string solver_text(const SolverStatistics& s) {
  std::string text = fmt::format(
      "  {:<14}{:>12}  {}: right-hand sides {}, error-test failures {}, convergence failures {}\n",
      "solver steps", s.steps, s.name, s.evaluations, s.error_test_failures,
      s.convergence_failures);
  if (s.jacobians > 0)
    text += fmt::format("  {:<14}{:>12}  right-hand sides for them {}\n", "Jacobians", s.jacobians,
                        s.jacobian_evaluations);
  std::string work;
  for (const auto& [name, count] : {std::pair("factorizations", s.factorizations),
                                    {"Newton iterations", s.newton_iterations},
                                    {"Jacobian products", s.jacobian_products}})
    if (count > 0) work += fmt::format("{}{} {}", work.empty() ? "" : ", ", name, count);
  if (!work.empty()) text += fmt::format("  {:<28}{}\n", "linear algebra", work);
  if (!s.note.empty()) text += fmt::format("  {:<28}{}\n", "chosen solver", printable(s.note));
  text += fmt::format("  {:<14}{:>12}  state {}, time {}, step {}, input {}\n", "events",
                      s.state_events + s.time_events + s.step_events + s.input_events,
                      s.state_events, s.time_events, s.step_events, s.input_events);
  if (s.chattering > 0) text += fmt::format("  {:<14}{:>12}\n", "chattering", s.chattering);
  return text;
}

std::string component_text(const std::vector<ComponentStatistics>& components) {
  constexpr std::size_t most_shown = 20;
  if (components.empty()) return "";
  std::string text = fmt::format("  {:<26}{:>10}{:>10}{:>10}{:>10}{:>10}{:>12}\n", "component",
                                 "doStep", "get", "set", "getState", "setState", "seconds");
  for (std::size_t i = 0; i < components.size() && i < most_shown; ++i) {
    const ComponentStatistics& c = components[i];
    text += fmt::format("  {:<26}{:>10}{:>10}{:>10}{:>10}{:>10}{:>12.6f}\n", c.name, c.do_step,
                        c.get, c.set, c.get_state, c.set_state, c.seconds);
  }
  if (components.size() > most_shown)
    text += fmt::format("  and {} more\n", components.size() - most_shown);
  for (const ComponentStatistics& c : components)
    if (c.solver)
      text += fmt::format("  {:<26}{}: {} steps, {} right-hand sides, {} error-test failures\n",
                          c.name, c.solver->name, c.solver->steps, c.solver->evaluations,
                          c.solver->error_test_failures);
  return text;
}

/// The largest first, then those that are not known.
std::string estimate_text(std::vector<EstimatedError> outputs) {
  constexpr std::size_t most_shown = 5;
  if (outputs.empty()) return fmt::format("  {:<26}{:>16}\n", "estimated error", "not estimated");
  std::stable_sort(outputs.begin(), outputs.end(),
                   [](const auto& one, const auto& other) { return one.error > other.error; });
  std::string text = fmt::format("  {:<26}{:>16}\n", "output", "estimated error");
  for (std::size_t i = 0; i < outputs.size() && i < most_shown; ++i)
    text +=
        fmt::format("  {:<26}{:>16}\n", outputs[i].name,
                    outputs[i].error ? fmt::format("{:.2g}", *outputs[i].error) : "not estimated");
  if (outputs.size() > most_shown)
    text += fmt::format("  and {} more with smaller errors or not estimated\n",
                        outputs.size() - most_shown);
  return text;
}

std::string verification_text(const Verification& v) {
  constexpr std::size_t most_shown = 5;
  std::string text =
      fmt::format("  {:<14}{:>12}  with {}\n", "verification", to_string(v.outcome), v.change);
  if (v.variables.empty()) return text;
  text += fmt::format("  {:<26}{:>12}{:>12}{:>14}\n", "variable", "tolerances", "deviation", "t");
  for (std::size_t i = 0; i < v.variables.size() && i < most_shown; ++i) {
    const Deviation& d = v.variables[i];
    text += fmt::format("  {:<26}{:>12.3g}{:>12.3g}{:>14.6g}\n", d.name, d.tolerances, d.largest,
                        d.time);
  }
  if (v.variables.size() > most_shown)
    text += fmt::format("  and {} more with smaller deviations\n", v.variables.size() - most_shown);
  return text;
}

std::string dumped(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

void write_json(const std::filesystem::path& result_file, nlohmann::ordered_json json,
                const RunReport& report) {
  const std::filesystem::path file = metadata_path(result_file);
  json["columns"] = nlohmann::ordered_json::array();
  for (const Column& column : report.columns)
    json["columns"].push_back({{"name", column.name},
                               {"type", to_string(column.type)},
                               {"unit", column.unit},
                               {"discrete", column.discrete}});
  write_whole_file(file, dumped(json) + "\n");
}

}  // namespace

std::string statistics_text(const RunReport& report) {
  const RunStatistics& s = report.statistics;
  std::string text =
      fmt::format("{} ({}), {}: t = {:.13g} to {:.13g} s, {}\n", s.model,
                  s.version ? fmt::format("FMI {}", to_string(*s.version))
                            : counted(s.component_count, "component"),
                  to_string(report.end.kind), s.start, report.end.time,
                  s.step > 0 ? fmt::format("{}step {:.13g} s", s.controlled ? "first " : "", s.step)
                             : "logarithmic steps");
  text += fmt::format("  {:<14}{:>12}\n", "steps", s.steps);
  if (s.controlled)
    text += fmt::format(
        "  {:<14}{:>12}  convergence {}, error test {}, accepted at the smallest {}{}\n",
        "failures", s.convergence_failures + s.error_test_failures, s.convergence_failures,
        s.error_test_failures, s.accepted_at_min,
        s.accepted_without_rollback > 0
            ? fmt::format(", without rollback {}", s.accepted_without_rollback)
            : "");
  text += fmt::format("  {:<14}{:>12}\n", "rows", s.rows);
  if (s.actions > 0) text += fmt::format("  {:<14}{:>12}\n", "timed actions", s.actions);
  if (s.model_exchange)
    text += fmt::format("  {:<14}{:>12}  set {}, event updates {}\n", "get calls", s.get, s.set,
                        s.event_updates);
  else
    text += fmt::format("  {:<14}{:>12}  get {}, set {}, event updates {}\n", "doStep calls",
                        s.do_step, s.get, s.set, s.event_updates);
  if (s.solver) text += solver_text(*s.solver);
  text += component_text(s.components);
  for (const CycleStatistics& c : s.cycles)
    text += fmt::format("  cycle {{{}}}: {}, {} in {}, limit reached {}, fallbacks {}\n",
                        list_some(c.components), c.method, counted(c.iterations, "iteration"),
                        counted(c.steps, "step"), c.limit_hits, c.fallbacks);
  if (s.warnings > 0) text += fmt::format("  {:<14}{:>12}\n", "FMU warnings", s.warnings);
  text += fmt::format("  {:<14}{:>12.6f}  load {:.6f}, initialize {:.6f}, steps {:.6f}\n",
                      "seconds", s.load_seconds + s.initialize_seconds + s.step_seconds,
                      s.load_seconds, s.initialize_seconds, s.step_seconds);
  if (!s.components.empty())
    text += fmt::format("  {:<14}{:>12}  method {:.6f}, output {:.6f}{}\n", "of the steps", "",
                        s.method_seconds, s.output_seconds,
                        s.threads > 1 ? fmt::format(", {} threads", s.threads) : "");
  if (s.controlled && !s.components.empty()) text += estimate_text(s.estimated_errors);
  if (report.verification) text += verification_text(*report.verification);
  return text;
}

std::string statistics_json(const SimulateOptions& options, const RunReport& report) {
  return dumped(to_json(settings_of(options, report), report));
}

std::string statistics_json(const System& system, const RunReport& report) {
  return dumped(to_json(settings_of(system, report), report));
}

std::string error_json(const Error& error) { return dumped(to_json(error)); }

void write_metadata(const std::filesystem::path& result_file, const SimulateOptions& options,
                    const RunReport& report) {
  write_json(result_file, to_json(settings_of(options, report), report), report);
}

void write_metadata(const std::filesystem::path& result_file, const System& system,
                    const RunReport& report) {
  write_json(result_file, to_json(settings_of(system, report), report), report);
}

}  // namespace tutti
