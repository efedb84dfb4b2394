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
/// Instances are reset and used again only after a check: the instances of the first run of a
/// system are reset and kept; the second run has new instances, and is then repeated with the kept
/// ones. If all rows of both are equal to the last bit, later runs use reset instances.
///
/// A reset that forgets something may still pass, if the run before happened to leave it at its
/// start value. So the next run is checked in the same way after the first run in which a name of
/// the cases has another value than ever before, and every time that the number of runs has
/// doubled. A case in a check has the results of new instances.
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
  /// How many instances of FMUs were used again.
  std::size_t reuse_count() const {
    std::size_t count = 0;
    for (const Slot& slot : slots_) count += slot.pool->reuse_count();
    return count;
  }

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
    std::vector<std::string> first_values;
    std::vector<bool> has_varied;      ///< by name: instances were kept after another value
    bool is_new_kind = false;          ///< of the last run
    std::uint64_t runs = 0;            ///< with instances that can be used again
    std::uint64_t next_check = 4;      ///< number of the run
    std::uint64_t used_unchecked = 0;  ///< runs with reset instances since the last check
  };
  /// The last run, until settle().
  struct Last {
    Slot* slot = nullptr;
    std::vector<std::string> values;
    std::uint64_t hash = 0;
    bool is_checked = false;
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
  bool checks_next(const Slot& slot) const {
    return slot.reuse == Reuse::kept ||
           (slot.reuse == Reuse::checked && (slot.is_new_kind || slot.runs >= slot.next_check));
  }
  void note_values(Slot& slot, const std::vector<std::string>& values);
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
