// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "fmi/co_simulation.hpp"
#include "models/run_needs.hpp"
#include "models/value_set.hpp"

namespace tutti::models {

/// How a co-simulation FMU follows continuous inputs inside a step. FMI 1.0 and 2.0 are told the
/// derivatives before the step; FMI 3.0 asks inside the step, for inputs that allow it.
class CsCurves {
 public:
  /// FMI 3.0 FMUs cannot say beforehand whether they will ask for inputs inside a step.
  enum class Asks : std::uint8_t { unknown, yes, no };

  /// @param inputs of the FMU; they stay where they are
  explicit CsCurves(ValueSet& inputs) : inputs_(inputs) {}
  CsCurves(const CsCurves&) = delete;
  CsCurves& operator=(const CsCurves&) = delete;

  /// Before the FMU is instantiated with these options.
  void prepare(const ModelDescription& description, std::uint32_t highest_order,
               fmi::CoSimulationOptions& options);
  /// The FMU takes them...
  bool are_used() const { return are_used_; }
  /// ...and, as far as that is known, looks at them.
  bool are_followed() const { return are_used_ && asks_ != Asks::no; }
  bool are_told() const { return are_used_ && !by_intermediate_update_; }
  Asks asks() const { return asks_; }
  void restore(Asks asks) { asks_ = asks; }

  void set(std::span<const double> slopes, std::span<const double> curvatures);
  void begin_step(double t);
  /// Of all continuous inputs, or of the first ones; those of the others are 0.
  std::vector<double>& slopes() { return slopes_; }
  /// FMI 3.0: the inputs as they are at t inside the step.
  void set_inside(fmi::CoSimulation& instance, double t);
  /// The step is taken in parts.
  void begin_parts();
  /// The next of them starts: the inputs and the curves are those of there.
  void begin_part(double t);
  /// What an FMU is told before a step: what is gone is told to be zero.
  struct Told {
    std::span<const ValueReference> references;
    std::span<const std::int32_t> orders;
    std::span<const double> values;
  };
  Told tell();
  /// After a step. True: the FMU turned out not to ask for inputs inside of it, for the first time.
  bool note_whether_asked();

 private:
  void find_negated();
  double curvature(std::size_t i) const { return curvatures_.empty() ? 0 : curvatures_[i]; }

  ValueSet& inputs_;
  bool are_used_ = false, by_intermediate_update_ = false;
  Asks asks_{};
  bool asked_ = false, reported_ = false;
  std::vector<double> slopes_;      ///< none: inputs hold
  std::vector<double> curvatures_;  ///< none: they are lines
  double begin_ = 0;                ///< where the curves begin
  /// For FMI 1.0 and 2.0: all first derivatives, then all second ones.
  struct {
    std::vector<ValueReference> references;
    std::vector<std::int32_t> orders;
    std::vector<double> values;
    std::vector<std::size_t> negated;  ///< inputs that are negated aliases (FMI 1.0)
    std::size_t count = 0;             ///< of the last time
  } derivatives_;
  // Scratch: where a step of several parts began, and what the FMU asked for inside one.
  double parts_from_ = 0;
  std::vector<double> moved_, start_slopes_, inside_;
};

}  // namespace tutti::models
