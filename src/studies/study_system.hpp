// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tutti/model_description.hpp>
#include <tutti/study.hpp>
#include <tutti/system.hpp>
#include <utility>
#include <vector>

#include "system/names.hpp"

namespace tutti::studies {

/// What the system of a study knows of a parameter.
struct ParameterInfo {
  std::string name;         ///< as Cases and assign() take it
  bool is_setting = false;  ///< a key of the system file; otherwise a variable
  bool is_number = true;    ///< false: a text, a boolean or an array, which has no range
  bool is_integer = false;
  std::string unit;                         ///< of a variable
  std::optional<double> value;              ///< of a variable: its present start value
  std::optional<double> nominal, min, max;  ///< of a variable: in its description
};

/// The system of a study, with the values of all its runs. Errors have places in the study.
class StudySystem {
 public:
  /// Reads the system file or the FMU, and sets the values of the study, then those of `set`
  /// (NAME=VALUE). @throws Error
  StudySystem(const Study& study, const std::vector<std::string>& set, const FmuOptions& open,
              const Log& log);

  const System& system() const { return system_; }
  /// With a cache of descriptions.
  const FmuOptions& open() const { return open_; }

  /// Finds a parameter, and checks its values, or the ends of its range, and its start.
  /// @throws Error(usage)
  ParameterInfo find(const StudyParameter& parameter) const;
  /// All of the study. @throws Error(usage) with all errors
  std::vector<ParameterInfo> find_all(const Study& study) const;

  /// Checks that the system has the variables of a formula. @throws Error(usage)
  void check_formula(const Measure& measure, const Place& place) const;
  /// Of a formula that has that of a variable: `chassis.x`, `max(abs(chassis.x))`. Else empty.
  std::string unit_of(std::string_view formula) const;

  /// The system with other values, as of an experiment. An empty file of inputs: they stay.
  /// @throws Error(usage)
  System with(const std::vector<std::pair<std::string, std::string>>& set,
              const std::filesystem::path& inputs, const Place& place, const Log& log) const;

 private:
  /// The component and the variable; an empty variable: the name is that of a setting.
  std::pair<std::size_t, std::string> split(const std::string& name) const;
  std::shared_ptr<const ModelDescription> description_of(std::size_t component) const;
  ParameterInfo find_variable(const std::string& name, std::size_t component,
                              const std::string& variable) const;
  void check_value(const ParameterInfo& info, const std::string& text) const;
  void check_range(const ParameterInfo& info, const StudyParameter& parameter) const;
  void find_measured(const std::string& name) const;
  void check_constants(const std::vector<std::string>& names) const;
  void check_spellings(const Study& study) const;

  System system_;
  FmuOptions open_;
  mutable std::map<std::size_t, std::shared_ptr<const ModelDescription>> descriptions_;
};

/// The start and the end of a run, and how they are set.
struct RunSpan {
  double start = 0, stop = 0;
  double step = 0;  ///< between communication points; 0: they vary, or follow from the span
};
/// @throws Error(usage)
RunSpan span_of(const System& system, const FmuOptions& open);

/// Of a variable, or of an element of an array: `x[2]`. Null: there is none.
const Variable* variable_of(const ModelDescription& description, std::string_view name);

}  // namespace tutti::studies
