// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "fmi/description/variable.hpp"

namespace tutti::fmi {

/// One child of <TypeDefinitions>: <Float64Type>, <EnumerationType>, <ClockType>, ...
void read_type_v3(Context& context, pugi::xml_node element);

/// The variables of FMI 3.0, which may be arrays and clocks and refer to each other.
class VariableReaderV3 {
 public:
  explicit VariableReaderV3(Context& context)
      : context_(context), to_(context.result), reader_(context) {}

  /// Reads all, builds the index, and turns references between variables into indices.
  void read(pugi::xml_node list);

 private:
  struct Reference {
    std::size_t variable;
    pugi::xml_node element;
    pugi::xml_attribute attribute;
  };
  void read_variable(pugi::xml_node element, Type type);
  void read_attribute(VariableDraft& draft, pugi::xml_attribute attribute);
  void read_children(VariableDraft& draft);
  void read_dimension(VariableDraft& draft, pugi::xml_node element);
  void read_alias(VariableDraft& draft, pugi::xml_node element);
  void resolve(const std::vector<Reference>& references, std::int32_t Variable::*to);
  void check_arrays_and_clocks();

  Context& context_;
  ModelDescription& to_;
  VariableReader reader_;
  std::vector<Reference> derivatives_, previous_;
  std::vector<std::size_t> arrays_and_clocks_;  ///< variables that refer to others or have a clock
};

}  // namespace tutti::fmi
