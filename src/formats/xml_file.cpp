// SPDX-License-Identifier: BSD-2-Clause
#include "formats/xml_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <tutti/error.hpp>

#include "base/text.hpp"
#include "system/names.hpp"

namespace tutti::formats {

std::string_view local_name(pugi::xml_node element) {
  const std::string_view name = element.name();
  const std::size_t colon = name.find(':');
  return colon == name.npos ? name : name.substr(colon + 1);
}

XmlFile::XmlFile(std::string text, const std::string& name, const ArchiveLimits& limits)
    : name_(name) {
  try {
    xml_ = std::make_unique<fmi::XmlDocument>(std::move(text), name, limits, "");
  } catch (const Error& error) {
    throw error.as(ErrorCode::usage);
  }
}

Place XmlFile::place(pugi::xml_node element) const {
  return {name_, xml_->line(element.name()), xml_->column(element.name())};
}

Place XmlFile::place(pugi::xml_attribute attribute) const {
  return {name_, xml_->line(attribute.name()), xml_->column(attribute.name())};
}

void XmlFile::refuse(pugi::xml_node element, const std::string& text) const {
  throw Error(ErrorCode::usage, text, system::where(place(element)));
}

std::string XmlFile::required(pugi::xml_node element, const char* attribute) const {
  const pugi::xml_attribute found = element.attribute(attribute);
  if (!found)
    refuse(element, fmt::format("<{}> lacks the attribute \"{}\"", element.name(), attribute));
  return found.value();
}

std::optional<double> XmlFile::number(pugi::xml_node element, const char* attribute) const {
  const pugi::xml_attribute found = element.attribute(attribute);
  if (!found) return std::nullopt;
  const std::optional<double> value = fmi::parse_double(found.value());
  if (!value || !std::isfinite(*value))
    refuse(element,
           fmt::format("{} must be a number, not \"{}\"", attribute, printable(found.value())));
  return value;
}

double XmlFile::number(pugi::xml_node element, const char* attribute, double standard) const {
  return number(element, attribute).value_or(standard);
}

bool XmlFile::boolean(pugi::xml_node element, const char* attribute) const {
  const pugi::xml_attribute found = element.attribute(attribute);
  if (!found) return false;
  const std::optional<bool> value = fmi::parse_boolean(found.value());
  if (!value)
    refuse(element, fmt::format("{} must be true or false, not \"{}\"", attribute,
                                printable(found.value())));
  return *value;
}

}  // namespace tutti::formats
