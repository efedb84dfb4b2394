// SPDX-License-Identifier: BSD-2-Clause
#include <utility>

#include "fmi/description/context.hpp"
#include "fmi/description/reader.hpp"
#include "fmi/description/shared.hpp"

namespace tutti::fmi {
namespace {

constexpr int deepest = 32;  // nested terminals; limits the recursion

class TerminalReader {
 public:
  TerminalReader(Context& context, const ModelDescription& description)
      : context_(context), description_(description) {}

  Terminal read(pugi::xml_node element, int depth) {
    Terminal to;
    context_.read_attributes(element, {{"name", &to.name},
                                       {"matchingRule", &to.matching_rule},
                                       {"terminalKind", &to.kind},
                                       {"description", &to.description}});
    const auto add_stream = [&](pugi::xml_node child) {
      add_member(to, child, "inStreamVariableName", "inStreamMemberName", "inStream");
      add_member(to, child, "outStreamVariableName", "outStreamMemberName", "outStream");
    };
    const auto add_terminal = [&](pugi::xml_node child) {
      if (depth < deepest) {
        to.terminals.push_back(read(child, depth + 1));
      } else {
        context_.warn(Rule::terminal, {}, child, "terminals are nested more than {} deep; ignored",
                      deepest);
      }
    };
    const auto add_variable = [&](pugi::xml_node child) {
      add_member(to, child, "variableName", "memberName", child.attribute("variableKind").value());
    };
    context_.read_children(element, {{"TerminalMemberVariable", add_variable},
                                     {"TerminalStreamMemberVariable", add_stream},
                                     {"Terminal", add_terminal},
                                     {"TerminalGraphicalRepresentation", [](auto) {}},
                                     {"Annotations", [](auto) {}}});
    return to;
  }

 private:
  void add_member(Terminal& to, pugi::xml_node element, const char* variable, const char* member,
                  const char* kind) {
    TerminalMember result{element.attribute(variable).value(), kind,
                          element.attribute(member).value()};
    if (description_.find(result.variable) == nullptr) {
      context_.warn(Rule::terminal, {}, element, "terminal \"{}\": \"{}\" is not a variable",
                    to.name, result.variable);
    }
    to.members.push_back(std::move(result));
  }

  Context& context_;
  const ModelDescription& description_;
};

}  // namespace

void finish_unknown(Context& context, pugi::xml_node element, pugi::xml_attribute kinds,
                    Unknown& row) {
  if (kinds) {
    bool legal = true;
    for_each_item(kinds.value(), [&](std::string_view item) {
      const std::optional<DependencyKind> kind = from_word<DependencyKind>(item);
      legal = legal && kind.has_value();
      row.kinds.push_back(kind.value_or(DependencyKind::dependent));
    });
    if (!legal || row.kinds.size() != (row.dependencies ? row.dependencies->size() : 0)) {
      context.warn(Rule::dependencies_kind, element, kinds,
                   "dependenciesKind does not match dependencies; all are read as \"dependent\"");
      row.kinds.clear();
    }
  }
  if (!row.dependencies) return;
  // Drops dependencies that are not variables, and their kinds.
  std::vector<std::int32_t>& indices = *row.dependencies;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] < 0) continue;
    indices[kept] = indices[i];
    if (!row.kinds.empty()) row.kinds[kept] = row.kinds[i];
    ++kept;
  }
  indices.resize(kept);
  if (!row.kinds.empty()) row.kinds.resize(kept);
}

void complete_outputs(Context& context, pugi::xml_node structure) {
  ModelDescription& to = context.result;
  std::vector<bool> listed(to.variables.size());
  std::vector<Unknown>& rows = to.structure.outputs;
  for (const Unknown& row : rows) {
    const auto index = static_cast<std::size_t>(row.variable);
    const Variable& variable = to.variables[index];
    if (variable.causality != Causality::output) {
      context.warn(Rule::outputs, variable,
                   "it is listed as an output, but its causality is \"{}\"",
                   to_string(variable.causality));
    }
    if (listed[index]) {
      context.warn(Rule::outputs, variable, "it is listed as an output more than once");
    }
    listed[index] = true;
  }
  if (!structure) {
    context.warn(Rule::structure_missing, {}, context.xml.root(),
                 "there is no <ModelStructure>; every output is assumed to depend on every input");
  }
  for (std::size_t i = 0; i < to.variables.size(); ++i) {
    if (to.variables[i].causality != Causality::output || listed[i]) continue;
    if (structure) {
      context.warn(
          Rule::outputs, to.variables[i],
          "it is an output, but not listed in <ModelStructure>; assumed to depend on every input");
    }
    rows.push_back({static_cast<std::int32_t>(i), std::nullopt, {}});
  }
}

void check_state_derivatives(Context& context) {
  for (const Unknown& row : context.result.structure.derivatives) {
    const Variable& variable = context.result.variables[static_cast<std::size_t>(row.variable)];
    if (variable.derivative_of >= 0) continue;
    context.warn(
        Rule::state_derivative, variable,
        "it is listed as a derivative, but has no attribute \"derivative\" that names its state");
  }
}

void index_variables(Context& context) {
  const ModelDescription::Duplicates duplicates = context.result.build_index();
  for (const std::int32_t index : duplicates.names) {
    const Variable& variable = context.result.variables[static_cast<std::size_t>(index)];
    context.warn(Rule::unique_name, variable,
                 "its name is not unique; it refers to the first variable of that name");
  }
  if (context.result.version != FmiVersion::v3) return;
  for (const std::int32_t index : duplicates.references) {
    const Variable& variable = context.result.variables[static_cast<std::size_t>(index)];
    context.warn(Rule::unique_reference, variable, "its valueReference {} is not unique",
                 variable.value_reference);
  }
}

std::uint64_t declared_size(const ModelDescription& description, const Variable& variable) {
  constexpr std::uint64_t most = std::uint64_t{1} << 62;
  std::uint64_t count = 1;
  for (const Dimension& dimension : variable.dimensions) {
    std::uint64_t size = dimension.size.value_or(1);
    if (dimension.size_variable) {
      const std::int32_t index = description.find(*dimension.size_variable);
      if (index < 0) continue;
      const std::vector<std::string>& start =
          description.variables[static_cast<std::size_t>(index)].start;
      if (!start.empty()) size = parse_integer<std::uint64_t>(start.front()).value_or(1);
    }
    if (size == 0) return 0;
    count = count > most / size ? most : count * size;
  }
  return count;
}

void read_terminals(std::string xml, std::string_view file, const Log& log,
                    ModelDescription& description, const ArchiveLimits& limits,
                    const BreachSink* breaches) {
  try {
    Context context(std::move(xml), file, log, limits, breaches);
    context.result.version = description.version;
    const pugi::xml_node root = context.xml.root();
    if (root.name() != std::string_view("fmiTerminalsAndIcons")) {
      context.warn(Rule::terminal, {}, root, "the root element is <{}>, not <fmiTerminalsAndIcons>",
                   root.name());
    }
    TerminalReader reader(context, description);
    for (const pugi::xml_node child : root.child("Terminals").children("Terminal")) {
      description.terminals.push_back(reader.read(child, 1));
    }
    context.finish_warnings();
  } catch (const Error& error) {
    if (breaches != nullptr) (*breaches)({Rule::terminal, 0, "", "", error.what()});
    log.warning("", fmt::format("{} The terminals are ignored.", error.what()));
  }
}

}  // namespace tutti::fmi
