// SPDX-License-Identifier: BSD-2-Clause
#include <nlohmann/json.hpp>
#include <tutti/linearize.hpp>

namespace tutti {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const LinearMatrix& matrix) {
  Json rows = Json::array(), columns = Json::array(), values = Json::array();
  for (const LinearMatrix::Entry& entry : matrix.entries) {
    rows.push_back(entry.row);
    columns.push_back(entry.column);
    values.push_back(entry.value);
  }
  return {{"rows", matrix.rows},
          {"columns", matrix.columns},
          {"row", std::move(rows)},
          {"column", std::move(columns)},
          {"value", std::move(values)}};
}

Json json_of(const std::vector<LinearVariable>& variables, bool states) {
  Json all = Json::array();
  for (const LinearVariable& variable : variables) {
    all.push_back({{"name", variable.name},
                   {"component", variable.component},
                   {"unit", variable.unit},
                   {"value", variable.value}});
    if (states) all.back()["derivative"] = variable.derivative;
  }
  return all;
}

Json json_of(const std::vector<Share>& shares) {
  Json all = Json::array();
  for (const Share& share : shares) all.push_back({{"name", share.name}, {"weight", share.weight}});
  return all;
}

/// An infinite time constant is null.
Json json_of(const LinearPole& pole) {
  return {{"value", {pole.value.real(), pole.value.imag()}},
          {"frequency", pole.frequency},
          {"damping", pole.damping},
          {"timeConstant", pole.time_constant},
          {"components", json_of(pole.components)},
          {"states", json_of(pole.states)}};
}

}  // namespace

std::string linear_model_json(const LinearModel& model) {
  Json components = Json::array(), values = Json::array();
  for (const LinearPart& part : model.components)
    components.push_back({{"name", part.name},
                          {"source", part.source},
                          {"hasStates", part.has_states},
                          {"states", part.states},
                          {"notes", part.notes}});
  const LinearPoles found = poles(model);
  for (const LinearPole& pole : found.poles) values.push_back(json_of(pole));
  const Json json = {{"system", model.system},
                     {"time", model.time},
                     {"hasStates", model.has_states},
                     {"states", json_of(model.states, true)},
                     {"inputs", json_of(model.inputs, false)},
                     {"outputs", json_of(model.outputs, false)},
                     {"A", json_of(model.a)},
                     {"B", json_of(model.b)},
                     {"C", json_of(model.c)},
                     {"D", json_of(model.d)},
                     {"poles", std::move(values)},
                     {"polesOmitted", found.omitted},
                     {"components", std::move(components)},
                     {"notes", model.notes}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace tutti
