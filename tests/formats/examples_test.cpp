// SPDX-License-Identifier: BSD-2-Clause
// Every example goes through every format that can be written, and comes back as it was.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "formats/registry.hpp"
#include "formats/toml/write.hpp"
#include "master/coupling/coupling_method.hpp"
#include "master/stepping/controllers.hpp"
#include "solvers/ode/ode.hpp"
#include "support/command.hpp"
#include "support/places.hpp"

namespace tutti::formats {
namespace {

namespace fs = std::filesystem;

Words known_words() {
  Words words;
  for (const auto& entry : master::coupling_methods()) words.methods.push_back(entry.name);
  for (const auto& entry : solvers::ode_integrators()) words.solvers.emplace_back(entry.name);
  for (const auto& entry : master::step_controls()) words.controls.push_back(entry.name);
  return words;
}

std::vector<std::string> examples() {
  std::vector<std::string> all;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(tutti::places::build_folder() / "examples"))
    if (fs::exists(entry.path() / "system.toml")) all.push_back(entry.path().filename().string());
  std::sort(all.begin(), all.end());
  return all;
}

/// All that a system says; of its files only the content counts.
std::string said(System system) {
  const auto stamp = [&](fs::path& path) {
    if (path.empty()) return;
    const fs::path file = system.folder / path;
    path = std::to_string(fs::file_size(file)) + " bytes";
  };
  for (Component& component : system.components) stamp(component.fmu);
  stamp(system.inputs.file);
  for (InputFile& table : system.inputs.tables) stamp(table.file);
  return toml_text(system);
}

class EveryExample : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Formats, EveryExample, ::testing::ValuesIn(examples()),
                         [](const auto& tested) { return tested.param; });

TEST_P(EveryExample, ComesBackFromEveryFormat) {
  const Words words = known_words();
  const testing::Workplace work;
  const fs::path folder = tutti::places::build_folder() / "examples" / GetParam();
  const System system = read_system(folder / "system.toml", {words});
  for (const Format& format : formats()) {
    if (format.write == nullptr) continue;
    const fs::path file = work.path() / ("copy" + std::string(format.extension));
    write_system(system, file, "", {words});
    EXPECT_EQ(said(read_system(file, {words})), said(system)) << format.name;
  }
}

}  // namespace
}  // namespace tutti::formats
