// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "fmi/description/context.hpp"

/// Parts of a model description that more than one version of FMI has.
namespace tutti::fmi {

/// The attributes of <fmiModelDescription>: those that all versions have, and `more`.
void read_model_attributes(Context& context, Attributes more);
/// Warns if there is no name or no guid (token).
void check_model(Context& context, std::string_view token_name);

/// Ends reading if an interface has no modelIdentifier (2.0, 3.0).
void check_identifier(const Context& context, pugi::xml_node element, const Capabilities& read);

void read_default_experiment(Context& context, pugi::xml_node element);
void read_log_categories(Context& context, pugi::xml_node element);  ///< 2.0, 3.0
void read_units(Context& context, pugi::xml_node element);           ///< 2.0, 3.0
/// The children of <VendorAnnotations> or <Annotations>, named by one of their attributes.
void read_annotations(pugi::xml_node element, const char* name_attribute,
                      std::vector<Annotation>& to);

/// The attributes that were present, so that the declared type provides the others.
struct Given {
  bool unit = false, relative_quantity = false, unbounded = false;
};
/// One attribute that variables and types have in common. False: it is none of them.
bool read_type_attribute(Context& context, pugi::xml_node element, pugi::xml_attribute attribute,
                         TypeAttributes& to, Given& given);
/// Attributes of an enumeration item. `value` is unchanged if there is none (1.0).
EnumerationItem read_item(Context& context, pugi::xml_node element, std::int64_t value);

/// The type that an element of 1.0 and 2.0 stands for: <Real>, <Integer>, ...
std::optional<Type> scalar_type(std::string_view element);
/// <Type> of 1.0, <SimpleType> of 2.0.
void read_scalar_type(Context& context, pugi::xml_node element);

/// Reads the kinds of the dependencies and drops dependencies that are not variables (-1).
void finish_unknown(Context& context, pugi::xml_node element, pugi::xml_attribute kinds,
                    Unknown& row);

/// One row of <ModelStructure>.
/// @param known turns the number in the file into an index into variables; -1: there is none
template <class Known>
void read_unknown(Context& context, pugi::xml_node element, std::string_view index_name,
                  std::vector<Unknown>& to, Known&& known) {
  Unknown row;
  bool named = false;
  pugi::xml_attribute kinds;
  for (const pugi::xml_attribute attribute : attributes_of(element)) {
    const std::string_view name = attribute.name();
    if (name == index_name) {
      const auto number = parse_integer<std::uint32_t>(attribute.value());
      row.variable = number ? known(*number) : -1;
      named = true;
      if (row.variable < 0) {
        context.warn(Rule::structure, element, attribute,
                     "{}=\"{}\" is not a variable; the row is ignored", name, attribute.value());
      }
    } else if (name == "dependencies") {
      row.dependencies.emplace();
      for_each_item(attribute.value(), [&](std::string_view item) {
        const auto number = parse_integer<std::uint32_t>(item);
        const std::int32_t index = number ? known(*number) : -1;
        if (index < 0) {
          context.warn(Rule::structure, element, attribute,
                       "the dependency \"{}\" is not a variable; ignored", item);
        }
        row.dependencies->push_back(index);  // kept for now, so that the kinds remain aligned
      });
    } else if (name == "dependenciesKind") {
      kinds = attribute;
    } else {
      context.unknown_attribute(element, attribute);
    }
  }
  if (!named) {
    context.warn(Rule::structure, element, element, "<{}> has no {}; ignored", element.name(),
                 index_name);
  }
  if (row.variable < 0) return;
  finish_unknown(context, element, kinds, row);
  to.push_back(std::move(row));
}

/// Every output must be listed. Those that are not are added as depending on everything.
void complete_outputs(Context& context, pugi::xml_node structure);

/// Warns of listed derivatives without a state (2.0, 3.0).
void check_state_derivatives(Context& context);

/// Builds the index and warns of names (3.0: and value references) that are not unique.
void index_variables(Context& context);

/// Elements of a variable at its start values, 1 for a scalar; at most 2^62.
std::uint64_t declared_size(const ModelDescription& description, const Variable& variable);

}  // namespace tutti::fmi
