// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/number_type.hpp"
#include "fmi/description/shared.hpp"

namespace tutti::fmi {

/// The data of a variable while its element is read.
struct VariableDraft {
  VariableDraft(pugi::xml_node node, Variable& variable) : element(node), to(variable) {}

  pugi::xml_node element;
  Variable& to;
  Given given;
  pugi::xml_attribute declared_type, start;
  bool has_reference = false, has_variability = false, has_initial = false, typed = false;
};

/// Makes room for one variable per child. For a large model the memory is requested in huge pages,
/// which saves a page fault for every eight variables.
void reserve_for_children(std::vector<Variable>& variables, pugi::xml_node list);

/// Whether a name follows variableNamingConvention = "structured" (FMI 2.0, section 2.2.9;
/// FMI 3.0, section 2.4.7.5.1), for example `der(pipe[3,4].T[14],2)` or `robot.'motor #234'`.
bool is_structured_name(std::string_view name);

/// The steps in reading a variable that versions share. Units and types must have been read.
class VariableReader {
 public:
  explicit VariableReader(Context& context);

  // One attribute. False: it is none of them. An unknown value causes a warning, and the default is
  // kept.
  bool identity(VariableDraft& draft, pugi::xml_attribute attribute);   ///< name, reference, text
  bool attribute(VariableDraft& draft, pugi::xml_attribute attribute);  ///< of 2.0 and 3.0
  /// Attributes that depend on the type, from `element`, in 1.0 and 2.0 <Real>, <Integer>, ...
  bool type_attribute(VariableDraft& draft, pugi::xml_node element, pugi::xml_attribute attribute);
  /// Sets the type if an element of 1.0 and 2.0 denotes one.
  static bool scalar_type(VariableDraft& draft, pugi::xml_node element);

  /// Ends reading if there is no type (1.0, 2.0).
  void finish_type(const VariableDraft& draft) const;
  /// Checks name and reference and fills in the attributes of the declared type.
  void finish_common(VariableDraft& draft);
  /// Reads the start values: one for a scalar, a list for an array.
  void finish_start(VariableDraft& draft);
  /// Variability and initial: fills in the defaults of 2.0 and 3.0, and checks the combination.
  void finish_defaults(VariableDraft& draft);

 private:
  /// False: the value is unknown; warns.
  template <class Word>
  bool word(const VariableDraft& draft, pugi::xml_attribute attribute, std::string_view otherwise,
            Word& to);
  void reference(VariableDraft& draft, pugi::xml_attribute attribute);
  void fill_from_type(VariableDraft& draft);
  void check_unit(VariableDraft& draft);
  void check_start_rules(VariableDraft& draft);

  Context& context_;
  std::unordered_map<std::string_view, std::int32_t> types_;
  std::unordered_set<std::string_view> units_;
  std::string last_unit_;  ///< known to be defined: neighbours often have the same
  bool structured_names_;
};

}  // namespace tutti::fmi
