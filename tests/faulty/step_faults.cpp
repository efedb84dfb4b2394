// SPDX-License-Identifier: BSD-2-Clause
// Faults inside a step. FAULT, set in CMakeLists.txt, chooses one of them.
#include <fmukit/model.hpp>

#include <unistd.h>

#include <cfenv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace {

enum class Fault {
  crash,
  abort,
  exit,
  hang,
  slow,
  warning,
  error,
  fatal,
  discard_with_progress,
  discard_without_progress,
  discard_always,
  discard_after_progress,
  discard_at_the_end,
  unknown_status,
  change_rounding,
  change_traps,
  not_a_number,
  infinite,
  hang_and_log,
  log_escapes,
  terminate,
  log_megabytes,
  write_to_stdout,
  write_beyond_arrays,
  write_over_results,
  leave_process,
};
constexpr Fault fault = Fault::FAULT;

/// y integrates u; from the time `at` on, the fault happens in every step.
class Faulty final : public fmukit::Model {
 public:
  double u = 1, y = 0, at = 0.5, longest = 0.01;

  static void describe(fmukit::Description<Faulty>& d) {
    d.text("Misbehaves inside a step").default_experiment({.start = 0, .stop = 1, .step = 0.1});
    d.input("u", &Faulty::u);
    d.output("y", &Faulty::y).exact().depends_on({});
    d.parameter("at", &Faulty::at).text("time of the fault").unit("s");
    d.promises().rejects_steps = fault == Fault::discard_after_progress;
    if (fault == Fault::discard_with_progress || fault == Fault::discard_without_progress ||
        fault == Fault::discard_after_progress)
      d.parameter("longest", &Faulty::longest).text("longest step from then on").unit("s");
    else
      d.memory(&Faulty::longest);
  }

  fmukit::StepResult do_step(double h) override {
    using fmukit::StepResult;
    if (time + h * 1e-9 < at) return advance(h);
    switch (fault) {
      case Fault::crash: {
        volatile int* volatile nowhere = nullptr;
        *nowhere = 1;
        break;
      }
      case Fault::abort:
        std::abort();
      case Fault::exit:
        std::exit(0);
      case Fault::hang:
        for (;;) pause();
      case Fault::slow:
        usleep(200'000);
        break;
      case Fault::warning:
        log(fmukit::Log::warning, "the model is not sure about t = %g", time);
        advance(h);
        return StepResult::warning();
      case Fault::error:
        log(fmukit::Log::error, "the model failed");
        return StepResult::error();
      case Fault::fatal:
        log(fmukit::Log::error, "the model is lost");
        return StepResult::fatal();
      case Fault::discard_with_progress:
        if (h <= longest * (1 + 1e-9)) break;
        advance(longest);
        return StepResult::discard(time + longest);
      case Fault::discard_without_progress:
        if (h <= longest * (1 + 1e-9)) break;
        return StepResult::discard(time);
      case Fault::discard_always:
        return StepResult::discard(time);
      case Fault::discard_after_progress:
        if (h <= longest * (1 + 1e-9)) break;
        advance(h / 2);
        return StepResult::discard(time);
      case Fault::discard_at_the_end:
        advance(h);
        return StepResult::discard(time + h);
      case Fault::unknown_status:
        return {StepResult::to_the_end, static_cast<StepResult::Status>(-1)};
      case Fault::change_rounding:
        std::fesetround(FE_UPWARD);
        break;
      case Fault::change_traps:
        ::feenableexcept(FE_DIVBYZERO | FE_INVALID);
        break;
      case Fault::not_a_number:
        y = std::numeric_limits<double>::quiet_NaN();
        return {};
      case Fault::infinite:
        y = std::numeric_limits<double>::infinity();
        return {};
      case Fault::hang_and_log:
        for (;;) log(fmukit::Log::error, "still at work");
      case Fault::log_escapes:
        log(fmukit::Log::error,
            "a \x1b]0;title\x07 and \x1b[31mred\x1b[0m and \xc2\x9b"
            "2J text");
        break;
      case Fault::terminate:
        request_termination();
        break;
      case Fault::log_megabytes:
        for (int n = 0; n < 2000; ++n)
          log(fmukit::Log::error, "%d %s", n, std::string(1000, 'x').c_str());
        break;
      case Fault::write_to_stdout:
        std::printf("the model talks at t = %g\n", time);
        std::fflush(stdout);
        break;
      case Fault::write_beyond_arrays: {
        std::vector<double> small(4);
        volatile double* p = small.data();
        for (int i = 0; i < 12; ++i) p[i] = 1;  // 64 bytes too far
        break;
      }
      case Fault::write_over_results:
        write_over_shared_memory();
        break;
      case Fault::leave_process:
        if (!has_left_one) {
          has_left_one = true;
          if (::fork() == 0)
            for (;;) ::pause();
        }
        break;
    }
    return advance(h);
  }

 private:
  /// A wild pointer, aimed at where it does the most harm: memory that processes share.
  static void write_over_shared_memory() {
    std::FILE* const maps = std::fopen("/proc/self/maps", "r");
    char line[512];
    while (maps != nullptr && std::fgets(line, sizeof line, maps) != nullptr) {
      unsigned long long from = 0, to = 0;
      if (std::sscanf(line, "%llx-%llx rw-s", &from, &to) != 2 ||
          std::strstr(line, " rw-s ") == nullptr || to - from < (8u << 20))
        continue;
      std::memset(reinterpret_cast<char*>(from), 0x5a, to - from);
    }
    if (maps != nullptr) std::fclose(maps);
  }
  bool has_left_one = false;
  fmukit::StepResult advance(double h) {
    y += h * u;
    return {};
  }
};

}  // namespace

FMUKIT_EXPORT(Faulty)
