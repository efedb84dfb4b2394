// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <nvector/nvector_serial.h>

#include <exception>
#include <memory>

#include "solvers/events/root_locator.hpp"
#include "solvers/ode/ode.hpp"
#include "solvers/ode/sundials_library.hpp"
#include "solvers/ode/sundials_newton.hpp"

/// The common part of CVODE, IDA and ARKODE (SUNDIALS: A. C. Hindmarsh et al., ACM TOMS 31, 2005).
namespace tutti::solvers::sundials {

/// An integrator of one of the libraries. A derived class creates its memory, then calls set_up().
class Integrator : public OdeIntegrator {
 public:
  ~Integrator() override;
  Integrator(const Integrator&) = delete;
  Integrator& operator=(const Integrator&) = delete;

  void start(double t, std::span<const double> y, std::span<const double> yp) override;
  Step step(double limit) final;
  void interpolate(double t, std::span<double> y) final;
  void interpolate_derivative(double t, std::span<double> yp) final;
  std::span<const int> roots() const final;
  void set_atol(std::span<const double> atol) final;
  OdeStatistics statistics() const final;

 protected:
  /// @param values with the rows of shared_options()
  Integrator(const Library& library, OdeProblem& problem, const OdeOptions& options,
             const OptionValues& values);
  void set_up(void* memory);
  template <class Function>
  void set_up_roots(int (*root_init)(void* memory, int count, Function), Function function) {
    if (!needs_roots()) return;
    check(root_init(memory_, static_cast<int>(problem_.root_count()), function));
    set_root_directions();
  }
  void set_up_newton(const OptionValues& values);
  void set_up_fixed_point();

  // The functions that differ between the libraries; the first two return their flags.
  /// Restarts from y_vector() (and yp_vector()) at `since`.
  virtual int reinitialize(double since) = 0;
  /// One step, not beyond the stop time.
  virtual int advance(double end, double& since) = 0;
  virtual long evaluations() const = 0;  ///< since the last start
  virtual int last_order() const = 0;
  virtual const char* try_when_not_converging() const { return nullptr; }

  OdeProblem& problem() const { return problem_; }
  const OdeOptions& options() const { return options_; }
  std::span<const double> atol() const { return view(atol_.get()); }
  void* memory() const { return memory_; }
  SUNContext context() const { return context_.handle; }
  N_Vector y_vector() const { return y_.get(); }
  N_Vector yp_vector() const { return yp_.get(); }  ///< null if the problem is not implicit
  Newton* newton() const { return newton_.get(); }
  bool has_thrown() const { return bool{thrown_}; }
  /// A step was repeated because the problem could not be computed, which the library does not
  /// count.
  void note_rejected_evaluation(double h);
  double time(double since) const { return origin_ + since; }
  void check(int flag) const;
  /// Runs a function of the problem for a library, which is C: an exception is stored and rethrown
  /// later.
  template <class Action>
  int guarded(const Action& action);
  /// The increments of differences in CVODE and ARKODE (CVODE guide, 2.2.2), or in IDA, with `yp`.
  std::span<const double> least_increments(N_Vector f, N_Vector yp, N_Vector scratch);

  // Callbacks that CVODE and ARKODE share.
  static int on_evaluate(double t, N_Vector y, N_Vector f, void* self);
  static int on_roots(double t, N_Vector y, double* g, void* self);
  static int on_jacobian(double t, N_Vector y, N_Vector f, SUNMatrix matrix, void* self,
                         N_Vector scratch, N_Vector, N_Vector);
  static int on_product(N_Vector v, N_Vector result, double t, N_Vector y, N_Vector f, void* self,
                        N_Vector);
  static int on_prepare(double t, N_Vector y, N_Vector f, int is_current, int* is_new, double gamma,
                        void* self);
  static int on_precondition(double t, N_Vector y, N_Vector f, N_Vector r, N_Vector z, double gamma,
                             double delta, int side, void* self);

  bool evaluate_roots(double t, N_Vector y, N_Vector yp, double* g);
  /// The result of guarded() for an evaluation of the problem.
  int counting_refusals(int flag) {
    if (flag > 0) ++refusals_;
    return flag;
  }

 private:
  /// Whether there are event functions whose roots the library locates.
  bool needs_roots() const { return problem_.root_count() > 0 && !locates_roots_; }
  void set_root_directions();
  static void on_message(int, const char*, const char*, char* text, void* self);
  void restart(double t);
  void choose_origin(double limit);
  void check_progress(double h);
  Step until(double end);
  void report_step(double h);
  void measure_errors() const;
  OdeStatistics counted() const;
  [[noreturn]] void fail(int flag);

  const Library& library_;
  OdeProblem& problem_;
  OdeOptions options_;
  Context context_;
  Vector y_, yp_, atol_, weights_, errors_, shell_;  ///< the shell has no numbers of its own
  void* memory_ = nullptr;
  std::unique_ptr<Newton> newton_;  ///< null: functional iteration, or none
  NonlinearSolver nonlinear_;
  RootLocator locator_;
  RootLocator::Solution solution_;
  bool locates_roots_;       ///< on the dense output; otherwise the library does
  bool is_refused_ = false;  ///< a step since the last accepted one could not be computed
  bool is_fresh_ = true;     ///< there was no step since the start
  double t_ = 0;             ///< of the last step
  double shown_ = 0;         ///< time of the caller; before t_ after a root on the dense output
  double origin_ = 0;        ///< origin of the time of the library...
  double since_ = 0;         ///< ...and its time
  double stop_ = 0;          ///< its stop time; NaN: none
  int stuck_ = 0;            ///< successive steps without progress
  OdeStatistics before_;     ///< of the starts before the present one
  std::uint64_t starts_ = 0;
  OdeStatistics reported_;      ///< reported to the monitor
  std::uint64_t refusals_ = 0;  ///< failed evaluations since the last report
  std::vector<double> least_increment_;
  std::vector<int> roots_;
  std::vector<std::uint8_t> has_left_zero_;  ///< by event function, since the start
  std::string message_;
  std::exception_ptr thrown_;
};

template <class Action>
int Integrator::guarded(const Action& action) {
  if (thrown_) return -1;  // report the first one
  try {
    return action() ? 0 : 1;
  } catch (...) {
    thrown_ = std::current_exception();
    return -1;
  }
}

/// Options of all libraries.
OptionRow external_events_row();
OptionRow maxnef_row(std::int64_t default_value);
OptionRow maxncf_row();
OptionRow maxcor_row(std::int64_t default_value);

}  // namespace tutti::solvers::sundials
