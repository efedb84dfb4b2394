// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <tutti/fmu.hpp>
#include <tutti/log.hpp>

#include "fmi/description/xml.hpp"
#include "formats/xml_file.hpp"

namespace tutti::formats::ssp {

/// The namespaces of SSP (1.0 and 2.0 have the same). A file may use any prefixes for them. Drafts
/// had others with the same last part, and some tools do not declare a prefix: both are accepted,
/// see Document.
enum class Space : std::uint8_t { ssd, ssc, ssv, ssm, ssb, other };
std::string_view uri_of(Space space);

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
class Document : public XmlFile {
 public:
  /// @param log gets one warning for each prefix that is not declared and each namespace that is
  /// not exactly one of SSP
  /// @throws Error(usage), see XmlFile
  Document(std::string text, const std::string& name, const ArchiveLimits& limits, const Log& log);

  /// The root element. @throws Error(usage) if it is another one
  pugi::xml_node root(Space space, std::string_view name) const;

 private:
  void warn_of_spaces(const Log& log) const;
};

}  // namespace tutti::formats::ssp
