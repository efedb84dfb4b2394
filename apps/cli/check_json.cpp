// SPDX-License-Identifier: BSD-2-Clause
#include <nlohmann/json.hpp>
#include <tutti/simulation.hpp>

#include "check.hpp"
#include "error_text.hpp"

namespace tutti::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string dumped(const Json& json) {
  // Invalid UTF-8 (in messages of FMUs) is replaced.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string check_json(const CheckReport& report) {
  Json json{{"model", report.model},   {"fmiVersion", std::string(to_string(report.version))},
            {"rules", report.rules},   {"variables", report.variables},
            {"errors", report.errors}, {"warnings", report.warnings},
            {"notes", report.notes},   {"findings", Json::array()}};
  for (const Finding& finding : report.findings) {
    Json item{{"severity", std::string(to_string(finding.severity))},
              {"rule", finding.rule},
              {"section", finding.section}};
    if (!finding.file.empty()) item["file"] = finding.file;
    if (finding.line > 0) item["line"] = finding.line;
    if (!finding.variable.empty()) item["variable"] = finding.variable;
    item["text"] = finding.text;
    json["findings"].push_back(std::move(item));
  }
  return dumped(json);
}

std::string system_check_json(const SystemReport& report) {
  Json errors = Json::array(), details = Json::array();
  for (const Error& error : report.errors) {
    errors.push_back(message_of(error));
    details.push_back(Json::parse(error_json(error)));
  }
  Json json = {{"components", report.components},
               {"connections", report.connections},
               {"cycles", report.cycles}};
  if (report.lines + report.delays != 0) {
    json["lines"] = report.lines;
    json["delays"] = report.delays;
    json["islands"] = report.islands;
  }
  json["errors"] = errors;
  json["errorDetails"] = details;
  json["warnings"] = report.warnings;
  json["notes"] = report.notes;
  return dumped(json);
}

std::string rules_json() {
  Json json = Json::array();
  for (const RuleInfo& rule : check_rules()) {
    Json sections = Json::object();
    constexpr const char* versions[] = {"1.0", "2.0", "3.0"};
    for (std::size_t i = 0; i < 3; ++i) {
      if (!rule.sections[i].empty()) sections[versions[i]] = std::string(rule.sections[i]);
    }
    json.push_back({{"rule", std::string(rule.id)},
                    {"severity", std::string(to_string(rule.severity))},
                    {"text", std::string(rule.text)},
                    {"sections", std::move(sections)},
                    {"run", rule.run}});
  }
  return dumped(json);
}

}  // namespace tutti::cli
