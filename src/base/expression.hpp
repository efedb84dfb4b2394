// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tutti {

/// A formula of numbers, compiled once and evaluated often. Operators from the weakest:
///
///   condition ? a : b   ||   &&   == !=   < <= > >=   + -   * /   -x !x   ^ (right-associative)
///
/// the functions of function_names(), if(condition, a, b), and the constants pi and e. Names of
/// variables may have dots and indices: `chassis.x`, `y[1]`. Conditions are numbers: 0 is false,
/// everything else is true; comparisons result in 0 or 1. NaN propagates.
class Expression {
 public:
  /// @throws Error(usage) that names the formula and the position in it, counted from 1
  explicit Expression(std::string_view formula) : Expression(formula, formula, 0) {}
  /// The formula is a part of the text `whole`, from `first` on, to which messages refer.
  Expression(std::string_view formula, std::string_view whole, std::size_t first);

  /// The variables, in the order in which the formula names them first...
  const std::vector<std::string>& names() const { return names_; }
  /// ...or from now on in this order. @pre `names` contains all of names()
  void bind(std::span<const std::string> names);
  /// The constants that the formula names, each once.
  const std::vector<std::string>& constants() const { return constants_; }
  /// @param values of the variables, in the order of names()
  double value(std::span<const double> values) const;

  static std::vector<std::string_view> function_names();
  /// A name that no variable can have: a constant or a function.
  static bool is_reserved(std::string_view name);

 private:
  friend class ExpressionParser;
  enum class Code : std::uint8_t { number, variable, one, two, select };
  /// A step of a computation on a stack.
  struct Instruction {
    explicit Instruction(Code what, std::uint32_t variable = 0) : code(what), operand(variable) {}
    Code code;
    std::uint32_t operand;  ///< number of the variable
    union {
      double number = 0;
      double (*one)(double);          ///< a function of the topmost value
      double (*two)(double, double);  ///< of the two topmost ones
    };
  };
  static constexpr std::size_t deepest = 64;  ///< values on the stack

  std::vector<Instruction> program_;
  std::vector<std::string> names_, constants_;
};

}  // namespace tutti
