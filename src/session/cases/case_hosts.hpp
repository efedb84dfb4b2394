// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <tutti/cases.hpp>
#include <vector>

#include "execution/monitor.hpp"
#include "session/cases/case_runner.hpp"
#include "session/cases/case_worker.hpp"
#include "system/package_paths.hpp"

namespace tutti::session {

/// The workers of Cases, which start when they are needed; or, instead of them, this process.
class CaseHosts {
 public:
  /// Opens the systems in the first worker. @throws Error
  CaseHosts(std::vector<CaseSystem> systems, CaseOptions options, const Log& log);

  bool run(const Cases::Next& next, const Cases::Done& done);
  std::uint32_t jobs() const { return jobs_; }

 private:
  bool run_in_workers(const Cases::Next& next, const Cases::Done& done);
  bool run_here(const Cases::Next& next, const Cases::Done& done);
  std::optional<Case> take(const Cases::Next& next);
  void feed(const Cases::Next& next);
  bool has_room(const CaseWorker* worker, std::size_t level) const;
  bool start(std::unique_ptr<CaseWorker>& worker);
  bool has_workers() const {
    return std::ranges::any_of(workers_, [](const auto& worker) { return worker != nullptr; });
  }
  bool look_at(std::unique_ptr<CaseWorker>& worker, const Cases::Done& done);
  void deliver(CaseResult result, std::uint32_t system, const Cases::Done& done);
  void replace(std::unique_ptr<CaseWorker>& worker, const Cases::Done& done);
  void note_end_between(const CaseWorker& worker, const RunReport& report);
  bool is_stopped() const {
    return is_requested(options_.stop_request) || is_requested(options_.kill_request);
  }

  CaseOptions options_;
  CasesOpening opening_;
  std::vector<system::PackagePaths> paths_;      ///< by system
  std::vector<ResultSettings> result_settings_;  ///< by system
  Log log_;
  std::uint32_t jobs_ = 1;
  std::vector<std::unique_ptr<CaseWorker>> workers_;
  execution::Monitor monitor_;          ///< of the runs of this process
  std::unique_ptr<CaseRunner> runner_;  ///< here; null: workers
  std::deque<Case> returned_;           ///< by workers that have ended
  bool is_exhausted_ = false;           ///< there are no more cases
  bool is_limited_ = false;             ///< no more workers can be started
  bool is_interrupted_ = false;         ///< a case has no result
  double mean_seconds_ = 1;             ///< of the last cases
  std::uint32_t ends_between_ = 0;      ///< workers that ended between two cases
};

}  // namespace tutti::session
