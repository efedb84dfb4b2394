// SPDX-License-Identifier: BSD-2-Clause
// FMUs that cannot do in the first step of a run what they promise. FAULT, set in CMakeLists.txt,
// chooses what.
#include <fmukit/model.hpp>

#include <stdexcept>
#include <type_traits>

enum class Fault {
  refuses_short_steps,   ///< with an error
  discards_short_steps,  ///< as if they were too long
  keeps_moving,          ///< a state that is restored changes nothing
  hides_a_state,         ///< nothing but the output is restored
};
constexpr Fault fault = Fault::FAULT;
constexpr bool can_be_copied = fault == Fault::keeps_moving || fault == Fault::hides_a_state;
constexpr double shortest = 0.05;

struct NotCopied {
  NotCopied() = default;
  NotCopied(const NotCopied&) = delete;
  NotCopied& operator=(const NotCopied&) = delete;
};
struct Copied {};

/// A number that forgets that it was another one before, with this fault.
template <Fault its_fault>
struct Moving {
  double value = 1;
  Moving() = default;
  Moving(const Moving&) = default;
  Moving& operator=(const Moving& other) {
    if (fault != its_fault) value = other.value;
    return *this;
  }
};

/// y' = u - y by Euler's method, or y' = z, z' = u - z.
class FirstSteps final : public fmukit::Model {
 public:
  double u = 0;
  Moving<Fault::keeps_moving> y;
  Moving<Fault::hides_a_state> z;
  [[no_unique_address]] std::conditional_t<can_be_copied, Copied, NotCopied> ability;

  static void describe(fmukit::Description<FirstSteps>& d) {
    d.text("Takes no first step but a plain one").default_experiment({.stop = 1, .step = 0.1});
    d.input("u", &FirstSteps::u);
    d.output("y", [](FirstSteps& m) -> double& { return m.y.value; }).exact().depends_on({});
  }
  fmukit::StepResult do_step(double h) override {
    if (fault == Fault::refuses_short_steps && h < shortest)
      throw std::runtime_error("the step is too short");
    if (fault == Fault::discards_short_steps && h < shortest)
      return fmukit::StepResult::discard(time);
    if (fault == Fault::hides_a_state) {
      y.value += h * z.value;
      z.value += h * (u - z.value);
      return {};
    }
    y.value += h * (u - y.value);
    return {};
  }
};

FMUKIT_EXPORT(FirstSteps)
