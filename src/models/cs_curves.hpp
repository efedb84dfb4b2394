// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "fmi/co_simulation.hpp"
#include "models/run_needs.hpp"
#include "models/value_set.hpp"

namespace tutti::models {

/// How a co-simulation FMU follows continuous inputs inside a step. FMI 1.0 and 2.0 get input
/// derivatives before the step; FMI 3.0 requests values inside the step, for inputs that allow it.
class CsCurves {
 public:
  /// FMI 3.0 does not declare whether an FMU will request inputs inside a step.
  enum class Asks : std::uint8_t { unknown, yes, no };

  /// @param inputs of the FMU; they must outlive this object
  explicit CsCurves(ValueSet& inputs) : inputs_(inputs) {}
  CsCurves(const CsCurves&) = delete;
  CsCurves& operator=(const CsCurves&) = delete;

  /// Before the FMU is instantiated with these options.
  void prepare(const ModelDescription& description, std::uint32_t highest_order,
               fmi::CoSimulationOptions& options);
  /// The FMU accepts derivatives...
  bool are_used() const { return are_used_; }
  /// ...and, as far as that is known, uses them.
  bool are_followed() const { return are_used_ && asks_ != Asks::no; }
  bool has_derivatives() const { return are_used_ && !by_intermediate_update_; }
  Asks asks() const { return asks_; }
  void restore(Asks asks) { asks_ = asks; }

  void set(std::span<const double> slopes, std::span<const double> curvatures);
  void begin_step(double t);
  /// Slopes of all continuous inputs, or of the first ones; those of the others are 0.
  std::vector<double>& slopes() { return slopes_; }
  /// FMI 3.0: sets the inputs at t inside the step.
  void set_inside(fmi::CoSimulation& instance, double t);
  /// The step is taken in parts.
  void begin_parts();
  /// The next part starts: inputs and derivatives are those at its start.
  void begin_part(double t);
  /// Derivatives that an FMU gets before a step: those that are no longer given are set to zero.
  struct InputDerivatives {
    std::span<const ValueReference> references;
    std::span<const std::int32_t> orders;
    std::span<const double> values;
  };
  InputDerivatives next_derivatives();
  /// After a step. True: the FMU did not request inputs inside it, for the first time.
  bool note_whether_asked();

 private:
  void find_negated();
  double curvature(std::size_t i) const { return curvatures_.empty() ? 0 : curvatures_[i]; }

  ValueSet& inputs_;
  bool are_used_ = false, by_intermediate_update_ = false;
  Asks asks_{};
  bool asked_ = false, reported_ = false;
  std::vector<double> slopes_;      ///< empty: inputs are constant
  std::vector<double> curvatures_;  ///< empty: inputs are linear
  double begin_ = 0;                ///< time at which the polynomials start
  /// For FMI 1.0 and 2.0: all first derivatives, then all second ones.
  struct {
    std::vector<ValueReference> references;
    std::vector<std::int32_t> orders;
    std::vector<double> values;
    std::vector<std::size_t> negated;  ///< inputs that are negated aliases (FMI 1.0)
    std::size_t count = 0;             ///< of the last call
  } derivatives_;
  // Scratch: the start of a step of several parts, and the inputs requested inside one.
  double parts_from_ = 0;
  std::vector<double> moved_, start_slopes_, inside_;
};

}  // namespace tutti::models
