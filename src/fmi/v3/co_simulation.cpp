// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "fmi/direct_calls.hpp"
#include "fmi/v3/component.hpp"

namespace tutti::fmi::v3 {
namespace {

class CoSimulationV3 final : public CoSimulation, public Component {
 public:
  CoSimulationV3(const InstanceSetup& setup, const CoSimulationOptions& options);

  void exit_initialization() override {
    leave_initialization(event_mode_ ? mode::event : mode::step);
  }

  StepOutcome do_step(double t, double h, bool may_go_back) override {
    expect_counted(mode::step | mode::step_inputs_set, "do_step");
    return step(t, h, may_go_back);
  }
  DirectStep direct_step(const Batch& inputs, const Batch& outputs) override;
  StepOutcome resume(const DirectStep& step, const DirectStep::End& end, double t,
                     double h) override {
    return resume_direct_step(*this, step, end, do_step_.name, t, h);
  }
  StepOutcome redo_step(double, double) override {
    throw std::logic_error(with_name("redo_step belongs to FMI 1.0"));
  }

  void set_input_derivatives(References, std::span<const std::int32_t>,
                             std::span<const double>) override {
    cannot("FMI 3.0 has no input derivatives; inputs inside a step are set by intermediate update");
  }
  void get_output_derivatives(References references, std::span<const std::int32_t> orders,
                              std::span<double> values) override;

  bool event_mode_used() const override { return event_mode_; }
  void enter_event_mode() override {
    need_event_mode();
    Component::enter_event_mode(mode::stepping);
  }
  DiscreteUpdate update_discrete_states() override {
    need_event_mode();
    return Component::update_discrete_states();
  }
  void enter_step_mode() override {
    need_event_mode();
    expect(mode::event, "enter_step_mode");
    call(enter_step_mode_);
    set_mode(mode::step);
  }

  /// The callback. Never throws: the FMU's stack frames are below.
  std::optional<double> update(const IntermediateMoment& moment) noexcept;

  // For resume_direct_step().
  StepOutcome judge_direct_step(const DirectStep::End& end, double t, double h) {
    answer_ = {end.result, end.event, end.terminate, end.early, end.reached};
    return judge_step(t, h);
  }
  StepOutcome step(double t, double h, bool may_go_back = false) {
    ++counts().do_step;
    if (!try_step(t, h, may_go_back)) return judge_step(t, h);
    return {StepOutcome::Status::done, t + h};
  }

 private:
  [[gnu::always_inline]] bool try_step(double t, double h, bool may_go_back = false) {
    note_time(t);
    answer_ = {};
    answer_.reached = t + h;
    answer_.result = invoke(do_step_, component(), t, h, !may_go_back, &answer_.event,
                            &answer_.terminate, &answer_.early, &answer_.reached);
    keep_float_control_after_step(do_step_.name);
    if (answer_.result != status::ok || answer_.event || answer_.terminate || answer_.early ||
        thrown_) [[unlikely]]
      return false;
    set_mode(mode::step);
    return true;
  }
  [[gnu::noinline]] StepOutcome judge_step(double t, double h);
  void check(const CoSimulationOptions& options) const;
  void need_event_mode() const {
    if (event_mode_) return;
    throw std::logic_error(with_name("event mode was not requested at instantiation"));
  }
  [[noreturn]] void rethrow(int result, double h);

  bool event_mode_;
  bool early_return_;
  IntermediateUpdate intermediate_update_;
  /// The results of the last doStep.
  struct Answer {
    int result = status::ok;
    bool event = false, terminate = false, early = false;
    double reached = 0;
  };
  Answer answer_;
  std::exception_ptr thrown_;  ///< by the intermediate update, to be rethrown after doStep
  Function<abi::InstantiateCoSimulation> instantiate_ = require("fmi3InstantiateCoSimulation");
  Function<abi::EnterStepMode> enter_step_mode_ = find("fmi3EnterStepMode", "hasEventMode");
  Function<abi::GetOutputDerivatives> get_output_derivatives_ = find("fmi3GetOutputDerivatives");
  Function<abi::DoStep> do_step_ = require("fmi3DoStep");
};

extern "C" {
static void intermediate_update(abi::InstanceEnvironment environment, double time,
                                bool set_requested, bool get_allowed, bool step_finished,
                                bool can_return_early, bool* early_return_requested,
                                double* early_return_time);
}

CoSimulationV3::CoSimulationV3(const InstanceSetup& setup, const CoSimulationOptions& options)
    : Component(setup, options),
      event_mode_(options.event_mode),
      early_return_(options.early_return),
      intermediate_update_(options.intermediate_update) {
  check(options);
  const std::vector<ValueReference>& intermediate = options.intermediate_variables;
  guarded("instantiation", [&] {
    set_component(invoke(instantiate_, name().c_str(), description().token.c_str(), resources(),
                         false, options.logging, event_mode_, early_return_,
                         intermediate.empty() ? nullptr : intermediate.data(), intermediate.size(),
                         static_cast<Component*>(this), Component::logger(),
                         intermediate_update_ ? v3::intermediate_update : nullptr));
  });
}

void CoSimulationV3::check(const CoSimulationOptions& options) const {
  if (options.event_mode && !capabilities().has_event_mode) {
    cannot("the FMU has no event mode (hasEventMode=\"false\")");
  }
  const bool wants_update = options.intermediate_update || !options.intermediate_variables.empty();
  if (wants_update && !capabilities().provides_intermediate_update) {
    cannot("the FMU has no intermediate update (providesIntermediateUpdate=\"false\")");
  }
}

DirectStep CoSimulationV3::direct_step(const Batch& inputs, const Batch& outputs) {
  DirectStep step = prepare_direct_step(*this, do_step_, inputs, outputs);
  if (!intermediate_update_) step.version = DirectStep::Version::fmi3;
  return step;
}

// The exception of the intermediate update has more details than the resulting status.
void CoSimulationV3::rethrow(int result, double h) {
  try {
    if (result != status::ok) judge(result, do_step_.name, h);
  } catch (const Error&) {
  }
  std::rethrow_exception(std::exchange(thrown_, nullptr));
}

// Section 4.2.1, fmi3DoStep: the results that the FMU may return depend on the arguments of
// instantiation.
StepOutcome CoSimulationV3::judge_step(double t, double h) {
  auto [result, event, terminate, early, reached] = answer_;
  if (thrown_) rethrow(result, h);
  if (result == status::discard) {
    set_mode(mode::step);
    return {StepOutcome::Status::discarded, t};
  }
  if (result != status::ok) judge(result, do_step_.name, h);
  set_mode(mode::step);
  if (!early && !event && !terminate) return {StepOutcome::Status::done, t + h};
  const double rounding = 1e-9 * h;
  if ((early || terminate) && !(reached >= t - rounding && reached <= t + h + rounding)) {
    set_mode(mode::failed);
    throw error(
        ErrorCode::fmu,
        fmt::format(
            "fmi3DoStep returned the time {} s, which is outside its step from {} s to {} s",
            reached, t, t + h));
  }
  if (early && !early_return_) {
    breach(
        "fmi3DoStep returned early, though earlyReturnAllowed was false at instantiation (FMI 3.0, "
        "section 4.2.1); the step is treated as ended early");
  }
  if (event && !event_mode_) {
    breach(
        "fmi3DoStep requested event mode, though eventModeUsed was false at instantiation (FMI "
        "3.0, section 4.2.1); this is ignored");
    event = false;
  }
  if (terminate) return {StepOutcome::Status::terminated, std::clamp(reached, t, t + h)};
  const bool is_early = early && reached < t + h;
  const double end = is_early ? std::max(reached, t) : t + h;
  if (event) {
    set_mode(mode::event_due);
    return {StepOutcome::Status::event, end};
  }
  return {is_early ? StepOutcome::Status::early : StepOutcome::Status::done, end};
}

void CoSimulationV3::get_output_derivatives(References references,
                                            std::span<const std::int32_t> orders,
                                            std::span<double> values) {
  expect(mode::step | mode::event_due | mode::intermediate_get | mode::terminated,
         "get_output_derivatives");
  if (capabilities().max_output_derivative_order == 0) {
    cannot("the FMU does not provide output derivatives (maxOutputDerivativeOrder=\"0\")");
  }
  ++counts().get;
  call(get_output_derivatives_, references.data(), references.size(), orders.data(), values.data(),
       values.size());
}

std::optional<double> CoSimulationV3::update(const IntermediateMoment& moment) noexcept {
  if (thrown_ || !intermediate_update_) return std::nullopt;
  const std::uint32_t before = mode();
  set_mode(mode::intermediate | (moment.get_allowed ? mode::intermediate_get : 0u) |
           (moment.set_requested ? mode::intermediate_set : 0u));
  std::optional<double> stop_at;
  try {
    stop_at = intermediate_update_(*this, moment);
  } catch (...) {
    thrown_ = std::current_exception();
    stop_at = moment.time;  // if allowed: continuing is useless
  }
  if (mode() & mode::intermediate) set_mode(before);
  return moment.can_return_early ? stop_at : std::nullopt;
}

extern "C" {

static void intermediate_update(abi::InstanceEnvironment environment, double time,
                                bool set_requested, bool get_allowed, bool step_finished,
                                bool can_return_early, bool* early_return_requested,
                                double* early_return_time) {
  if (early_return_requested) *early_return_requested = false;
  if (!environment) return;
  auto* const instance = static_cast<CoSimulationV3*>(static_cast<Component*>(environment));
  const std::optional<double> stop_at =
      instance->update({time, set_requested, get_allowed, step_finished, can_return_early});
  if (!stop_at || !early_return_requested) return;
  *early_return_requested = true;
  if (early_return_time) *early_return_time = *stop_at;
}
}

}  // namespace

std::unique_ptr<CoSimulation> make_co_simulation(const InstanceSetup& setup,
                                                 const CoSimulationOptions& options) {
  return std::make_unique<CoSimulationV3>(setup, options);
}

}  // namespace tutti::fmi::v3
