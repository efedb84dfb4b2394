// SPDX-License-Identifier: BSD-2-Clause
#include "solvers/ode/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tutti/error.hpp>

#include "base/text.hpp"

namespace tutti::solvers {

void refuse_option(std::string_view solver, std::string_view option, std::string text,
                   std::string hint) {
  throw Error(ErrorCode::usage, fmt::format("solver {}: {}", solver, text),
              {.key = fmt::format("solver.{}", option), .hint = std::move(hint)});
}

void refuse_first_step(std::string_view solver, double first_step) {
  if (first_step == 0) return;
  refuse_option(solver, "first-step",
                fmt::format("the first step is set to {:.6g} s, but all steps have the same size.",
                            first_step),
                "Leave out %key%.");
}

namespace {

std::string text_of(const SolverOption& value) {
  if (const auto* const flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* const number = std::get_if<double>(&value)) return number_text(*number);
  return std::get<std::string>(value);
}

const char* noun(const SolverOption& default_value) {
  return std::holds_alternative<bool>(default_value)           ? "true or false"
         : std::holds_alternative<std::int64_t>(default_value) ? "a whole number"
         : std::holds_alternative<double>(default_value)       ? "a number"
                                                               : "a word";
}

std::optional<double> as_number(const SolverOption& given) {
  if (const auto* const number = std::get_if<double>(&given)) return *number;
  if (const auto* const whole = std::get_if<std::int64_t>(&given))
    return static_cast<double>(*whole);
  double read = 0;
  const auto* const text = std::get_if<std::string>(&given);
  return text != nullptr && parse_number(*text, read) ? std::optional(read) : std::nullopt;
}

/// The value converted to the type of the row; nothing: not possible.
std::optional<SolverOption> converted(const OptionRow& row, const SolverOption& given) {
  if (std::holds_alternative<bool>(row.default_value)) {
    if (std::holds_alternative<bool>(given)) return given;
    const std::string text = text_of(given);
    if (text == "true") return true;
    if (text == "false") return false;
    return {};
  }
  if (std::holds_alternative<std::string>(row.default_value))
    return std::holds_alternative<std::string>(given) ? std::optional(given) : std::nullopt;
  const std::optional<double> number = as_number(given);
  if (!number || !std::isfinite(*number)) return {};
  if (std::holds_alternative<double>(row.default_value)) return *number;
  if (*number != std::trunc(*number) || std::abs(*number) > 1e9) return {};
  return static_cast<std::int64_t>(*number);
}

SolverOption checked(std::string_view solver, const OptionRow& row, const SolverOption& given) {
  const std::optional<SolverOption> value = converted(row, given);
  if (!value)
    refuse_option(solver, row.name,
                  fmt::format("option {} is {}, not \"{}\".", row.name, noun(row.default_value),
                              text_of(given)));
  if (const auto number = as_number(*value);
      number && row.maximum != row.minimum && !(*number >= row.minimum && *number <= row.maximum))
    refuse_option(solver, row.name,
                  fmt::format("option {} is {}; expected {:.6g} to {:.6g}.", row.name,
                              text_of(given), row.minimum, row.maximum));
  const auto* const word = std::get_if<std::string>(&*value);
  if (word != nullptr && !row.words.empty() &&
      std::ranges::find(row.words, *word) == row.words.end())
    refuse_option(solver, row.name,
                  fmt::format("option {} is \"{}\"; expected one of: {}.", row.name, *word,
                              fmt::join(row.words, ", ")),
                  did_you_mean(*word, {row.words.begin(), row.words.end()}));
  return *value;
}

template <class Type>
const Type& get(const SolverOptions& values, std::string_view name) {
  return std::get<Type>(values.find(name)->second);
}

}  // namespace

OptionValues::OptionValues(std::string_view solver, std::span<const OptionRow> rows,
                           const SolverOptions& given)
    : solver_(solver) {
  for (const OptionRow& row : rows) values_.emplace(row.name, row.default_value);
  for (const auto& [name, value] : given) {
    const auto row = std::ranges::find(rows, name, &OptionRow::name);
    if (row == rows.end()) {
      std::vector<std::string_view> known = names_of(rows);
      refuse_option(solver, name,
                    known.empty() ? fmt::format("there is no option \"{}\"; it has none.", name)
                                  : fmt::format("there is no option \"{}\"; expected one of: {}.",
                                                name, fmt::join(known, ", ")),
                    did_you_mean(name, known));
    }
    values_.find(name)->second = checked(solver, *row, value);
    given_.push_back(name);
  }
}

void OptionValues::refuse_if_given(std::string_view name, std::string_view why,
                                   std::string hint) const {
  if (std::ranges::find(given_, name) == given_.end()) return;
  refuse_option(solver_, name, fmt::format("option {} has no effect: {}.", name, why),
                std::move(hint));
}

double OptionValues::number(std::string_view name) const { return get<double>(values_, name); }
int OptionValues::integer(std::string_view name) const {
  return static_cast<int>(get<std::int64_t>(values_, name));
}
bool OptionValues::flag(std::string_view name) const { return get<bool>(values_, name); }
const std::string& OptionValues::word(std::string_view name) const {
  return get<std::string>(values_, name);
}

}  // namespace tutti::solvers
