// SPDX-License-Identifier: BSD-2-Clause
// Counts what it is told with completed integrator steps: that no state from before is going to be
// restored (noSetFMUStatePriorToCurrentPoint), or that one may be. The counts are not part of its
// state, which is its fault.
#include <fmukit/model.hpp>

#include "fmi/abi/fmi2.hpp"
#include "fmi/abi/fmi3.hpp"

namespace {
int final_steps = 0, open_steps = 0;
}

/// x' = u, y = x.
class RollbackFlags final : public fmukit::Model {
 public:
  double u = 0, x = 0, dx = 0;
  int final_count = 0, open_count = 0;

  static void describe(fmukit::Description<RollbackFlags>& d) {
    d.text("Counts which steps are final").default_experiment({.stop = 1, .step = 0.1});
    d.input("u", &RollbackFlags::u);
    d.output("x", &RollbackFlags::x).depends_on({"x"});
    d.local("der(x)", &RollbackFlags::dx).derivative_of("x").depends_on({"u"});
    d.output("final", &RollbackFlags::final_count).depends_on({});
    d.output("open", &RollbackFlags::open_count).depends_on({});
  }
  void derivatives() override { dx = u; }
  void outputs() override {
    final_count = final_steps;
    open_count = open_steps;
  }
  bool completed_integrator_step() override { return false; }
};

namespace {
void count(bool is_final) { ++(is_final ? final_steps : open_steps); }
}  // namespace

#define FLAGS_API extern "C" __attribute__((visibility("default")))

FLAGS_API fmi_abi::v2::Status fmi2CompletedIntegratorStep(fmi_abi::v2::Component,
                                                          fmi_abi::v2::Boolean no_set_state,
                                                          fmi_abi::v2::Boolean* enter_event_mode,
                                                          fmi_abi::v2::Boolean* terminate) {
  count(no_set_state != 0);
  *enter_event_mode = *terminate = 0;
  return fmi_abi::v2::ok;
}

FLAGS_API fmi_abi::v3::Status fmi3CompletedIntegratorStep(fmi_abi::v3::Instance,
                                                          fmi_abi::v3::Boolean no_set_state,
                                                          fmi_abi::v3::Boolean* enter_event_mode,
                                                          fmi_abi::v3::Boolean* terminate) {
  count(no_set_state);
  *enter_event_mode = *terminate = false;
  return fmi_abi::v3::ok;
}

FMUKIT_EXPORT(RollbackFlags)
