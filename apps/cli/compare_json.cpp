// SPDX-License-Identifier: BSD-2-Clause
#include <nlohmann/json.hpp>

#include "compare.hpp"

namespace tutti::cli {

std::string comparison_json(const CompareCommand& command, const Comparison& c) {
  using nlohmann::ordered_json;
  const CompareOptions& options = command.options;
  ordered_json json = {{"result", command.result.string()},
                       {"reference", command.reference.string()},
                       {"measure", options.measure == CompareOptions::Measure::rms ? "rms" : "max"},
                       {"tolerance", options.tolerance},
                       {"agrees", c.agrees},
                       {"from", c.from},
                       {"to", c.to},
                       {"coversTime", c.covers_time},
                       {"missing", c.missing},
                       {"extra", c.extra},
                       {"notes", c.notes}};
  json["variables"] = ordered_json::array();
  for (const VariableDifference& v : c.variables) {
    ordered_json variable = {{"name", v.name},         {"beyond", v.beyond},
                             {"rms", v.rms},           {"max", v.largest},
                             {"scale", v.scale},       {"time", v.time},
                             {"result", v.result},     {"reference", v.reference},
                             {"discrete", v.discrete}, {"text", v.is_text}};
    if (!v.result_name.empty()) variable["resultName"] = v.result_name;
    if (!v.unit.empty()) variable["unit"] = v.unit;
    if (!v.problem.empty()) {
      variable["problem"] = v.problem;
      variable["rms"] = variable["max"] = nullptr;
    }
    json["variables"].push_back(std::move(variable));
  }
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace tutti::cli
