// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fmukit/model.hpp>
#include <memory>
#include <string>
#include <vector>

#include "zoo/collocation.hpp"
#include "zoo/system.hpp"

namespace zoo {

/// All components of a system as one set of equations x' = f(t, x), with discrete variables that
/// change at events only. Uses the models themselves, without FMI.
class Whole {
 public:
  static constexpr std::size_t max_states = 16;

  explicit Whole(const System& system);

  std::size_t size() const { return states_.size(); }
  void states(double* x) const;
  /// Brings everything to (t, x): inputs solve all connections. dx may be null.
  void evaluate(double t, const double* x, double* dx);
  /// Which indicators are positive.
  std::vector<bool> signs() const;
  /// Events at t until nothing changes; x are the states behind them.
  void update(double t, double* x);
  /// The next time event, or the next row of a table, behind t.
  double next_time(double t) const;
  bool has_indicators() const { return !indicators_.empty(); }

  std::vector<std::string> names;      ///< of the outputs
  void outputs(double* values) const;  ///< as of the last evaluation

 private:
  /// A place of any type inside a model.
  struct Value {
    void* place = nullptr;
    fmukit::Type type{};
    double get() const;
    void set(double value) const;
  };
  struct Link {
    Value from, to;
    double factor, offset;
  };
  struct Driver {
    double* to;
    const Table* table;
    std::size_t row;  ///< the last one that is not behind the last event
  };
  struct Member {
    const fmukit::ModelInfo* info;
    std::unique_ptr<fmukit::Model> model;
    double next_event = 0;
  };
  Value find(const std::string& part_and_variable) const;
  Value find(const Member& member, const std::string& variable) const;
  void compute();
  void connect();
  bool pass_on();
  void solve_loops();

  const System& system_;
  std::vector<Member> members_;
  std::vector<double*> states_, derivatives_, indicators_;
  std::vector<Value> outputs_;
  std::vector<Link> links_;
  std::vector<Driver> drivers_;
  double t_ = 0;
  static constexpr std::size_t max_links = 16;
  bool has_loop_ = false, loop_known_ = false;
  Factors<max_links> loop_;  ///< 1 - L dy/du
};

}  // namespace zoo
