// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <tutti/fmu.hpp>
#include <tutti/system.hpp>

#include "fmi/description/xml.hpp"

namespace tutti::formats {

/// The name of an element without its prefix.
std::string_view local_name(pugi::xml_node element);

/// An XML file of a system, with places for errors.
class XmlFile {
 public:
  /// @param name in messages
  /// @throws Error(usage) if it is not well-formed or beyond the limits
  XmlFile(std::string text, const std::string& name, const ArchiveLimits& limits);

  pugi::xml_node root() const { return xml_->root(); }
  Place place(pugi::xml_node element) const;
  Place place(pugi::xml_attribute attribute) const;

  /// The value of an attribute. @throws Error(usage) if it is missing or of another type
  std::string required(pugi::xml_node element, const char* attribute) const;
  double number(pugi::xml_node element, const char* attribute, double standard) const;
  std::optional<double> number(pugi::xml_node element, const char* attribute) const;
  bool boolean(pugi::xml_node element, const char* attribute) const;  ///< false if missing
  [[noreturn]] void refuse(pugi::xml_node element, const std::string& text) const;

 private:
  std::string name_;
  std::unique_ptr<fmi::XmlDocument> xml_;
};

}  // namespace tutti::formats
