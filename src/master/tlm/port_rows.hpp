// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "base/time_grid.hpp"

namespace tutti::master::tlm {

/// The quantities of one direction of a port: e = c + Z f, f, c and w.
enum class PortQuantity : std::uint8_t { effort, flow, wave, sent };
constexpr std::size_t port_quantities = 4;

/// Samples of one end of a line, passed from the thread of its island to the calling thread.
class PortSamples {
 public:
  /// One direction at one time: quantities in their order, then their time derivatives, NaN where
  /// unknown.
  static constexpr std::size_t per_direction = 2 * port_quantities;

  PortSamples(std::size_t directions, double start)
      : stride_(1 + per_direction * directions), last_(start) {}
  /// An accepted sample: the time, then by direction.
  void add(std::span<const double> sample);

 private:
  friend class PortRows;
  double* at(std::size_t k) { return taken_.data() + k * stride_; }
  std::size_t size() const { return taken_.size() / stride_; }

  const std::size_t stride_;
  std::atomic<double> last_;  ///< time
  std::mutex mutex_;
  std::vector<double> added_;
  // Of the calling thread:
  std::vector<double> taken_;
  std::size_t next_ = 0;  ///< the first sample after the last row
};

/// Results of ports at separate times: of a grid, or of all samples. Values between samples are
/// interpolated as receivers interpolate waves. A row is delivered when all ports have passed it.
class PortRows {
 public:
  struct Choice {
    std::uint32_t port = 0;  ///< in LinePlan::ports
    std::uint32_t direction = 0;
    PortQuantity quantity{};
  };
  using Sink = std::function<void(double t, std::span<const double> values)>;
  struct Setup {
    std::vector<Choice> choices;  ///< by column, consecutive for each port
    TimeGrid times{0, 1, 1};
    bool every_sample = false;  ///< instead of these times
    double nearness = 0;        ///< times that differ by less are equal
    double longest_step = 0;    ///< of all islands
    Sink sink;
  };
  explicit PortRows(Setup setup) : setup_(std::move(setup)) {}

  /// A port of the choices, in their order.
  PortSamples& add_port(std::size_t directions);
  /// Delivers complete rows, in the calling thread; at the end, also those at the last samples.
  void deliver(bool is_end = false);
  /// The buffer is so full that islands ahead must wait for the others. Those behind never wait, so
  /// one can always step.
  bool must_wait(double t) const {
    return is_full_.load(std::memory_order_relaxed) && t > known_until() + setup_.longest_step;
  }

 private:
  double known_until() const;
  void take();
  double next_time() const;
  void write_row(double t, bool before);
  double value_at(PortSamples& port, std::size_t column, double t, bool before) const;
  void forget();

  Setup setup_;
  std::vector<std::unique_ptr<PortSamples>> ports_;
  std::uint64_t row_ = 0;  ///< of the grid
  std::vector<double> values_;
  std::atomic<bool> is_full_{false};
};

}  // namespace tutti::master::tlm
