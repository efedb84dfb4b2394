// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <gtest/gtest.h>

#include "master/stepping/step_controller.hpp"

namespace tutti::master {

/// What systems without FMUs have in common on which step controllers are tested. They count what
/// is asked of them.
class CountingSystem : public SteppedSystem, public CoupledInputs {
 public:
  double time = 0;
  bool goes_back = true;
  std::uint32_t order = 0;
  std::vector<InputModel> input_models;
  int attempts = 0, saves = 0, restores = 0;

  models::StepOutcome step(double t, double h) override {
    return attempt(t, h, nullptr, 0).outcome;
  }
  models::StepOutcome take_steps(const TimeGrid&, std::uint64_t&, std::uint64_t) override {
    return {};
  }
  bool is_quiet(double) override { return true; }
  bool can_vary_step() const override { return true; }
  std::string name() const override { return "the system"; }
  void save(Checkpoint& into) override {
    EXPECT_TRUE(goes_back);
    ++saves;
    into.memory = values();
    into.memory.push_back(time);
  }
  void restore(const Checkpoint& from) override {
    EXPECT_TRUE(goes_back);
    ++restores;
    time = from.memory.back();
    set_values({from.memory.begin(), from.memory.end() - 1});
  }
  void couplings(bool, std::vector<double>& into) const override { into = values(); }
  bool iterates() const override { return false; }
  bool has_feed_through() const override { return false; }
  bool can_roll_back() const override { return goes_back; }
  CoupledInputs& coupled_inputs() override { return *this; }
  std::uint32_t lowest_order() const override { return order; }
  std::span<const InputModel> models() const override { return input_models; }

 protected:
  virtual std::vector<double> values() const = 0;
  virtual void set_values(const std::vector<double>& values) = 0;
};

}  // namespace tutti::master
