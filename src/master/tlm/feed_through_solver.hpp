// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <vector>

#include "master/memory.hpp"

namespace tutti::master::tlm {

/// The law of lines at ports with direct feed-through from effort to flow:
///   e = c + Z f(e)
/// Newton's method with D = df/de, estimated during the iteration (C. G. Broyden, 1965). D of
/// passive components is not positive, so I - Z D can be solved.
class FeedThroughSolver {
 public:
  void resize(std::size_t n);
  std::size_t size() const { return effort_.size(); }
  /// df/de, row by row.
  void set_derivatives(std::span<const double> d) { d_.assign(d.begin(), d.end()); }
  std::span<const double> derivatives() const { return d_; }

  /// The present values of each direction; solve() writes new efforts.
  struct Port {
    double wave = 0, impedance = 0, flow = 0, effort = 0;
  };
  /// The flows are those of the present efforts: solves the law with D.
  void solve(std::span<Port> ports);
  /// The flows belong to the efforts of the last call. True: the law is satisfied; false: the
  /// efforts were improved.
  bool improve(std::span<Port> ports);

  void keep(Memory& memory) { memory(d_); }

 private:
  void learn(std::span<const Port> ports);

  std::vector<double> d_;
  std::vector<double> effort_, flow_;  ///< of the last call
  std::vector<double> right_, solution_;
};

}  // namespace tutti::master::tlm
