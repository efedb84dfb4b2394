// SPDX-License-Identifier: BSD-2-Clause
#include "session/trial/check_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <tutti/error.hpp>
#include <utility>

#include "fmi/fmu.hpp"
#include "fmi/library.hpp"
#include "session/forked_task.hpp"
#include "session/trial/trial.hpp"
#include "session/worker_call.hpp"

namespace tutti::session {
namespace {

/// Tries one interface in copies of this process and collects their findings.
class TrialWatch {
 public:
  TrialWatch(const RunControl& control, std::vector<RunFinding>& findings,
             std::string_view interface)
      : control_(control), findings_(findings), interface_(interface) {
    outline_.members.push_back({std::string(interface), false, {}});
  }

  /// Returns the values that a trial reached; empty if it did not get that far.
  std::optional<std::vector<double>> run(const Trial& trial,
                                         std::optional<TrialReporter>& log_reporter);
  void find(std::string_view rule, std::string_view variable, std::string_view text,
            std::optional<Error> error = {});

 private:
  void take(const execution::Ring::Message& message);

  const RunControl& control_;
  std::vector<RunFinding>& findings_;
  std::string interface_;
  RunOutline outline_;
  std::set<std::string> reported_;  ///< two instances often report the same
  std::string activity_ = "before it was loaded";
  std::optional<std::vector<double>> values_;
};

void TrialWatch::find(std::string_view rule, std::string_view variable, std::string_view text,
                      std::optional<Error> error) {
  RunFinding finding{std::string(rule), std::string(variable),
                     variable.empty() ? fmt::format("{}: {}", interface_, text)
                                      : fmt::format("{}, in {}", text, interface_),
                     std::move(error)};
  if (reported_.insert(fmt::format("{}\n{}\n{}", rule, variable, finding.text)).second)
    findings_.push_back(std::move(finding));
}

void TrialWatch::take(const execution::Ring::Message& message) {
  Unpacker in(message.bytes);
  switch (message.kind) {
    case TrialReporter::phase_message:
      in(activity_);
      break;
    case TrialReporter::finding_message: {
      std::string rule, variable, text;
      in(rule, variable, text);
      find(rule, variable, text);
      break;
    }
    default:
      values_ = in.take<std::vector<double>>();
  }
}

std::optional<std::vector<double>> TrialWatch::run(const Trial& trial,
                                                   std::optional<TrialReporter>& log_reporter) {
  const Log none;
  ForkedTask copy(control_, outline_, none);
  copy.drain().when([this](const execution::Ring::Message& message) { take(message); });
  const auto body = [&](execution::Ring& ring, execution::Monitor& monitor) {
    monitor.phase = execution::Monitor::Phase::loading;
    log_reporter.emplace(ring, monitor);
    TrialReporter reporter(ring, monitor);
    run_trial(trial, reporter);
    return std::string();
  };
  if (!copy.run(body, "in a step")) {
    if (copy.failure().code() == ErrorCode::timeout)
      find("run-timeout", "",
           fmt::format("it did not return within {} s {}", control_.step_timeout, activity_));
    else
      find("run-crash", "",
           fmt::format("it ended its process {}: {}", activity_, copy.how_it_ended()));
  }
  return std::exchange(values_, std::nullopt);
}

Trial plan(const CheckTask& task, const std::shared_ptr<fmi::Fmu>& fmu, const Capabilities& can,
           bool model_exchange) {
  const DefaultExperiment& experiment = fmu->description().default_experiment;
  Trial trial;
  trial.fmu = fmu;
  trial.model_exchange = model_exchange;
  trial.alone = can.only_once_per_process;
  trial.tolerance = experiment.tolerance;
  trial.start = experiment.start.value_or(0);
  const double stop = experiment.stop.value_or(trial.start + 1);
  const double span = stop > trial.start ? stop - trial.start : 1;
  trial.step = model_exchange            ? 1e-4 * span
               : task.step               ? *task.step
               : experiment.step         ? *experiment.step
               : can.fixed_internal_step ? *can.fixed_internal_step
                                         : span / 500;
  trial.stop = std::max(trial.start + span, trial.start + 50 * trial.step);
  return trial;
}

std::vector<RunFinding> check_here(const CheckTask& task, const RunControl& control,
                                   const FmuOptions& open) {
  std::vector<RunFinding> findings;
  // In the copy, warnings of the library about the FMU become findings.
  std::optional<TrialReporter> log_reporter;
  const Log to_findings([&](const LogRecord& record) {
    if (log_reporter && record.category.empty() && record.severity == Severity::warning &&
        !record.text.empty()) {
      log_reporter->finding("run-message", "", record.text);
    }
  });
  const std::shared_ptr<fmi::Fmu> fmu = fmi::Fmu::open(task.fmu, open, to_findings);
  const ModelDescription& description = fmu->description();
  const bool has_binary = fmi::has_binary_here(fmu->folder());

  const auto try_interface = [&](std::string_view name, const std::optional<Capabilities>& can,
                                 bool model_exchange) {
    if (!can) return;
    TrialWatch watch(control, findings, name);
    if (const Variable* const clocked = fmi::find_clocked(description)) {
      watch.find("run-machine", clocked->name,
                 "not run: the FMU uses clocks, which Tutti cannot tick yet");
      return;
    }
    if (!has_binary) {
      try {  // here, because compilation does not count in the timeout of the FMU
        fmu->ensure_runnable("trial", *can);
      } catch (const Error& error) {
        if (error.code() == ErrorCode::interrupted) throw;
        ErrorRecord record = error.record();
        record.message = "not run: " + record.text;
        watch.find("run-machine", "", record.message, Error(record));
        return;
      }
    }
    const Trial trial = plan(task, fmu, *can, model_exchange);
    const auto first = watch.run(trial, log_reporter);
    if (!first) return;
    if (description.version != FmiVersion::v1) {  // FMI 1.0 has no such flag
      Trial flagged = trial;
      flagged.expected_without_rollback = *first;
      watch.run(flagged, log_reporter);
    }
    if (!trial.alone) return;
    const auto second = watch.run(trial, log_reporter);
    if (second && first_difference(*first, *second) >= 0) {
      watch.find("run-repeat", "", "in a second process the outputs have different values");
    }
  };
  try_interface("co-simulation", description.co_simulation, false);
  try_interface("model exchange", description.model_exchange, true);
  if (description.scheduled_execution) {
    TrialWatch(control, findings, "scheduled execution")
        .find("run-machine", "", "not run: Tutti cannot schedule model partitions yet");
  }
  return findings;
}

}  // namespace

void check_by_running(const CheckOptions& options, fmi::Findings& findings) {
  RunControl control;
  control.stop_request = options.stop_request;
  const Log none;
  WorkerCaller caller(options.worker.host(), control, none);
  Opening opening = opening_for({}, control, options.open, none, caller);
  opening.step_timeout = options.timeout;
  const CheckTask task{options.fmu, options.step};
  const std::string answer = caller.call(Request::check, Packer()(opening, task));
  for (RunFinding& found : Unpacker(answer).take<std::vector<RunFinding>>()) {
    Finding finding;
    finding.variable = found.variable;
    finding.text = found.text;
    if (found.error)  // the command line has different names for keys
      finding.text.replace(finding.text.rfind(found.error->record().message), std::string::npos,
                           found.error->message(options.key_name));
    findings.add(fmi::find_rule(found.rule), std::move(finding));
  }
}

Packer check_in_worker(const CheckTask& task, const RunControl& control, const FmuOptions& open) {
  return Packer()(check_here(task, control, open));
}

}  // namespace tutti::session
