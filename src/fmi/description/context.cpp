// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/description/context.hpp"

#include <algorithm>

namespace tutti::fmi {

void Context::write(Rule rule, std::string text) const {
  log_.warning("", fmt::format("{} ({})", text, citation_of(rule, result.version)));
}

void Context::report(const std::string& where, Breach breach) const {
  if (breaches_ != nullptr) return (*breaches_)(breach);
  const char* const colon = breach.subject.empty() ? "" : ": ";
  write(breach.rule, fmt::format("{}: {}{}{}", where, breach.subject, colon, breach.text));
}

void Context::report(Rule rule, const char* at, const Subject& subject, std::string text) const {
  const std::string_view variable = subject.kind == "variable" ? subject.name : "";
  std::string of = subject.kind.empty() ? "" : fmt::format("{} \"{}\"", subject.kind, subject.name);
  report(xml.where(at),
         {rule, xml.line(at), std::move(of), std::string(variable), std::move(text)});
}

void Context::report(Rule rule, const Variable& variable, std::string text) const {
  report(xml.where(variable.line),
         {rule, variable.line, fmt::format("variable \"{}\"", variable.name), variable.name,
          std::move(text)});
}

void Context::finish_warnings() const {
  if (breaches_ != nullptr) return;
  for (std::size_t i = 0; i < warnings_.size(); ++i) {
    if (warnings_[i] <= most_warnings) continue;
    write(static_cast<Rule>(i),
          fmt::format("{} more warnings about {}", warnings_[i] - most_warnings,
                      subject_of(static_cast<Rule>(i))));
  }
}

Context::Subject Context::subject(pugi::xml_node element) {
  for (pugi::xml_node node = element; node; node = node.parent()) {
    const std::string_view list = node.parent().name();
    const std::string_view kind = list == "ModelVariables"    ? "variable"
                                  : list == "TypeDefinitions" ? "type"
                                  : list == "UnitDefinitions" ? "unit"
                                                              : "";
    if (kind.empty()) continue;
    const char* attribute = node.name() == std::string_view("BaseUnit") ? "unit" : "name";  // 1.0
    return {kind, node.attribute(attribute).value()};
  }
  return {};
}

void Context::unknown_attribute(pugi::xml_node element, pugi::xml_attribute attribute) {
  const std::string_view name = attribute.name();
  if (name.find(':') != name.npos || name == "xmlns") return;  // of another namespace
  warn(Rule::unknown_part, element, attribute, "<{}> has no attribute \"{}\"; ignored",
       element.name(), name);
}

void Context::unknown_element(pugi::xml_node element) {
  const std::string_view name = element.name();
  if (element.type() != pugi::node_element || name.find(':') != name.npos) return;
  warn(Rule::unknown_part, element.parent(), element, "<{}> has no element <{}>; ignored",
       element.parent().name(), name);
}

void Context::not_a(pugi::xml_node element, pugi::xml_attribute attribute, std::string_view what) {
  warn(Rule::number, element, attribute, "{}=\"{:.60}\" is not {}; ignored", attribute.name(),
       attribute.value(), what);
}

bool Context::read_one_of(pugi::xml_node element, pugi::xml_attribute attribute, Attributes known) {
  const auto found = std::ranges::find(known, attribute.name(), &Attribute::name);
  if (found == known.end()) return false;
  std::visit([&](auto* to) { read(element, attribute, *to); }, found->to);
  return true;
}

void Context::read_attributes(pugi::xml_node element, Attributes known) {
  for (const pugi::xml_attribute attribute : attributes_of(element))
    if (!read_one_of(element, attribute, known)) unknown_attribute(element, attribute);
}

void Context::read_children(pugi::xml_node element, Children known) {
  for (const pugi::xml_node child : children_of(element)) {
    const auto found = std::ranges::find(known, child.name(), &Child::name);
    if (found != known.end()) {
      found->read(child);
    } else {
      unknown_element(child);
    }
  }
}

}  // namespace tutti::fmi
