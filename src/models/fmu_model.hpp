// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fmt/format.h>

#include <map>
#include <tutti/error.hpp>
#include <vector>

#include "fmi/instance.hpp"
#include "models/instance.hpp"
#include "models/start_values.hpp"
#include "models/value_set.hpp"

namespace tutti::models {

/// Direct feed-through of a model-exchange FMU by finite differences: its equations are evaluated
/// with other inputs, which are restored afterwards.
class FeedThrough {
 public:
  /// The arguments of Instance::differentiate. @pre scalar reals
  struct Question {
    std::span<const std::int32_t> unknowns, knowns;
    std::span<const double> seed;
    std::span<double> sensitivity;
  };
  /// @param discrete_too inputs that are not continuous may be set, too; otherwise they have no
  /// effect before the next event
  /// @param make_set creates the ValueSet of some variables of the FMU
  template <class MakeSet>
  void differentiate(fmi::FmuInstance& fmu, const Question& question, bool discrete_too,
                     const MakeSet& make_set) {
    const auto set_of = [&](std::span<const std::int32_t> variables) -> ValueSet& {
      key_.assign(variables.begin(), variables.end());
      const auto known = sets_.find(key_);
      return (known != sets_.end() ? known : sets_.emplace(key_, make_set(variables)).first)
          ->second;
    };
    ValueSet& outputs = set_of(question.unknowns);
    differentiate(fmu, set_of(question.knowns), outputs, question, discrete_too);
  }

 private:
  void differentiate(fmi::FmuInstance& fmu, ValueSet& inputs, ValueSet& outputs,
                     const Question& question, bool discrete_too);

  std::map<std::vector<std::int32_t>, ValueSet>
      sets_;  ///< by variables: the same ones are used every time
  std::vector<std::int32_t> key_;
  std::vector<double> present_;  ///< scratch
};

/// Updates the discrete states of an instance in event mode until it needs no further update, or
/// requests to end the run. The result combines all updates.
template <class FmiInstance>
fmi::DiscreteUpdate settle_discrete_states(FmiInstance& instance, double t) {
  constexpr int most_iterations = 100;  // a model that needs more does not converge
  fmi::DiscreteUpdate all;
  for (int i = 0; i < most_iterations; ++i) {
    const fmi::DiscreteUpdate update = instance.update_discrete_states();
    all.terminate = update.terminate;
    all.nominals_changed |= update.nominals_changed;
    all.next_event_time = update.next_event_time;
    if (update.terminate || !update.needs_another) return all;
  }
  throw Error(ErrorCode::numeric,
              fmt::format("component \"{}\" requests another discrete update after {} of them: its "
                          "event iteration does not end",
                          instance.name(), most_iterations),
              {.component = instance.name(), .time = t});
}

/// The common base of instances with one FMU: start values, and initialization together with
/// others.
class FmuModel : public Instance {
 public:
  struct Options {
    StartValues start;
    std::vector<std::int32_t> inputs;   ///< variables that the master drives
    std::vector<std::int32_t> outputs;  ///< variables that the master reads
    std::optional<double> tolerance;    ///< instead of the experiment's
  };

  const std::string& name() const override { return fmu().name(); }
  void begin_initialization(const Experiment& experiment) override;
  void set_some(std::span<const std::int32_t> variables) override;
  void get_some(std::span<const std::int32_t> variables) override;
  bool differentiate(std::span<const std::int32_t> unknowns, std::span<const std::int32_t> knowns,
                     std::span<const double> seed, std::span<double> sensitivity) override;
  void read(ValueSet& values) override {
    if (counts().do_step != assigned_at_) fmu().note_direct_steps();
    values.get_from(fmu());
  }
  void assign(ValueSet& values) override {
    values.set_to(fmu());
    assigned_at_ = counts().do_step;
  }
  void finish() override { fmu().terminate(); }
  bool can_go_back() const override { return fmu().capabilities().can_save_state; }
  bool can_write_state() const override {
    return can_go_back() && fmu().capabilities().can_serialize_state;
  }
  std::optional<double> next_event() const override { return next_event_; }
  const CallCounts& counts() const override { return fmu().counts(); }

 protected:
  FmuModel(const ModelDescription& description, const Options& options);
  virtual fmi::FmuInstance& fmu() const = 0;
  /// Exits initialization mode, if not done already. False: it was done earlier, and inputs set
  /// since then have not reached the FMU.
  bool exit_initialization();

  /// The FMU requests to end the run at its start. @throws Error(fmu)
  [[noreturn]] void refuse_early_end(double t) const;
  /// Uses memory that is reused, because this is called in every step.
  void find_references(std::span<const std::int32_t> variables,
                       std::vector<ValueReference>& references) const;

  /// A negated alias of FMI 1.0: the FMU's number has the other sign.
  bool is_negated(std::int32_t variable) const;
  const StructuralValues& structure() const { return start_.structure(); }
  /// A set of some variables, to be read or set separately from inputs_ and outputs_.
  ValueSet make_set(std::span<const std::int32_t> variables) const;

  std::optional<double> next_event_;

 private:
  StartValues start_;
  std::vector<ValueReference> unknowns_, knowns_;  ///< scratch
  std::optional<double> tolerance_;
  std::uint64_t assigned_at_ = 0;  ///< calls of doStep before
  bool initialized_ = false, initialized_early_ = false, missed_inputs_ = false;
};

}  // namespace tutti::models
