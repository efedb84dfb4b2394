// SPDX-License-Identifier: BSD-2-Clause
#include <nlohmann/json.hpp>

#include "solvers.hpp"

namespace tutti::cli {
namespace {

using Json = nlohmann::ordered_json;

Json option_json(const SolverOptionInfo& option) {
  Json json = {{"name", option.name},
               {"type", option_type(option.default_value)},
               {"default", nullptr},
               {"summary", option.summary}};
  std::visit([&](const auto& one) { json["default"] = one; }, option.default_value);
  if (option.minimum != option.maximum) {
    json["min"] = option.minimum;
    json["max"] = option.maximum;
  }
  if (!option.words.empty()) json["words"] = option.words;
  return json;
}

}  // namespace

std::string solvers_json(const std::vector<SolverInfo>& solvers) {
  Json all = Json::array();
  for (const SolverInfo& solver : solvers) {
    Json json = {{"name", solver.name},
                 {"summary", solver.summary},
                 {"order", solver.order},
                 {"fixedStep", solver.fixed_step},
                 {"eventsLocated", !solver.fixed_step},
                 {"sparse", solver.sparse},
                 {"forms", Json::array()},
                 {"options", Json::array()}};
    for (const OdeForm form : solver.forms) json["forms"].push_back(form_name(form));
    for (const SolverOptionInfo& option : solver.options)
      json["options"].push_back(option_json(option));
    all.push_back(std::move(json));
  }
  return all.dump(2);
}

}  // namespace tutti::cli
