// SPDX-License-Identifier: BSD-2-Clause
#include "formats/ssp/structure.hpp"

#include <algorithm>
#include <tutti/error.hpp>

#include "base/text.hpp"
#include "fmi/description/xml.hpp"

namespace tutti::formats::ssp {
namespace {

using Map = std::vector<std::pair<std::string, std::string>>;

std::string looked_up(const Map& map, const std::string& value) {
  const auto found =
      std::ranges::find_if(map, [&](const auto& pair) { return pair.first == value; });
  return found == map.end() ? value : found->second;
}

}  // namespace

Transformation Transformation::then(const Transformation& next) const {
  if ((is_linear() && !next.map.empty()) || (!map.empty() && next.is_linear()))
    throw Error(ErrorCode::usage,
                "a linear transformation and a map follow each other; one value cannot be both a "
                "real number and an item of a map");
  Transformation both;
  both.factor = factor * next.factor;
  both.offset = next.factor * offset + next.offset;
  both.convert_units = convert_units && next.convert_units;
  for (const auto& [from, to] : map) both.map.emplace_back(from, looked_up(next.map, to));
  for (const auto& entry : next.map)
    if (looked_up(map, entry.first) == entry.first &&
        std::ranges::none_of(map, [&](const auto& known) { return known.first == entry.first; }))
      both.map.push_back(entry);
  return both;
}

std::string Transformation::of(const std::string& value) const {
  if (!is_linear()) return looked_up(map, value);
  std::string all;
  fmi::for_each_item(value, [&](std::string_view item) {
    const std::optional<double> number = fmi::parse_double(item);
    if (!number)
      throw Error(ErrorCode::usage,
                  "a linear transformation is for numbers, not for \"" + printable(item) + "\"");
    if (!all.empty()) all += ' ';
    all += number_text(factor * *number + offset);
  });
  return all;
}

const Connector* Element::find_connector(std::string_view connector) const {
  const auto found = std::ranges::find(connectors, connector, &Connector::name);
  return found == connectors.end() ? nullptr : &*found;
}

}  // namespace tutti::formats::ssp
