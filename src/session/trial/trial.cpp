// SPDX-License-Identifier: BSD-2-Clause
#include "session/trial/trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include "base/text.hpp"
#include "session/trial/trial_player.hpp"

namespace tutti::session {
namespace {

constexpr int step_count = 10, state_step_count = 3;

/// An FMU that ends the run, or does not complete a step, cannot be tried further; this is no
/// fault.
struct Ended {};

class TrialRun {
 public:
  TrialRun(const Trial& trial, TrialReporter& reporter)
      : trial_(trial), reporter_(reporter), description_(trial.fmu->description()) {}

  void run() {
    if (!trial_.expected_without_rollback.empty()) {
      live_without_rollback();
      return;
    }
    const std::vector<double> first = live_fully();
    if (!ended_ && !trial_.alone) live_side_by_side(first);
  }

 private:
  std::unique_ptr<TrialPlayer> create(const std::string& name) {
    ++created_;
    reporter_.phase("run-instantiate",
                    created_ == 1 ? "while it was loaded and instantiated"
                                  : fmt::format("while instance {} was created", created_));
    return make_player(trial_, name);
  }
  void initialize(TrialPlayer& player);
  [[noreturn]] void end(const TrialPlayer& player);
  std::vector<double> steps(TrialPlayer& player, int count, std::string_view rule);
  std::vector<double> live_fully();
  std::vector<double> do_everything(TrialPlayer& player);
  void live_side_by_side(const std::vector<double>& expected);
  void live_without_rollback();
  void check_parameters(TrialPlayer& player);
  void check_state(TrialPlayer& player);
  bool check_reset(TrialPlayer& player, const std::vector<double>& expected);
  void check_numbers(const TrialPlayer& player, std::span<const double> values);
  void compare(const TrialPlayer& player, const std::vector<double>& expected,
               const std::vector<double>& found, std::string_view rule, std::string_view after);
  void free(std::unique_ptr<TrialPlayer> player) {
    reporter_.phase("run-free",
                    created_ == 1 ? "while it was terminated and freed"
                                  : "while the second or third instance was terminated and freed");
    if (!failed_) player->instance().terminate();
    player.reset();
  }

  const Trial& trial_;
  TrialReporter& reporter_;
  const ModelDescription& description_;
  std::set<std::string> not_numbers_;
  int created_ = 0;
  bool ended_ = false;
  bool failed_ = false;  ///< after an error an instance can only be freed
};

/// The start values of all variables of a causality that have one.
models::ValueSet start_values(const ModelDescription& description, Causality causality) {
  std::vector<std::int32_t> list;
  for (std::size_t i = 0; i < description.variables.size(); ++i) {
    const Variable& variable = description.variables[i];
    if (variable.causality == causality && !variable.start.empty() &&
        variable.type != Type::clock && variable.alias == AliasKind::none) {
      list.push_back(static_cast<std::int32_t>(i));
    }
  }
  models::ValueSet values(description, list, {});
  for (const models::Scalar& scalar : values.scalars()) {
    const std::vector<std::string>& start =
        description.variables[static_cast<std::size_t>(scalar.variable)].start;
    const std::string& text = start[std::min<std::size_t>(scalar.element, start.size() - 1)];
    if (is_text(scalar.type)) {
      values.write_text(scalar, text);
    } else {
      values.assign(scalar, text, description);
    }
  }
  return values;
}

void TrialRun::initialize(TrialPlayer& player) {
  reporter_.phase("run-initialize", "while it was initialized");
  Experiment experiment;
  experiment.start = trial_.start;
  experiment.stop = trial_.stop;
  experiment.tolerance = trial_.tolerance;
  player.instance().enter_initialization(experiment);
  models::ValueSet inputs = start_values(description_, Causality::input);
  if (!inputs.empty()) inputs.set_to(player.instance());
  player.instance().exit_initialization();
  if (!player.begin(trial_)) end(player);
  if (!player.complaint.empty()) reporter_.finding("run-dependencies", "", player.complaint);
}

void TrialRun::end(const TrialPlayer& player) {
  ended_ = true;
  reporter_.finding(
      "run-end", "",
      fmt::format("it asked to end the run, or did not complete its step, at t = {} s: "
                  "the rest was not tried",
                  number_text(player.position.time)));
  throw Ended();
}

std::vector<double> TrialRun::steps(TrialPlayer& player, int count, std::string_view rule) {
  std::vector<double> values;
  for (int i = 0; i < count; ++i) {
    reporter_.phase(rule, fmt::format("in a step at t = {} s", number_text(player.position.time)));
    if (!player.advance()) end(player);
    player.read(values);
  }
  check_numbers(player, values);
  return values;
}

void TrialRun::check_numbers(const TrialPlayer& player, std::span<const double> values) {
  const std::size_t width = player.names().size();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isnan(values[i])) continue;
    const std::string& name = player.names()[i % width];
    if (!not_numbers_.insert(name).second) continue;
    const bool known = description_.find(name) != nullptr;
    reporter_.finding("run-value", known ? name : "",
                      known ? "its value is NaN" : fmt::format("{} is NaN", name));
  }
}

void TrialRun::compare(const TrialPlayer& player, const std::vector<double>& expected,
                       const std::vector<double>& found, std::string_view rule,
                       std::string_view after) {
  const std::ptrdiff_t at = first_difference(expected, found);
  if (at < 0) return;
  const auto i = static_cast<std::size_t>(at);
  const std::size_t width = player.names().size();
  const std::string& name = player.names()[i % width];
  const bool known = description_.find(name) != nullptr;
  reporter_.finding(
      rule, known ? name : "",
      fmt::format("{} {} in step {} {}, but was {} before", known ? "it is" : name + " is",
                  number_text(found[i]), i / width + 1, after, number_text(expected[i])));
}

std::vector<double> TrialRun::live_fully() {
  std::unique_ptr<TrialPlayer> player = create("trial");
  std::vector<double> values;
  try {
    values = do_everything(*player);
  } catch (const Ended&) {  // it is freed anyway
  }
  free(std::move(player));
  failed_ = false;
  return values;
}

std::vector<double> TrialRun::do_everything(TrialPlayer& player) {
  initialize(player);
  check_parameters(player);
  std::vector<double> before;
  player.read(before);
  check_numbers(player, before);
  std::vector<double> values = steps(player, step_count, "run-step");
  reporter_.values(values);  // before tests that may crash the FMU
  check_state(player);
  failed_ = !check_reset(player, values);
  return values;
}

void TrialRun::live_side_by_side(const std::vector<double>& expected) {
  std::unique_ptr<TrialPlayer> a = create("trial_a");
  std::unique_ptr<TrialPlayer> b = create("trial_b");
  initialize(*a);
  initialize(*b);
  std::vector<double> first, second;
  for (int i = 0; i < step_count; ++i) {
    for (const auto& [player, values] : {std::pair(a.get(), &first), std::pair(b.get(), &second)}) {
      const std::vector<double> row = steps(*player, 1, "run-step");
      values->insert(values->end(), row.begin(), row.end());
    }
  }
  compare(*a, expected, first, "run-repeat", "of a second instance");
  compare(*b, expected, second, "run-repeat", "of a third instance beside the second");
  free(std::move(a));
  free(std::move(b));
}

void TrialRun::live_without_rollback() {
  std::unique_ptr<TrialPlayer> player = create("trial");
  initialize(*player);
  player->may_go_back = false;
  compare(*player, trial_.expected_without_rollback, steps(*player, step_count, "run-flag"),
          "run-flag", "if noSetFMUStatePriorToCurrentPoint is true");
  free(std::move(player));
}

void TrialRun::check_parameters(TrialPlayer& player) {
  models::ValueSet expected = start_values(description_, Causality::parameter);
  if (expected.empty()) return;
  reporter_.phase("run-parameter", "while its parameters were read");
  std::vector<std::int32_t> list;
  for (const models::Scalar& scalar : expected.scalars()) {
    if (list.empty() || list.back() != scalar.variable) list.push_back(scalar.variable);
  }
  models::ValueSet found(description_, list, {});
  found.get_from(player.instance());
  for (std::size_t i = 0; i < found.scalars().size(); ++i) {
    const models::Scalar& scalar = found.scalars()[i];
    const std::optional<double> value = number_in(found, scalar);
    const std::optional<double> start = number_in(expected, expected.scalars()[i]);
    // Start values are often written with six digits.
    if (!value || std::abs(*value - *start) <= 1e-5 * std::abs(*start)) continue;
    if (std::isnan(*value) && std::isnan(*start)) continue;
    reporter_.finding("run-parameter",
                      description_.variables[static_cast<std::size_t>(scalar.variable)].name,
                      fmt::format("its value is {} after initialization, but its start value is {}",
                                  number_text(*value), number_text(*start)));
  }
}

void TrialRun::check_state(TrialPlayer& player) {
  const Capabilities& can = player.instance().capabilities();
  if (!can.can_save_state) return;
  reporter_.phase("run-state", "while its state was saved");
  fmi::FmuState state;
  player.instance().save_state(state);
  const TrialPlayer::Position position = player.position;
  const std::vector<double> expected = steps(player, state_step_count, "run-step");

  reporter_.phase("run-state", "while its state was restored");
  player.instance().restore_state(state);
  player.position = position;
  compare(player, expected, steps(player, state_step_count, "run-state"), "run-state",
          "after its state was restored");
  fmi::FmuState copy;
  if (can.can_serialize_state) {
    reporter_.phase("run-serialize", "while its state was serialized");
    const std::vector<std::uint8_t> bytes = player.instance().serialize_state(state);
    copy = player.instance().deserialize_state(bytes);
    player.instance().restore_state(copy);
    player.position = position;
    compare(player, expected, steps(player, state_step_count, "run-serialize"), "run-serialize",
            "after its state was written and read");
  }
  reporter_.phase("run-state", "while its saved states were freed");
}

/// An FMU that cannot be reset can still be freed and created again: the trial continues.
bool TrialRun::check_reset(TrialPlayer& player, const std::vector<double>& expected) {
  if (description_.version == FmiVersion::v1) return true;
  reporter_.phase("run-reset", "while it was reset");
  try {
    player.instance().reset();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::fmu) return true;  // not called: the function is missing
    reporter_.failure(error.record().text);
    return false;
  }
  initialize(player);
  compare(player, expected, steps(player, step_count, "run-reset"), "run-reset", "after a reset");
  return true;
}

}  // namespace

void TrialReporter::send(Kind kind, const Packer& packed) {
  ring_.send(kind, packed.bytes());
  ++monitor_.looks;
}

void TrialReporter::phase(std::string_view rule, std::string_view activity) {
  rule_ = rule;
  send(phase_message, Packer()(activity));
}

void TrialReporter::finding(std::string_view rule, std::string_view variable,
                            std::string_view text) {
  send(finding_message, Packer()(rule, variable, text));
}

void TrialReporter::values(std::span<const double> values) {
  send(values_message, Packer()(std::vector<double>(values.begin(), values.end())));
}

std::ptrdiff_t first_difference(std::span<const double> a, std::span<const double> b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (std::isnan(a[i]) && std::isnan(b[i])) continue;
    if (a[i] == b[i]) continue;
    // An internal solver may restart from a restored state: only its error differs.
    const double size = std::max(std::abs(a[i]), std::abs(b[i]));
    if (!(std::abs(a[i] - b[i]) <= 1e-5 * size + 1e-9)) return static_cast<std::ptrdiff_t>(i);
  }
  return -1;
}

void run_trial(const Trial& trial, TrialReporter& reporter) {
  try {
    TrialRun(trial, reporter).run();
  } catch (const Error& error) {
    reporter.failure(error.record().text);
  } catch (const Ended&) {  // in the second instance, after the first succeeded
  } catch (const std::exception& error) {
    reporter.failure(error.what());
  }
}

}  // namespace tutti::session
