// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "master/global_error.hpp"
#include "master/input_limits.hpp"
#include "master/step_inputs.hpp"
#include "master/stepping/step_controller.hpp"

namespace tutti::master {

/// What step controllers are to know of inputs: what components take them for, how far that was
/// from what came, and what becomes of such errors in the results.
class InputErrors final : public CoupledInputs {
 public:
  explicit InputErrors(Assembly& assembly);

  /// How the components are coupled, now or from now on. @pre the inputs are described
  void describe(const StepInputs& inputs);
  /// All components are where the run starts.
  void start();
  /// A step is tried from here.
  void note_switches();

  std::span<const InputModel> models() const override { return models_; }
  std::uint32_t lowest_order() const override;
  double limit(double t, double end, double min) override {
    return limits_.end_of_step(t, end, min);
  }
  std::optional<GivenCurve> given(std::size_t connection) const override;
  std::optional<double> missed_prediction(std::size_t connection, double end) const override;
  std::optional<double> doubt(std::size_t connection) const override;
  bool has_switched() const override;
  std::span<const double> weights() const override;
  bool are_noted() const override { return global_ != nullptr; }
  void note(double h, std::span<const InputRecord> inputs) override { global_->step(h, inputs); }

  /// Of the results; null: it is not estimated.
  GlobalError* global() const { return global_.get(); }

 private:
  void find_switches();
  void find_limits(const StepInputs& inputs);
  /// Where a connection leads to.
  struct Target {
    const InputCurves* curves = nullptr;  ///< none: it is constant over a step
    std::size_t input = 0;
    double factor = 1, offset = 0;
    const double* doubt = nullptr;  ///< see doubt()
  };
  const Target* target_of(std::size_t connection) const;

  Assembly& assembly_;
  std::vector<InputModel> models_;  ///< by connection of real values
  std::vector<Target> targets_;     ///< likewise
  std::vector<bool> predicted_;     ///< by component, see StepInputs
  /// A coupled value of a component without event mode that is neither real nor a text.
  struct Switch {
    const models::ValueSet* set;
    const models::Scalar* scalar;
    std::uint64_t before = 0;  ///< the present step
  };
  std::vector<Switch> switches_;
  InputLimits limits_;  ///< of externals, where errors choose the steps
  std::unique_ptr<GlobalError> global_;
};

}  // namespace tutti::master
