// SPDX-License-Identifier: BSD-2-Clause
// Many runs of a system with other values of a parameter, in warm workers:
//   studies SYSTEM PARAMETER VARIABLE COUNT JOBS STOP
// Prints wall time, CPU time of the workers and of this process, all in s, how often the workers
// waited, and the memory of the workers in kB when a tenth of the runs was done, and at the end.
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <tutti/cases.hpp>
#include <tutti/system_file.hpp>
#include <vector>

namespace {

/// What the system knows of the worker processes.
struct Usage {
  double cpu = 0;            ///< s
  std::uint64_t waits = 0;   ///< voluntary context switches
  std::uint64_t memory = 0;  ///< resident, kB
};

std::vector<std::string> children() {
  const std::string self = "/proc/self/task/" + std::to_string(::getpid()) + "/children";
  std::ifstream file(self);
  std::vector<std::string> found;
  for (std::string number; file >> number;) found.push_back(number);
  return found;
}

std::uint64_t number_after(const std::string& text, const std::string& key) {
  const std::size_t at = text.find(key);
  return at == std::string::npos ? 0 : std::strtoull(text.c_str() + at + key.size(), nullptr, 10);
}

Usage usage_of_workers() {
  Usage all;
  for (const std::string& process : children()) {
    std::ostringstream status;
    status << std::ifstream("/proc/" + process + "/status").rdbuf();
    all.waits += number_after(status.str(), "\nvoluntary_ctxt_switches:");
    all.memory += number_after(status.str(), "\nVmRSS:");
    double nanoseconds = 0;
    std::ifstream("/proc/" + process + "/schedstat") >> nanoseconds;
    all.cpu += nanoseconds * 1e-9;
  }
  return all;
}

double own_cpu() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 7) {
    std::fputs("usage: studies SYSTEM PARAMETER VARIABLE COUNT JOBS STOP\n", stderr);
    return 2;
  }
  tutti::System system = tutti::read_system(argv[1]);
  const std::uint64_t count = std::strtoull(argv[4], nullptr, 10);
  system.simulation.stop = std::atof(argv[6]);
  tutti::CaseOptions options;
  options.jobs = static_cast<std::uint32_t>(std::atoi(argv[5]));
  const std::string variable = argv[3];
  tutti::Cases cases({{system, {argv[2]}, {{"max(" + variable + ")"}, {"rms(" + variable + ")"}}}},
                     options, {});
  std::uint64_t sent = 0, done = 0, failed = 0;
  const auto next = [&](std::uint64_t until) {
    return [&, until]() -> std::optional<tutti::Case> {
      if (sent == until) return {};
      ++sent;
      return tutti::Case{sent, 0, {std::to_string(350 + sent % 100)}};
    };
  };
  const auto take = [&](const tutti::CaseResult& result) {
    ++done;
    failed += result.end.kind != tutti::RunEnd::Kind::completed;
  };
  cases.run(next(count / 10), take);  // warm
  const Usage before = usage_of_workers();
  const double own_before = own_cpu();
  const auto start = std::chrono::steady_clock::now();
  cases.run(next(count / 10 + count), take);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  const Usage after = usage_of_workers();
  if (failed > 0 || done != count / 10 + count) {
    std::fprintf(stderr, "studies: %llu of %llu runs failed\n",
                 static_cast<unsigned long long>(failed), static_cast<unsigned long long>(done));
    return 1;
  }
  std::printf("%.9g %.9g %.9g %llu %llu %llu\n", wall.count(), after.cpu - before.cpu,
              own_cpu() - own_before, static_cast<unsigned long long>(after.waits - before.waits),
              static_cast<unsigned long long>(before.memory),
              static_cast<unsigned long long>(after.memory));
  return 0;
} catch (const tutti::Error& error) {
  std::fprintf(stderr, "studies: %s\n", error.what());
  return 1;
}
