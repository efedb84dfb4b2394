// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "execution/monitor.hpp"

namespace tutti::master {

/// Receives every accepted point in time. Nothing is published before it is accepted.
class StepObserver {
 public:
  virtual ~StepObserver() = default;
  virtual void record(double t) = 0;
  /// Rows from here on may become void: they are buffered until release() or drop().
  virtual void hold() {}
  virtual bool is_holding() const { return false; }
  virtual void release() {}
  virtual void drop() {}
};

using execution::Monitor;

}  // namespace tutti::master
