// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <string>
#include <tutti/integrate.hpp>
#include <vector>

/// What the programs of the examples share.
namespace example {

/// A column that counts the events so far which fit.
struct EventColumn {
  const char* name;
  std::function<bool(const tutti::OdeEventRecord& event)> fits;
};

/// Results with the work of the solver in every row. What comes before an event stands before it,
/// because of two rows of the same time the second one is after the event.
inline void write_csv(const tutti::OdeSolution& found, const std::vector<std::string>& names,
                      const std::vector<EventColumn>& columns = {}) {
  std::printf("time");
  for (const std::string& name : names) std::printf(",%s", name.c_str());
  for (const EventColumn& column : columns) std::printf(",%s", column.name);
  std::printf(",events,steps,right-hand-sides,jacobians,error-test-failures\n");
  std::size_t past = 0;
  std::vector<int> counts(columns.size());
  for (std::size_t row = 0; row < found.times.size(); ++row) {
    const bool is_second = row > 0 && found.times[row - 1] == found.times[row];
    if (is_second && past < found.events.size() && found.events[past].t == found.times[row]) {
      for (std::size_t c = 0; c < columns.size(); ++c)
        counts[c] += columns[c].fits(found.events[past]) ? 1 : 0;
      ++past;
    }
    std::printf("%.17g", found.times[row]);
    for (std::size_t i = 0; i < names.size(); ++i) std::printf(",%.17g", found.at(row)[i]);
    for (const int count : counts) std::printf(",%d", count);
    const tutti::OdeStatistics& work = found.statistics;
    std::printf(",%zu,%zu,%zu,%zu,%zu\n", past, std::size_t{work.steps},
                std::size_t{work.evaluations}, std::size_t{work.jacobians},
                std::size_t{work.error_test_failures});
  }
}

/// The solver and its tolerance, relative and absolute, as a program takes them.
inline tutti::OdeSettings settings(const char* solver, const char* tolerance) {
  tutti::OdeSettings settings;
  settings.solver = solver;
  settings.rtol = std::atof(tolerance);
  settings.atol = {settings.rtol};
  return settings;
}

/// Points at equal distances, the start among them.
inline std::vector<double> points(double stop, int intervals) {
  std::vector<double> all;
  for (int i = 0; i <= intervals; ++i) all.push_back(stop * i / intervals);
  return all;
}

/// Runs a program of `count` arguments or more, and reports what it throws.
template <class Program>
int run(int argc, char** argv, int count, const char* usage, const Program& program) try {
  if (argc <= count) {
    std::fprintf(stderr, "usage: %s %s\n", argv[0], usage);
    return 2;
  }
  program();
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

}  // namespace example
