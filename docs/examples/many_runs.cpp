// SPDX-License-Identifier: BSD-2-Clause
// Runs a system with values of a parameter in parallel, and prints a number of each run:
//   many_runs SYSTEM PARAMETER FORMULA VALUE...
#include <cstdio>
#include <string>
#include <tutti/cases.hpp>
#include <tutti/system_file.hpp>
#include <vector>

int main(int argc, char** argv) try {
  if (argc < 5) {
    std::fputs("usage: many_runs SYSTEM PARAMETER FORMULA VALUE...\n", stderr);
    return 2;
  }
  const tutti::CaseSystem system{tutti::read_system(argv[1]), {argv[2]}, {{argv[3]}}};
  tutti::CaseOptions options;
  options.step_timeout = 60;                  // s, for one call of an FMU
  tutti::Cases cases({system}, options, {});  // opens and checks the system
  std::vector<tutti::Case> all;
  for (int i = 4; i < argc; ++i) all.push_back({.values = {argv[i]}});
  const std::vector<tutti::CaseResult> results = cases.run(all);
  int status = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const tutti::CaseResult& result = results[i];
    std::printf("%s = %s: ", argv[2], all[i].values[0].c_str());
    if (result.end.error) {
      std::printf("%s\n", result.end.error->what());
      status = 1;
    } else {
      std::printf("%s = %.6g\n", argv[3], result.values[0]);
    }
  }
  return status;
} catch (const tutti::Error& error) {
  std::fprintf(stderr, "many_runs: %s\n", error.what());
  return 2;
}
