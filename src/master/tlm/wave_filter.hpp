// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <optional>
#include <span>

#include "master/tlm/line_work.hpp"
#include "master/tlm/wave_table.hpp"

namespace tutti::master::tlm {

/// Damping of a line, as OMTLMSimulator has it: the wave that arrives is
///   c(t) = (1 - a) w(t - D) + a c(t - 1.5 D)
/// It is applied by the sender: what is sent at t arrives at t + D.
class WaveFilter {
 public:
  /// @pre 0 <= damping < 1; 0: waves are sent unfiltered
  WaveFilter(double damping, double delay, std::size_t directions, double nearness)
      : damping_(damping), past_(reach * delay) {
    if (damping > 0) sent_.emplace(directions, nearness);
  }
  /// Before the start, t, these waves were sent.
  void fill(double t, std::span<const double> waves) {
    if (!sent_) return;
    sent_->append(t, waves);
    sent_->publish(t);
  }
  void apply(double t, std::span<double> waves) {
    if (!sent_) return;
    std::array<double, LineWork::most_directions> values{};
    const std::span<double> before = std::span(values).first(waves.size());
    sent_->read(t - past_, before);
    for (std::size_t d = 0; d < waves.size(); ++d)
      waves[d] = (1 - damping_) * waves[d] + damping_ * before[d];
    fill(t, waves);
    sent_->forget_before(t - past_);
  }
  void keep(Memory& memory) {
    if (sent_) memory(*sent_);
  }

 private:
  static constexpr double reach = 1.5;  ///< delays
  double damping_, past_;
  std::optional<WaveTable> sent_;
};

}  // namespace tutti::master::tlm
