// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "fmi/model_exchange.hpp"
#include "models/value_set.hpp"

namespace tutti::models {

/// The instances of a cluster, in the order of its members.
using Members = std::span<const fmi::Owned<fmi::ModelExchange>>;

/// Variables of one member that are read, or written, together.
struct MemberValues {
  std::size_t member = 0;
  ValueSet values;
  std::vector<ValueReference> references;  ///< of values.doubles(), in their order
  std::vector<double> tangent;             ///< d of each double, while derivatives are computed

  MemberValues(std::size_t of, const ModelDescription& description,
               std::span<const std::int32_t> variables, const StructuralValues& structure);
  /// Index among the doubles. @pre it is one
  std::size_t double_index(const Scalar& scalar) const;
  double nominal(std::size_t scalar) const { return nominals_[scalar]; }
  /// Scalars whose values are not those of before. What an FMU computes by iteration differs from
  /// call to call, so continuous ones may differ a little.
  std::vector<std::size_t> changes_since(const ValueSet& before) const;

 private:
  std::vector<double> nominals_;     ///< by scalar
  std::vector<bool> is_continuous_;  ///< by scalar: a real that changes between events
};

/// One member's part of a directional derivative: d(outputs, dx/dt) along a seed of its states and
/// inputs, by the directional derivatives of the FMU.
class MemberTangent {
 public:
  explicit MemberTangent(fmi::ModelExchange& member);

  /// @param dx seed of the states
  void start(std::span<const double> dx);
  /// Seeds of inputs follow.
  void add(References inputs, std::span<const double> seed);

  /// @param result d of these variables, which are doubles
  void outputs(References variables, std::span<double> result) { differentiate(variables, result); }
  /// The same when no seeds follow any more: the derivatives come with them in one call.
  void last_outputs(References variables, std::span<double> result);
  void derivatives(std::span<double> result);

 private:
  void differentiate(References unknowns, std::span<double> result);

  fmi::ModelExchange& member_;
  std::vector<ValueReference> states_, derivatives_;
  std::vector<ValueReference> knowns_;
  std::vector<double> seed_;  ///< of the knowns
  std::size_t state_count_ = 0;
  bool has_slopes_ = false;                         ///< the last call brought them
  std::vector<double> slopes_;                      ///< d of outputs and derivatives
  std::vector<ValueReference> outputs_and_slopes_;  ///< scratch
};

}  // namespace tutti::models
