// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>

#include "fmi/fmu.hpp"
#include "models/instance.hpp"
#include "models/start_values.hpp"

namespace tutti::models {

/// A co-simulation FMU as an instance.
class CsModel final : public Instance {
 public:
  struct Options {
    fmi::CoSimulationOptions fmu;
    StartValues start;
    std::vector<std::int32_t> inputs;   ///< variables that the master drives
    std::vector<std::int32_t> outputs;  ///< variables that the master reads
    bool goes_back = false;             ///< steps may be repeated
  };
  CsModel(fmi::Fmu& fmu, Options options);

  const std::string& name() const override { return instance_->name(); }
  void begin_initialization(const Experiment& experiment) override;
  void set_in_initialization(std::span<const std::int32_t> variables) override;
  void get_in_initialization(std::span<const std::int32_t> variables) override;
  bool differentiate_in_initialization(std::span<const std::int32_t> unknowns,
                                       std::span<const std::int32_t> knowns,
                                       std::span<const double> seed,
                                       std::span<double> sensitivity) override;
  void end_initialization(const Experiment& experiment) override;
  bool handle_event(double t) override;
  void finish() override;
  GoingBack going_back() const override;
  void save(Snapshot& into) override;
  void restore(const Snapshot& from) override;
  bool can_vary_step() const override { return instance_->capabilities().can_vary_step; }
  bool has_event_mode() const override { return event_mode_; }
  std::optional<double> next_event() const override { return next_event_; }
  const fmi::CallCounts& counts() const override { return instance_->counts(); }

 private:
  StepOutcome step_generally(double t, double h) override;
  /// Event iteration of FMI 3.0; ends in step mode. Answers false on a termination request.
  bool update_until_stable(double t);

  std::unique_ptr<fmi::CoSimulation> instance_;
  bool event_mode_ = false;
  bool goes_back_ = false;
  bool initialized_ = false;
  bool repeats_ = false;  ///< the next step is the last one again (FMI 1.0)
  StartValues start_;
  std::optional<double> next_event_;
};

}  // namespace tutti::models
