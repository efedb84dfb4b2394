// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <tutti/export.hpp>
#include <tutti/ode.hpp>
#include <tutti/solvers.hpp>
#include <vector>

/// Solving a problem of <tutti/ode.hpp>, with its events: a whole interval with integrate(), or
/// step by step with an Integration.
namespace tutti {

struct OdeSettings {
  std::string solver = "auto";  ///< a name of ode_solvers()
  double rtol = 1e-6;
  std::vector<double> atol = {1e-6};  ///< one for all components, or one per component
  double max_step = std::numeric_limits<double>::infinity();
  double first_step = 0;    ///< 0: chosen
  SolverOptions options{};  ///< of the solver: {{"maxord", 3}}
  bool consistent = true;   ///< find consistent start values of DAEs, also after events
  bool diagnose = false;    ///< collect an OdeDiagnosis
  std::uint64_t max_steps = 10'000'000;  ///< total; an integration that needs more fails
};

/// What limited the steps. "Limited": had the largest error against its tolerance.
struct OdeDiagnosis {
  static constexpr std::size_t unknown = static_cast<std::size_t>(-1);
  struct Step {
    double t = 0, h = 0;  ///< its end and size
    int order = 0;
    std::size_t worst = unknown;  ///< component that limited it
    double error = 0;             ///< of that component over its tolerance
  };
  struct Component {
    std::uint64_t limited = 0;         ///< accepted steps
    std::uint64_t error_failures = 0;  ///< steps that were rejected because of it
  };
  std::vector<Step> steps;  ///< accepted ones
  std::vector<Component> components;
  /// Total number of rejected steps. Not every solver reports the component of an error failure.
  std::uint64_t error_failures = 0, convergence_failures = 0, evaluation_failures = 0;
};

/// The state of an integration.
struct OdePoint {
  enum class Kind : std::uint8_t {
    step,     ///< at the end of a step of the solver
    limit,    ///< at the given limit
    event,    ///< after a handled event
    stopped,  ///< after an event whose handler requested the end
  };
  Kind kind = Kind::step;
  double t = 0;
};

struct OdeEventRecord {
  double t = 0;
  std::vector<int> roots;  ///< as in OdeEvent
  bool time_event = false, step_event = false;
  std::vector<double> before, after;  ///< the states
};

struct OdeEventCounts {
  std::uint64_t state = 0, time = 0, step = 0;
};

/// An integration of a problem: it owns the integrator, locates and handles events, and restarts.
/// All functions throw Error: code `usage` for invalid arguments, `numeric` if the solver cannot
/// continue, with solver, time, step size and worst component in the message.
class TUTTI_API Integration {
 public:
  /// The problem must outlive it. `backward`: time decreases.
  explicit Integration(OdeProblem& problem, OdeSettings settings = {}, bool backward = false);
  ~Integration();
  Integration(Integration&&) noexcept;
  Integration& operator=(Integration&&) noexcept;

  /// Starts or restarts. An event function that is not zero here does not trigger here. `yp` is a
  /// first guess for y' of an implicit problem; empty: zeros.
  void start(double t, std::span<const double> y, std::span<const double> yp = {});
  /// One step of the solver, at most up to the limit, with its events.
  /// @pre start() was called, and limit is ahead
  OdePoint step(double limit);

  double time() const;
  std::span<const double> states() const;
  std::span<const double> derivatives() const;  ///< y', of implicit problems
  /// The solution in the last step, before the event that ended it. @pre t lies in it
  void interpolate(double t, std::span<double> y);
  /// y' there, of implicit problems.
  void interpolate_derivative(double t, std::span<double> yp);
  /// The degree of the polynomial that interpolate() evaluates.
  int interpolation_degree() const;

  /// The last event, if step() returned `event` or `stopped`.
  const OdeEventRecord& last_event() const;
  OdeStatistics statistics() const;
  OdeEventCounts event_counts() const;
  const OdeDiagnosis& diagnosis() const;
  /// The current solver, and its choices with reasons.
  std::string solver_note() const;
  /// Warnings for the user: an index above 1, chattering.
  const std::vector<std::string>& warnings() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The solution as a function of time, from the polynomials of all steps.
class TUTTI_API DenseSolution {
 public:
  bool empty() const { return pieces_.empty(); }
  // @throws std::out_of_range if it is empty
  double start() const;
  double stop() const;
  /// At an event: the states before it. @pre t lies between start and stop
  void operator()(double t, std::span<double> y) const;
  std::vector<double> operator()(double t) const;

  /// The last step, from `from` to the state of `integration` before its event.
  void add_step(Integration& integration, double from, double to, std::size_t size);

 private:
  /// A step as values at Chebyshev points; exact, because the interpolant is a polynomial.
  struct Piece {
    double from = 0, to = 0;
    std::size_t first = 0, count = 0;  ///< of the rows in values_
  };
  std::size_t size_ = 0;
  std::vector<Piece> pieces_;
  std::vector<double> values_;
};

/// The output of integrate().
struct OdeOutput {
  std::vector<double> points;  ///< results there, in the direction of time; empty: at every step
  bool at_events = true;       ///< both sides of each event, besides
  bool dense = false;          ///< OdeSolution::dense
  /// Called with each result, instead of storing it.
  std::function<void(double t, std::span<const double> y, std::span<const double> yp)> receive{};
  /// Called after each step of the solver; false ends the integration.
  std::function<bool(double t)> progress{};
  double time_limit = std::numeric_limits<double>::infinity();  ///< seconds of wall time
};

struct OdeSolution {
  enum class End : std::uint8_t {
    reached,      ///< the end of the interval
    stopped,      ///< requested by an event handler
    interrupted,  ///< OdeOutput::progress returned false
    time_limit,   ///< OdeOutput::time_limit
  };
  End end = End::reached;
  double t = 0;                ///< end of the integration
  std::vector<double> y, yp;   ///< there; y' of implicit problems
  std::vector<double> times;   ///< of the results
  std::vector<double> states;  ///< of the results, row after row
  DenseSolution dense;
  std::vector<OdeEventRecord> events;
  OdeEventCounts event_counts;
  OdeStatistics statistics;
  OdeDiagnosis diagnosis;
  std::string solver_note;
  std::vector<std::string> warnings;

  /// The states of result `row`.
  std::span<const double> at(std::size_t row) const {
    return std::span(states).subspan(row * y.size(), y.size());
  }
};

/// Solves a problem from t0, where y and y' are given, to t1, which may be before t0.
/// @throws Error as Integration does
TUTTI_API OdeSolution integrate(OdeProblem& problem, double t0, const std::vector<double>& y0,
                                double t1, const OdeSettings& settings = {},
                                const OdeOutput& output = {}, const std::vector<double>& yp0 = {});
/// The same for a problem of lambdas; its size is that of y0.
TUTTI_API OdeSolution integrate(OdeFunctions problem, double t0, const std::vector<double>& y0,
                                double t1, const OdeSettings& settings = {},
                                const OdeOutput& output = {}, const std::vector<double>& yp0 = {});

}  // namespace tutti
