// SPDX-License-Identifier: BSD-2-Clause
#include "results/result_format.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "base/whole_file.hpp"

namespace tutti {

std::filesystem::path metadata_path(const std::filesystem::path& result_file) {
  std::filesystem::path file = result_file;
  return file.replace_extension(".meta.json");
}

namespace results {

void apply_metadata(const std::filesystem::path& result_file, ResultTable& table) {
  const std::filesystem::path file = metadata_path(result_file);
  std::error_code none;
  if (!std::filesystem::is_regular_file(file, none)) return;
  try {
    std::ifstream in(file);
    const nlohmann::json json = nlohmann::json::parse(in);
    if (!json.contains("columns")) return;
    std::unordered_map<std::string, const nlohmann::json*> stated;
    for (const nlohmann::json& column : json.at("columns"))
      stated.emplace(column.at("name").get<std::string>(), &column);
    for (ResultColumn& column : table.columns) {
      const auto found = stated.find(column.name);
      if (found == stated.end()) continue;
      const std::string unit = found->second->value("unit", "");
      const bool discrete = found->second->value("discrete", false);
      // The file itself knows better: other results of the same name may share the metadata.
      if (column.unit.empty()) column.unit = unit;
      column.motion = discrete ? Motion::discrete : Motion::continuous;
      column.is_stated = true;
    }
  } catch (const nlohmann::json::exception& error) {
    table.notes.push_back(fmt::format("\"{}\" is ignored, because Tutti did not write it: {}",
                                      file.string(), error.what()));
  }
}

void write_metadata_of(const ResultTable& table, const std::filesystem::path& result_file) {
  nlohmann::ordered_json json = {{"source", table.name}};
  json["columns"] = nlohmann::ordered_json::array();
  for (const ResultColumn& column : table.columns)
    json["columns"].push_back({{"name", column.name},
                               {"unit", column.unit},
                               {"discrete", column.motion == Motion::discrete}});
  write_whole_file(metadata_path(result_file),
                   json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

void remove_metadata(const std::filesystem::path& result_file) {
  const std::filesystem::path file = metadata_path(result_file);
  std::error_code none;
  if (std::filesystem::is_regular_file(file, none)) std::filesystem::remove(file, none);
}

}  // namespace results
}  // namespace tutti
