// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <tutti/cases.hpp>
#include <tutti/system_run.hpp>
#include <vector>

#include "fmi/instance_pool.hpp"
#include "formats/toml/read.hpp"
#include "session/cases/case_measures.hpp"
#include "session/prepared_system.hpp"
#include "session/run_outline.hpp"

namespace tutti::session {

/// A system of cases in the process of its runs. What does not depend on the values of a case is
/// done once: its FMUs stay open, and loaded. Where the cases set start values only, the plan
/// stays, too; other settings prepare the system anew, from files that were read once.
class OpenCaseSystem {
 public:
  /// Opens and checks the system. The arguments must outlive it. @throws Error as run() does, and
  /// for names that cannot be set
  OpenCaseSystem(const CaseSystem& given, const SystemRunOptions& options, const Log& log);

  /// The values of the next runs. @throws Error(usage)
  void assign(const std::vector<std::string>& values);
  const RunOutline& outline() const { return setup_.outline; }
  /// Counts the preparations so far: the outline differs after another one.
  std::size_t preparations() const { return preparations_; }
  CaseMeasures& measures() { return measures_; }

  /// The receivers of the rows of a run, made when its FMUs are loaded.
  using Observe = std::function<master::StepObserver*(const RunSetup&, const RunningSystem&)>;
  /// A run with these values; instances of FMUs come from the pool, and return to it.
  RunReport run(execution::Monitor& monitor, const std::shared_ptr<fmi::InstancePool>& pool,
                const Observe& observe);

  /// An FMU of the system.
  struct Member {
    std::string instance;
    std::string component;  ///< the cluster, for a member of one
    std::string file;       ///< without its folder
    /// Why its instances cannot be used again; empty: perhaps they can.
    std::string obstacle;
  };
  std::vector<Member> members() const;

 private:
  /// A name of the cases: a start value of a prepared system, or a setting.
  struct Target {
    std::string name;  ///< with the component
    bool is_start_value = false;
    std::size_t component = 0;
    std::string variable;
  };
  void prepare(const System& system);
  void find_targets();
  void set(System& system, std::size_t name, const std::string& value) const;
  void assign_start_values(const std::vector<std::string>& values);

  const CaseSystem& given_;
  const SystemRunOptions& options_;
  const Log& log_;
  formats::Words words_;
  CaseMeasures measures_;
  std::unique_ptr<PreparedSystem> prepared_;
  RunSetup setup_;  ///< of every run of the prepared system
  std::size_t preparations_ = 0;
  std::vector<Target> targets_;        ///< by name
  std::vector<std::string> settings_;  ///< values of those that are no start values
};

}  // namespace tutti::session
