// SPDX-License-Identifier: BSD-2-Clause
#include <nlohmann/json.hpp>
#include <tutti/advice.hpp>

namespace tutti {
namespace {

using Json = nlohmann::ordered_json;

/// Missing values and values that are not finite are null.
Json number(std::optional<double> value) { return value ? Json(*value) : Json(nullptr); }

Json json_of(const CouplingChoice& choice) {
  return {{"method", choice.methods},
          {"inputs",
           {{"inside", choice.inside},
            {"order", choice.order},
            {"derivatives", choice.derivatives},
            {"smooth", choice.smooth},
            {"correct", choice.correct}}}};
}

Json json_of(const std::vector<Share>& shares) {
  Json all = Json::array();
  for (const Share& share : shares) all.push_back({{"name", share.name}, {"weight", share.weight}});
  return all;
}

Json json_of(const LoopAdvice& loop) {
  Json values = Json::array();
  for (const auto& mu : loop.eigenvalues) values.push_back({mu.real(), mu.imag()});
  return {
      {"variables", loop.variables},
      {"magnitudesKnown", loop.magnitudes_known},
      {"spectralRadius", number(loop.magnitudes_known ? std::optional(loop.radius) : std::nullopt)},
      {"estimated", loop.estimated},
      {"eigenvalues", std::move(values)},
      {"inputs", json_of(loop.inputs)},
      {"components", json_of(loop.components)}};
}

Json json_of(const SchemeAdvice& scheme) {
  Json json = {{"name", scheme.name}, {"choice", json_of(scheme.choice)}};
  json["missing"] = scheme.missing.empty() ? Json(nullptr) : Json(scheme.missing);
  json["limitRadius"] = number(scheme.limit_radius);
  json["limitEstimated"] = scheme.limit_estimated;
  json["limit"] = to_string(scheme.limit);
  json["radius"] = number(scheme.radius);
  json["atStep"] = to_string(scheme.at_step);
  json["largestStep"] = number(scheme.largest_step);
  json["beyondRange"] = scheme.beyond_range;
  json["radii"] = scheme.radii;
  json["distortion"] = number(scheme.distortion);
  return json;
}

Json json_of(const LinearizedComponent& component) {
  return {{"name", component.name},
          {"source", component.source},
          {"linearized", component.linearized},
          {"states", component.states},
          {"fastestRate", number(component.fastest_rate)},
          {"canRollBack", component.can_roll_back},
          {"directionalDerivatives", component.has_directional_derivatives},
          {"followsInputs", component.follows_inputs},
          {"outputDerivatives", component.provides_output_derivatives},
          {"notes", component.notes}};
}

Json json_of(const CycleAdvice& cycle);

template <class Items>
Json list_of(const Items& items) {
  Json all = Json::array();
  for (const auto& item : items) all.push_back(json_of(item));
  return all;
}

Json json_of(const CycleAdvice& cycle) {
  Json history = Json::array();
  for (const CycleAdvice::Moment& moment : cycle.history)
    history.push_back({{"time", moment.time}, {"loopRadius", moment.loop_radius}});
  Json choices = Json::array();
  for (const CycleAdvice::Choice& choice : cycle.choices) {
    Json item = json_of(choice.choice);
    item["reason"] = choice.reason;
    choices.push_back(std::move(item));
  }
  return {{"components", list_of(cycle.components)},
          {"loops", list_of(cycle.loops)},
          {"loopRadius", cycle.loop_radius},
          {"history", std::move(history)},
          {"linearized", cycle.linearized},
          {"abscissa", number(cycle.abscissa)},
          {"stiffness", number(cycle.stiffness)},
          {"quadraticStiffness", number(cycle.quadratic_stiffness)},
          {"present", cycle.present ? Json(*cycle.present) : Json(nullptr)},
          {"responsible", json_of(cycle.responsible)},
          {"schemes", list_of(cycle.schemes)},
          {"choices", std::move(choices)},
          {"canBeCluster", cycle.can_be_cluster},
          {"findings", cycle.findings}};
}

}  // namespace

std::string advice_json(const Advice& advice) {
  Json json = {{"system", advice.system},
               {"time", advice.time},
               {"step", advice.step},
               {"steps", advice.steps},
               {"cycles", list_of(advice.cycles)},
               {"findings", advice.findings}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tutti
