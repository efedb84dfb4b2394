// SPDX-License-Identifier: BSD-2-Clause
#include "core/access.hpp"

#include <charconv>
#include <cmath>

namespace fmukit {
namespace {

template <class T>
std::string shortest(T v) {
  if (std::isnan(v)) return "NaN";  // the spellings of XML Schema
  if (std::isinf(v)) return v > 0 ? "INF" : "-INF";
  char buffer[40];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, v).ptr};
}

std::string text(double v) { return shortest(v); }
std::string text(float v) { return shortest(v); }
template <class T>
  requires std::is_integral_v<T>
std::string text(T v) {
  return std::to_string(v);
}
std::string text(bool v) { return v ? "true" : "false"; }
std::string text(const std::string& v) { return v; }
std::string text(const Binary& v) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string hex;
  for (const std::uint8_t byte : v.bytes) {
    hex += digits[byte >> 4];
    hex += digits[byte & 15];
  }
  return hex;
}

}  // namespace

std::string number(double v) { return shortest(v); }

std::vector<std::string> start_values(const ModelInfo& info, const VariableInfo& v) {
  return with_type(v.type, [&]<class T>(T*) {
    std::vector<std::string> result;
    for (const T& value : elements<T>(*info.prototype, v)) result.push_back(text(value));
    return result;
  });
}

}  // namespace fmukit
