// SPDX-License-Identifier: BSD-2-Clause
#include "formats/ssp/document.hpp"

#include <fmt/format.h>

#include <cmath>
#include <tutti/error.hpp>

#include "base/text.hpp"
#include "system/place.hpp"

namespace tutti::formats::ssp {
namespace {

constexpr std::string_view uris[] = {
    "http://ssp-standard.org/SSP1/SystemStructureDescription",
    "http://ssp-standard.org/SSP1/SystemStructureCommon",
    "http://ssp-standard.org/SSP1/SystemStructureParameterValues",
    "http://ssp-standard.org/SSP1/SystemStructureParameterMapping",
    "http://ssp-standard.org/SSP1/SystemStructureSignalDictionary",
};

/// The nearest declaration of a prefix, or of the namespace of names without one.
std::string_view declared_uri(pugi::xml_node element, std::string_view prefix) {
  const std::string attribute = prefix.empty() ? "xmlns" : fmt::format("xmlns:{}", prefix);
  for (; element.type() == pugi::node_element; element = element.parent())
    if (const pugi::xml_attribute found = element.attribute(attribute.c_str()))
      return found.value();
  return {};
}

}  // namespace

std::string_view uri_of(Space space) { return uris[static_cast<std::size_t>(space)]; }

std::string_view local_name(pugi::xml_node element) {
  const std::string_view name = element.name();
  const std::size_t colon = name.find(':');
  return colon == name.npos ? name : name.substr(colon + 1);
}

Space space_of(pugi::xml_node element) {
  const std::string_view name = element.name();
  const std::size_t colon = name.find(':');
  const std::string_view uri =
      declared_uri(element, colon == name.npos ? std::string_view() : name.substr(0, colon));
  for (std::size_t i = 0; i < std::size(uris); ++i)
    if (uris[i] == uri) return static_cast<Space>(i);
  return Space::other;
}

bool is(pugi::xml_node element, Space space, std::string_view name) {
  return element.type() == pugi::node_element && local_name(element) == name &&
         space_of(element) == space;
}

pugi::xml_node child(pugi::xml_node parent, Space space, std::string_view name) {
  for (const pugi::xml_node node : fmi::children_of(parent))
    if (is(node, space, name)) return node;
  return {};
}

Document::Document(std::string text, const std::string& name, const ArchiveLimits& limits)
    : name_(name) {
  try {
    xml_ = std::make_unique<fmi::XmlDocument>(std::move(text), name, limits, "");
  } catch (const Error& error) {
    throw Error(ErrorCode::usage, error.what());
  }
}

pugi::xml_node Document::root(Space space, std::string_view name) const {
  const pugi::xml_node root = xml_->root();
  if (!is(root, space, name))
    refuse(root, fmt::format("the root element is <{}>, not <{}> of the namespace {}",
                             printable(root.name()), name, uri_of(space)));
  return root;
}

Place Document::place(pugi::xml_node element) const {
  return {name_, xml_->line(element.name()), xml_->column(element.name())};
}

void Document::refuse(pugi::xml_node element, const std::string& text) const {
  throw Error(ErrorCode::usage, system::at(place(element)) + text);
}

std::string Document::required(pugi::xml_node element, const char* attribute) const {
  const pugi::xml_attribute found = element.attribute(attribute);
  if (!found)
    refuse(element, fmt::format("<{}> lacks the attribute \"{}\"", element.name(), attribute));
  return found.value();
}

std::optional<double> Document::number(pugi::xml_node element, const char* attribute) const {
  const pugi::xml_attribute found = element.attribute(attribute);
  if (!found) return std::nullopt;
  const std::optional<double> value = fmi::parse_double(found.value());
  if (!value || !std::isfinite(*value))
    refuse(element, fmt::format("{}=\"{}\" is not a number", attribute, printable(found.value())));
  return value;
}

double Document::number(pugi::xml_node element, const char* attribute, double standard) const {
  return number(element, attribute).value_or(standard);
}

bool Document::boolean(pugi::xml_node element, const char* attribute) const {
  const pugi::xml_attribute found = element.attribute(attribute);
  if (!found) return false;
  const std::optional<bool> value = fmi::parse_boolean(found.value());
  if (!value)
    refuse(element,
           fmt::format("{}=\"{}\" is not true or false", attribute, printable(found.value())));
  return *value;
}

}  // namespace tutti::formats::ssp
