// SPDX-License-Identifier: BSD-2-Clause
// A session, as a user of the public API controls it:
//   session steps SYSTEM VARIABLE COUNT   COUNT steps, and one value after each: prints the last
//   session states SYSTEM COUNT           prints nanoseconds of a save and of a restore
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <tutti/session.hpp>
#include <tutti/system_file.hpp>

namespace {

using Clock = std::chrono::steady_clock;

double step_and_get(const char* system, std::string_view variable, long count) {
  tutti::Session session(tutti::read_system(system));
  const tutti::Handle handle = session.find(variable);
  session.initialize();
  double last = 0;
  for (long n = 0; n < count; ++n) {
    session.step();
    last = session.get(handle);
  }
  session.finish();
  return last;
}

struct Nanoseconds {
  double save = 0, restore = 0;
};

/// A step after each restore, so that the state differs.
Nanoseconds save_and_restore(const char* system, long count) {
  tutti::Session session(tutti::read_system(system));
  session.initialize();
  session.step();
  std::chrono::duration<double, std::nano> saving{}, restoring{};
  for (long n = 0; n < count; ++n) {
    const auto start = Clock::now();
    const tutti::SessionState state = session.save();
    saving += Clock::now() - start;
    session.step();
    const auto middle = Clock::now();
    session.restore(state);
    restoring += Clock::now() - middle;
  }
  session.finish();
  const auto each = static_cast<double>(count);
  return {saving.count() / each, restoring.count() / each};
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string_view what = argc > 1 ? argv[1] : "";
  if (what == "steps" && argc == 5) {
    std::printf("%.17g\n", step_and_get(argv[2], argv[3], std::atol(argv[4])));
  } else if (what == "states" && argc == 4) {
    const Nanoseconds each = save_and_restore(argv[2], std::atol(argv[3]));
    std::printf("%.17g %.17g\n", each.save, each.restore);
  } else {
    std::fputs("session: arguments: steps SYSTEM VARIABLE COUNT | states SYSTEM COUNT\n", stderr);
    return 2;
  }
  return 0;
} catch (const tutti::Error& error) {
  std::fprintf(stderr, "session: %s\n", error.what());
  return 1;
}
