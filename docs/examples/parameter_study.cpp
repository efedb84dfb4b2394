// SPDX-License-Identifier: BSD-2-Clause
// Runs a system once for each value of a parameter, and prints the maximum of a variable:
//   parameter_study SYSTEM PARAMETER VARIABLE VALUE...
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <tutti/session.hpp>
#include <tutti/system_file.hpp>

/// Finds the maximum of the first column while the session runs.
class Maximum final : public tutti::Observer {
 public:
  void begin(std::span<const tutti::Column> columns) override { type_ = columns[0].type; }
  void row(const tutti::Row& row) override {
    const double now = tutti::as_real(type_, row.cells[0]);
    if (!(now > value)) return;
    value = now;
    time = row.time;
  }
  void finish() override {}

  double value = -std::numeric_limits<double>::infinity(), time = 0;

 private:
  tutti::Type type_{};
};

/// Runs the system with one value of the parameter.
std::shared_ptr<Maximum> run_with(const tutti::System& system, const tutti::SessionOptions& options,
                                  const char* parameter, double value, const char* variable) {
  tutti::Session session(system, options);  // opens the FMUs, checks the system
  session.set(session.find(parameter), value);
  const auto maximum = std::make_shared<Maximum>();
  const tutti::Handle observed = session.find(variable);
  session.observe(maximum, {&observed, 1});
  session.initialize();
  session.advance_to(session.statistics().stop);
  session.finish();
  return maximum;
}

int main(int argc, char** argv) try {
  if (argc < 5) {
    std::fputs("usage: parameter_study SYSTEM PARAMETER VARIABLE VALUE...\n", stderr);
    return 2;
  }
  const tutti::System system = tutti::read_system(argv[1]);
  tutti::SessionOptions options;
  options.in = tutti::Home::worker;    // the FMUs run in a process of their own:
  options.worker = tutti::Worker("");  // the same one for all sessions, one after the other
  options.step_timeout = 60;           // s, for one call of an FMU
  int status = 0;
  for (int i = 4; i < argc; ++i) {
    try {
      const auto maximum = run_with(system, options, argv[2], std::atof(argv[i]), argv[3]);
      std::printf("%s = %s: maximum %.6g at t = %.6g s\n", argv[2], argv[i], maximum->value,
                  maximum->time);
    } catch (const tutti::Error& error) {
      if (error.code() == tutti::ErrorCode::usage) throw;  // a wrong name or value
      // If an FMU has crashed, the next session starts the worker again.
      std::printf("%s = %s: %s\n", argv[2], argv[i], error.what());
      status = 1;
    }
  }
  return status;
} catch (const tutti::Error& error) {
  std::fprintf(stderr, "parameter_study: %s\n", error.what());
  return 2;
}
