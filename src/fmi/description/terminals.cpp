// SPDX-License-Identifier: BSD-2-Clause
#include <utility>

#include "fmi/description/context.hpp"
#include "fmi/description/reader.hpp"

namespace tutti::fmi {
namespace {

constexpr int deepest = 32;  // terminals in terminals; a bound for the recursion

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
      context_.warn(Rule::terminal, {}, element, "terminal \"{}\": \"{}\" is no variable", to.name,
                    result.variable);
    }
    to.members.push_back(std::move(result));
  }

  Context& context_;
  const ModelDescription& description_;
};

}  // namespace

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
