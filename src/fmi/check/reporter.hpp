// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fmt/format.h>

#include <utility>

#include "fmi/check/subject.hpp"

namespace tutti::fmi {

/// Takes down the breaches of one rule. A text is made only where the finding is kept.
class Reporter {
 public:
  Reporter(const Subject& fmu, const CheckRule& rule, Findings& findings)
      : fmu_(fmu), rule_(rule), findings_(findings) {}

  /// About a variable, where it is defined.
  template <class... Values>
  void variable(const Variable& about, fmt::format_string<Values...> text, Values&&... values) {
    add(description_file, about.line, about.name, text, std::forward<Values>(values)...);
  }
  template <class... Values>
  void variable(std::size_t about, fmt::format_string<Values...> text, Values&&... values) {
    variable(fmu_.description.variables[about], text, std::forward<Values>(values)...);
  }
  /// About a variable, at another place of the description.
  template <class... Values>
  void variable_at(std::size_t about, pugi::xml_node at, fmt::format_string<Values...> text,
                   Values&&... values) {
    add(description_file, fmu_.line(at), fmu_.description.variables[about].name, text,
        std::forward<Values>(values)...);
  }
  /// About a part of the description that is no variable.
  template <class... Values>
  void element(pugi::xml_node at, fmt::format_string<Values...> text, Values&&... values) {
    add(description_file, fmu_.line(at), "", text, std::forward<Values>(values)...);
  }
  template <class... Values>
  void line(std::size_t number, fmt::format_string<Values...> text, Values&&... values) {
    add(description_file, static_cast<std::uint32_t>(number), "", text,
        std::forward<Values>(values)...);
  }
  /// About a file of the FMU; an empty path: the archive.
  template <class... Values>
  void file(std::string_view path, fmt::format_string<Values...> text, Values&&... values) {
    add(path, 0, "", text, std::forward<Values>(values)...);
  }

 private:
  template <class... Values>
  void add(std::string_view file, std::uint32_t line, std::string_view variable,
           fmt::format_string<Values...> text, Values&&... values) {
    if (!findings_.count(rule_)) return;
    Finding finding;
    finding.file = file;
    finding.line = line;
    finding.variable = variable;
    finding.text = fmt::format(text, std::forward<Values>(values)...);
    findings_.keep(rule_, std::move(finding));
  }

  const Subject& fmu_;
  const CheckRule& rule_;
  Findings& findings_;
};

}  // namespace tutti::fmi
