// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <tutti/log.hpp>
#include <vector>

#include "master/tlm/delayed_signal.hpp"
#include "master/tlm/feed_through_solver.hpp"
#include "master/tlm/line_end.hpp"
#include "models/boundary.hpp"

namespace tutti::master::tlm {

/// All ports and delayed signals of one component.
class ComponentPorts final : public models::Boundary {
 public:
  explicit ComponentPorts(bool is_model_exchange) : is_model_exchange_(is_model_exchange) {}
  void add(std::unique_ptr<LineEnd> end);
  /// Points are those of the plan; bind() resolves them.
  void add_source(const system::Point& from, SignalSource source);
  void add_target(const system::Point& to, SignalTarget target);
  /// The instance exists, and the addresses of its values are final.
  void bind(models::Instance& instance);

  std::span<const std::int32_t> read_inside() const override { return read_inside_; }
  void read_from(const models::ValueSet& inside) override;
  void begin(double t, double h, std::vector<double>& slopes) override;
  void apply(double t, bool before) override;
  bool correct() override;
  bool has_feed_through() const override { return solver_.size() > 0; }
  void accept(double t, bool inside, std::span<const double> slopes) override;
  void publish(double t) override;
  double next_jump(double t) override;

  /// Measures the direct feed-through from efforts to flows at the start. @pre the component is
  /// being initialized, with its inputs and outputs at the start
  /// @throws Error(capability) where a constant effort cannot be stable
  void probe(models::Instance& instance, const Log& log);

  void limit(Horizon& horizon) const;
  /// The lines are filled: the law applies from now on.
  void start(double t);
  std::span<const std::unique_ptr<LineEnd>> ends() const { return ends_; }
  std::span<SignalSource> sources() { return sources_; }
  void keep(Memory& memory);

 private:
  void check_feed_through(models::Instance& instance, LineEnd& end, const Log& log);
  void learn_derivatives(models::Instance& instance);
  std::span<FeedThroughSolver::Port> law();
  void write_efforts();

  const bool is_model_exchange_;
  std::vector<std::unique_ptr<LineEnd>> ends_;
  std::vector<SignalSource> sources_;
  std::vector<SignalTarget> targets_;
  std::vector<system::Point> source_points_, target_points_;
  std::vector<std::int32_t> read_inside_;
  bool has_started_ = false;
  unsigned published_ = 0;                      ///< times
  std::vector<LineEnd::Direction*> coupled_;    ///< effort-type ones that act inside
  FeedThroughSolver solver_;                    ///< over them; empty: no direct feed-through
  std::vector<FeedThroughSolver::Port> ports_;  ///< scratch
};

}  // namespace tutti::master::tlm
