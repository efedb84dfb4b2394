// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "support/command.hpp"

namespace tutti::testing {

/// Writes small systems of the kit's FMUs, and runs them as a user would.
class SystemRun : public ::testing::Test {
 protected:
  /// A system file of components (name, FMU, what is set in it), connections and settings.
  struct Part {
    std::string name, fmu, set;
  };
  void write(const std::vector<Part>& parts, const std::vector<std::string>& connections,
             const std::string& rest, const std::string& version = "2.0") {
    std::string text = "[system]\nname = \"test\"\n";
    for (const Part& part : parts)
      text += fmt::format("[components.{}]\nfmu = \"{}\"\nset = {{ {} }}\n", part.name,
                          fmu(version, part.fmu), part.set);
    text += "[connections]\nlist = [";
    for (const std::string& connection : connections) text += connection + ", ";
    place_.write("s.toml", text + "]\n" + rest);
  }
  /// Runs it; the last row of the results, by column.
  std::map<std::string, double> run(std::vector<std::string> arguments = {}) {
    arguments.insert(arguments.begin(), {"run", "s.toml", "-o", "r.csv"});
    answer_ = place_.tutti(arguments);
    const auto rows = csv_rows(place_.read("r.csv"));
    std::map<std::string, double> last;
    if (rows.size() < 2) return last;
    for (std::size_t i = 0; i < rows[0].size(); ++i) last[rows[0][i]] = std::stod(rows.back()[i]);
    return last;
  }
  /// Two gains in a loop: a = ka b + 1, b = kb a + 2.
  void write_loop(double ka, double kb, const std::string& settings,
                  const std::string& version = "2.0") {
    write({{"a", "Gain", fmt::format("k = {:.17g}, b = 1.0", ka)},
           {"b", "Gain", fmt::format("k = {:.17g}, b = 2.0", kb)}},
          {"\"a.y -> b.u\"", "\"b.y -> a.u\""}, "[simulation]\nstop = 1.0\nstep = 0.1\n" + settings,
          version);
  }
  using Attributes = std::map<std::string, std::string>;
  /// An FMU of which the description says something else: by attribute of <CoSimulation>.
  std::string described(const std::string& model, const Attributes& attributes) {
    const std::string folder = fmt::format("{}-{}", model, described_++);
    const std::string path = (place_.path() / folder).string();
    if (std::system(("unzip -qo " + fmu("2.0", model) + " -d " + path).c_str()) != 0)
      ADD_FAILURE() << "unzip " << model;
    std::string xml = place_.read(folder + "/modelDescription.xml");
    const std::size_t element = xml.find("<CoSimulation");
    for (const auto& [name, value] : attributes) {
      const std::size_t start = xml.find(name + "=\"", element) + name.size() + 2;
      xml.replace(start, xml.find('"', start) - start, value);
    }
    place_.write(folder + "/modelDescription.xml", xml);
    return path;
  }
  nlohmann::json statistics() const {
    return nlohmann::json::parse(place_.read("r.meta.json"))["statistics"];
  }
  Workplace place_;
  Answer answer_;

 private:
  int described_ = 0;  ///< so many
};

class Run : public SystemRun, public ::testing::WithParamInterface<const char*> {};

}  // namespace tutti::testing
