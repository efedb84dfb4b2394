// SPDX-License-Identifier: BSD-2-Clause
// The program of docs/session.md.
#include <cstdio>
#include <tutti/session.hpp>
#include <tutti/system_file.hpp>

int main(int, char** arguments) try {
  tutti::Session session(tutti::read_system(arguments[1]));  // opens FMUs, refuses what cannot work
  const tutti::Handle x = session.find("chassis.x");         // names are resolved once
  session.initialize();
  while (session.time() < 2.0) {
    session.step();  // one communication step, as the step control chooses it
    if (session.get(x) > 0.15)
      session.set(session.find("wheel.road"), 0.05);  // a tunable parameter
  }
  const tutti::SessionState here = session.save();  // FMUs, inputs, step control, clock
  session.advance_to(3.0);
  const double first = session.get(x);
  session.restore(here);
  session.advance_to(3.0);
  const bool same = session.get(x) == first;
  const tutti::RunReport report = session.finish();
  std::printf("t = %g s: x = %.6f m after %d steps, %s\n", report.end.time, first,
              static_cast<int>(report.statistics.steps), same ? "twice the same" : "NOT the same");
  return same ? 0 : 1;
} catch (const tutti::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
