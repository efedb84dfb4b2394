// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <tutti/solvers.hpp>
#include <vector>

namespace tutti::solvers {

/// An option of an integrator, declared once: reader, messages, `tutti solvers` and documentation
/// come from it.
struct OptionRow {
  const char* name;
  SolverOption default_value;  ///< its type is that of the option
  const char* summary;
  double minimum = 0, maximum = 0;  ///< of a number; both 0: any
  std::span<const char* const> words = {};
};

/// The options of one integrator, checked: the given values, else the defaults.
class OptionValues {
 public:
  /// @throws Error for an unknown option, a wrong type or a value out of bounds
  OptionValues(std::string_view solver, std::span<const OptionRow> rows,
               const SolverOptions& given);

  // @pre the row exists and has this type
  double number(std::string_view name) const;
  int integer(std::string_view name) const;
  bool flag(std::string_view name) const;
  const std::string& word(std::string_view name) const;

  /// @throws Error if it was given, although `why` makes it meaningless
  void refuse_if_given(std::string_view name, std::string_view why, std::string hint) const;

 private:
  std::string solver_;
  SolverOptions values_;
  std::vector<std::string> given_;
};

/// For a solver with steps of fixed size. @throws Error if a first step is set
void refuse_first_step(std::string_view solver, double first_step);
/// An invalid combination of options. @throws Error
[[noreturn]] void refuse_option(std::string_view solver, std::string_view option, std::string text,
                                std::string hint = "");

}  // namespace tutti::solvers
