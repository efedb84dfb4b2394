// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tutti/export.hpp>
#include <tutti/log.hpp>
#include <tutti/simulation.hpp>
#include <tutti/system.hpp>
#include <vector>

namespace tutti {

namespace session {
class CaseHosts;
}

/// What is computed from a run: a formula of its variables (`component.variable`, or `variable` of
/// a single FMU), in the syntax of built-in components.
///
/// Without `times` it is one number: the variables stand for their values at the end, and the
/// functions of reduction_names() for a number that the whole run determines, as in
/// `max(abs(chassis.a)) + 0.1*rms(wheel.F)`. With `times` the formula is evaluated there, along
/// straight lines between rows: one number for each time, NaN for times that the
/// run has not reached. The rows are those that the run records (results.interval).
struct Measure {
  std::string formula;
  std::vector<double> times = {};  ///< non-decreasing
  std::size_t count() const { return times.empty() ? 1 : times.size(); }
};
/// `end`, `integral`, `max`, ...
TUTTI_API std::vector<std::string> reduction_names();

/// A system that is run many times with different values.
struct CaseSystem {
  System system;
  /// What the cases set, as with assign(): `component.variable`, or `section.key`.
  std::vector<std::string> names;
  std::vector<Measure> measures;
};

/// One of these runs.
struct Case {
  std::uint64_t number = 0;         ///< chosen by the caller
  std::uint32_t system = 0;         ///< index of the CaseSystem
  std::vector<std::string> values;  ///< by name of the CaseSystem, as written
  std::filesystem::path results{};  ///< the rows of the run go there; empty: nowhere
};

struct CaseResult {
  std::uint64_t number = 0;    ///< of the case
  RunEnd end;                  ///< not completed: `values` belong to the part of the run before...
  std::vector<double> values;  ///< of all measures, in their order; empty: the run did not start
  // ...but are NaN if the worker ended.
  double seconds = 0;  ///< wall time
};

/// RunControl: with own_process = false, the runs are in this process, one after the other; workers
/// are new processes of the program of `worker`; `progress` is not called.
struct CaseOptions : RunControl {
  FmuOptions open;
  std::uint32_t jobs = 0;  ///< runs at the same time; 0: one per core that this process may use
  /// Instances of FMUs are reset and used again by the next run. The first one is compared with a
  /// run of new instances; an FMU that differs is instantiated for each run, with a note.
  bool reuse = true;
  /// Called again and again while run() waits for its workers, in its thread.
  std::function<void()> waiting = {};
};

/// Runs systems many times, in warm worker processes: what does not depend on the values of a case
/// is done once. A run has the same results, to the last bit, as run() of a system with the same
/// values, whichever runs came before.
class TUTTI_API Cases {
 public:
  /// Opens and checks the systems. @throws Error as run() does, and for variables that cannot
  /// be set. Other names are checked with their values: then a case fails.
  Cases(std::vector<CaseSystem> systems, CaseOptions options, const Log& log);
  ~Cases();
  Cases(const Cases&) = delete;
  Cases& operator=(const Cases&) = delete;

  using Next = std::function<std::optional<Case>()>;
  using Done = std::function<void(CaseResult)>;
  /// Runs the cases that `next` returns, until it returns none; `done` gets each result when its
  /// run has ended, in any order. Both are called in this thread. A crash of an FMU fails the case
  /// in which it happens. False: stop_request ended it, and some cases have no result.
  bool run(const Next& next, const Done& done);
  /// All of these; the results are in the same order. After a stop_request some are missing:
  /// interrupted.
  std::vector<CaseResult> run(std::span<const Case> cases);

  /// The number of runs at the same time.
  std::uint32_t jobs() const;

 private:
  std::unique_ptr<session::CaseHosts> hosts_;
};

}  // namespace tutti
