// SPDX-License-Identifier: BSD-2-Clause
// Runs integrators through the public API:
//   integrators solvers                       name, order, fixed step, sparse, forms: one per line
//   integrators problems                      the names
//   integrators problem NAME                  size, stride; points; start; atol; exact solution
//   integrators run NAME SOLVER RTOL...       per tolerance a line: counts, seconds, values
//   integrators size SOLVER STATES            Brusselator: steps, evaluations, seconds
//   integrators steps NAME STATES END         as plain_cvode does, for counting instructions
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <tutti/error.hpp>
#include <tutti/integrate.hpp>

#include "integrator_problems.hpp"

namespace {

using bench::CountedProblem;
using bench::TestProblem;
using tutti::OdeForm;

constexpr std::uint64_t max_steps = 100'000;  // limit for explicit methods on stiff problems
constexpr double min_seconds = 0.05;          // shorter runs are repeated, and the fastest counts
constexpr int most_repeats = 3;

tutti::SolverInfo solver_named(const std::string& name) {
  for (const tutti::SolverInfo& info : tutti::ode_solvers())
    if (info.name == name) return info;
  throw tutti::Error(tutti::ErrorCode::usage, "there is no solver " + name);
}

bool solves(const tutti::SolverInfo& solver, OdeForm form) {
  return std::ranges::find(solver.forms, form) != solver.forms.end();
}

bool has_fixed_steps(const tutti::SolverInfo& solver) {
  return std::ranges::find(solver.options, "h", &tutti::SolverOptionInfo::name) !=
         solver.options.end();
}

/// As an explicit problem if the solver supports it.
std::optional<OdeForm> form_for(const tutti::SolverInfo& solver, const TestProblem& problem) {
  if (!problem.pattern.column_start.empty() && !solver.sparse) return {};
  for (const OdeForm form : {OdeForm::explicit_ode, OdeForm::mass_matrix, OdeForm::implicit})
    if (solves(solver, form) && !(problem.is_dae && form == OdeForm::explicit_ode)) return form;
  return {};
}

struct Work {
  tutti::OdeSolution solution;
  std::uint64_t evaluations = 0;
  double seconds = 0;
};

Work solve_once(const TestProblem& problem, const tutti::SolverInfo& solver, OdeForm form,
                double rtol) {
  CountedProblem counted(problem, form, solver.name == "rodas");
  tutti::OdeSettings settings{
      .solver = solver.name, .rtol = rtol, .atol = problem.atol, .options = {}};
  for (double& atol : settings.atol) atol *= rtol;
  settings.max_steps = max_steps;
  // A fixed step for each tolerance: 100 steps for 1e-3, 2.6 times as many for each digit.
  if (has_fixed_steps(solver))
    settings.options["h"] = problem.points.back() / std::round(100 * std::pow(1e-3 / rtol, 0.42));
  const std::clock_t begun = std::clock();
  Work work;
  std::vector<double> slopes;  // consistent ones, of implicit problems
  if (form == OdeForm::implicit) {
    slopes.resize(problem.start.size());
    problem.rhs(slopes.size(), 0, problem.start.data(), slopes.data());
    if (problem.is_dae) slopes.back() = 0;
  }
  work.solution = tutti::integrate(counted, 0, problem.start, problem.points.back(), settings,
                                   {.points = problem.points, .at_events = false}, slopes);
  work.seconds = static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
  work.evaluations = counted.evaluations();
  return work;
}

Work solve(const TestProblem& problem, const tutti::SolverInfo& solver, OdeForm form, double rtol) {
  Work work = solve_once(problem, solver, form, rtol);
  for (int i = 1; i < most_repeats && work.seconds < min_seconds; ++i)
    work.seconds = std::min(work.seconds, solve_once(problem, solver, form, rtol).seconds);
  return work;
}

void print_values(std::span<const double> values, std::size_t stride = 1) {
  for (std::size_t i = 0; i < values.size(); i += stride) std::printf(" %.17g", values[i]);
}

void describe(const TestProblem& problem) {
  std::printf("%zu %zu\n", problem.start.size(), problem.stride);
  for (const auto* const list : {&problem.points, &problem.start, &problem.atol}) {
    print_values(*list);
    std::printf("\n");
  }
  if (problem.exact == nullptr) return;
  for (const double t : problem.points) print_values(problem.exact(problem, t), problem.stride);
  std::printf("\n");
}

/// A line: tolerance, steps, evaluations, Jacobians, seconds, values; or the error.
void run(const TestProblem& problem, const tutti::SolverInfo& solver, double rtol) {
  const std::optional<OdeForm> form = form_for(solver, problem);
  if (!form) return;
  std::printf("%g", rtol);
  try {
    const Work work = solve(problem, solver, *form, rtol);
    const tutti::OdeSolution& solution = work.solution;
    std::printf(" %llu %llu %llu %.6g", static_cast<unsigned long long>(solution.statistics.steps),
                static_cast<unsigned long long>(work.evaluations),
                static_cast<unsigned long long>(solution.statistics.jacobians), work.seconds);
    for (std::size_t row = 0; row < solution.times.size(); ++row)
      print_values(solution.at(row), problem.stride);
  } catch (const tutti::Error& error) {
    std::printf(" failed: %s", error.what());
  }
  std::printf("\n");
  std::fflush(stdout);
}

void list_solvers() {
  for (const tutti::SolverInfo& solver : tutti::ode_solvers()) {
    std::printf("%s %d %d %d", solver.name.c_str(), solver.order, has_fixed_steps(solver),
                solver.sparse);
    for (const OdeForm form : solver.forms) std::printf(" %d", static_cast<int>(form));
    std::printf("\n");
  }
}

void measure_size(const tutti::SolverInfo& solver, std::size_t states) {
  const TestProblem problem = *bench::find_problem("brusselator", states);
  const Work work = solve(problem, solver, form_for(solver, problem).value(), 1e-6);
  std::printf("%llu %llu %.6g\n", static_cast<unsigned long long>(work.solution.statistics.steps),
              static_cast<unsigned long long>(work.evaluations), work.seconds);
}

/// The right-hand side as a user writes it, without any counting. Jacobian: as in plain_cvode.c.
class Plain final : public tutti::OdeProblem {
 public:
  Plain(OdeRightHandSide rhs, std::size_t size) : rhs_(rhs), size_(size) {}
  std::size_t size() const override { return size_; }
  bool evaluate(double t, std::span<const double> y, std::span<double> f) override {
    rhs_(y.size(), t, y.data(), f.data());
    return true;
  }
  bool has_jacobian() const override { return rhs_ == ode_van_der_pol; }
  bool jacobian(double, std::span<const double> y, std::span<double> values) override {
    ode_van_der_pol_jacobian(y.data(), values.data());
    return true;
  }

 private:
  OdeRightHandSide rhs_;
  std::size_t size_;
};

void take_steps(const TestProblem& problem, double end) {
  Plain plain(problem.rhs, problem.start.size());
  const tutti::OdeSolution solution = tutti::integrate(
      plain, 0, problem.start, end, {.solver = "cvode", .options = {}}, {.points = {end}});
  const tutti::OdeStatistics& counts = solution.statistics;
  std::printf("%llu %llu %.17g\n", static_cast<unsigned long long>(counts.steps),
              static_cast<unsigned long long>(counts.evaluations + counts.jacobian_evaluations),
              solution.y[0]);
}

int act(const std::vector<std::string>& words) {
  const std::string what = words.empty() ? "" : words[0];
  if (what == "solvers") {
    list_solvers();
    return 0;
  }
  if (what == "problems") {
    for (const std::string_view name : bench::problem_names())
      std::printf("%s\n", std::string(name).c_str());
    return 0;
  }
  if (what == "size" && words.size() == 3) {
    measure_size(solver_named(words[1]), std::stoul(words[2]));
    return 0;
  }
  const std::size_t size = what == "steps" && words.size() == 4 ? std::stoul(words[2]) : 100;
  const auto problem = bench::find_problem(words.size() > 1 ? words[1] : "", size);
  if (!problem || (what == "steps") != (words.size() == 4 && what == "steps")) return 2;
  if (what == "problem") describe(*problem);
  if (what == "steps") take_steps(*problem, std::stod(words[3]));
  if (what == "run")
    for (std::size_t i = 3; i < words.size(); ++i)
      run(*problem, solver_named(words[2]), std::stod(words[i]));
  return 0;
}

}  // namespace

int main(int argc, char** argv) try {
  return act({argv + 1, argv + argc});
} catch (const std::exception& error) {
  std::fprintf(stderr, "integrators: %s\n", error.what());
  return 1;
}
