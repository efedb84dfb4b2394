// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <memory>

#include "fmi/fmu.hpp"
#include "models/boundary.hpp"
#include "models/cs_curves.hpp"
#include "models/fmu_model.hpp"

namespace tutti::models {

/// A co-simulation FMU as an instance.
class CsModel final : public FmuModel {
 public:
  struct Options : FmuModel::Options {
    fmi::CoSimulationOptions fmu;
    bool goes_back = false;  ///< steps may be repeated
    bool curves = false;     ///< inputs may change inside a step
    double substep = 0;      ///< maximum step of the FMU; 0: no limit
    FmuNeeds needs;
    bool may_save_states = true;  ///< for look_ahead(), and where discarded steps need them
    Boundary* boundary = nullptr;
    Log log;
  };
  CsModel(fmi::Fmu& fmu, Options options);

  void end_initialization(const Experiment& experiment) override;
  StepOutcome step(double t, double h) override;
  void set_curves(std::span<const double> slopes, std::span<const double> curvatures) override {
    curves_.set(slopes, curvatures);
  }
  std::uint32_t input_order() const override { return needs_.input_order; }
  std::uint32_t output_derivative_order() const override {
    return std::min(instance_->capabilities().max_output_derivative_order, needs_.output_order);
  }
  void get_output_derivatives(std::span<const std::int32_t> variables, std::uint32_t order,
                              std::span<double> values) override;
  bool follows_curves() const override { return curves_.are_followed(); }
  std::optional<double> look_ahead(double t, double h, std::vector<double>& ahead) override;
  bool can_look_ahead() const override { return can_go_back() && may_save_states_; }

  // For DirectSteps alone:
  /// step() as bare FMI calls. Version none: not possible. @pre the values are not moved
  fmi::DirectStep direct_step();
  StepOutcome resume(const fmi::DirectStep& step, const fmi::DirectStep::End& end, double t,
                     double h) {
    const StepOutcome outcome = accept(instance_->resume(step, end, t, h), t);
    if (boundary_ != nullptr && outcome.reached > t) boundary_->accept(outcome.reached, false);
    return outcome;
  }
  /// Call its begin() before a direct step, and accept() after one that ended plainly.
  Boundary* boundary() const { return boundary_; }
  /// Direct steps are counted by DirectSteps; see fmi::FmuInstance.
  void count_direct_steps(const std::uint64_t* counter) {
    instance_->count_direct_steps(counter, !inputs_.empty(), !outputs_.empty());
  }
  void uncount_direct_step() { instance_->uncount_direct_step(); }
  /// After a direct step from t that changed the floating-point control (base/float_control.hpp).
  void keep_float_control(double t) { instance_->keep_float_control(t); }

  void begin_event() override { instance_->enter_event_mode(); }
  bool end_event(double t) override;
  bool handle_event(double t) override;
  void save(Snapshot& into) override;
  void restore(const Snapshot& from) override;
  std::string write_state(const Snapshot& from) override;
  Snapshot read_state(std::string_view bytes) override;
  bool has_rollback_flag() const override { return goes_back_; }
  void expect_rollback(bool expected) override {
    goes_back_ = can_go_back() && (expected || always_goes_back_);
  }
  void try_rollback_flag(double t, double h) override;
  bool can_vary_step() const override { return instance_->capabilities().can_vary_step; }
  bool has_event_mode() const override { return event_mode_; }

 private:
  struct Saved;
  fmi::FmuInstance& fmu() const override { return *instance_; }
  void prepare_boundary(const ModelDescription& description, Options& options);
  StepOutcome step_in_parts(double t, double h);
  StepOutcome step_once(double t, double h);
  void set_inputs();
  StepOutcome do_step(double t, double h);
  /// Returns `outcome` once the FMU is at the time it reports. @throws RunAgain
  StepOutcome accept(const StepOutcome& outcome, double t);
  /// The caller has saved the start of the next step.
  bool is_saved() const { return saved_at_ == fmu().counts().do_step; }
  bool return_to_start_of_step(double t, bool has_moved);
  void save_to(Saved& saved);
  void restore_from(const Saved& saved);
  std::optional<double> step_ahead(double t, double h, std::vector<double>& ahead);
  std::optional<double> extrapolate_ahead(double t, double h, std::vector<double>& ahead);
  std::vector<double> real_outputs() const;
  /// The real outputs after a step from `here`, to which the FMU is restored afterwards.
  std::vector<double> try_step(const fmi::FmuState& here, double t, double h, bool may_go_back);
  void set_input_derivatives();
  /// The FMU rejected input derivatives, or its output derivatives are NaN: from now on without
  /// them.
  [[noreturn]] void do_without(const std::string& why, const ErrorDetails& details,
                               std::uint32_t FmuNeeds::*order, std::uint32_t highest) const;
  /// FMI 3.0: the FMU requests the inputs at its ports, or has finished an internal step.
  void update_boundary(fmi::CoSimulation& instance, const fmi::IntermediateMoment& moment);
  /// Event iteration of FMI 3.0; ends in step mode. Returns false on a termination request.
  bool update_until_stable(double t);

  fmi::Owned<fmi::CoSimulation> instance_;
  bool event_mode_ = false;
  bool always_goes_back_ = false;  ///< independent of expect_rollback()
  bool goes_back_ = false;
  bool may_save_states_ = true;
  std::optional<std::uint64_t> saved_at_;  ///< calls of doStep before it was last saved or restored
  FmuNeeds needs_;
  fmi::FmuState before_step_;  ///< for a step that is discarded
  bool repeats_ = false;       ///< the next step is the last one again (FMI 1.0)
  std::uint64_t steps_ = 0;    ///< without those

  CsCurves curves_{inputs_};
  Boundary* boundary_ = nullptr;  ///< null: no lines
  ValueSet read_inside_;          ///< outputs that are read inside a step
  Log log_;
  double substep_ = 0;
  // Scratch, of output derivatives.
  std::vector<std::int32_t> orders_;
  std::vector<ValueReference> references_;
};

struct CsModel::Saved final : SavedState {
  fmi::FmuState fmu;
  ValueSet::Values outputs;
  std::optional<double> next_event;
  std::uint64_t steps = 0;  ///< taken up to the saved state
  CsCurves::Asks asks{};    ///< repeated steps use the value before
};

}  // namespace tutti::models
