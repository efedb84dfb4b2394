// SPDX-License-Identifier: BSD-2-Clause
#include "api/check_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <tutti/error.hpp>
#include <utility>

#include "api/trial.hpp"
#include "base/seconds.hpp"
#include "execution/child_process.hpp"
#include "fmi/fmu.hpp"
#include "fmi/library.hpp"

namespace tutti::api {
namespace {

/// Tries one interface in child processes and takes down what they say.
class TrialWatch {
 public:
  TrialWatch(const CheckOptions& options, fmi::Findings& findings, std::string_view interface)
      : options_(options), findings_(findings), interface_(interface) {}

  /// Answers the values that a trial reached; nothing if it did not come so far.
  std::optional<std::vector<double>> run(const Trial& trial, std::optional<TrialVoice>& log_voice);
  void find(std::string_view rule, std::string_view variable, std::string_view text);

 private:
  bool take_messages(execution::Ring& ring);
  void take(const execution::Ring::Message& message);

  const CheckOptions& options_;
  fmi::Findings& findings_;
  std::string interface_;
  std::set<std::string> told_;  ///< two lives often say the same
  std::string activity_ = "before it was loaded";
  std::optional<std::vector<double>> values_;
  bool ended_ = false;
};

void TrialWatch::find(std::string_view rule, std::string_view variable, std::string_view text) {
  Finding finding;
  finding.variable = variable;
  finding.text = variable.empty() ? fmt::format("{}: {}", interface_, text)
                                  : fmt::format("{}, in {}", text, interface_);
  if (told_.insert(fmt::format("{}\n{}\n{}", rule, variable, finding.text)).second) {
    findings_.add(fmi::find_rule(rule), std::move(finding));
  }
}

void TrialWatch::take(const execution::Ring::Message& message) {
  const std::string_view text(reinterpret_cast<const char*>(message.bytes.data()),
                              message.bytes.size());
  switch (message.kind) {
    case TrialVoice::phase_message:
      activity_ = text;
      break;
    case TrialVoice::finding_message: {
      const std::size_t first = text.find('\n'), second = text.find('\n', first + 1);
      find(text.substr(0, first), text.substr(first + 1, second - first - 1),
           text.substr(second + 1));
      break;
    }
    case TrialVoice::values_message:
      values_.emplace(text.size() / sizeof(double));
      std::memcpy(values_->data(), text.data(), values_->size() * sizeof(double));
      break;
    default:
      ended_ = true;
  }
}

bool TrialWatch::take_messages(execution::Ring& ring) {
  bool any = false;
  for (execution::Ring::Message message; ring.next(message); ring.release(), any = true) {
    take(message);
  }
  return any;
}

std::optional<std::vector<double>> TrialWatch::run(const Trial& trial,
                                                   std::optional<TrialVoice>& log_voice) {
  execution::Ring ring(1u << 20);
  ended_ = false;
  execution::ChildProcess child([&] {
    log_voice.emplace(ring);
    TrialVoice voice(ring);
    run_trial(trial, voice);
  });
  auto last_word = Clock::now();
  while (true) {
    const bool gone = child.has_ended();  // asked before the last look, so nothing is missed
    if (take_messages(ring)) last_word = Clock::now();
    if (gone) break;
    if (options_.stop_request != nullptr && options_.stop_request->load()) {
      throw Error(ErrorCode::interrupted, "interrupted");
    }
    if (options_.timeout > 0 && seconds_since(last_word) > options_.timeout) {
      find("run-timeout", "",
           fmt::format("it did not return within {} s {}", options_.timeout, activity_));
      return std::exchange(values_, std::nullopt);  // leaving ends the child
    }
    child.wait_at_most(std::chrono::microseconds(2000));
  }
  if (!ended_ || !child.ended_well()) {
    find("run-crash", "",
         fmt::format("it ended its process {}: {}", activity_, child.how_it_ended()));
  }
  return std::exchange(values_, std::nullopt);
}

Trial plan(const CheckOptions& options, const std::shared_ptr<fmi::Fmu>& fmu,
           const Capabilities& can, bool model_exchange) {
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
               : options.step            ? *options.step
               : experiment.step         ? *experiment.step
               : can.fixed_internal_step ? *can.fixed_internal_step
                                         : span / 500;
  trial.stop = std::max(trial.start + span, trial.start + 50 * trial.step);
  return trial;
}

}  // namespace

void check_by_running(const CheckOptions& options, fmi::Findings& findings) {
  // In the child, warnings of the library about the FMU become findings.
  std::optional<TrialVoice> log_voice;
  const Log to_findings([&](const LogRecord& record) {
    if (log_voice && record.category.empty() && record.severity == Severity::warning &&
        !record.text.empty()) {
      log_voice->finding("run-message", "", record.text);
    }
  });
  const std::shared_ptr<fmi::Fmu> fmu = fmi::Fmu::open(options.fmu, options.open, to_findings);
  const ModelDescription& description = fmu->description();
  const bool has_binary = fmi::has_binary_here(fmu->folder());

  const auto try_interface = [&](std::string_view name, const std::optional<Capabilities>& can,
                                 bool model_exchange) {
    if (!can) return;
    TrialWatch watch(options, findings, name);
    if (const Variable* const clocked = fmi::find_clocked(description)) {
      watch.find("run-machine", clocked->name,
                 "not run: the FMU uses clocks, which Tutti cannot tick yet");
      return;
    }
    if (!has_binary) {
      try {  // here, because compiling is not what the FMU is given time for
        fmu->ensure_runnable("trial", *can);
      } catch (const Error& error) {
        if (error.code() == ErrorCode::interrupted) throw;
        ErrorRecord record = error.record();
        record.message = "not run: " + record.text;
        watch.find("run-machine", "", Error(std::move(record)).message(options.key_name));
        return;
      }
    }
    const Trial trial = plan(options, fmu, *can, model_exchange);
    const auto first = watch.run(trial, log_voice);
    if (!first) return;
    if (description.version != FmiVersion::v1) {  // which has no such flag
      Trial flagged = trial;
      flagged.expected_without_rollback = *first;
      watch.run(flagged, log_voice);
    }
    if (!trial.alone) return;
    const auto second = watch.run(trial, log_voice);
    if (second && first_difference(*first, *second) >= 0) {
      watch.find("run-repeat", "", "in a second process the outputs have other values");
    }
  };
  try_interface("co-simulation", description.co_simulation, false);
  try_interface("model exchange", description.model_exchange, true);
  if (description.scheduled_execution) {
    TrialWatch(options, findings, "scheduled execution")
        .find("run-machine", "", "not run: Tutti cannot schedule model partitions yet");
  }
}

}  // namespace tutti::api
