// SPDX-License-Identifier: BSD-2-Clause
#include "studies/fit/constraint.hpp"

#include <fmt/format.h>

#include <tutti/error.hpp>

#include "base/text.hpp"

namespace tutti::studies {

Constraint parse_constraint(const std::string& text) {
  std::size_t sign = 0;
  int depth = 0, count = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (depth > 0 || text[i + 1] != '=' || (text[i] != '<' && text[i] != '>')) continue;
    sign = i;
    ++count;
  }
  Constraint constraint;
  if (count == 1)
    constraint = {std::string(trim(text.substr(0, sign))), std::string(trim(text.substr(sign + 2))),
                  text[sign] == '<'};
  if (constraint.left.empty() || constraint.right.empty())
    throw Error(
        ErrorCode::usage,
        fmt::format("the constraint \"{}\" must be two formulas with one <= or >= between "
                    "them",
                    printable(text)),
        {.key = "optimize.constraints", .hint = "Write it as \"max(wheel.travel) <= 0.1\"."});
  return constraint;
}

}  // namespace tutti::studies
