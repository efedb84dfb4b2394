// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>

#include "fmi/fmu.hpp"
#include "models/fmu_model.hpp"

namespace tutti::models {

/// A co-simulation FMU as an instance.
class CsModel final : public FmuModel {
 public:
  struct Options : FmuModel::Options {
    fmi::CoSimulationOptions fmu;
    bool goes_back = false;  ///< steps may be repeated
  };
  CsModel(fmi::Fmu& fmu, const Options& options);

  void end_initialization(const Experiment& experiment) override;
  bool handle_event(double t) override;
  void save(Snapshot& into) override;
  void restore(const Snapshot& from) override;
  bool can_vary_step() const override { return instance_->capabilities().can_vary_step; }
  bool has_event_mode() const override { return event_mode_; }

 private:
  fmi::FmuInstance& fmu() const override { return *instance_; }
  StepOutcome step_generally(double t, double h) override;
  /// Event iteration of FMI 3.0; ends in step mode. Answers false on a termination request.
  bool update_until_stable(double t);

  std::unique_ptr<fmi::CoSimulation> instance_;
  bool event_mode_ = false;
  bool goes_back_ = false;
  bool repeats_ = false;  ///< the next step is the last one again (FMI 1.0)
};

}  // namespace tutti::models
