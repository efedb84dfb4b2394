// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "master/fake_system.hpp"
#include "master/run_to_end.hpp"

namespace tutti::master {

/// A run of components without FMUs, from 0 to the stop time.
class FakeRun {
 public:
  /// The instances of the system become those of the run.
  FakeRun(FakeSystem& system, double stop, double step)
      : stop_(stop),
        island_(parts_of(system), monitor_, 1, log_),
        loop_(island_, options(stop, step), nullptr, monitor_) {}

  /// How it ended, or what is wrong with it.
  RunEnd run() {
    loop_.initialize();
    return run_to_end(loop_, stop_);
  }

 private:
  static CoupledParts parts_of(FakeSystem& system) {
    system.parts.inputs.resize(system.connection_count());
    system.parts.instances = std::move(system.instances);
    return std::move(system.parts);
  }
  static Loop::Options options(double stop, double step) {
    Loop::Options options;
    options.grid = TimeGrid(0, stop, step);
    return options;
  }

  double stop_;
  Log log_;
  Monitor monitor_;
  Island island_;
  Loop loop_;
};

}  // namespace tutti::master
