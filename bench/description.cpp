// SPDX-License-Identifier: BSD-2-Clause
// Reading a model description of 100,000 variables, against the bare XML parse of the same file.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <pugixml.hpp>
#include <tutti/fmu.hpp>
#include <vector>

namespace {

constexpr int variable_count = 100'000;

void write_description(const std::filesystem::path& file) {
  std::ofstream xml(file);
  xml << R"(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="Large" guid="{large}">
<CoSimulation modelIdentifier="Large"/>
<ModelVariables>
)";
  for (int i = 0; i < variable_count; ++i)
    xml << R"(<ScalarVariable name="plant.section)" << i / 100 << ".x[" << i % 100
        << R"(]" valueReference=")" << i
        << R"(" causality="output" description="a temperature"><Real unit="K"/></ScalarVariable>)"
           "\n";
  xml << "</ModelVariables>\n<ModelStructure><Outputs>\n";
  for (int i = 1; i <= variable_count; ++i)
    xml << R"(<Unknown index=")" << i << R"(" dependencies=""/>)"
        << "\n";
  xml << "</Outputs></ModelStructure>\n</fmiModelDescription>\n";
}

template <typename Work>
double median_milliseconds(Work work) {
  std::vector<double> times;
  for (int i = 0; i < 9; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    times.push_back(took.count());
  }
  std::nth_element(times.begin(), times.begin() + 4, times.end());
  return times[4];
}

}  // namespace

int main() {
  const auto folder =
      std::filesystem::temp_directory_path() / ("tutti-bench-" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  const auto file = folder / "modelDescription.xml";
  write_description(file);
  const double parse = median_milliseconds([&] {
    pugi::xml_document document;
    document.load_file(file.c_str());
  });
  const double read = median_milliseconds([&] { tutti::read_description(folder); });
  std::printf("model description, %d variables: XML parse %.0f ms, read %.0f ms, ratio %.2f\n",
              variable_count, parse, read, read / parse);
  std::filesystem::remove_all(folder);
}
