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
  };
  CsModel(fmi::Fmu& fmu, Options options);

  const std::string& name() const override { return instance_->name(); }
  void initialize(const Experiment& experiment) override;
  bool handle_event(double t) override;
  void finish() override;
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
  StartValues start_;
  std::optional<double> next_event_;
};

}  // namespace tutti::models
