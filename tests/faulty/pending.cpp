// SPDX-License-Identifier: BSD-2-Clause
// Steps that go on in the background (FMI 1.0 and 2.0). FAULT, set in CMakeLists.txt, chooses how
// they end.
#include <fmukit/model.hpp>

#include <chrono>
#include <memory>
#include <thread>

namespace {

enum class Fault { finishes, finishes_silently, never, fails_later };
constexpr Fault fault = Fault::FAULT;

/// y integrates u; every step is pending for 2 ms.
class Pending final : public fmukit::Model {
 public:
  double u = 1, y = 0;

  static void describe(fmukit::Description<Pending>& d) {
    d.text("Steps that are pending").default_experiment({.start = 0, .stop = 1, .step = 0.1});
    d.promises().asynchronous = true;
    d.input("u", &Pending::u);
    d.output("y", &Pending::y).exact().depends_on({});
  }

  Pending() = default;
  Pending(const Pending&) = delete;  // a thread works on the object: no copies, no state
  Pending& operator=(const Pending&) = delete;
  ~Pending() override { join(); }

  fmukit::StepResult do_step(double h) override {
    join();
    if (fault == Fault::never) return fmukit::StepResult::pending();
    worker_ = std::thread([this, h] {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      const bool failed = fault == Fault::fails_later && time > 0.45;
      y += h * u;
      finish_step(failed ? fmukit::StepResult::error() : fmukit::StepResult{},
                  fault != Fault::finishes_silently);
    });
    return fmukit::StepResult::pending();
  }

 private:
  void join() {
    if (worker_.joinable()) worker_.join();
  }
  std::thread worker_;
};

}  // namespace

FMUKIT_EXPORT(Pending)
