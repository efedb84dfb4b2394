// SPDX-License-Identifier: BSD-2-Clause
#include "session/steady/find_steady.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/text.hpp"
#include "fmi/file_cache.hpp"
#include "session/steady/steady_equations.hpp"
#include "session/worker_call.hpp"
#include "stability/spectrum.hpp"
#include "system/component_kind.hpp"
#include "system/package_paths.hpp"

namespace tutti {
namespace session {
namespace {

constexpr double shown_as_zero = 1e-16;        // times the nominal
constexpr std::size_t largest_spectrum = 500;  // states; about a second

/// One search, from the equations to the report.
class SteadyFinder {
 public:
  SteadyFinder(const System& system, const SteadyOptions& options, const Log& log,
               execution::Monitor& monitor)
      : system_(system), options_(options), log_(log), monitor_(monitor) {}

  SteadyState find() {
    using Phase = execution::Monitor::Phase;
    {
      WholeModel model(system_, options_.open, log_);
      monitor_.phase = Phase::initializing;
      SteadyEquations equations(model, options_, [this] { look(); });
      monitor_.phase = Phase::searching;
      state_.time = model.time();
      state_.findings = model.findings();
      search(equations);
      report(equations);
      if (state_.found) examine(model, equations);
    }
    if (state_.found) verify();
    return std::move(state_);
  }

 private:
  void look() {
    ++monitor_.looks;
    if (is_requested(options_.stop_request)) throw Error(ErrorCode::interrupted, "interrupted");
  }

  void search(SteadyEquations& equations) {
    if (equations.size() == 0) {
      state_.found = true;
      state_.findings.emplace_back(
          "there are no continuous states and no fixed values: nothing "
          "was to be solved");
      return;
    }
    outcome_ = solvers::find_steady(equations, equations.start(),
                                    {options_.tolerance, static_cast<int>(options_.iterations),
                                     static_cast<int>(options_.steps)});
    state_.found = outcome_.found;
    state_.method = outcome_.by_transient ? SteadyMethod::transient : SteadyMethod::newton;
    state_.iterations = static_cast<std::uint32_t>(outcome_.iterations);
    state_.steps = static_cast<std::uint32_t>(outcome_.steps);
    if (state_.found) return;
    state_.failure = fmt::format("Newton's method: {}", outcome_.newton_failure);
    if (outcome_.transient_failure != outcome_.newton_failure)
      state_.failure += fmt::format("; pseudo-transient: {}", outcome_.transient_failure);
    if (!equations.refusal().empty())
      state_.failure += fmt::format("; last rejected by the model {}", equations.refusal());
  }

  void report(const SteadyEquations& equations) {
    const std::size_t n = equations.state_count();
    for (std::size_t j = 0; j < equations.size(); ++j) {
      const SteadyScalar& scalar = j < n ? equations.states()[j] : equations.free()[j - n];
      double value = j < outcome_.z.size() ? outcome_.z[j] : equations.initial(j);
      if (std::abs(value) < shown_as_zero * equations.nominal(j)) value = 0;
      const bool is_determined = outcome_.undetermined.empty() || outcome_.undetermined[j] == 0;
      (j < n ? state_.states : state_.inputs)
          .push_back({scalar.name, scalar.unit, value, equations.initial(j),
                      j >= n || equations.is_settable(scalar), is_determined});
    }
    for (std::size_t i = 0; i < equations.size(); ++i) {
      const bool is_state = i < n;
      const SteadyScalar& scalar = is_state ? equations.states()[i] : equations.fixed()[i - n];
      const double r = i < outcome_.r.size() ? outcome_.r[i] : 0;
      if (!is_state)
        state_.fixed.push_back({scalar.name, scalar.unit, equations.target(i - n) + r,
                                equations.target(i - n), false, true});
      const std::string unit = scalar.unit.empty() ? (is_state ? "1/s" : "")
                               : is_state          ? per_second(scalar.unit)
                                                   : scalar.unit;
      state_.residuals.push_back({is_state ? fmt::format("der({})", scalar.name) : scalar.name,
                                  unit, r, i < outcome_.allowed.size() ? outcome_.allowed[i] : 0});
    }
    std::ranges::stable_sort(state_.residuals, std::greater<>(), [](const SteadyResidual& r) {
      if (!std::isfinite(r.value)) return std::numeric_limits<double>::infinity();
      return std::abs(r.value) / (r.allowed > 0 ? r.allowed : 1);
    });
  }

  static std::string per_second(const std::string& unit) {
    return unit.find('/') == std::string::npos ? unit + "/s" : fmt::format("({})/s", unit);
  }

  /// What to know about the solution, and the values to start from.
  void examine(const WholeModel& model, SteadyEquations& equations) {
    note_undetermined();
    note_limits(model, equations);
    find_stability(equations);
    std::vector<std::string> changing = model.changing_sources();
    if (!changing.empty())
      state_.findings.push_back(fmt::format(
          "inputs change after the start: {}; the state is steady for their values at t = {} s",
          list_some(changing), model.time()));
    if (equations.size() > 0) {
      const auto later = equations.time_dependence(outcome_.z, outcome_.r, outcome_.allowed);
      if (!later.states.empty())
        state_.findings.push_back(
            fmt::format("equations depend on time: the derivatives of {} are zero at t = {} s, "
                        "but not later",
                        list_some(later.states), model.time()));
      if (!later.failure.empty()) state_.findings.push_back(later.failure);
    }
    collect_values(model);
  }

  void note_undetermined() {
    std::vector<std::string> names;
    for (const auto* const group : {&state_.states, &state_.inputs})
      for (const SteadyValue& value : *group)
        if (!value.is_determined) names.push_back(value.name);
    if (!names.empty())
      state_.findings.push_back(
          fmt::format("the equations do not determine {}: other values are steady, too; these are "
                      "near the start values (--set chooses others)",
                      list_some(names)));
  }

  void note_limits(const WholeModel& model, const SteadyEquations& equations) {
    const auto check = [&](const SteadyScalar& scalar, double value) {
      if (scalar.variable < 0) return;
      const auto& [min, max] = limits_of(model, scalar);
      if (min && value < *min)
        state_.findings.push_back(
            fmt::format("{} = {:.6g} is below its minimum {:.6g}", scalar.name, value, *min));
      if (max && value > *max)
        state_.findings.push_back(
            fmt::format("{} = {:.6g} is above its maximum {:.6g}", scalar.name, value, *max));
    };
    const std::size_t n = equations.state_count();
    for (std::size_t j = 0; j < outcome_.z.size(); ++j)
      check(j < n ? equations.states()[j] : equations.free()[j - n], outcome_.z[j]);
  }
  static std::pair<std::optional<double>, std::optional<double>> limits_of(
      const WholeModel& model, const SteadyScalar& scalar) {
    const TypeAttributes& attributes =
        model.description().variables[static_cast<std::size_t>(scalar.variable)].attributes;
    return {attributes.min, attributes.max};
  }

  /// Of the states, with the free inputs as constants.
  void find_stability(const SteadyEquations& equations) {
    const std::size_t n = equations.state_count();
    if (n == 0 || n > largest_spectrum || outcome_.jacobian.empty()) return;
    stability::Matrix a(n, n);
    const auto weight = [&](std::size_t j) {
      return std::abs(outcome_.z[j]) + equations.nominal(j);
    };
    for (const solvers::Entry& e : outcome_.jacobian)
      if (e.row < n && e.column < n)
        a(e.row, e.column) += e.value * weight(e.column) / weight(e.row);
    const auto values = stability::eigenvalues(a);
    double largest = -std::numeric_limits<double>::infinity();
    for (const auto& value : values) largest = std::max(largest, value.real());
    if (!std::isfinite(largest)) return;
    state_.abscissa = largest;
    const double part = 100 * equations.jacobian_error();
    const double error = outcome_.undetermined.empty() ? part * std::abs(values.front())
                                                       : std::sqrt(part) * row_norm(a, n);
    state_.stability = largest > error    ? Stability::unstable
                       : largest < -error ? Stability::stable
                                          : Stability::marginal;
  }

  /// The largest sum of a row. An error of the matrix moves multiple eigenvalues, as the zeros of a
  /// free body, by its root.
  static double row_norm(const stability::Matrix& a, std::size_t n) {
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += std::abs(a(i, j));
      largest = std::max(largest, sum);
    }
    return largest;
  }

  void collect_values(const WholeModel& model) {
    std::set<std::string> known;
    const auto add = [&](const std::string& name, const std::string& value) {
      if (known.insert(name).second) state_.values.push_back({name, value, {}});
    };
    std::vector<std::string> fixed_by_model;
    for (const SteadyValue& value : state_.states) {
      if (value.is_settable)
        add(value.name, number_text(value.value));
      else
        fixed_by_model.push_back(value.name);
    }
    for (const SteadyValue& value : state_.inputs) add(value.name, number_text(value.value));
    std::vector<std::string> driven;
    const auto& components = model.system().components;
    for (std::size_t c = 0; c < components.size(); ++c)
      for (const auto& [name, value] : components[c].set) {
        if (std::ranges::find(components[c].assigned, name) == components[c].assigned.end())
          continue;
        std::string full = model.shown(fmt::format("{}.{}", components[c].name, name));
        if (model.is_driven(c, name))
          driven.push_back(std::move(full));
        else
          add(full, value);
      }
    if (!driven.empty())
      state_.findings.push_back(
          fmt::format("the given value of {} has no effect: a table or a connection gives another",
                      list_some(driven)));
    if (!fixed_by_model.empty())
      state_.findings.push_back(
          fmt::format("a run cannot start from these values: {} {} no start value to set (initial "
                      "= \"calculated\", or no name); the parameters of the model determine {}",
                      list_some(fixed_by_model), fixed_by_model.size() == 1 ? "has" : "have",
                      fixed_by_model.size() == 1 ? "it" : "them"));
  }

  /// What a run would do: fresh instances with the values as start values.
  void verify() {
    constexpr double lenience = 1e3;  // digits of start values; discrete states that lag behind
    try {
      System again = system_;
      assign(again, state_.values, options_.open, log_);
      const Log quiet;  // messages were logged before
      WholeModel model(again, options_.open, quiet);
      SteadyEquations equations(model, SteadyOptions(), [this] { look(); });
      const std::size_t n = equations.state_count();
      std::vector<double> z = equations.start(), r(n);
      if (!equations.evaluate(z, r)) {
        state_.findings.push_back(fmt::format(
            "a fresh instance rejects the values as start values: {}", equations.refusal()));
        return;
      }
      std::vector<std::string> moved, moving;
      for (std::size_t i = 0; i < n && i < state_.states.size(); ++i) {
        const double value = state_.states[i].value;
        const double scale = std::abs(value) + equations.nominal(i);
        if (std::abs(z[i] - value) > lenience * options_.tolerance * scale)
          moved.push_back(fmt::format("{} = {:.6g}", state_.states[i].name, z[i]));
        if (!(std::abs(r[i]) <= lenience * outcome_.allowed[i]))
          moving.push_back(fmt::format("der({}) = {:.6g}", state_.states[i].name, r[i]));
      }
      state_.is_verified = moved.empty() && moving.empty();
      if (!moving.empty())
        state_.findings.push_back(
            fmt::format("a run with these start values does not stay there: fresh instances start "
                        "with {}{}",
                        list_some(moving),
                        moved.empty() ? "; they have other discrete states"
                                      : fmt::format(", because of {}", list_some(moved))));
      else if (!moved.empty())
        state_.findings.push_back(
            fmt::format("fresh instances start at another steady state: {}", list_some(moved)));
    } catch (const Error& error) {
      if (error.code() == ErrorCode::interrupted) throw;
      state_.findings.push_back(
          fmt::format("the values cannot be used as start values: {}", error.what()));
      leave_out(error.details().component);
    }
  }

  /// An FMU refused the start values of its states, although its description allows them.
  void leave_out(const std::string& component) {
    if (component.empty()) return;
    const std::string prefix = system_.is_single_fmu ? "" : component + ".";
    for (SteadyValue& state : state_.states) {
      if (!state.name.starts_with(prefix)) continue;
      state.is_settable = false;
      std::erase_if(state_.values, [&](const NamedValue& v) { return v.name == state.name; });
    }
  }

  const System& system_;
  const SteadyOptions& options_;
  const Log& log_;
  execution::Monitor& monitor_;
  SteadyState state_;
  solvers::SteadyOutcome outcome_;
};

}  // namespace

SteadyState find_steady_here(const System& system, const SteadyOptions& options, const Log& log,
                             execution::Monitor& monitor) {
  SteadyOptions with_cache = options;
  with_cache.open = fmi::with_cache(options.open);
  return SteadyFinder(system, with_cache, log, monitor).find();
}

}  // namespace session

SteadyState find_steady(const System& system, const SteadyOptions& options, const Log& log) {
  const system::PackagePaths paths(system);
  return paths.during([&] {
    const Log shown = paths.shown(log.once());
    if (!options.own_process || system::find_object(system) != nullptr) {
      execution::Monitor monitor;
      return session::find_steady_here(system, options, shown, monitor);
    }
    session::WorkerCaller caller(options.worker.host(), options, shown);
    const session::Opening opening =
        session::opening_for(system, options, options.open, shown, caller);
    const std::string answer = caller.call(
        session::Request::steady,
        Packer()(opening, session::SteadyTask{options.free, options.fixed, options.tolerance,
                                              options.iterations, options.steps}));
    return Unpacker(answer).take<SteadyState>();
  });
}

}  // namespace tutti
