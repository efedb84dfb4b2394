// SPDX-License-Identifier: BSD-2-Clause
#include "formats/ssp/document.hpp"

#include <fmt/format.h>

#include <set>
#include <vector>

#include "base/text.hpp"
#include "system/names.hpp"

namespace tutti::formats::ssp {
namespace {

constexpr std::string_view uris[] = {
    "http://ssp-standard.org/SSP1/SystemStructureDescription",
    "http://ssp-standard.org/SSP1/SystemStructureCommon",
    "http://ssp-standard.org/SSP1/SystemStructureParameterValues",
    "http://ssp-standard.org/SSP1/SystemStructureParameterMapping",
    "http://ssp-standard.org/SSP1/SystemStructureSignalDictionary",
};
constexpr std::string_view usual_prefixes[] = {"ssd", "ssc", "ssv", "ssm", "ssb"};

std::string_view last_part(std::string_view uri) { return uri.substr(uri.rfind('/') + 1); }

std::string_view prefix_of(pugi::xml_node element) {
  const std::string_view name = element.name();
  const std::size_t colon = name.find(':');
  return colon == name.npos ? std::string_view() : name.substr(0, colon);
}

/// The first namespace for which `fits(i)` is true.
template <class Fits>
Space first_space(const Fits& fits) {
  std::size_t i = 0;
  while (i < std::size(uris) && !fits(i)) ++i;
  return static_cast<Space>(i);
}

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

Space space_of(pugi::xml_node element) {
  const std::string_view prefix = prefix_of(element), uri = declared_uri(element, prefix);
  if (uri.empty()) return first_space([&](std::size_t i) { return usual_prefixes[i] == prefix; });
  const Space exact = first_space([&](std::size_t i) { return uris[i] == uri; });
  if (exact != Space::other) return exact;
  const std::string_view last = last_part(uri);
  return first_space([&](std::size_t i) { return last.starts_with(last_part(uris[i])); });
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

Document::Document(std::string text, const std::string& name, const ArchiveLimits& limits,
                   const Log& log)
    : XmlFile(std::move(text), name, limits) {
  warn_of_spaces(log);
}

void Document::warn_of_spaces(const Log& log) const {
  std::set<std::string_view> known(std::begin(uris), std::end(uris));
  std::vector<pugi::xml_node> elements = {XmlFile::root()};
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const pugi::xml_node element = elements[i];
    for (const pugi::xml_node part : fmi::children_of(element))
      if (part.type() == pugi::node_element) elements.push_back(part);
    const Space space = space_of(element);
    if (space == Space::other) continue;
    const std::string_view prefix = prefix_of(element), uri = declared_uri(element, prefix);
    if (!known.insert(uri.empty() ? prefix : uri).second) continue;
    log.warning("",
                fmt::format("{}{} \"{}\" is {}; read as {}", system::at(place(element)),
                            uri.empty() ? "the prefix" : "the namespace",
                            printable(uri.empty() ? prefix : uri),
                            uri.empty() ? "not declared" : "not one of SSP 1.0", uri_of(space)));
  }
}

pugi::xml_node Document::root(Space space, std::string_view name) const {
  const pugi::xml_node root = XmlFile::root();
  if (!is(root, space, name))
    refuse(root, fmt::format("the root element is <{}>, not <{}> of the namespace {}",
                             printable(root.name()), name, uri_of(space)));
  return root;
}

}  // namespace tutti::formats::ssp
