// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tutti/error.hpp>
#include <tutti/structure.hpp>

#include "models/state_elements.hpp"
#include "solvers/linear/sparsity.hpp"

namespace tutti {
namespace {

constexpr std::size_t most_columns = 60, most_rows = 100;
constexpr std::size_t longest_name = 36;

const Variable& variable_at(const ModelDescription& description, std::int32_t index) {
  return description.variables[static_cast<std::size_t>(index)];
}

/// Number of characters of UTF-8.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string name_of(const ModelDescription& description, std::int32_t index) {
  const Variable& variable = variable_at(description, index);
  std::string name = variable.name;
  std::ranges::replace_if(
      name, [](char c) { return (c >= 0 && c < ' ') || c == 127; }, ' ');
  if (width_of(name) > longest_name) {  // long names differ at their ends
    std::string tail = name;
    while (width_of(name) > longest_name / 2 || (name.back() & 0xC0) == 0x80) name.pop_back();
    while (width_of(tail) > longest_name / 2 - 3 || (tail.front() & 0xC0) == 0x80)
      tail.erase(tail.begin());
    name += "..." + tail;
  }
  if (!variable.is_array()) return name;
  try {
    return name + fmt::format("[{}]", fmt::join(fmi::shape_of(description, variable, {}), ","));
  } catch (const Error&) {
    return name + "[?]";
  }
}

char character_of(DependencyKind kind) {
  switch (kind) {
    case DependencyKind::dependent:
      return 'x';
    case DependencyKind::constant:
      return 'c';
    case DependencyKind::fixed:
      return 'f';
    case DependencyKind::tunable:
      return 't';
    case DependencyKind::discrete:
      return 'd';
  }
  return '?';
}

/// Rows or columns of a drawing that belong together.
struct Group {
  std::string_view title;  ///< of one: "state"
  std::vector<std::int32_t> variables;
  std::vector<const Unknown*> unknowns;  ///< of rows
};

/// Neighbours of one group that are drawn as one row or column; usually there is only one.
struct Block {
  const Group* group = nullptr;
  std::size_t first = 0, count = 0;  ///< in the group
};

std::vector<Block> blocks_of(const std::vector<Group>& groups, std::size_t most) {
  std::size_t total = 0;
  for (const Group& group : groups) total += group.variables.size();
  const std::size_t size = (total + most - 1) / most;
  std::vector<Block> blocks;
  for (const Group& group : groups)
    for (std::size_t i = 0; i < group.variables.size(); i += size)
      blocks.push_back({&group, i, std::min(size, group.variables.size() - i)});
  return blocks;
}

class Drawing {
 public:
  Drawing(const ModelDescription& description, std::vector<Group> rows, std::vector<Group> columns)
      : md_(description), rows_(std::move(rows)), columns_(std::move(columns)) {
    row_blocks_ = blocks_of(rows_, most_rows);
    column_blocks_ = blocks_of(columns_, most_columns);
    for (std::size_t b = 0; b < column_blocks_.size(); ++b) {
      const Block& block = column_blocks_[b];
      for (std::size_t i = 0; i < block.count; ++i) {
        const std::int32_t variable = block.group->variables[block.first + i];
        number_of_.emplace(variable, b);
        const Variable& v = variable_at(md_, variable);
        number_of_reference_.emplace(std::pair(v.value_reference, v.type), b);
      }
    }
    for (const auto* blocks : {&row_blocks_, &column_blocks_})
      for (const Block& block : *blocks) is_aggregated_ = is_aggregated_ || block.count > 1;
  }

  std::string text() {
    std::size_t width = 0;
    for (const Block& block : row_blocks_)
      width = std::max({width, width_of(label(block)) + 2, block.group->title.size() + 1});
    if (!column_blocks_.empty())
      for (std::size_t place = digits(); place-- > 0;) add_header(width, place);
    const Group* group = nullptr;
    for (const Block& block : row_blocks_) {
      if (block.group != group) out_ += fmt::format("  {}s\n", block.group->title);
      group = block.group;
      const std::string name = label(block);
      out_ += fmt::format("    {}{:{}}{}\n", name, "", width - width_of(name), cells(block));
    }
    add_legend();
    return std::move(out_);
  }

 private:
  std::string label(const Block& block) const {
    const auto& variables = block.group->variables;
    std::string name = name_of(md_, variables[block.first]);
    if (block.count > 1)
      name += fmt::format(" ... {}", name_of(md_, variables[block.first + block.count - 1]));
    return name;
  }
  std::size_t digits() const { return std::to_string(column_blocks_.size()).size(); }

  /// The digits of all column numbers at one place.
  void add_header(std::size_t width, std::size_t place) {
    std::string line(width + 4, ' ');
    for_columns(line, [&](std::size_t b) {
      const std::string number = std::to_string(b + 1);
      return place < number.size() ? number[number.size() - 1 - place] : ' ';
    });
    out_ += line + "\n";
  }
  /// Appends a character for each column, and a line between groups.
  template <class CharacterAt>
  void for_columns(std::string& line, const CharacterAt& character) const {
    for (std::size_t b = 0; b < column_blocks_.size(); ++b) {
      if (b > 0 && column_blocks_[b].group != column_blocks_[b - 1].group) line += '|';
      line += character(b);
    }
  }

  std::string cells(const Block& row) {
    std::vector<std::uint64_t> counts(column_blocks_.size());
    std::vector<char> kinds(column_blocks_.size(), '.');
    std::size_t unknown = 0;
    for (std::size_t i = 0; i < row.count; ++i) {
      const Unknown& said = *row.group->unknowns[row.first + i];
      if (!said.dependencies) {
        ++unknown;
        continue;
      }
      for (std::size_t d = 0; d < said.dependencies->size(); ++d) {
        const auto column = find((*said.dependencies)[d]);
        if (!column) continue;
        ++counts[*column];
        kinds[*column] =
            character_of(said.kinds.empty() ? DependencyKind::dependent : said.kinds[d]);
        used_.insert(kinds[*column]);
      }
    }
    if (unknown > 0) used_.insert('?');
    if (column_blocks_.empty()) return unknown > 0 ? "?" : ".";
    std::string line;
    for_columns(line, [&](std::size_t b) {
      if (unknown == row.count) return '?';
      const Block& column = column_blocks_[b];
      if (row.count == 1 && !is_aggregated_) return kinds[b];
      const std::uint64_t all = std::uint64_t{row.count} * column.count;
      return density(counts[b] + std::uint64_t{unknown} * column.count, all);
    });
    return line;
  }
  static char density(std::uint64_t count, std::uint64_t all) {
    if (count == 0) return '.';
    if (4 * count <= all) return ':';
    if (2 * count <= all) return '+';
    return 4 * count <= 3 * all ? '*' : '#';
  }
  std::optional<std::size_t> find(std::int32_t variable) const {
    if (const auto found = number_of_.find(variable); found != number_of_.end())
      return found->second;
    const Variable& v = variable_at(md_, variable);
    const auto alias = number_of_reference_.find({v.value_reference, v.type});
    if (alias == number_of_reference_.end()) return {};
    return alias->second;
  }

  void add_legend() {
    if (is_aggregated_) {
      out_ +=
          "  share of dependent elements: . none, : to 25 %, + to 50 %, * to 75 %, # above, "
          "? not stated\n";
    } else {
      std::string line = "  . independent";
      const auto mention = [&](char c, std::string_view meaning) {
        if (used_.contains(c)) line += fmt::format(", {} {}", c, meaning);
      };
      mention('x', "dependent");
      mention('c', "constant factor");
      mention('f', "fixed factor");
      mention('t', "tunable factor");
      mention('d', "discrete factor");
      mention('?', "not stated: on all");
      out_ += line + "\n";
    }
    if (column_blocks_.empty()) return;
    out_ += "  columns\n";
    std::size_t width = 0;
    for (const Block& block : column_blocks_) width = std::max(width, width_of(label(block)));
    for (std::size_t b = 0; b < column_blocks_.size(); ++b) {
      const Block& block = column_blocks_[b];
      const std::string name = label(block);
      out_ += fmt::format("    {:>{}}  {}{:{}}  {}{}\n", b + 1, digits(), name, "",
                          width - width_of(name), block.group->title, block.count > 1 ? "s" : "");
    }
  }

  const ModelDescription& md_;
  std::vector<Group> rows_, columns_;
  std::vector<Block> row_blocks_, column_blocks_;
  std::map<std::int32_t, std::size_t> number_of_;  ///< by variable: the block of its column
  std::map<std::pair<ValueReference, Type>, std::size_t> number_of_reference_;
  bool is_aggregated_ = false;
  std::set<char> used_;
  std::string out_;
};

Group rows_of(std::string_view title, const std::vector<Unknown>& unknowns) {
  Group group{title, {}, {}};
  for (const Unknown& unknown : unknowns) {
    if (unknown.variable < 0) continue;
    group.variables.push_back(unknown.variable);
    group.unknowns.push_back(&unknown);
  }
  return group;
}

void drop_empty(std::vector<Group>& groups) {
  std::erase_if(groups, [](const Group& group) { return group.variables.empty(); });
}

/// The variables that rows depend on, and that are none of the columns.
Group other_columns(const ModelDescription& description, const std::vector<Group>& rows,
                    const std::vector<Group>& columns) {
  std::vector<bool> seen(description.variables.size());
  std::map<std::pair<ValueReference, Type>, bool> references;
  for (const Group& group : columns)
    for (const std::int32_t variable : group.variables) {
      seen[static_cast<std::size_t>(variable)] = true;
      const Variable& v = variable_at(description, variable);
      references[{v.value_reference, v.type}] = true;
    }
  Group others{"other", {}, {}};
  for (const Group& group : rows)
    for (const Unknown* row : group.unknowns)
      for (const std::int32_t index : row->dependencies.value_or(std::vector<std::int32_t>{})) {
        if (seen[static_cast<std::size_t>(index)]) continue;
        seen[static_cast<std::size_t>(index)] = true;
        const Variable& v = variable_at(description, index);
        if (!references.contains({v.value_reference, v.type})) others.variables.push_back(index);
      }
  std::ranges::sort(others.variables);
  return others;
}

std::string figures_text(const ModelDescription& description) {
  const auto found = jacobian_figures(description);
  if (!found) {
    if (description.continuous_state_count == 0) return "  There are no continuous states.\n";
    return fmt::format("  The description does not name its {} continuous states.\n",
                       description.continuous_state_count);
  }
  const double n = static_cast<double>(found->states);
  std::string text =
      fmt::format("  states          {}\n  nonzeros        {} ({:.3g} % of {})\n", found->states,
                  found->nonzeros, 100 * static_cast<double>(found->nonzeros) / (n * n),
                  static_cast<std::uint64_t>(found->states) * found->states);
  if (found->column_groups == 0)
    text += "  groups          not counted, the matrix is too large\n";
  else
    text += fmt::format("  column groups   {}\n  row groups      {}\n", found->column_groups,
                        found->row_groups);
  text += fmt::format("  half bandwidth  {}\n", found->half_bandwidth);
  const auto& can = description.model_exchange;
  const bool has_arrays = std::ranges::any_of(
      description.structure.derivatives,
      [&](const Unknown& row) { return variable_at(description, row.variable).is_array(); });
  if (has_arrays && can && can->per_element_dependencies)
    text +=
        "  The FMU states the dependencies of array elements when it runs "
        "(providesPerElementDependencies).\n";
  return text;
}

/// Work of colouring: by column, the lengths of its rows.
bool is_quick_to_color(const SparsityPattern& pattern) {
  std::vector<std::uint64_t> lengths(pattern.row_count);
  for (const std::int64_t row : pattern.row_index) ++lengths[static_cast<std::size_t>(row)];
  std::uint64_t work = 0;
  for (const std::uint64_t length : lengths) work += length * length;
  return work < 200'000'000;
}

}  // namespace

std::optional<JacobianFigures> jacobian_figures(const ModelDescription& description) {
  const auto states = models::find_state_elements(description);
  if (!states || states->count == 0) return {};
  JacobianFigures found;
  found.states = states->count;
  const std::uint64_t all = std::uint64_t{states->count} * states->count;
  const auto dependencies = models::described_dependencies(description, *states);
  found.nonzeros = dependencies ? models::entry_count(*states, *dependencies) : all;
  for (std::size_t row = 0; dependencies && row < dependencies->size(); ++row)
    for (const std::size_t a : (*dependencies)[row]) {
      const auto& own = states->arrays[row];
      const auto& other = states->arrays[a];
      if (own.count == 0 || other.count == 0) continue;
      const std::size_t lowest = std::min(own.first, other.first);
      const std::size_t highest = std::max(own.first + own.count, other.first + other.count) - 1;
      found.half_bandwidth = std::max(found.half_bandwidth, highest - lowest);
    }
  constexpr std::uint64_t most_entries = 20'000'000;
  if (found.nonzeros == all) {
    found.half_bandwidth = states->count - 1;
    found.column_groups = found.row_groups = states->count;
  } else if (found.nonzeros <= most_entries) {
    const SparsityPattern pattern = models::pattern_of_arrays(*states, *dependencies);
    if (is_quick_to_color(pattern)) {
      found.column_groups = solvers::color_columns(pattern).size();
      found.row_groups = solvers::color_columns(solvers::transposed(pattern).pattern).size();
    }
  }
  return found;
}

std::string structure_text(const ModelDescription& description) {
  const ModelStructure& said = description.structure;
  std::vector<Group> rows = {
      rows_of("derivative", said.derivatives), rows_of("discrete state", said.discrete_states),
      rows_of("clocked state", said.clocked_states), rows_of("output", said.outputs),
      rows_of("event indicator", said.event_indicators)};
  drop_empty(rows);
  Group states{"state", {}, {}}, inputs{"input", {}, {}};
  for (const Unknown& row : said.derivatives)
    if (const auto state = variable_at(description, row.variable).derivative_of; state >= 0)
      states.variables.push_back(state);
  for (std::size_t v = 0; v < description.variables.size(); ++v)
    if (description.variables[v].causality == Causality::input)
      inputs.variables.push_back(static_cast<std::int32_t>(v));
  std::vector<Group> columns = {std::move(states), std::move(inputs)};
  columns.push_back(other_columns(description, rows, columns));
  drop_empty(columns);

  std::string text = "Dependencies\n";
  if (rows.empty())
    text += "  The description lists neither derivatives nor outputs.\n";
  else
    text += Drawing(description, rows, columns).text();
  text += "\nJacobian\n" + figures_text(description);

  std::vector<Group> initial = {rows_of("initial unknown", said.initial_unknowns)};
  drop_empty(initial);
  if (initial.empty()) return text;
  std::vector<Group> knowns = {other_columns(description, initial, {})};
  knowns.front().title = "known";
  drop_empty(knowns);
  return text + "\nInitialization\n" + Drawing(description, initial, knowns).text();
}

}  // namespace tutti
