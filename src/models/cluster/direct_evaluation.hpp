// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <exception>
#include <span>
#include <vector>

#include "base/float_control.hpp"
#include "models/cluster/exchange.hpp"

namespace tutti::models {

/// Evaluates a cluster in continuous-time mode by the bare functions of its members, in one list of
/// calls: each member gets time and states when it is first needed, and its derivatives are read
/// when its last inputs are set, so that all its calls are close to each other. What needs more
/// than moving doubles (loops, conversions, arrays that are set in part) the exchange does.
///
/// The floating-point control is checked once per evaluation.
class DirectEvaluation {
 public:
  /// Where the cluster is, and what its members do not know yet of it.
  struct Point {
    double t = 0;
    std::span<const double> x;  ///< states of all members
    bool time_is_new = true, states_are_new = true;
  };

  /// @pre exchange.use_states() was called; exchange and members outlive this object
  /// @param first_state by member, and behind the last
  /// @param time of the cluster at present, for messages of its members
  DirectEvaluation(ClusterExchange& exchange, Members members,
                   std::span<const std::size_t> first_state, const double& time);
  ~DirectEvaluation();
  DirectEvaluation(const DirectEvaluation&) = delete;
  DirectEvaluation& operator=(const DirectEvaluation&) = delete;

  /// All members are at the point, with the inputs that belong to it.
  /// @param dx derivatives of all states; empty: not read
  /// @return false: to be evaluated again by other means, from now on, because a member has changed
  /// the floating-point control, which is restored, or an FMU must not be called any more
  /// @throws Error, Discarded
  bool run(const Point& point, std::span<double> dx);

  enum class Kind : std::uint8_t { set_time, set_states, set, set3, get, get3, derivatives, step };

 private:
  // Thousands of moves and calls must fit into the cache.
  struct Move {
    const double* from;  ///< null: a state
    double* to;
    std::uint32_t state;
    std::uint32_t scale;  ///< number in scales_, from 1; 0: none
  };
  struct Scale {
    double factor, offset;
  };
  /// What calls of like members have in common.
  struct Likeness {
    Kind kind{};
    fmi::DirectFunctions::Address function = nullptr;
    References references;
    std::size_t value_count = 0;
  };
  struct Call {
    std::uint32_t likeness = 0;  ///< number in likenesses_
    std::uint32_t member = 0;    ///< of a step: its index in the exchange
    void* component = nullptr;
    double* values = nullptr;
    std::uint32_t first = 0;  ///< state; of a set: move
    std::uint32_t move_count = 0;
  };
  class Builder;

  /// Calls from `call` on, until the end, a status that is not ok, or a step of the exchange.
  int run_calls(const Call*& call, const Point& point, double* dx);
  void move(const Call& call, const double* x) const;
  Kind kind_of(const Call& call) const { return likenesses_[call.likeness].kind; }
  void judge(const Call& call, int result);
  void count_calls(const Call* failed, bool with_derivatives);
  bool is_corrupted() const;

  ClusterExchange& exchange_;
  Members members_;
  const double& time_;
  FloatControl float_control_ = FloatControl::now();
  std::vector<Likeness> likenesses_;
  std::vector<Call> calls_;
  std::vector<Move> moves_;
  std::vector<Scale> scales_;
  std::vector<const std::atomic<bool>*> corrupted_;  ///< one per FMU
  std::exception_ptr thrown_;                        ///< by the last call
  std::uint64_t evaluations_ = 0, derivatives_ = 0;  ///< that did not fail
};

}  // namespace tutti::models
