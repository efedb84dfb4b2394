// SPDX-License-Identifier: BSD-2-Clause
// Accuracy against cost: the number of doStep calls of each coupling scheme for a given error. The
// fixed step or the tolerance of the scheme is bisected to the cheapest that meets the error. A
// cluster takes no steps of its members: every evaluation of a member's equations counts as a call.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <tutti/examples.hpp>
#include <tutti/worker.hpp>
#include <vector>

namespace {

constexpr double most_calls = 2e6;  // limit
constexpr int halvings = 5;         // of the interval with the solution: to about 2 %

/// A coupling scheme: settings, and the parameter that is varied.
struct Way {
  const char* name;
  std::vector<std::string> set;
  bool is_controlled = false;  ///< the tolerance is varied, not the step
  bool is_cluster = false;     ///< `set` is its solver
};

const std::vector<Way> ways = {
    {"jacobi, constant", {"method=jacobi"}},
    {"jacobi, order 1", {"method=jacobi", "inputs.order=1"}},
    {"jacobi, order 2", {"method=jacobi", "inputs.order=2"}},
    {"jacobi, order 1, corrected", {"method=jacobi", "inputs.order=1", "inputs.correct=linear"}},
    {"jacobi, order 2, corrected", {"method=jacobi", "inputs.order=2", "inputs.correct=linear"}},
    {"gauss-seidel, constant", {"method=gauss-seidel"}},
    {"gauss-seidel, order 1", {"method=gauss-seidel", "inputs.order=1"}},
    {"gauss-seidel, order 2", {"method=gauss-seidel", "inputs.order=2"}},
    {"gauss-seidel, order 2, corrected",
     {"method=gauss-seidel", "inputs.order=2", "inputs.correct=linear"}},
    {"newton, constant", {"method=newton"}},
    {"newton, linear", {"method=newton", "inputs.inside=linear"}},
    {"newton, order 2", {"method=newton", "inputs.order=2"}},
    {"broyden, order 2", {"method=broyden", "inputs.order=2"}},
    {"iterated, linear", {"method=iterated", "inputs.inside=linear"}},
    {"richardson, gauss-seidel", {"method=gauss-seidel", "control=richardson"}, true},
    {"richardson, gauss-seidel, order 2",
     {"method=gauss-seidel", "inputs.order=2", "control=richardson"},
     true},
    {"richardson, newton", {"method=newton", "control=richardson"}, true},
    {"richardson, iterated", {"method=iterated", "control=richardson"}, true},
    {"predictor, gauss-seidel, order 1",
     {"method=gauss-seidel", "inputs.order=1", "control=predictor"},
     true},
    {"predictor, gauss-seidel, order 2",
     {"method=gauss-seidel", "inputs.order=2", "control=predictor"},
     true},
    {"predictor, jacobi, order 2, corrected",
     {"method=jacobi", "inputs.order=2", "inputs.correct=linear", "control=predictor"},
     true},
    {"auto", {"method=auto"}, true},
    {"cluster, cvode", {"cvode"}, true, true},
    {"cluster, dopri5", {"dopri5"}, true, true},
};

struct Problem {
  const char* name;
  double span;  ///< s
  std::vector<const char*> members = {};
};
const std::vector<Problem> problems = {{"quarter_car", 4, {"chassis", "wheel"}},
                                       {"double_pendulum", 1, {"upper", "lower"}},
                                       {"math003", 10, {"part1", "part2", "part3"}},
                                       {"eas_10_circuit", 10, {"f1", "f2", "f3"}}};

struct Outcome {
  double error = 0, calls = 0;
};

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", x);
  return text;
}

/// All components in one cluster.
std::string cluster_of(const Problem& problem, const std::string& solver, double tolerance) {
  std::string of;
  for (const char* const member : problem.members)
    of += (of.empty() ? "\"" : ", \"") + std::string(member) + "\"";
  return "clusters=[{of=[" + of + "],solver={name=\"" + solver +
         "\",max-step=1e9,rtol=" + number(tolerance) + "}}]";
}

/// doStep, or evaluations of a member's equations.
double calls_of(const tutti::RunStatistics& statistics, const Problem& problem) {
  auto calls = static_cast<double>(statistics.do_step);
  for (const tutti::ComponentStatistics& component : statistics.components)
    if (component.solver)
      calls += static_cast<double>(component.solver->evaluations * problem.members.size());
  return calls;
}

/// Nothing: the run fails.
std::optional<Outcome> measure(const tutti::Example& example, const Problem& problem,
                               const Way& way, double parameter) {
  tutti::ExampleRun run;
  run.name = way.name;
  // The iteration tolerance must not limit the error.
  const double tight = way.is_controlled ? parameter / 10 : 1e-8;
  const bool is_automatic = way.set.front() == "method=auto";
  run.set = {"simulation.inputs.inside=constant",  "simulation.inputs.order=0",
             "simulation.inputs.derivatives=auto", "simulation.inputs.smooth=false",
             "simulation.inputs.correct=none",     "simulation.control.name=fixed"};
  if (!is_automatic) {
    run.set.push_back("simulation.tolerance.abs=" + number(tight));
    run.set.push_back("simulation.tolerance.rel=" + number(tight));
    run.set.push_back("simulation.tolerance.on-limit=stop");
  }
  if (way.is_cluster)
    run.set.push_back(cluster_of(problem, way.set.front(), parameter));
  else
    for (const std::string& setting : way.set) run.set.push_back("simulation." + setting);
  if (way.is_cluster) {
    run.set.push_back("simulation.step=" + number(problem.span / 1000));
  } else if (is_automatic) {
    run.set.push_back("simulation.tolerance.abs=" + number(parameter));
    run.set.push_back("simulation.tolerance.rel=" + number(parameter));
  } else if (way.is_controlled) {
    run.set.push_back("simulation.control.atol=" + number(parameter));
    run.set.push_back("simulation.control.rtol=" + number(parameter));
    run.set.push_back("simulation.step=" + number(problem.span / 1000));
    // Jumps are not resolved, but located accurately enough.
    run.set.push_back("simulation.control.at-min=continue");
    run.set.push_back("simulation.control.min=" + number(parameter * problem.span / 1000));
  } else {
    run.set.push_back("simulation.step=" + number(parameter));
  }
  try {
    const tutti::ExampleOutcome outcome = tutti::run_example(example, run, {});
    if (!outcome.failure.empty() || !std::isfinite(outcome.error)) return {};
    return Outcome{outcome.error, calls_of(outcome.statistics, problem)};
  } catch (const tutti::Error& error) {
    if (error.code() == tutti::ErrorCode::interrupted) throw;
    return {};
  }
}

/// The cheapest found that meets the error.
std::optional<Outcome> cheapest(const tutti::Example& example, const Problem& problem,
                                const Way& way, double error) {
  // Fixed steps divide the time span, so that they are all equal.
  const auto parameter_of = [&](double exponent) {
    return way.is_controlled ? std::pow(10, -exponent)
                             : problem.span / std::round(std::pow(2, exponent));
  };
  const double coarsest = way.is_controlled ? 0 : 3, finest = way.is_controlled ? 11 : 22;
  std::optional<Outcome> best;
  const auto meets = [&](double exponent) {
    const auto outcome = measure(example, problem, way, parameter_of(exponent));
    if (!outcome || outcome->error > error) return false;
    if (!best || outcome->calls < best->calls) best = outcome;
    return true;
  };
  double exponent = coarsest;
  for (; exponent <= finest; exponent += 1) {
    if (!way.is_controlled && std::pow(2, exponent) > most_calls / 2) return {};
    if (meets(exponent)) break;
  }
  if (exponent > finest) return {};
  double low = exponent - 1, high = exponent;
  for (int i = 0; i < halvings; ++i) {
    const double middle = (low + high) / 2;
    (meets(middle) ? high : low) = middle;
  }
  return best;
}

}  // namespace

int main(int count, char** arguments) {
  if (tutti::is_worker(count, arguments)) return tutti::serve_worker(count, arguments);
  if (count < 2) {
    std::fprintf(stderr, "accuracy EXAMPLES [PROBLEM [WAY]]\n");
    return 2;
  }
  const auto examples = tutti::read_examples(arguments[1]);
  std::printf("problem,way,error,calls,reached\n");
  for (const Problem& problem : problems) {
    if (count > 2 && std::strcmp(arguments[2], problem.name) != 0) continue;
    const auto example = std::find_if(examples.begin(), examples.end(),
                                      [&](const auto& e) { return e.name == problem.name; });
    if (example == examples.end()) continue;
    for (const Way& way : ways) {
      if (count > 3 && std::strcmp(arguments[3], way.name) != 0) continue;
      for (const double error : {1e-3, 1e-5}) {
        const auto best = cheapest(*example, problem, way, error);
        if (best)
          std::printf("%s,\"%s\",%g,%.0f,%.2e\n", problem.name, way.name, error, best->calls,
                      best->error);
        else
          std::printf("%s,\"%s\",%g,,\n", problem.name, way.name, error);
        std::fflush(stdout);
      }
    }
  }
  return 0;
}
