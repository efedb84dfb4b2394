// SPDX-License-Identifier: BSD-2-Clause
#include <cstdio>
#include <tutti/error.hpp>
#include <tutti/fmu.hpp>
#include <tutti/version_number.hpp>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    const tutti::ModelDescription description = tutti::read_description(argv[1]);
    std::printf("%s: FMI %s, %zu variables\n", description.model_name.c_str(),
                description.version_text.c_str(), description.variables.size());
  } catch (const tutti::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
