// SPDX-License-Identifier: BSD-2-Clause
#include "support/printed.hpp"
#include "support/places.hpp"

#include <cstdlib>
#include <map>
#include <stdexcept>

namespace tutti::testing {
namespace fs = std::filesystem;

namespace {

/// By file: its FMUs, and the models of ours that stand for them.
const std::map<std::string, std::map<std::string, std::string>>& fmus_of_files() {
  static const std::map<std::string, std::map<std::string, std::string>> all = {
      {"linear_system",
       {{"bspEmodel0_fmu", "PrintedRight"},
        {"bspEmodel1_fmu", "PrintedSum"},
        {"bspEmodel2_fmu", "PrintedX2"},
        {"bspEmodel3_fmu", "PrintedX3"},
        {"bspEmodel4_fmu", "PrintedX1"}}},
      {"resistor_capacitor",
       {{"fmus/part1.fmu", "PrintedResistorSource"},
        {"fmus/part2.fmu", "PrintedResistorCapacitor"}}},
      {"speed_control",
       {{"S", "PrintedSetpoint"}, {"C", "PrintedController"}, {"P", "PrintedPlant"}}},
      {"wheel_chassis",
       {{"QC_ChassisSystem_fmu", "PrintedChassis"}, {"QC_WheelSystem_fmu", "PrintedWheel"}}}};
  return all;
}

}  // namespace

std::vector<std::string> printed_files() {
  std::vector<std::string> names;
  for (const auto& [name, fmus] : fmus_of_files()) names.push_back(name);
  return names;
}

fs::path lay_out(const Workplace& work, const std::string& name) {
  for (const auto& [path, model] : fmus_of_files().at(name)) {
    const fs::path place = work.path() / path;
    fs::create_directories(place.parent_path());
    if (place.extension() == ".fmu") {
      fs::copy_file(fmu("2.0", model), place);
      continue;
    }
    const std::string unpack = "unzip -q '" + fmu("2.0", model) + "' -d '" + place.string() + "'";
    if (std::system(unpack.c_str()) != 0) throw std::runtime_error("failed: " + unpack);
  }
  const fs::path file = work.path() / (name + ".eas");
  fs::copy_file(places::source_folder() / "tests/problems/printed" / file.filename(), file);
  return file;
}

}  // namespace tutti::testing
