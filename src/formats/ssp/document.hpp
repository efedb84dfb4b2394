// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <tutti/fmu.hpp>
#include <tutti/log.hpp>
#include <tutti/system.hpp>

#include "fmi/description/xml.hpp"

namespace tutti::formats::ssp {

/// The namespaces of SSP (1.0 and 2.0 have the same). A file may use any prefixes for them. Drafts
/// had others with the same last part, and some tools forget to declare a prefix: both are
/// understood, see Document.
enum class Space : std::uint8_t { ssd, ssc, ssv, ssm, ssb, other };
std::string_view uri_of(Space space);

std::string_view local_name(pugi::xml_node element);
Space space_of(pugi::xml_node element);
bool is(pugi::xml_node element, Space space, std::string_view name);
/// The first child of that name; an empty node if there is none.
pugi::xml_node child(pugi::xml_node parent, Space space, std::string_view name);

template <class Use>
void for_each_child(pugi::xml_node parent, Space space, std::string_view name, Use&& use) {
  for (const pugi::xml_node node : fmi::children_of(parent))
    if (is(node, space, name)) use(node);
}

/// An XML file of an SSP.
class Document {
 public:
  /// @param name in messages; @param log gets one warning for each prefix that is not declared and
  /// each namespace that is not quite one of SSP
  /// @throws Error(usage) if it is not well-formed or beyond the limits
  Document(std::string text, const std::string& name, const ArchiveLimits& limits, const Log& log);

  /// The root element. @throws Error(usage) if it is another one
  pugi::xml_node root(Space space, std::string_view name) const;
  Place place(pugi::xml_node element) const;

  /// The value of an attribute. @throws Error(usage) if it is missing, or not what it must be
  std::string required(pugi::xml_node element, const char* attribute) const;
  double number(pugi::xml_node element, const char* attribute, double standard) const;
  std::optional<double> number(pugi::xml_node element, const char* attribute) const;
  bool boolean(pugi::xml_node element, const char* attribute) const;  ///< false if missing
  [[noreturn]] void refuse(pugi::xml_node element, const std::string& text) const;

 private:
  void warn_of_spaces(const Log& log) const;
  std::string name_;
  std::unique_ptr<fmi::XmlDocument> xml_;
};

}  // namespace tutti::formats::ssp
