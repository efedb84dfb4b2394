// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/shape.hpp"

#include <fmt/format.h>

#include <cmath>
#include <tutti/error.hpp>

#include "base/text.hpp"

namespace tutti::fmi {
namespace {

constexpr std::uint64_t most_elements = 10'000'000;  // more is a damaged file

std::optional<std::uint64_t> whole_number(std::string_view text) {
  double value = 0;
  if (!parse_number(text, value) || !(value >= 0 && value < 0x1p53) || std::floor(value) != value)
    return std::nullopt;
  return static_cast<std::uint64_t>(value);
}

std::uint64_t size_of(const ModelDescription& description, const Variable& variable,
                      const Dimension& dimension, const StructuralValues& structure) {
  if (!dimension.size_variable) return dimension.size.value_or(1);
  if (const auto changed = structure.find(*dimension.size_variable); changed != structure.end())
    return changed->second;
  if (const std::int32_t index = description.find(*dimension.size_variable); index >= 0) {
    const std::vector<std::string>& start =
        description.variables[static_cast<std::size_t>(index)].start;
    if (!start.empty())
      if (const std::optional<std::uint64_t> size = whole_number(start.front())) return *size;
  }
  throw Error(ErrorCode::description,
              fmt::format("array \"{}\": the size refers to value reference {}, which is not a "
                          "structural parameter with a start value",
                          variable.name, *dimension.size_variable),
              {.variable = variable.name});
}

}  // namespace

std::vector<std::uint64_t> shape_of(const ModelDescription& description, const Variable& variable,
                                    const StructuralValues& structure) {
  std::vector<std::uint64_t> shape;
  std::uint64_t total = 1;
  for (const Dimension& dimension : variable.dimensions) {
    const std::uint64_t size = size_of(description, variable, dimension, structure);
    shape.push_back(size);
    // A size of 0 makes the whole array empty, for all other sizes.
    total = size != 0 && total > most_elements / size ? most_elements + 1 : total * size;
  }
  if (total > most_elements)
    throw Error(ErrorCode::description,
                fmt::format("array \"{}\" has more than {} elements, the limit", variable.name,
                            most_elements),
                {.variable = variable.name});
  return shape;
}

std::uint64_t element_count(std::span<const std::uint64_t> shape) {
  std::uint64_t count = 1;
  for (const std::uint64_t size : shape) count *= size;
  return count;
}

std::string element_name(const std::string& name, std::span<const std::uint64_t> shape,
                         std::uint64_t element) {
  if (shape.empty()) return name;
  std::string indices;
  for (std::size_t i = shape.size(); i-- > 0;) {
    indices = fmt::format("{}{}{}", element % shape[i] + 1, indices.empty() ? "" : ",", indices);
    element /= shape[i];
  }
  return fmt::format("{}[{}]", name, indices);
}

std::optional<std::uint64_t> element_at(std::span<const std::uint64_t> shape,
                                        std::string_view indices) {
  std::uint64_t element = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::size_t comma = indices.find(',');
    if ((comma == std::string_view::npos) != (i + 1 == shape.size())) return std::nullopt;
    const auto index = to_integer<std::uint64_t>(trim(indices.substr(0, comma)));
    if (!index || *index < 1 || *index > shape[i]) return std::nullopt;
    element = element * shape[i] + *index - 1;
    if (comma != std::string_view::npos) indices.remove_prefix(comma + 1);
  }
  return element;
}

}  // namespace tutti::fmi
