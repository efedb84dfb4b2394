// SPDX-License-Identifier: BSD-2-Clause
// What fmi2Reset may do wrong. FAULT, set in CMakeLists.txt, chooses one.
#include <unistd.h>

#include "plain.hpp"
#include "v2/slave.hpp"

namespace {

enum class Fault {
  keeps_state,  ///< the next run starts where the last one ended
  fails,        ///< with status error
  crashes,
  hangs,
  crashes_later  ///< in the steps of an instance that was reset
};
constexpr Fault fault = Fault::FAULT;

void crash() {
  volatile int* volatile nowhere = nullptr;
  *nowhere = 1;
}

class Resettable final : public fmukit::Model {
 public:
  double u = 1, y = 0;
  bool was_reset = false;

  static void describe(fmukit::Description<Resettable>& d) {
    d.text("Cannot be reset").default_experiment({.start = 0, .stop = 1, .step = 0.1});
    d.input("u", &Resettable::u);
    d.output("y", &Resettable::y).exact().depends_on({});
    d.memory(&Resettable::was_reset);
  }
  fmukit::StepResult do_step(double h) override {
    if (was_reset && fault == Fault::crashes_later) crash();
    y += h * u;
    return {};
  }
};

}  // namespace

FAULTY_API fmi_abi::v2::Status fmi2Reset(fmi_abi::v2::Component c) {
  using enum fmukit::Phase;
  return fmukit::v2::run(c, "fmi2Reset", fmukit::phases(instantiated, terminated, error),
                         [](fmukit::v2::Slave& slave) {
                           const double y = static_cast<Resettable&>(*slave.model).y;
                           slave.reset();
                           slave.start = 0;
                           auto& model = static_cast<Resettable&>(*slave.model);
                           model.was_reset = true;
                           if (fault == Fault::keeps_state) model.y = y;
                           if (fault == Fault::crashes) crash();
                           if (fault == Fault::hangs)
                             for (;;) ::pause();
                           return fault == Fault::fails ? fmukit::Status::error
                                                        : fmukit::Status::ok;
                         });
}

FMUKIT_EXPORT(Resettable)
