// SPDX-License-Identifier: BSD-2-Clause
// The cost of FMUs in a worker, for a program that uses the public API:
//   workers FMU REPEAT   the archive of the test FMU Trivial; prints a table
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <tutti/session.hpp>
#include <tutti/system_run.hpp>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

double seconds_of(const std::function<void()>& action) {
  const auto start = Clock::now();
  action();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

std::string numbered(std::string text, int number) { return text.append(std::to_string(number)); }

/// Components in a ring.
tutti::System ring(const char* fmu, int count, double stop) {
  tutti::System system;
  for (int k = 0; k < count; ++k) {
    tutti::Component& component = system.components.emplace_back();
    component.name = numbered("c", k);
    component.fmu = fmu;
    const std::string next = numbered("c", (k + 1) % count);
    system.connections.push_back({.from = {component.name, "y"}, .to = {next, "u"}});
  }
  system.simulation.methods = {"jacobi"};
  system.simulation.step = 1e-3;
  system.simulation.stop = stop;
  return system;
}

class Rows final : public tutti::Observer {
 public:
  void begin(std::span<const tutti::Column>) override {}
  void row(const tutti::Row& row) override { sum += row.cells.front().real; }
  bool rewind(std::uint64_t) override { return true; }
  void finish() override {}
  double sum = 0;
};

void batches(const char* fmu, int repeat) {
  std::printf("\nruns: seconds, median of %d\n%-32s %10s %10s %7s %6s\n", repeat, "", "here",
              "worker", "ratio", "goal");
  for (const auto& [title, count, stop, records] :
       {std::tuple("ring of 10, nothing recorded", 10, 3000.0, false),
        {"ring of 10, all recorded", 10, 1000.0, true},
        {"ring of 100, nothing recorded", 100, 300.0, false}}) {
    const tutti::System system = ring(fmu, count, stop);
    tutti::SystemRunOptions options;
    std::vector<double> times[2];
    Rows rows;
    for (int i = 0; i < repeat; ++i)
      for (const bool in_worker : {false, true}) {
        options.own_process = in_worker;
        times[in_worker].push_back(
            seconds_of([&] { tutti::run(system, options, records ? &rows : nullptr, {}); }));
      }
    const double here = median(times[0]), worker = median(times[1]);
    std::printf("%-32s %10.4f %10.4f %7.3f %6.2f\n", title, here, worker, worker / here, 1.02);
  }
}

void steps(const char* fmu, int repeat) {
  std::printf("\nSession::step and one get: microseconds, median of %d\n%-32s %10s %10s %7s %6s\n",
              repeat, "", "here", "worker", "beside", "goal");
  for (const int count : {1, 10}) {
    constexpr int many = 100'000;
    std::vector<double> times[2];
    for (int i = 0; i < repeat; ++i)
      for (const bool in_worker : {false, true}) {
        tutti::System system = ring(fmu, count, many * 1e-3 + 1);
        tutti::Session session(system, {.in = in_worker ? tutti::Home::worker : tutti::Home::here});
        const tutti::Handle y = session.find("c0.y");
        session.initialize();
        double sum = 0;
        times[in_worker].push_back(seconds_of([&] {
                                     for (int n = 0; n < many; ++n) {
                                       session.step();
                                       sum += session.get(y);
                                     }
                                   }) /
                                   many * 1e6);
      }
    const double here = median(times[0]), worker = median(times[1]);
    const std::string title = numbered("ring of ", count);
    std::printf("%-32s %10.3f %10.3f %7.3f %6.1f\n", title.c_str(), here, worker, worker - here,
                3.0);
  }
}

void starts(const char* fmu, int repeat) {
  const tutti::System system = ring(fmu, 1, 1);
  // One after the other, as in a study.
  const auto times = [&](const tutti::SessionOptions& options) {
    std::vector<double> seconds;
    for (int i = 0; i < 20 * repeat; ++i)
      seconds.push_back(seconds_of([&] { tutti::Session session(system, options); }) * 1e6);
    return seconds;
  };
  const std::vector<double> here = times({}), cold = times({.in = tutti::Home::worker}),
                            again = times({.in = tutti::Home::worker, .worker = tutti::Worker("")});
  std::printf("\na session, opened and closed: microseconds, median of %d\n", 20 * repeat);
  std::printf("%-32s %10.1f\n", "here", median(here));
  std::printf("%-32s %10.1f  beside %.1f\n", "in a worker of its own", median(cold),
              median(cold) - median(here));
  std::printf("%-32s %10.1f  beside %.1f  goal 100\n", "in a warm worker", median(again),
              median(again) - median(here));
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) {
    std::fputs("workers: arguments: FMU REPEAT\n", stderr);
    return 2;
  }
  const int repeat = std::atoi(argv[2]);
  batches(argv[1], repeat);
  steps(argv[1], repeat);
  starts(argv[1], repeat);
  return 0;
} catch (const tutti::Error& error) {
  std::fprintf(stderr, "workers: %s\n", error.what());
  return 1;
}
