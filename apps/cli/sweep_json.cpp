// SPDX-License-Identifier: BSD-2-Clause
#include <nlohmann/json.hpp>

#include "sweep.hpp"

namespace tutti::cli {

std::string sweep_json(const SweepReport& report) {
  using Json = nlohmann::ordered_json;
  Json json = {{"results", report.results.string()},
               {"runs", report.runs},
               {"rows", report.rows},
               {"earlier", report.earlier},
               {"failed", report.failed}};
  if (report.failed > 0) json["error"] = {{"message", report.message}, {"runs", report.same_error}};
  if (!report.indices.empty()) {
    json["indices"] = Json::array();
    for (const SobolIndex& index : report.indices)
      json["indices"].push_back({{"output", index.output},
                                 {"parameter", index.parameter},
                                 {"samples", index.samples},
                                 {"first", index.first},
                                 {"firstError", index.first_error},
                                 {"total", index.total},
                                 {"totalError", index.total_error}});
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tutti::cli
