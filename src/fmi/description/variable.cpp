// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/description/variable.hpp"

#include <sys/mman.h>

namespace tutti::fmi {
namespace {

constexpr std::size_t longest_name = 65'536;  // names are compared and shown

/// FMI 2.0, section 2.2.7, and FMI 3.0, section 2.4.7.4: which variabilities a causality may have.
bool is_allowed(Causality causality, Variability variability) {
  using enum Variability;
  switch (causality) {
    case Causality::parameter:
    case Causality::calculated_parameter:
    case Causality::structural_parameter:
      return variability == fixed || variability == tunable;
    case Causality::input:
      return variability == discrete || variability == continuous;
    case Causality::output:
      return variability != fixed && variability != tunable;
    case Causality::local:
      return true;
    case Causality::independent:
      return variability == continuous;
  }
  return false;
}

/// The tables of FMI 2.0, section 2.2.7, and FMI 3.0, section 2.4.7.5.
Initial default_initial(FmiVersion version, const Variable& variable) {
  if (variable.type == Type::clock) return Initial::none;
  switch (variable.causality) {
    case Causality::parameter:
    case Causality::structural_parameter:
      return Initial::exact;
    case Causality::calculated_parameter:
      return Initial::calculated;
    case Causality::input:
      return version == FmiVersion::v3 ? Initial::exact : Initial::none;
    case Causality::output:
    case Causality::local:
      return variable.variability == Variability::constant ? Initial::exact : Initial::calculated;
    case Causality::independent:
      return Initial::none;
  }
  return Initial::none;
}

bool is_allowed_initial(FmiVersion version, const Variable& variable) {
  const Initial standard = default_initial(version, variable);
  if (standard != Initial::calculated) return variable.initial == standard;
  if (variable.initial != Initial::exact) return true;
  return variable.variability == Variability::discrete ||
         variable.variability == Variability::continuous;
}

/// Whether a text can be a start value.
bool is_value_of(Type type, std::string_view text) {
  if (is_text(type) || type == Type::clock) return true;
  return with_number_type(
      type, [&](auto number) { return parse_value<decltype(number)>(text).has_value(); });
}

}  // namespace

void reserve_for_children(std::vector<Variable>& variables, pugi::xml_node list) {
  std::size_t count = 0;
  for ([[maybe_unused]] const pugi::xml_node child : children_of(list)) ++count;
  variables.reserve(count);
  constexpr std::uintptr_t huge = 2u << 20;
  const auto begin = reinterpret_cast<std::uintptr_t>(variables.data());
  const std::uintptr_t end = begin + count * sizeof(Variable);
  const std::uintptr_t first = (begin + huge - 1) / huge * huge;
  // Advice only: the system may ignore it.
  if (end > first + huge) madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
}

VariableReader::VariableReader(Context& context)
    : context_(context), structured_names_(context.result.naming_convention == "structured") {
  const std::vector<TypeDefinition>& types = context.result.types;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (!types_.emplace(types[i].name, static_cast<std::int32_t>(i)).second) {
      context.warn(Rule::type_definition, {}, context.xml.root(),
                   "the type \"{}\" is defined twice; the first is used", types[i].name);
    }
  }
  for (const Unit& unit : context.result.units) units_.insert(unit.name);
}

template <class Word>
bool VariableReader::word(const VariableDraft& draft, pugi::xml_attribute attribute,
                          std::string_view otherwise, Word& to) {
  const std::string_view text = attribute.value();
  const auto value = from_word<Word>(text);
  if (value && !text.empty()) {
    to = *value;
    return true;
  }
  context_.warn(Rule::word, draft.element, attribute, "{}=\"{}\" is unknown; {}", attribute.name(),
                text, otherwise);
  return false;
}

bool VariableReader::identity(VariableDraft& draft, pugi::xml_attribute attribute) {
  switch (key(attribute.name())) {
    case key("name"):
      draft.to.name = attribute.value();
      break;
    case key("valueReference"):
      reference(draft, attribute);
      break;
    case key("description"):
      draft.to.description = attribute.value();
      break;
    default:
      return false;
  }
  return true;
}

bool VariableReader::attribute(VariableDraft& draft, pugi::xml_attribute attribute) {
  switch (key(attribute.name())) {
    case key("causality"):
      word(draft, attribute, "read as \"local\"", draft.to.causality);
      break;
    case key("variability"):
      draft.has_variability = word(draft, attribute, "the default is used", draft.to.variability);
      break;
    case key("initial"):
      draft.has_initial = word(draft, attribute, "the default is used", draft.to.initial);
      break;
    case key("canHandleMultipleSetPerTimeInstant"):
      context_.read(draft.element, attribute, draft.to.can_handle_multiple_set);
      break;
    default:
      return identity(draft, attribute);
  }
  return true;
}

bool VariableReader::type_attribute(VariableDraft& draft, pugi::xml_node element,
                                    pugi::xml_attribute attribute) {
  switch (key(attribute.name())) {
    case key("declaredType"):
      draft.declared_type = attribute;
      return true;
    case key("start"):
      draft.start = attribute;
      return true;
    default:
      return read_type_attribute(context_, element, attribute, draft.to.attributes, draft.given);
  }
}

bool VariableReader::scalar_type(VariableDraft& draft, pugi::xml_node element) {
  const std::optional<Type> type = fmi::scalar_type(element.name());
  if (!type) return false;
  draft.to.type = *type;
  return draft.typed = true;
}

void VariableReader::finish_type(const VariableDraft& draft) const {
  if (draft.typed) return;
  context_.fail(draft.element,
                "variable \"{}\" has no type: one of <Real>, <Integer>, <Boolean>, <String>, "
                "<Enumeration> is missing. Export the FMU again.",
                draft.to.name);
}

void VariableReader::reference(VariableDraft& draft, pugi::xml_attribute attribute) {
  const auto value = parse_integer<ValueReference>(attribute.value());
  if (!value) {
    context_.fail(attribute,
                  "variable \"{}\": valueReference=\"{}\" is not a whole number from 0 to "
                  "4294967295. Export the FMU again.",
                  draft.element.attribute("name").value(), attribute.value());
  }
  draft.to.value_reference = *value;
  draft.has_reference = true;
}

void VariableReader::finish_common(VariableDraft& draft) {
  Variable& to = draft.to;
  to.line = context_.xml.line(draft.element.name());
  if (!draft.has_reference) {
    context_.fail(draft.element, "variable \"{}\" has no valueReference. Export the FMU again.",
                  to.name);
  }
  if (to.name.size() > longest_name) {
    context_.fail(draft.element, "the name of a variable has {} bytes, more than {}, the limit",
                  to.name.size(), longest_name);
  }
  if (to.name.empty()) {
    context_.warn(Rule::unnamed, draft.element, draft.element,
                  "it has no name; it cannot be set, connected or recorded");
  } else if (structured_names_ && !is_structured_name(to.name)) {
    context_.warn(Rule::name, draft.element, draft.element,
                  "its name does not follow variableNamingConvention=\"structured\"");
  }
  if (draft.declared_type) fill_from_type(draft);
  if (!to.attributes.unit.empty()) check_unit(draft);
  if (to.attributes.min && to.attributes.max && *to.attributes.min > *to.attributes.max) {
    context_.warn(Rule::min_max, draft.element, draft.element, "min={} is greater than max={}",
                  *to.attributes.min, *to.attributes.max);
  }
}

void VariableReader::fill_from_type(VariableDraft& draft) {
  Variable& to = draft.to;
  const auto it = types_.find(draft.declared_type.value());
  if (it == types_.end()) {
    context_.warn(Rule::declared_type, draft.element, draft.declared_type,
                  "declaredType=\"{}\" is not defined; ignored", draft.declared_type.value());
    return;
  }
  const TypeDefinition& type = context_.result.types[static_cast<std::size_t>(it->second)];
  if (type.type != to.type) {
    context_.warn(Rule::declared_type, draft.element, draft.declared_type,
                  "declaredType=\"{}\" is a type for {}, not for {}; ignored", type.name,
                  to_string(type.type), to_string(to.type));
    return;
  }
  to.declared_type = it->second;
  const TypeAttributes& from = type.attributes;
  if (to.attributes.quantity.empty()) to.attributes.quantity = from.quantity;
  if (!draft.given.unit) {
    to.attributes.unit = from.unit;
    if (to.attributes.display_unit.empty()) to.attributes.display_unit = from.display_unit;
  }
  if (!draft.given.relative_quantity) to.attributes.relative_quantity = from.relative_quantity;
  if (!draft.given.unbounded) to.attributes.unbounded = from.unbounded;
  if (!to.attributes.min) to.attributes.min = from.min;
  if (!to.attributes.max) to.attributes.max = from.max;
  if (!to.attributes.nominal) to.attributes.nominal = from.nominal;
  if (to.mime_type.empty()) to.mime_type = type.mime_type;
  if (to.max_size == 0) to.max_size = type.max_size;
}

void VariableReader::check_unit(VariableDraft& draft) {
  const std::string& unit = draft.to.attributes.unit;
  if (unit == last_unit_) return;
  if (units_.contains(unit)) {
    last_unit_ = unit;
    return;
  }
  // In 1.0 a unit needs a definition only for its display units.
  if (context_.result.version == FmiVersion::v1) return;
  context_.warn(Rule::unit, draft.element, draft.element, "its unit \"{}\" is not defined", unit);
}

void VariableReader::finish_start(VariableDraft& draft) {
  if (!draft.start) return;
  Variable& to = draft.to;
  const std::string_view text = draft.start.value();
  if (is_text(to.type)) {
    to.start.emplace_back(text);
    return;
  }
  bool legal = true;
  for_each_item(text, [&](std::string_view item) {
    legal = legal && is_value_of(to.type, item);
    to.start.emplace_back(item);
  });
  const bool scalar_list = to.dimensions.empty() && to.start.size() != 1;
  if (legal && !scalar_list) return;
  context_.warn(Rule::start_value, draft.element, draft.start,
                "start=\"{:.60}\" is not a value of type {}; ignored", text, to_string(to.type));
  to.start.clear();
}

void VariableReader::finish_defaults(VariableDraft& draft) {
  Variable& to = draft.to;
  const FmiVersion version = context_.result.version;
  const bool parameter = to.causality == Causality::parameter ||
                         to.causality == Causality::calculated_parameter ||
                         to.causality == Causality::structural_parameter;
  if (!draft.has_variability) {
    // The default of 2.0 is "continuous" throughout, which parameters and integers cannot be.
    to.variability = parameter           ? Variability::fixed
                     : is_float(to.type) ? Variability::continuous
                                         : Variability::discrete;
    if (parameter && version == FmiVersion::v2) {
      context_.warn(Rule::variability, draft.element, draft.element,
                    "it is a {} without variability; read as \"fixed\"", to_string(to.causality));
    }
  } else if (to.variability == Variability::continuous && !is_float(to.type)) {
    context_.warn(Rule::continuous, draft.element, draft.element,
                  "a variable of type {} cannot be continuous; read as discrete",
                  to_string(to.type));
    to.variability = Variability::discrete;
  }
  if (!is_allowed(to.causality, to.variability)) {
    context_.warn(Rule::causality, draft.element, draft.element,
                  "causality \"{}\" and variability \"{}\" cannot be combined",
                  to_string(to.causality), to_string(to.variability));
  }
  if (!draft.has_initial) {
    to.initial = default_initial(version, to);
  } else if (!is_allowed_initial(version, to)) {
    context_.warn(Rule::initial, draft.element, draft.element,
                  "initial=\"{}\" is not allowed for causality \"{}\" and variability \"{}\"",
                  to_string(to.initial), to_string(to.causality), to_string(to.variability));
  }
  check_start_rules(draft);
}

void VariableReader::check_start_rules(VariableDraft& draft) {
  const Variable& to = draft.to;
  if (to.type == Type::clock) return;
  const bool needed = to.initial == Initial::exact || to.initial == Initial::approx ||
                      to.causality == Causality::input;
  const bool forbidden =
      to.initial == Initial::calculated || to.causality == Causality::independent;
  if (needed && to.start.empty()) {
    context_.warn(Rule::start_required, draft.element, draft.element,
                  "it needs a start value (causality \"{}\"{}{})", to_string(to.causality),
                  to.initial == Initial::none ? "" : ", initial ", to_string(to.initial));
  } else if (forbidden && !to.start.empty()) {
    context_.warn(Rule::start_forbidden, draft.element, draft.element,
                  "it must not have a start value (causality \"{}\", initial \"{}\")",
                  to_string(to.causality), to_string(to.initial));
  }
}

}  // namespace tutti::fmi
