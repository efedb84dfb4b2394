// SPDX-License-Identifier: BSD-2-Clause
#include "base/expression.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "models/built_in/models.hpp"

namespace tutti::models {
namespace {

constexpr std::string_view time_name = "time";

class ExpressionModel final : public BuiltInModel {
 public:
  explicit ExpressionModel(const BuiltInTask& task) : settings_(task.settings) {
    if (settings_.outputs.empty())
      throw Error(ErrorCode::usage, "type \"expression\" needs outputs",
                  {.key = "outputs", .hint = "Write outputs = { y = \"2*u\" }."});
    names_.emplace_back(time_name);
    for (const auto& [name, value] : settings_.parameters) add_parameter(name, value);
    compile();
    values_.resize(names_.size());
    results_.resize(formulas_.size());
    declare();
  }
  void evaluate(const Moment& now) override {
    values_[0] = now.t;
    for (std::size_t i = 0; i < formulas_.size(); ++i) results_[i] = formulas_[i].value(values_);
  }

 private:
  bool is_output(std::string_view name) const {
    return std::ranges::any_of(settings_.outputs,
                               [&](const auto& output) { return output.first == name; });
  }
  static void check_name(std::string_view name) {
    if (name == time_name || Expression::is_reserved(name))
      throw Error(
          ErrorCode::usage,
          fmt::format(
              "no variable can have the name \"{}\": it is a function or constant of formulas",
              name));
  }
  void add_parameter(const std::string& name, const std::string& value) {
    check_name(name);
    double number = 0;
    if (!parse_number(value, number))
      throw Error(ErrorCode::usage, fmt::format("parameter {} = \"{}\" is not a valid number",
                                                printable(name), printable(value)));
    names_.push_back(name);
    values_.resize(names_.size());
    values_.back() = number;
  }
  void compile() {
    for (const auto& [name, formula] : settings_.outputs) {
      check_name(name);
      try {
        formulas_.emplace_back(formula);
      } catch (const Error& error) {
        throw error.within("outputs." + printable(name), {.key = "outputs"});
      }
      for (const std::string& used : formulas_.back().names()) {
        if (is_output(used))
          throw Error(ErrorCode::usage,
                      fmt::format("outputs.{}: formula \"{}\" uses the output \"{}\"; formulas "
                                  "use inputs, parameters and time",
                                  printable(name), printable(formula), printable(used)));
        if (std::ranges::find(names_, used) == names_.end()) names_.push_back(used);
      }
    }
  }
  void declare() {
    const std::size_t first_input = 1 + settings_.parameters.size();
    for (std::size_t i = first_input; i < names_.size(); ++i)
      input(names_[i], values_[i], {.description = "Input"});
    for (std::size_t i = 0; i < formulas_.size(); ++i) {
      std::vector<std::string> used;
      for (const std::string& name : formulas_[i].names())
        if (std::ranges::find(names_, name) - names_.begin() >=
            static_cast<std::ptrdiff_t>(first_input))
          used.push_back(name);
      formulas_[i].bind(names_);
      const auto& [name, formula] = settings_.outputs[i];
      output(name, results_[i], {.description = formula, .depends_on = std::move(used)});
    }
    for (std::size_t i = 1; i < first_input; ++i) tunable(names_[i], values_[i], "Parameter");
  }

  BuiltIn settings_;
  std::vector<Expression> formulas_;
  std::vector<std::string> names_;  ///< time, parameters, inputs
  std::vector<double> values_;      ///< of names_
  std::vector<double> results_;
};

constexpr std::string_view expression_settings[] = {"outputs", "parameters"};

}  // namespace

constinit const BuiltInEntry expression_entry = {
    .name = "expression",
    .summary = "Formulas of inputs, parameters and time",
    .equation = "every output is its formula; names that are no parameter are inputs",
    .settings = expression_settings,
    .make = make_built_in<ExpressionModel>};

}  // namespace tutti::models
