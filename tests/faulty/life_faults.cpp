// SPDX-License-Identifier: BSD-2-Clause
// Faults outside of steps. FAULT, set in CMakeLists.txt, chooses one of them.
#include <fmukit/model.hpp>

#include <unistd.h>

#include <cfenv>
#include <clocale>
#include <stdexcept>

namespace {

enum class Fault {
  none,
  error_in_initialization,
  hang_in_initialization,
  crash_in_initialization,
  crash_in_terminate,
  hang_in_terminate,
  crash_in_free,
  change_folder,
  change_locale,
  change_rounding,
  change_traps,
  needs_tool,
  waits_for_licence,
  once_per_process,
  no_state,
};
constexpr Fault fault = Fault::FAULT;

void crash() {
  volatile int* volatile nowhere = nullptr;
  *nowhere = 1;
}

class Faulty final : public fmukit::Model {
 public:
  double u = 1, y = 0;
  bool initialized = false;

  Faulty() = default;
  Faulty(const Faulty&) = default;
  Faulty& operator=(const Faulty&) = default;
  ~Faulty() override {
    if (fault == Fault::crash_in_free && initialized) crash();
  }

  static void describe(fmukit::Description<Faulty>& d) {
    d.text("Misbehaves outside of steps").default_experiment({.start = 0, .stop = 1, .step = 0.1});
    d.promises().needs_execution_tool =
        fault == Fault::needs_tool || fault == Fault::waits_for_licence;
    d.promises().once_per_process = fault == Fault::once_per_process;
    d.promises().no_state = fault == Fault::no_state;
    d.input("u", &Faulty::u);
    d.output("y", &Faulty::y).exact().depends_on({});
    d.memory(&Faulty::initialized);
  }

  void initialize() override {
    initialized = true;
    switch (fault) {
      case Fault::error_in_initialization:
        throw std::runtime_error("the initial equations have no solution");
      case Fault::hang_in_initialization:
      case Fault::waits_for_licence:
        for (;;) pause();
      case Fault::crash_in_initialization:
        crash();
        break;
      case Fault::change_folder:
        if (chdir("/") != 0) log(fmukit::Log::error, "cannot change the folder");
        break;
      case Fault::change_locale:
        std::setlocale(LC_ALL, "C.UTF-8");
        break;
      case Fault::change_rounding:
        std::fesetround(FE_UPWARD);
        break;
      case Fault::change_traps:
        ::feenableexcept(FE_DIVBYZERO | FE_INVALID);
        break;
      default:
        break;
    }
  }

  fmukit::StepResult do_step(double h) override {
    y += h * u;
    return {};
  }

  void terminate() override {
    if (fault == Fault::crash_in_terminate) crash();
    while (fault == Fault::hang_in_terminate) pause();
  }
};

}  // namespace

FMUKIT_EXPORT(Faulty)
