// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tutti/cases.hpp>
#include <tutti/system_run.hpp>
#include <vector>

#include "fmi/instance_pool.hpp"
#include "session/cases/open_case_system.hpp"
#include "session/cases/row_hash.hpp"

namespace tutti::session {

/// An FMU of a CaseSystem whose instances must not be used again.
struct NoReuse {
  std::uint32_t system = 0;
  std::string component;
};

/// Runs cases one after the other in this process.
///
/// Reuse of instances is established in three runs of a system: the instances of the first one are
/// reset and kept; the second one has new instances, and is then repeated with the kept ones. If
/// all rows of both are equal to the last bit, later runs use reset instances. The results of a
/// case never come from an instance that is not yet checked.
class CaseRunner {
 public:
  struct Options {
    SystemRunOptions run;
    bool reuse = true;
    std::vector<NoReuse> without_reuse = {};
    /// Called before FMUs of a system are called; outlines are the same between changes.
    std::function<void(const RunOutline&)> announce = {};
  };
  /// Opens and checks the systems. The monitor must outlive it. @throws Error
  CaseRunner(std::vector<CaseSystem> systems, Options options, execution::Monitor& monitor,
             const Log& log);
  ~CaseRunner();
  CaseRunner(const CaseRunner&) = delete;
  CaseRunner& operator=(const CaseRunner&) = delete;

  /// @param rows receives the rows; may be null
  CaseResult run(const Case& task, Observer* rows);
  /// After the result has been delivered: resets instances, and checks whether the first reset ones
  /// run as new ones. May end in an FMU, as a run may.
  void settle();

 private:
  enum class Reuse : std::uint8_t {
    none,     ///< no instance is kept yet
    kept,     ///< instances are kept that no run has used again
    checked,  ///< reset instances run as new ones
    off,
  };
  struct Slot {
    std::unique_ptr<OpenCaseSystem> system;
    std::shared_ptr<fmi::InstancePool> pool;
    Reuse reuse = Reuse::none;
    std::vector<std::string> values;  ///< of the run that the kept instances come from
    std::set<std::string> noted;      ///< instances that cannot be used again
  };
  /// The last run, until settle().
  struct Last {
    Slot* slot = nullptr;
    std::vector<std::string> values;
    std::uint64_t hash = 0;
  };
  std::uint32_t number_of(const Slot& slot) const {
    return static_cast<std::uint32_t>(&slot - slots_.data());
  }
  void announce(std::uint32_t number, const Slot& slot);
  RunReport run(Slot& slot, bool computes, RowHash* hash, Observer* rows);
  /// The hash of a repetition; nothing: it has not completed.
  std::optional<std::uint64_t> repeat(Slot& slot, const std::vector<std::string>& values);
  void keep(Slot& slot, const std::vector<std::string>& values);
  void reset(Slot& slot, fmi::InstancePool& pool);
  void check(Slot& slot, const Last& last);
  void find_unequal(Slot& slot, const Last& last);
  bool is_equal_alone(Slot& slot, const std::string& instance, const Last& last);
  void exclude(Slot& slot, const std::string& instance, const std::string& why);
  bool is_stopped() const { return monitor_.stop_requested; }

  std::vector<CaseSystem> given_;
  Options options_;
  execution::Monitor& monitor_;
  Log log_;
  std::vector<Slot> slots_;
  Last last_;
  std::optional<std::pair<std::uint32_t, std::size_t>> announced_;  ///< system, its preparation
};

}  // namespace tutti::session
