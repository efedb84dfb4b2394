// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <tutti/control_settings.hpp>
#include <tutti/log.hpp>
#include <vector>

#include "master/global_error.hpp"
#include "master/step_inputs.hpp"
#include "master/stepping/step_controller.hpp"
#include "models/input_table.hpp"

namespace tutti::master {

/// Limits steps so that components resolve their tables.
///
/// Over a step a component receives a line, or a constant. The step ends at a row before the rows
/// of the table are farther from a line than atol + rtol |u|, and before the constant is farther
/// from that line in the mean. With h, s the step and the slope of the line:
///   value at the start or at the end of the step     h |s|/2
///   value in its middle                              h |s|/2 min(1, r h/6)
/// The middle has no error in the mean: its effect is proportional to h r, where 1/r is the time
/// constant of the fastest state. Outputs with direct feed-through have the error at the end of the
/// step: h |s| of the value at the start, h |s|/2 of that in the middle.
class InputLimits {
 public:
  enum class Received : std::uint8_t { line, start, middle, end };
  struct Signal {
    const models::InputTable* table = nullptr;
    std::size_t input = 0;  ///< among its continuous inputs
    Received received = Received::line;
    bool feeds_through = false;
    double rate = 0;   ///< r in 1/s; infinity: unknown
    std::string name;  ///< for messages
  };
  InputLimits() = default;
  InputLimits(const ControlSettings& settings, std::vector<Signal> signals, const Log& log);

  /// As CoupledInputs::limit().
  double end_of_step(double t, double end, double min);

 private:
  double limit_of_constant(const Signal& signal, double t, double end) const;
  void refuse(const Signal& signal, double t, double h, double min);

  std::vector<Signal> signals_;
  models::InputTolerance tolerance_;
  bool sees_constants_ = false;  ///< the step control tests them itself
  bool stops_at_min_ = true, has_warned_ = false;
  const Log* log_ = nullptr;
};

/// What step controllers need to know of inputs: the signals that components receive, how far these
/// were from the actual values, and the effect of such errors on the results.
class InputErrors final : public CoupledInputs {
 public:
  explicit InputErrors(Assembly& assembly);

  /// Sets how the components are coupled from now on. @pre the inputs are described
  void describe(const StepInputs& inputs);
  /// All components are at the start of the run.
  void start();
  /// A step is attempted from here.
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

  /// Of the results; null: not estimated.
  GlobalError* global() const { return global_.get(); }

 private:
  void find_switches();
  void find_limits(const StepInputs& inputs);
  /// The target of a connection.
  struct Target {
    const InputCurves* curves = nullptr;  ///< null: constant over a step
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
    std::uint64_t before = 0;  ///< of the present step
  };
  std::vector<Switch> switches_;
  InputLimits limits_;  ///< of externals, where errors choose the steps
  std::unique_ptr<GlobalError> global_;
};

}  // namespace tutti::master
