// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <vector>

#include "master/memory.hpp"
#include "models/instance.hpp"

namespace tutti::master {

/// Time derivatives of outputs of one component, from its FMU after a step.
class OutputDerivatives {
 public:
  explicit OutputDerivatives(models::Instance& instance) : instance_(&instance) {}

  /// Adds this scalar variable. Returns its index.
  std::size_t add(std::int32_t variable);
  bool empty() const { return variables_.empty(); }
  /// Empty: it is not among them.
  std::optional<std::size_t> index_of(std::int32_t variable) const;
  bool has_second() const { return instance_->output_derivative_order() > 1; }
  /// The component is at the end of a step.
  void update();
  void forget() { known_ = false; }
  bool known() const { return known_; }
  double first(std::size_t index) const { return first_[index]; }
  double second(std::size_t index) const { return second_[index]; }
  /// Replaces them by those for other inputs.
  void correct(int order, std::size_t index, double value) {
    (order == 1 ? first_ : second_)[index] = value;
  }
  double of_order(int order, std::size_t index) const {
    return (order == 1 ? first_ : second_)[index];
  }

  void keep(Memory& memory) { memory(known_, first_, second_); }

 private:
  models::Instance* instance_;
  std::vector<std::int32_t> variables_;
  std::vector<double> first_, second_;
  bool known_ = false;
};

}  // namespace tutti::master
