// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <limits>
#include <memory>
#include <tutti/log.hpp>

#include "base/infinity.hpp"
#include "fmi/fmu.hpp"
#include "models/fmu_model.hpp"
#include "models/linear_equations.hpp"
#include "models/me_integration.hpp"
#include "solvers/ode/ode.hpp"

namespace tutti::models {

/// A model-exchange FMU with an integrator of Tutti.
///
/// The integrator takes its own steps and may be ahead of the master: a communication point inside
/// its last step is interpolated. completedIntegratorStep is called when the master passes the end
/// of a step, so that the FMU never has to return to before a completed step. The integrator
/// restarts after every event.
class MeModel final : public FmuModel, public HasEquations {
 public:
  struct Options : FmuModel::Options {
    fmi::InstanceOptions fmu;
    const solvers::OdeEntry* solver = nullptr;
    double rtol = 1e-6;
    double atol = 1e-8;       ///< times the nominal value of each state
    double max_step = 0;      ///< of the integrator; 0: no limit, except...
    double usual_step = 0.1;  ///< ...the maximum for a model with event indicators
    double first_step = 0;    ///< 0: chosen
    SolverOptions solver_options;
    bool diagnose = false;  ///< SolverStatistics::diagnosis
    /// A component of a system: its inputs change from step to step, and it handles its events
    /// inside a step.
    bool coupled = false;
    bool restarts_at_points = true;  ///< the integrator, at the start of each step of the system
    /// Nothing comes from outside, so that the integrator may go beyond communication points.
    bool runs_ahead = false;
    bool goes_back = false;        ///< steps may be repeated
    bool is_cluster = false;       ///< its settings are those of [[clusters]]
    Boundary* boundary = nullptr;  ///< null: no lines
  };
  MeModel(fmi::Fmu& fmu, Options options, const Log& log);

  void begin_initialization(const Experiment& experiment) override;
  void end_initialization(const Experiment& experiment) override;
  /// By differences after initialization, if the FMU has no directional derivatives.
  bool differentiate(std::span<const std::int32_t> unknowns, std::span<const std::int32_t> knowns,
                     std::span<const double> seed, std::span<double> sensitivity) override;
  LinearEquations linearize(const LinearQuestion& question) override;
  void begin_event() override;
  bool end_event(double t) override;
  bool handle_event(double t) override;
  StepOutcome step(double t, double h) override;
  void save(Snapshot& into) override;
  void restore(const Snapshot& from) override;
  std::string write_state(const Snapshot& from) override;
  Snapshot read_state(std::string_view bytes) override;
  void expect_rollback(bool expected) override {
    expects_rollback_ = expected || options_.goes_back;
  }
  bool can_vary_step() const override { return true; }
  bool has_event_mode() const override { return true; }
  void follow(InputSignal* signal) override;
  void set_curves(std::span<const double> slopes, std::span<const double> curvatures) override {
    curve_.set_next(slopes, curvatures);
  }
  std::uint32_t output_derivative_order() const override { return 1; }
  void get_output_derivatives(std::span<const std::int32_t> variables, std::uint32_t order,
                              std::span<double> values) override;
  /// By a short step along its equations.
  std::optional<double> look_ahead(double t, double h, std::vector<double>& ahead) override;
  bool can_look_ahead() const override { return true; }
  bool follows_curves() const override { return options_.coupled; }
  void report_progress(Progress progress) override { progress_ = std::move(progress); }
  std::optional<SolverStatistics> solver_statistics() const override;
  std::vector<std::pair<std::string, CallCounts>> member_counts() const override {
    std::vector<std::pair<std::string, CallCounts>> counts;
    for (const auto& member : instance_->members())
      counts.emplace_back(member->name(), member->counts());
    return counts;
  }

 private:
  enum class Mode : std::uint8_t { initialization, continuous_time, event };
  /// Events in short succession, almost without progress of time.
  struct Chattering {
    double last_event = 0;
    int close_events = 0;            ///< in a row
    double blind_until = -infinity;  ///< state events are ignored before
    bool has_occurred = false;
  };
  struct Saved;
  fmi::FmuInstance& fmu() const override { return *instance_; }
  template <class Action>
  auto explained(const Action& action);
  std::string key_of(const std::string& key) const;  ///< in system files
  void make_integrator(std::unique_ptr<MeProblem> problem, solvers::OdeOptions options);
  StepOutcome step_to(double target);
  StepOutcome step_coupled(double t, double h);
  bool handle_own_event(double t);
  /// Result of completedIntegratorStep at the end of an integrator step. Nothing: continue.
  std::optional<StepOutcome> complete_integrator_step();
  /// Calls read() while outputs_ are those a short time ahead. Returns that time difference;
  /// nothing: not possible.
  template <class Read>
  std::optional<double> read_ahead(const Read& read);
  void accept_boundary(double t);
  void step_integrator(double limit);
  /// t + h, or the known event or stop time that it approximates.
  double target_of(double t, double h) const;
  /// The integrator must not evaluate beyond.
  double horizon(double target) const;
  bool settle(double t);
  /// Warns of what the FMU states wrongly of its dependencies.
  void check_pattern(const MeProblem& problem);
  void start_integrator(double t);
  /// The same after the event iteration, when the FMU's relations are those of t.
  void start_after_event(double t);
  /// The change of inputs since the end of the last step has changed a relation of the FMU.
  bool inputs_cause_event(double t);
  /// Brings the instance to t, which the integrator has passed, and reads its outputs.
  void show(double t);
  std::vector<double> tolerances();
  void count_event(double t);
  void guard_against_chattering(double t, const char* kind);

  const Log& log_;
  Options options_;
  fmi::Owned<fmi::ModelExchange> instance_;
  MeIntegration integration_;
  InputSignal* signal_ = nullptr;
  bool lines_started_ = false;  ///< the integrator has the arriving waves
  CurveSignal curve_;
  FeedThrough feed_through_;
  Progress progress_;
  double stop_ = 0;
  bool step_event_ = false;  ///< the FMU requested an event at the end of the last integrator step
  Mode mode_ = Mode::continuous_time;  ///< also before initialization begins
  bool expects_rollback_ = options_.goes_back;
  bool has_complained_ = false;  ///< in check_pattern()
  KnownIndicators indicators_;
  Chattering chattering_;
  SolverStatistics report_;
};

}  // namespace tutti::models
