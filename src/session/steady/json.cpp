// SPDX-License-Identifier: BSD-2-Clause
#include <cmath>
#include <nlohmann/json.hpp>
#include <tutti/steady.hpp>

namespace tutti {
namespace {

using SteadyJson = nlohmann::ordered_json;

/// Values that are not finite are null.
SteadyJson finite(double value) {
  return std::isfinite(value) ? SteadyJson(value) : SteadyJson(nullptr);
}

SteadyJson json_of(const std::vector<SteadyValue>& values, const char* start) {
  SteadyJson all = SteadyJson::array();
  for (const SteadyValue& value : values)
    all.push_back({{"name", value.name},
                   {"value", finite(value.value)},
                   {"unit", value.unit},
                   {start, finite(value.start)},
                   {"settable", value.is_settable},
                   {"determined", value.is_determined}});
  return all;
}

}  // namespace

std::string steady_json(const SteadyState& state) {
  SteadyJson residuals = SteadyJson::array();
  for (const SteadyResidual& r : state.residuals)
    residuals.push_back({{"name", r.name},
                         {"value", finite(r.value)},
                         {"unit", r.unit},
                         {"allowed", finite(r.allowed)}});
  SteadyJson values = SteadyJson::object();
  for (const NamedValue& value : state.values) values[value.name] = value.value;
  const SteadyJson all = {
      {"found", state.found},
      {"time", state.time},
      {"method", to_string(state.method)},
      {"iterations", state.iterations},
      {"steps", state.steps},
      {"states", json_of(state.states, "start")},
      {"inputs", json_of(state.inputs, "start")},
      {"fixed", json_of(state.fixed, "given")},
      {"residuals", std::move(residuals)},
      {"abscissa", state.abscissa ? finite(*state.abscissa) : SteadyJson(nullptr)},
      {"stability", to_string(state.stability)},
      {"verified", state.is_verified},
      {"findings", state.findings},
      {"failure", state.failure},
      {"values", std::move(values)}};
  return all.dump(2, ' ', false, SteadyJson::error_handler_t::replace) + "\n";
}

}  // namespace tutti
