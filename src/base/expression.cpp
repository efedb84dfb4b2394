// SPDX-License-Identifier: BSD-2-Clause
#include "base/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <tutti/error.hpp>

#include "base/text.hpp"

namespace tutti {
namespace {

using One = double (*)(double);
using Two = double (*)(double, double);

struct Function {
  std::string_view name;
  One one = nullptr;
  Two two = nullptr;
  bool takes_more = false;  ///< two at a time
};

double truth(bool is_true) { return is_true ? 1 : 0; }
double smaller(double a, double b) { return a < b || std::isnan(a) ? a : b; }
double larger(double a, double b) { return a > b || std::isnan(a) ? a : b; }

constexpr std::string_view select_name = "if";
constexpr Function functions[] = {
    {"abs", [](double x) { return std::abs(x); }},
    {"acos", [](double x) { return std::acos(x); }},
    {"asin", [](double x) { return std::asin(x); }},
    {"atan", [](double x) { return std::atan(x); }},
    {"atan2", nullptr, [](double y, double x) { return std::atan2(y, x); }},
    {"ceil", [](double x) { return std::ceil(x); }},
    {"cos", [](double x) { return std::cos(x); }},
    {"cosh", [](double x) { return std::cosh(x); }},
    {"exp", [](double x) { return std::exp(x); }},
    {"floor", [](double x) { return std::floor(x); }},
    {"log", [](double x) { return std::log(x); }},
    {"log10", [](double x) { return std::log10(x); }},
    {"max", nullptr, larger, true},
    {"min", nullptr, smaller, true},
    {"mod", nullptr, [](double x, double y) { return x - std::floor(x / y) * y; }},
    {"sign", [](double x) { return std::isnan(x) ? x : truth(x > 0) - truth(x < 0); }},
    {"sin", [](double x) { return std::sin(x); }},
    {"sinh", [](double x) { return std::sinh(x); }},
    {"sqrt", [](double x) { return std::sqrt(x); }},
    {"tan", [](double x) { return std::tan(x); }},
    {"tanh", [](double x) { return std::tanh(x); }},
};

struct Constant {
  std::string_view name;
  double value;
};
constexpr Constant named_constants[] = {{"pi", std::numbers::pi}, {"e", std::numbers::e}};

struct Operator {
  std::string_view symbol;
  Two two;
};
bool is_nan(double a, double b) { return std::isnan(a) || std::isnan(b); }
double both(double a, double b) {
  return is_nan(a, b) ? std::numeric_limits<double>::quiet_NaN() : truth(a != 0 && b != 0);
}
double either(double a, double b) {
  return is_nan(a, b) ? std::numeric_limits<double>::quiet_NaN() : truth(a != 0 || b != 0);
}

// Levels from the weakest; of two symbols with the same prefix the longer one comes first.
const std::vector<std::vector<Operator>> levels = {
    {{"||", either}},
    {{"&&", both}},
    {{"==", [](double a, double b) { return truth(a == b); }},
     {"!=", [](double a, double b) { return truth(a != b); }}},
    {{"<=", [](double a, double b) { return truth(a <= b); }},
     {">=", [](double a, double b) { return truth(a >= b); }},
     {"<", [](double a, double b) { return truth(a < b); }},
     {">", [](double a, double b) { return truth(a > b); }}},
    {{"+", [](double a, double b) { return a + b; }},
     {"-", [](double a, double b) { return a - b; }}},
    {{"*", [](double a, double b) { return a * b; }},
     {"/", [](double a, double b) { return a / b; }}},
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

/// Recursive descent: each function reads operators of the level in its name, or stronger ones.
class ExpressionParser {
 public:
  ExpressionParser(std::string_view formula, std::string_view whole, std::size_t first,
                   Expression& into)
      : formula_(formula), whole_(whole), first_(first), into_(into) {}

  void run() {
    skip_blanks();
    if (at_end()) refuse(place_, "it is empty");
    choice();
    if (!at_end()) refuse(place_, fmt::format("\"{}\" is not expected here", next_character()));
  }

 private:
  using Code = Expression::Code;
  using Instruction = Expression::Instruction;

  void choice() {
    const Nesting nesting(*this);
    binary(0);
    if (!take("?")) return;
    choice();
    expect(":");
    choice();
    add_select();
  }

  void binary(std::size_t level) {
    if (level == levels.size()) return sign();
    binary(level + 1);
    while (const Operator* const found = take_operator(levels[level])) {
      binary(level + 1);
      add_two(found->two);
    }
  }

  const Operator* take_operator(const std::vector<Operator>& of_level) {
    for (const Operator& known : of_level)
      if (take(known.symbol)) return &known;
    return nullptr;
  }

  void sign() {
    const Nesting nesting(*this);
    if (take("-")) {
      sign();
      add_one([](double x) { return -x; });
    } else if (take("+")) {
      sign();
    } else if (!rest().starts_with("!=") && take("!")) {
      sign();
      add_one([](double x) { return std::isnan(x) ? x : truth(x == 0); });
    } else {
      power();
    }
  }

  void power() {
    operand();
    if (!take("^")) return;
    sign();
    add_two([](double a, double b) { return std::pow(a, b); });
  }

  void operand() {
    if (at_end()) refuse(place_, "it ends where a value is expected");
    const char c = formula_[place_];
    if (is_digit(c) || c == '.') return number();
    if (is_letter(c)) return name();
    if (!take("("))
      refuse(place_, fmt::format("\"{}\" found where a value is expected", next_character()));
    choice();
    expect(")");
  }

  void number() {
    Instruction instruction{Code::number};
    const char* const begin = formula_.data() + place_;
    const auto [end, error] =
        std::from_chars(begin, formula_.data() + formula_.size(), instruction.number);
    if (error != std::errc() || (end < formula_.data() + formula_.size() && is_letter(*end)))
      refuse(place_, "this is not a valid number; a product needs a *");
    place_ += static_cast<std::size_t>(end - begin);
    skip_blanks();
    push(instruction);
  }

  void name() {
    const std::size_t start = place_;
    const std::string_view name = take_name();
    if (take("(")) return call(start, name);
    if (const auto* const known = std::ranges::find(named_constants, name, &Constant::name);
        known != std::end(named_constants)) {
      Instruction instruction{Code::number};
      instruction.number = known->value;
      if (std::ranges::find(into_.constants_, name) == into_.constants_.end())
        into_.constants_.emplace_back(name);
      return push(instruction);
    }
    if (Expression::is_reserved(name))
      refuse(start, fmt::format("\"{}\" is a function: ( is expected after it", name));
    auto& names = into_.names_;
    const auto found = std::ranges::find(names, name);
    const auto index = static_cast<std::uint32_t>(found - names.begin());
    if (found == names.end()) names.emplace_back(name);
    push(Instruction(Code::variable, index));
  }

  /// `chassis.x`, `y[1,2]`
  std::string_view take_name() {
    const std::size_t start = place_;
    const auto is_inside = [&](std::size_t i) {
      const char c = formula_[i];
      return is_letter(c) || is_digit(c) ||
             (c == '.' && i + 1 < formula_.size() && is_letter(formula_[i + 1]));
    };
    while (!at_end() && is_inside(place_)) ++place_;
    if (!at_end() && formula_[place_] == '[') {
      const std::size_t open = place_;
      place_ = formula_.find(']', open);
      if (place_ == formula_.npos) refuse(open, "the ] for this [ is missing");
      ++place_;
    }
    const std::string_view name = formula_.substr(start, place_ - start);
    skip_blanks();
    return name;
  }

  void call(std::size_t start, std::string_view name) {
    const auto* const known = std::ranges::find(functions, name, &Function::name);
    const bool is_select = name == select_name;
    if (known == std::end(functions) && !is_select)
      refuse(
          start, fmt::format("unknown function \"{}\".", printable(name)),
          fmt::format("{} Expected one of: {}.", did_you_mean(name, Expression::function_names()),
                      fmt::join(Expression::function_names(), ", ")));
    const bool takes_more = !is_select && known->takes_more;
    const std::size_t wanted = is_select ? 3 : known->one != nullptr ? 1 : 2;
    std::size_t count = 0;
    do {
      choice();
      if (++count > 1 && takes_more) add_two(known->two);
    } while (take(","));
    expect(")");
    if (takes_more ? count < 1 : count != wanted)
      refuse(start, fmt::format("{}() takes {}, not {}", name, counted(wanted, "value"), count));
    if (is_select)
      add_select();
    else if (known->one != nullptr)
      add_one(known->one);
    else if (!takes_more)
      add_two(known->two);
  }

  void push(const Instruction& instruction) {
    if (++depth_ > Expression::deepest) refuse(place_, "it is nested too deeply");
    into_.program_.push_back(instruction);
  }
  void add_one(One one) {
    Instruction& instruction = into_.program_.emplace_back(Code::one);
    instruction.one = one;
  }
  void add_two(Two two) {
    Instruction& instruction = into_.program_.emplace_back(Code::two);
    instruction.two = two;
    --depth_;
  }
  void add_select() {
    into_.program_.emplace_back(Code::select);
    depth_ -= 2;
  }

  bool at_end() const { return place_ >= formula_.size(); }
  /// For messages: all bytes of one in UTF-8.
  std::string next_character() const {
    const auto continues = [&](std::size_t i) {
      return i < formula_.size() && (static_cast<unsigned char>(formula_[i]) & 0xC0) == 0x80;
    };
    std::size_t end = place_ + 1;
    while (continues(end)) ++end;
    return printable(formula_.substr(place_, end - place_));
  }
  std::string_view rest() const { return formula_.substr(std::min(place_, formula_.size())); }
  void skip_blanks() {
    while (!at_end() &&
           std::string_view(" \t\r\n").find(formula_[place_]) != std::string_view::npos)
      ++place_;
  }
  bool take(std::string_view symbol) {
    if (!rest().starts_with(symbol)) return false;
    place_ += symbol.size();
    skip_blanks();
    return true;
  }
  void expect(std::string_view symbol) {
    if (take(symbol)) return;
    refuse(place_,
           at_end() ? fmt::format("it ends where {} is expected", symbol)
                    : fmt::format("\"{}\" found where {} is expected", next_character(), symbol));
  }
  [[noreturn]] void refuse(std::size_t place, const std::string& why, std::string hint = {}) const {
    throw Error(
        ErrorCode::usage,
        fmt::format("formula \"{}\", position {}: {}", printable(whole_), first_ + place + 1, why),
        {.hint = std::move(hint)});
  }

  /// Limits the recursion depth of the parser, because the stack is limited.
  struct Nesting {
    explicit Nesting(ExpressionParser& p) : parser(p) {
      constexpr std::size_t most = 200;
      if (++parser.nesting_ > most) parser.refuse(parser.place_, "it is nested too deeply");
    }
    ~Nesting() { --parser.nesting_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    ExpressionParser& parser;
  };

  std::string_view formula_, whole_;
  std::size_t first_;
  Expression& into_;
  std::size_t place_ = 0, depth_ = 0, nesting_ = 0;
};

Expression::Expression(std::string_view formula, std::string_view whole, std::size_t first) {
  ExpressionParser(formula, whole, first, *this).run();
}

void Expression::bind(std::span<const std::string> names) {
  for (Instruction& instruction : program_)
    if (instruction.code == Code::variable)
      instruction.operand = static_cast<std::uint32_t>(
          std::ranges::find(names, names_[instruction.operand]) - names.begin());
  names_.assign(names.begin(), names.end());
}

double Expression::value(std::span<const double> values) const {
  std::array<double, deepest> stack;
  double* top = stack.data() - 1;
  for (const Instruction& instruction : program_) switch (instruction.code) {
      case Code::number:
        *++top = instruction.number;
        break;
      case Code::variable:
        *++top = values[instruction.operand];
        break;
      case Code::one:
        *top = instruction.one(*top);
        break;
      case Code::two:
        --top;
        *top = instruction.two(top[0], top[1]);
        break;
      case Code::select:
        top -= 2;
        if (!std::isnan(*top)) *top = top[0] != 0 ? top[1] : top[2];
        break;
    }
  return *top;
}

std::vector<std::string_view> Expression::function_names() {
  std::vector<std::string_view> names;
  for (const Function& function : functions) names.push_back(function.name);
  names.insert(std::ranges::lower_bound(names, select_name), select_name);
  return names;
}

bool Expression::is_reserved(std::string_view name) {
  return name == select_name ||
         std::ranges::find(functions, name, &Function::name) != std::end(functions) ||
         std::ranges::find(named_constants, name, &Constant::name) != std::end(named_constants);
}

}  // namespace tutti
