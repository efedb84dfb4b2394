// SPDX-License-Identifier: BSD-2-Clause
// What the tests of the public API have in common. They include <tutti/...> and nothing inner.
#pragma once

#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <tutti/error.hpp>
#include <tutti/results.hpp>
#include <tutti/session.hpp>
#include <tutti/system.hpp>
#include <vector>

#include "support/places.hpp"

namespace tutti::testing {

inline std::filesystem::path fmu_of(const std::string& version, const std::string& model) {
  return places::fmu_folder() / version / (model + ".fmu");
}

inline Component component(const std::string& name, const std::filesystem::path& fmu) {
  Component made;
  made.name = name;
  made.fmu = fmu;
  return made;
}

/// A mass on a spring as two components: x' = v, v' = -x. x(t) = cos t.
inline System oscillator(const std::string& version = "2.0", double step = 0.01) {
  System system;
  for (const char* name : {"position", "speed"})
    system.components.push_back(component(name, fmu_of(version, "Feedback")));
  system.components[0].set = {{"a", "0"}, {"x", "1"}};
  system.components[1].set = {{"a", "0"}, {"x", "0"}};
  system.connections = {{.from = {"speed", "y"}, .to = {"position", "u"}},
                        {.from = {"position", "y"}, .to = {"speed", "u"}, .factor = -1}};
  system.simulation.step = step;
  system.simulation.stop = 1;
  return system;
}

/// The tests of sessions run twice: with TUTTI_TEST_HOME=worker, all their sessions are in workers.
inline bool in_worker() {
  const char* const home = std::getenv("TUTTI_TEST_HOME");
  return home != nullptr && std::string_view(home) == "worker";
}
inline SessionOptions placed(SessionOptions options = {}) {
  options.in = in_worker() ? Home::worker : Home::here;
  return options;
}

/// What an action throws.
inline Error error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  return {ErrorCode::usage, "nothing was thrown"};
}
inline std::string refusal_of(const std::function<void()>& action) {
  return error_of(action).what();
}

/// Keeps the rows it gets.
class Rows final : public Observer {
 public:
  void begin(std::span<const Column> all) override { columns.assign(all.begin(), all.end()); }
  void row(const Row& row) override {
    times.push_back(row.time);
    values.push_back(row.cells.empty() ? 0 : as_real(columns[0].type, row.cells[0]));
  }
  bool rewind(std::uint64_t rows) override {
    times.resize(rows);
    values.resize(rows);
    return true;
  }
  void finish() override { is_finished = true; }
  std::vector<Column> columns;
  std::vector<double> times, values;  ///< of the first column
  bool is_finished = false;
};

}  // namespace tutti::testing
