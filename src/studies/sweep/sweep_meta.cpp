// SPDX-License-Identifier: BSD-2-Clause
#include "studies/sweep/sweep_meta.hpp"

#include <fmt/format.h>

#include <bit>
#include <fstream>
#include <nlohmann/json.hpp>
#include <tutti/result_table.hpp>
#include <tutti/version.hpp>

#include "base/file_hash.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "base/whole_file.hpp"
#include "formats/toml/write.hpp"
#include "system/system_files.hpp"

namespace tutti::studies {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

void add_line(std::string& text, std::string_view name, std::string_view value) {
  text += fmt::format("{} = {}\n", name, formats::toml_quoted(value));
}
void add_number(std::string& text, std::string_view name, const std::optional<double>& value) {
  add_line(text, name, value ? number_text(*value) : "");
}

/// Everything that the rows depend on, besides the system.
std::string text_of(const Study& study) {
  const SweepSettings& sweep = *study.sweep;
  std::string text;
  for (const StudyParameter& parameter : study.parameters) {
    add_line(text, "parameter", parameter.name);
    for (const std::string& value : parameter.values) add_line(text, "value", value);
    add_number(text, "min", parameter.min);
    add_number(text, "max", parameter.max);
    add_number(text, "points", parameter.points);
    add_line(text, "scale", to_string(parameter.scale));
  }
  for (const StudyOutput& output : study.outputs) {
    add_line(text, "output", output.name);
    add_line(text, "formula", output.measure.formula);
    for (const double time : output.measure.times) add_number(text, "time", time);
  }
  add_line(text, "design", to_string(sweep.design));
  if (sweep.design != Design::grid && sweep.design != Design::list) {
    add_line(text, "samples", fmt::format("{}", sweep.samples));
    add_line(text, "seed", fmt::format("{}", sweep.seed));
  }
  add_line(text, "indices", sweep.indices ? "true" : "false");
  add_line(text, "trajectories", sweep.trajectories.filename().string());
  return text;
}

std::string hex(std::uint64_t hash) { return fmt::format("{:016x}", hash); }
std::uint64_t from_hex(const Json& text) {
  return to_integer<std::uint64_t>(text.get<std::string>(), 16).value_or(0);
}

Json json_of(const SweepIdentity& identity) {
  Json files = Json::object();
  for (const auto& [name, hash] : identity.files) files[name] = hex(hash);
  return {{"study", hex(identity.study)}, {"system", hex(identity.system)}, {"files", files}};
}

void add_column(Json& columns, const std::string& name, const std::string& unit) {
  columns.push_back({{"name", name}, {"unit", unit}, {"discrete", false}});
}

}  // namespace

SweepIdentity identity_of(const Study& study, const System& system) {
  SweepIdentity identity;
  identity.study = hash_of(text_of(study));
  System bare = system;
  bare.results.file.clear();
  bare.results.gnuplot = false;
  const auto add_file = [&](const fs::path& file) {
    std::uint64_t& hash = identity.files[file.filename().string()];  // several may have this name
    hash = std::rotl(hash, 1) ^ hash_of_path(system.folder / file);
  };
  system::for_each_file(bare, [&](fs::path& file) {
    add_file(file);
    file = file.filename();
  });
  identity.system = hash_of(formats::toml_text(bare));
  for (const StudyParameter& parameter : study.parameters)
    if (parameter.name.ends_with(".fmu") || parameter.name.ends_with(".file"))
      for (const std::string& value : parameter.values) add_file(value);
  return identity;
}

std::string difference_of(const SweepIdentity& now, const SweepIdentity& before) {
  if (now.study != before.study) return "its parameters, outputs or design were others";
  if (now.system != before.system) return "the system, or values of all runs, were others";
  for (const auto& [name, hash] : now.files)
    if (const auto found = before.files.find(name);
        found == before.files.end() || found->second != hash)
      return fmt::format("\"{}\" was another file", printable(name));
  return "it used other files";
}

std::string column_name(const std::string& output, double time) {
  return fmt::format("{}@{}", output, number_text(time));
}

std::vector<std::string> SweepMeta::columns() const {
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters) names.push_back(parameter.name);
  for (const Output& output : outputs)
    if (output.times.empty())
      names.push_back(output.name);
    else
      for (const double time : output.times) names.push_back(column_name(output.name, time));
  return names;
}

SweepMeta meta_of(const Study& study, const StudySystem& system,
                  const std::vector<ParameterInfo>& parameters) {
  SweepMeta meta;
  meta.version = version();
  meta.study = study.file.filename().string();
  meta.identity = identity_of(study, system.system());
  meta.has_indices = study.sweep->indices;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    meta.parameters.push_back({parameters[i].name, parameters[i].unit, parameters[i].is_number,
                               study.parameters[i].scale == ParameterScale::logarithmic});
  for (const StudyOutput& output : study.outputs)
    meta.outputs.push_back(
        {output.name, system.unit_of(output.measure.formula), output.measure.times});
  return meta;
}

void write_meta(const fs::path& table, const SweepMeta& meta) {
  Json parameters = Json::array(), outputs = Json::array(), columns = Json::array();
  for (const SweepMeta::Parameter& parameter : meta.parameters) {
    parameters.push_back({{"name", parameter.name},
                          {"unit", parameter.unit},
                          {"number", parameter.is_number},
                          {"log", parameter.log}});
    add_column(columns, parameter.name, parameter.unit);
  }
  const std::vector<std::string> names = meta.columns();
  std::size_t next = meta.parameters.size();
  for (const SweepMeta::Output& output : meta.outputs) {
    outputs.push_back({{"name", output.name}, {"unit", output.unit}, {"times", output.times}});
    for (std::size_t i = 0; i < output.count(); ++i)
      add_column(columns, names[next++], output.unit);
  }
  const Json json = {{"tutti", meta.version},
                     {"sweep",
                      {{"study", meta.study},
                       {"runs", meta.runs},
                       {"part", meta.part},
                       {"parts", meta.parts},
                       {"indices", meta.has_indices},
                       {"parameters", parameters},
                       {"outputs", outputs},
                       {"identity", json_of(meta.identity)}}},
                     {"columns", columns}};
  write_whole_file(metadata_path(table),
                   json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::optional<SweepMeta> read_meta(const fs::path& table) {
  std::ifstream in(metadata_path(table));
  if (!in) return {};
  try {
    const Json all = Json::parse(in);
    const Json& json = all.at("sweep");
    SweepMeta meta;
    meta.version = all.at("tutti");
    meta.study = json.at("study");
    meta.runs = json.at("runs");
    meta.part = json.at("part");
    meta.parts = json.at("parts");
    meta.has_indices = json.at("indices");
    for (const Json& one : json.at("parameters"))
      meta.parameters.push_back({one.at("name"), one.at("unit"), one.at("number"), one.at("log")});
    for (const Json& one : json.at("outputs"))
      meta.outputs.push_back({one.at("name"), one.at("unit"), one.at("times")});
    const Json& identity = json.at("identity");
    meta.identity.study = from_hex(identity.at("study"));
    meta.identity.system = from_hex(identity.at("system"));
    for (const auto& [name, hash] : identity.at("files").items())
      meta.identity.files[name] = from_hex(hash);
    if (meta.part < 1 || meta.part > meta.parts) return {};
    return meta;
  } catch (const nlohmann::json::exception&) {
    return {};
  }
}

}  // namespace tutti::studies
