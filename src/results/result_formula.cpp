// SPDX-License-Identifier: BSD-2-Clause
#include "results/result_formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tutti/cases.hpp>
#include <tutti/error.hpp>

namespace tutti::results {

/// A row of the table of reductions.
struct ReductionKind {
  std::string_view name, summary;
  /// A row with this value follows; `state` belongs to the row before.
  void (*add)(Reduced& state, double time, double value, bool is_held);
  double (*value)(const Reduced& state);
  bool takes_time = false;  ///< a second argument
};

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view time_name = "time";

void nothing(Reduced&, double, double, bool) {}

template <class Better>
void keep_best(Reduced& state, double time, double value, const Better& is_better) {
  if (state.any && !is_better(value, state.best) && !std::isnan(value)) return;
  if (state.any && std::isnan(state.best)) return;
  state.best = value;
  state.best_time = time;
}
void keep_least(Reduced& state, double time, double value, bool) {
  keep_best(state, time, value, std::less<>());
}
void keep_greatest(Reduced& state, double time, double value, bool) {
  keep_best(state, time, value, std::greater<>());
}

/// The integral over a straight line from a to b is h (a + b)/2...
void integrate(Reduced& state, double time, double value, bool is_held) {
  if (!state.any) return;
  const double h = time - state.time;
  state.sum += h * (is_held ? state.last : (state.last + value) / 2);
}
/// ...and that of its square h (a^2 + a b + b^2)/3.
void integrate_square(Reduced& state, double time, double value, bool is_held) {
  if (!state.any) return;
  const double h = time - state.time, a = state.last;
  state.sum += h * (is_held ? a * a : (a * a + a * value + value * value) / 3);
}
double over_time(const Reduced& state, double of_one_row) {
  const double span = state.time - state.start_time;
  return span > 0 ? state.sum / span : of_one_row;
}

/// The least is in best, the greatest in sum.
void keep_both(Reduced& state, double, double value, bool) {
  if (!state.any) state.best = state.sum = value;
  state.best = std::isnan(value) || value < state.best ? value : state.best;
  state.sum = std::isnan(value) || value > state.sum ? value : state.sum;
}

/// The first row where the condition holds.
void wait_for(Reduced& state, double time, double value, bool) {
  if (!state.any) state.best_time = nan;
  if (std::isnan(state.best_time) && value != 0) state.best_time = time;
}

constexpr std::string_view at_name = "at";
// Sorted by name.
constexpr ReductionKind kinds[] = {
    {at_name, "its value at a time: at(x, 2.5)", nothing, nullptr, true},
    {"end", "its value at the end", nothing, [](const Reduced& s) { return s.last; }},
    {"integral", "its integral over time", integrate, [](const Reduced& s) { return s.sum; }},
    {"max", "its maximum", keep_greatest, [](const Reduced& s) { return s.best; }},
    {"mean", "its mean over time", integrate,
     [](const Reduced& s) { return over_time(s, s.last); }},
    {"min", "its minimum", keep_least, [](const Reduced& s) { return s.best; }},
    {"range", "its maximum minus its minimum", keep_both,
     [](const Reduced& s) { return s.sum - s.best; }},
    {"rms", "the root of the mean of its square over time", integrate_square,
     [](const Reduced& s) { return std::sqrt(over_time(s, s.last * s.last)); }},
    {"start", "its value at the start", nothing, [](const Reduced& s) { return s.first; }},
    {"time_of_max", "the time of its maximum", keep_greatest,
     [](const Reduced& s) { return s.best_time; }},
    {"time_of_min", "the time of its minimum", keep_least,
     [](const Reduced& s) { return s.best_time; }},
    {"when", "the first time at which a condition is true: when(x > 0.1); NaN: never", wait_for,
     [](const Reduced& s) { return s.best_time; }},
};

const ReductionKind* find_kind(std::string_view name) {
  const auto* const found = std::ranges::find(kinds, name, &ReductionKind::name);
  return found == std::end(kinds) ? nullptr : found;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_character(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '.'; }

/// A call in a formula: positions of its name, its brackets, and the commas between arguments.
struct Call {
  std::size_t name = 0, open = 0, close = 0;
  std::vector<std::size_t> commas;
};

[[noreturn]] void refuse(std::string_view formula, std::size_t place, const std::string& why,
                         std::string hint = "") {
  throw Error(ErrorCode::usage,
              fmt::format("formula \"{}\", position {}: {}", formula, place + 1, why),
              {.hint = std::move(hint)});
}

bool is_function(std::string_view name) {
  const std::vector<std::string_view> names = Expression::function_names();
  return std::ranges::find(names, name) != names.end();
}

/// The next call of a reduction from `from` on.
std::optional<Call> find_call(std::string_view formula, std::size_t from) {
  for (std::size_t i = from; i < formula.size();) {
    if (!is_letter(formula[i])) {
      // Digits, and letters in numbers as 1e5, start no name.
      const bool is_digit = formula[i] >= '0' && formula[i] <= '9';
      ++i;
      while (is_digit && i < formula.size() && is_name_character(formula[i])) ++i;
      continue;
    }
    Call call;
    call.name = i;
    while (i < formula.size() && is_name_character(formula[i])) ++i;
    const std::string_view name = formula.substr(call.name, i - call.name);
    std::size_t open = i;
    while (open < formula.size() && formula[open] == ' ') ++open;
    if (open >= formula.size() || formula[open] != '(' || find_kind(name) == nullptr) continue;
    call.open = open;
    std::size_t depth = 0;
    for (std::size_t k = open; k < formula.size() && call.close == 0; ++k) {
      const char c = formula[k];
      if (c == '(' || c == '[') ++depth;
      if ((c == ')' || c == ']') && --depth == 0) call.close = k;
      if (c == ',' && depth == 1) call.commas.push_back(k);
    }
    if (call.close == 0) {
      if (is_function(name)) return {};  // left to the parser of formulas
      refuse(formula, formula.size(), "it ends where ) is expected");
    }
    // min(a, b) and max(a, b) are functions of formulas.
    if (call.commas.empty() || find_kind(name)->takes_time) return call;
    i = open + 1;
  }
  return {};
}

/// The expression between two places of a formula.
Expression part_of(std::string_view formula, std::size_t first, std::size_t last) {
  const std::string_view text = formula.substr(first, last - first);
  if (const auto nested = find_call(text, 0))
    refuse(formula, first + nested->name,
           fmt::format("{}() cannot be inside another function of the whole run",
                       text.substr(nested->name, nested->open - nested->name)));
  return {text, formula, first};
}

/// The expression of a formula that is evaluated at given times.
Expression sampled(std::string_view formula) {
  if (const auto reduction = find_call(formula, 0))
    refuse(formula, reduction->name,
           fmt::format("{}() is a function of the whole run, but the formula is evaluated at given "
                       "times",
                       formula.substr(reduction->name, reduction->open - reduction->name)),
           "Use formulas of variables there.");
  return Expression(formula);
}

/// Numbers of the columns of some names; `time` follows the columns.
std::vector<std::string> with_time(std::span<const Column> columns) {
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  names.emplace_back(time_name);
  return names;
}

/// A formula of discrete variables alone is constant between rows.
bool is_discrete(const Expression& formula, std::span<const Column> columns) {
  return !formula.names().empty() && std::ranges::all_of(formula.names(), [&](const auto& name) {
    const auto found = std::ranges::find(columns, name, &Column::name);
    return found != columns.end() && found->discrete;
  });
}

}  // namespace

std::vector<ReductionText> reductions() {
  std::vector<ReductionText> all;
  for (const ReductionKind& kind : kinds) all.push_back({kind.name, kind.summary});
  return all;
}

ResultFormula::ResultFormula(std::string_view formula) : outer_(take_reductions(formula)) {
  for (const std::string& name : outer_.names())
    if (!name.starts_with("_[")) add_name(name);
}

/// Replaces each reduction by a variable `_[number]` of the same length, so that positions in
/// messages stay right.
Expression ResultFormula::take_reductions(std::string_view formula) {
  std::string outer(formula);
  std::size_t from = 0;
  while (const auto call = find_call(formula, from)) {
    std::size_t name_end = call->name;
    while (is_name_character(formula[name_end])) ++name_end;
    const ReductionKind* const kind = find_kind(formula.substr(call->name, name_end - call->name));
    const std::size_t end = call->commas.empty() ? call->close : call->commas.front();
    Reduction reduction{kind, part_of(formula, call->open + 1, end)};
    if (kind->takes_time) {
      if (call->commas.size() != 1)
        refuse(formula, call->name, "at() takes a formula and a time: at(x, 2.5)");
      const Expression time = part_of(formula, end + 1, call->close);
      if (!time.names().empty()) refuse(formula, end + 1, "the time of at() must be a number");
      reduction.argument = time.value({});
    }
    for (const std::string& name : reduction.inner.names()) add_name(name);
    std::string place = fmt::format("_[{}]", reductions_.size());
    const std::size_t length = call->close + 1 - call->name;
    if (place.size() > length) refuse(formula, call->name, "it has too many functions");
    place.resize(length, ' ');
    outer.replace(call->name, length, place);
    reductions_.push_back(std::move(reduction));
    from = call->close + 1;
  }
  return {outer, formula, 0};
}

void ResultFormula::add_name(const std::string& name) {
  if (name != time_name && std::ranges::find(names_, name) == names_.end()) names_.push_back(name);
}

std::vector<std::string> ResultFormula::constants() const {
  std::vector<std::string> all = outer_.constants();
  for (const Reduction& reduction : reductions_)
    for (const std::string& name : reduction.inner.constants()) all.push_back(name);
  return all;
}

std::vector<double> ResultFormula::times() const {
  std::vector<double> all;
  for (const Reduction& reduction : reductions_)
    if (reduction.kind->takes_time) all.push_back(reduction.argument);
  return all;
}

void ResultFormula::bind(std::span<const Column> columns) {
  const std::vector<std::string> names = with_time(columns);
  for (Reduction& reduction : reductions_) {
    reduction.is_held = is_discrete(reduction.inner, columns);
    reduction.inner.bind(names);
  }
  std::vector<std::string> all = names;
  for (std::size_t i = 0; i < reductions_.size(); ++i) all.push_back(fmt::format("_[{}]", i));
  outer_.bind(all);
}

void ResultFormula::start() {
  any_ = false;
  for (Reduction& reduction : reductions_) reduction.state = {};
}

void ResultFormula::row(double time, std::span<const double> values) {
  last_.assign(values.begin(), values.end());
  last_.push_back(time);
  for (Reduction& reduction : reductions_) {
    Reduced& state = reduction.state;
    const double value = reduction.inner.value(last_);
    if (reduction.kind->takes_time) {
      // best is the value at the last time before it, or there; of an event, behind it.
      const double at = reduction.argument;
      if (time <= at)
        state.best = value;
      else if (state.any && state.time < at)
        state.best = reduction.is_held ? state.last
                                       : state.last + (value - state.last) * (at - state.time) /
                                                          (time - state.time);
      else if (!state.any)
        state.best = nan;
    } else {
      reduction.kind->add(state, time, value, reduction.is_held);
    }
    if (!state.any) {
      state.start_time = time;
      state.first = value;
    }
    state.any = true;
    state.time = time;
    state.last = value;
  }
  any_ = true;
}

double ResultFormula::value() const {
  if (!any_) return nan;
  std::vector<double> all = last_;
  for (const Reduction& reduction : reductions_) {
    const Reduced& state = reduction.state;
    if (reduction.kind->takes_time)
      all.push_back(state.time >= reduction.argument - 1e-9 * std::abs(reduction.argument)
                        ? state.best
                        : nan);
    else
      all.push_back(reduction.kind->value(state));
  }
  return outer_.value(all);
}

SampledFormula::SampledFormula(std::string_view formula, std::vector<double> times)
    : formula_(sampled(formula)), times_(std::move(times)) {
  for (const std::string& name : formula_.names())
    if (name != time_name) names_.push_back(name);
  if (!std::ranges::is_sorted(times_) ||
      !std::ranges::all_of(times_, [](double t) { return std::isfinite(t); }))
    throw Error(ErrorCode::usage,
                fmt::format("the times of \"{}\" must be finite and in ascending order", formula));
}

void SampledFormula::bind(std::span<const Column> columns) {
  is_held_ = is_discrete(formula_, columns);
  formula_.bind(with_time(columns));
}

void SampledFormula::start() {
  values_.assign(times_.size(), nan);
  any_ = false;
  next_ = 0;
}

/// The times before `time`, where the formula has `value`.
void SampledFormula::fill_until(double time, double value) {
  for (; next_ < times_.size() && times_[next_] < time; ++next_) {
    const double t = times_[next_];
    if (t < last_time_) continue;  // before the start of the run
    values_[next_] =
        is_held_ || t == last_time_
            ? last_value_
            : last_value_ + (value - last_value_) * (t - last_time_) / (time - last_time_);
  }
}

void SampledFormula::row(double time, std::span<const double> values) {
  scratch_.assign(values.begin(), values.end());
  scratch_.push_back(time);
  const double value = formula_.value(scratch_);
  if (!any_)
    while (next_ < times_.size() && times_[next_] < time) ++next_;
  else
    fill_until(time, value);
  any_ = true;
  last_time_ = time;
  last_value_ = value;
}

const std::vector<double>& SampledFormula::values() {
  // A last time that differs from the end by rounding belongs to the end.
  const double end = last_time_ + 1e-9 * std::max(1e-9, std::abs(last_time_));
  for (; any_ && next_ < times_.size() && times_[next_] <= end; ++next_)
    if (times_[next_] >= last_time_) values_[next_] = last_value_;
  return values_;
}

}  // namespace tutti::results

namespace tutti {

std::vector<std::string> reduction_names() {
  std::vector<std::string> names;
  for (const auto& [name, summary] : results::reductions()) names.emplace_back(name);
  return names;
}

}  // namespace tutti
