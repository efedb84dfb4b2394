// SPDX-License-Identifier: BSD-2-Clause
#include "system/known_units.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace tutti::system {
namespace {

constexpr double pi = std::numbers::pi;

struct Symbol {
  std::string_view name;
  Unit::Base base;  ///< exponents of kg, m, s, A, K, mol, cd, rad; factor; offset
  bool takes_prefix = false;
};

// clang-format off
constexpr Symbol symbols[] = {
    {"1", {{}, 1, 0}}, {"%", {{}, 0.01, 0}},
    {"m", {{0, 1}, 1, 0}, true}, {"g", {{1}, 1e-3, 0}, true}, {"s", {{0, 0, 1}, 1, 0}, true},
    {"A", {{0, 0, 0, 1}, 1, 0}, true}, {"K", {{0, 0, 0, 0, 1}, 1, 0}, true},
    {"mol", {{0, 0, 0, 0, 0, 1}, 1, 0}, true}, {"cd", {{0, 0, 0, 0, 0, 0, 1}, 1, 0}, true},
    {"rad", {{0, 0, 0, 0, 0, 0, 0, 1}, 1, 0}, true},
    {"N", {{1, 1, -2}, 1, 0}, true}, {"Pa", {{1, -1, -2}, 1, 0}, true},
    {"J", {{1, 2, -2}, 1, 0}, true}, {"W", {{1, 2, -3}, 1, 0}, true},
    {"Hz", {{0, 0, -1}, 1, 0}, true}, {"C", {{0, 0, 1, 1}, 1, 0}, true},
    {"V", {{1, 2, -3, -1}, 1, 0}, true}, {"F", {{-1, -2, 4, 2}, 1, 0}, true},
    {"Ohm", {{1, 2, -3, -2}, 1, 0}, true}, {"ohm", {{1, 2, -3, -2}, 1, 0}, true},
    {"S", {{-1, -2, 3, 2}, 1, 0}, true}, {"Wb", {{1, 2, -2, -1}, 1, 0}, true},
    {"T", {{1, 0, -2, -1}, 1, 0}, true}, {"H", {{1, 2, -2, -2}, 1, 0}, true},
    {"min", {{0, 0, 1}, 60, 0}}, {"h", {{0, 0, 1}, 3600, 0}}, {"d", {{0, 0, 1}, 86400, 0}},
    {"deg", {{0, 0, 0, 0, 0, 0, 0, 1}, pi / 180, 0}},
    {"rev", {{0, 0, 0, 0, 0, 0, 0, 1}, 2 * pi, 0}},
    {"rpm", {{0, 0, -1, 0, 0, 0, 0, 1}, pi / 30, 0}},
    {"degC", {{0, 0, 0, 0, 1}, 1, 273.15}}, {"\u00b0C", {{0, 0, 0, 0, 1}, 1, 273.15}},
    {"degF", {{0, 0, 0, 0, 1}, 5.0 / 9, 459.67 * 5 / 9}},
    {"l", {{0, 3}, 1e-3, 0}, true}, {"L", {{0, 3}, 1e-3, 0}, true},
    {"bar", {{1, -1, -2}, 1e5, 0}, true}, {"atm", {{1, -1, -2}, 101325, 0}},
    {"t", {{1}, 1e3, 0}, true}, {"eV", {{1, 2, -2}, 1.602176634e-19, 0}, true},
};

struct Prefix {
  std::string_view name;
  double factor;
};
constexpr Prefix prefixes[] = {
    {"T", 1e12}, {"G", 1e9}, {"M", 1e6}, {"k", 1e3}, {"h", 1e2}, {"d", 1e-1}, {"c", 1e-2},
    {"m", 1e-3}, {"u", 1e-6}, {"\u00b5", 1e-6}, {"n", 1e-9}, {"p", 1e-12},
};
// clang-format on

const Symbol* find_symbol(std::string_view name) {
  const auto* const found = std::ranges::find(symbols, name, &Symbol::name);
  return found == std::end(symbols) ? nullptr : found;
}

/// A symbol, perhaps with a prefix.
std::optional<Unit::Base> find_base(std::string_view name) {
  if (const Symbol* const symbol = find_symbol(name)) return symbol->base;
  for (const Prefix& prefix : prefixes) {
    if (!name.starts_with(prefix.name)) continue;
    const Symbol* const symbol = find_symbol(name.substr(prefix.name.size()));
    if (symbol == nullptr || !symbol->takes_prefix) continue;
    Unit::Base base = symbol->base;
    base.factor *= prefix.factor;
    return base;
  }
  return {};
}

/// Products, of which one quotient.
class UnitReader {
 public:
  explicit UnitReader(std::string_view text) : text_(text) {}

  std::optional<Unit::Base> read() {
    Unit::Base all = product();
    if (take('/')) multiply(all, take('(') ? in_parentheses() : factor(), -1);
    if (is_wrong_ || !text_.empty()) return {};
    // A temperature counts from its zero only where it stands alone.
    if (factors_ > 1) all.offset = 0;
    return all;
  }

 private:
  Unit::Base product() {
    Unit::Base all = factor();
    while (take('.') || take('*') || take(' ')) multiply(all, factor(), 1);
    return all;
  }
  Unit::Base in_parentheses() {
    const Unit::Base all = product();
    is_wrong_ |= !take(')');
    return all;
  }

  /// `m`, `m2`, `m^2`, `s-1`
  Unit::Base factor() {
    std::size_t length = 0;
    while (length < text_.size() && is_of_symbol(text_[length])) ++length;
    if (length == 0 && text_.starts_with('1')) length = 1;
    const auto base = find_base(text_.substr(0, length));
    if (!base) {
      is_wrong_ = true;
      return {};
    }
    text_.remove_prefix(length);
    const int power = exponent();
    factors_ += power == 1 ? 1 : 2;
    Unit::Base result{{}, 1, base->offset};
    multiply(result, *base, power);
    return result;
  }

  int exponent() {
    const bool has_caret = take('^');
    const bool is_negative = take('-');
    if (text_.empty() || text_.front() < '1' || text_.front() > '9') {
      is_wrong_ |= has_caret || is_negative;
      return 1;
    }
    const int power = text_.front() - '0';
    text_.remove_prefix(1);
    return is_negative ? -power : power;
  }

  static void multiply(Unit::Base& all, const Unit::Base& by, int power) {
    for (std::size_t i = 0; i < std::size(all.exponents); ++i)
      all.exponents[i] += by.exponents[i] * power;
    all.factor *= std::pow(by.factor, power);
  }
  static bool is_of_symbol(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%' ||
           static_cast<unsigned char>(c) >= 0x80;
  }
  bool take(char c) {
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }

  std::string_view text_;
  int factors_ = 0;
  bool is_wrong_ = false;
};

}  // namespace

std::optional<Unit::Base> known_unit(std::string_view name) { return UnitReader(name).read(); }

}  // namespace tutti::system
