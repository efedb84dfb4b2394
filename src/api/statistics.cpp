// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tutti/result_table.hpp>
#include <tutti/run_summary.hpp>
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
    std::visit([&, &key = name](const auto& option) { settings["solverOptions"][key] = option; },
               value);
  if (options.interval) settings["interval"] = *options.interval;
  if (options.per_decade) settings["perDecade"] = *options.per_decade;
  if (options.first) settings["first"] = *options.first;
  if (options.event_mode != EventMode::automatic)
    settings["eventMode"] = options.event_mode == EventMode::on;
  if (options.early_return) settings["earlyReturn"] = true;
  return settings;
}

/// Appends without a search for the name, which must be new: ordered objects are searched linearly.
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

/// Keys of system files, without those that have their default.
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
  for (const ClusterSettings& cluster : system.clusters)
    settings["clusters"].push_back(
        to_json(formats::written_keys("clusters[]", {.system = &system, .cluster = &cluster})));
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

nlohmann::ordered_json to_json(const RunFinding& finding) {
  nlohmann::ordered_json json = {{"kind", to_string(finding.kind)},
                                 {"severity", finding.is_warning ? "warning" : "note"}};
  if (!finding.component.empty()) json["component"] = finding.component;
  json["text"] = finding.text;
  json["hint"] = finding.hint;
  return json;
}

/// The couplings of cycles, inputs without a source, columns that are not finite.
void add_choices(const RunStatistics& s, nlohmann::ordered_json& json) {
  json["stepControl"] = s.control;
  for (const CycleCoupling& coupling : s.couplings) {
    nlohmann::ordered_json& added = json["couplings"].emplace_back();
    added = {{"components", coupling.components}, {"method", coupling.method}};
    if (!coupling.reason.empty()) added["reason"] = coupling.reason;
  }
  if (!s.open_inputs.empty()) json["openInputs"] = s.open_inputs;
  for (const NonFiniteColumn& column : s.not_finite)
    json["notFinite"].push_back({{"name", column.name},
                                 {"time", column.time},
                                 {"nan", column.is_nan},
                                 {"rows", column.rows}});
}

nlohmann::ordered_json to_json(const nlohmann::ordered_json& settings, const RunReport& report) {
  const RunStatistics& s = report.statistics;
  nlohmann::ordered_json json = {{"tutti", version()}, {"model", s.model}};
  if (s.version) json["fmi"] = to_string(*s.version);
  json["settings"] = settings;
  json["end"] = {{"kind", to_string(report.end.kind)}, {"time", report.end.time}};
  if (!report.end.component.empty()) json["end"]["component"] = report.end.component;
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
  add_choices(s, json["statistics"]);
  for (const ComponentStatistics& c : s.components) {
    nlohmann::ordered_json component = {{"doStep", c.do_step},
                                        {"get", c.get},
                                        {"set", c.set},
                                        {"getState", c.get_state},
                                        {"setState", c.set_state},
                                        {"eventUpdates", c.event_updates},
                                        {"warnings", c.warnings},
                                        {"seconds", c.seconds}};
    if (c.solver) component["solver"] = to_json(*c.solver);
    for (const ComponentStatistics& member : c.members)
      append_new(component["members"], member.name,
                 {{"get", member.get},
                  {"set", member.set},
                  {"getState", member.get_state},
                  {"setState", member.set_state},
                  {"eventUpdates", member.event_updates},
                  {"warnings", member.warnings}});
    append_new(json["statistics"]["components"], c.name, std::move(component));
  }
  for (const CycleStatistics& c : s.cycles)
    json["statistics"]["cycles"].push_back({{"components", c.components},
                                            {"method", c.method},
                                            {"steps", c.steps},
                                            {"iterations", c.iterations},
                                            {"limit", c.limit},
                                            {"limitHits", c.limit_hits},
                                            {"nearLimit", c.near_limit},
                                            {"fallbacks", c.fallbacks}});
  for (const EstimatedError& output : s.estimated_errors)
    json["statistics"]["estimatedErrors"].push_back(
        {{"name", output.name},
         {"error", output.error ? nlohmann::ordered_json(*output.error) : nullptr}});
  if (s.solver) json["statistics"]["solver"] = to_json(*s.solver);
  if (report.verification) json["verification"] = to_json(*report.verification);
  json["findings"] = nlohmann::ordered_json::array();
  for (const RunFinding& finding : find_in(report)) json["findings"].push_back(to_json(finding));
  return json;
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
