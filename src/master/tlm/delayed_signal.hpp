// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <limits>

#include "master/tlm/wave_table.hpp"

namespace tutti::master::tlm {

/// The sender of a delayed signal: to(t) = factor * from(t - D) + offset.
struct SignalSource {
  WaveTable* table = nullptr;
  const double *output = nullptr, *inside = nullptr;
  double factor = 1, offset = 0;
  /// The sender may not be ahead of the target by more than this, so that the table stays short.
  double lead = 0;
  std::vector<double> pending = {};  ///< times and values that are not yet accepted by the island

  /// Discards the rows of a repeated step.
  void drop_after(double t) {
    const double until = t + 8 * std::numeric_limits<double>::epsilon() * std::abs(t);
    while (!pending.empty() && pending[pending.size() - 2] > until)
      pending.resize(pending.size() - 2);
  }
  void accept(double t, bool is_inside) {
    const double value = factor * *(is_inside ? inside : output) + offset;
    if (pending.size() >= 2 && pending[pending.size() - 2] == t && pending.back() == value) return;
    pending.insert(pending.end(), {t, value});
  }
  void publish(double t) {
    drop_after(t);
    for (std::size_t i = 0; i < pending.size(); i += 2)
      table->append(pending[i], std::span(&pending[i + 1], 1));
    pending.clear();
    table->publish(t);
  }
};

/// The receiver.
struct SignalTarget {
  WaveTable* table = nullptr;
  double delay = 0;
  bool divides_steps = false;  ///< see LineEndSetup
  double* input = nullptr;
  std::size_t continuous = 0;  ///< number among the continuous inputs
  bool moves = false;          ///< the component follows slopes

  double at(double t, bool before = false) const {
    double value = 0;
    table->read(t - delay, std::span(&value, 1), before);
    return value;
  }
};

}  // namespace tutti::master::tlm
