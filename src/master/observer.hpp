// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "execution/monitor.hpp"

namespace tutti::master {

/// Is told of every accepted point in time. Nothing is published before it is accepted.
class StepObserver {
 public:
  virtual ~StepObserver() = default;
  virtual void record(double t) = 0;
  /// What is recorded from here on may prove wrong: it is kept back until release() or drop().
  virtual void hold() {}
  virtual bool is_holding() const { return false; }
  virtual void release() {}
  virtual void drop() {}
};

using execution::Monitor;

}  // namespace tutti::master
