// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "fmi/model_exchange.hpp"
#include "models/state_elements.hpp"

namespace tutti::models {

/// The pattern of a Jacobian as an FMU states it while it runs, element by element
/// (providesPerElementDependencies of FMI 3.0). What it states holds at the present point, so the
/// pattern grows with every answer and never shrinks.
class ElementPattern {
 public:
  /// @pre the instance is past initialization, and its states are these elements
  ElementPattern(fmi::ModelExchange& instance, const StateElements& states);

  /// Asks again. True: the pattern has new entries, or has become full.
  bool update();
  /// The FMU gave no usable answer, or the pattern is too large: every element depends on every
  /// state.
  bool is_full() const { return is_full_; }
  /// @pre !is_full()
  SparsityPattern pattern() const;
  /// Why the answer of the FMU is not usable; empty: it is.
  const std::string& complaint() const { return complaint_; }

 private:
  bool read(const StateElements::Array& array, std::vector<std::vector<std::size_t>>& rows);
  bool complain(std::string text);

  fmi::ModelExchange& instance_;
  const StateElements& states_;
  std::vector<std::vector<std::size_t>> rows_;  ///< columns, ascending
  bool is_full_ = false;
  std::string complaint_;
};

}  // namespace tutti::models
