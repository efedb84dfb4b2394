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
    for (const pugi::xml_attribute attribute : attributes_of(element)) {
      switch (key(attribute.name())) {
        case key("name"):
          to.name = attribute.value();
          break;
        case key("matchingRule"):
          to.matching_rule = attribute.value();
          break;
        case key("terminalKind"):
          to.kind = attribute.value();
          break;
        case key("description"):
          to.description = attribute.value();
          break;
        default:
          context_.unknown_attribute(element, attribute);
      }
    }
    for (const pugi::xml_node child : children_of(element)) {
      switch (key(child.name())) {
        case key("TerminalMemberVariable"):
          add_member(to, child, "variableName", "memberName",
                     child.attribute("variableKind").value());
          break;
        case key("TerminalStreamMemberVariable"):
          add_member(to, child, "inStreamVariableName", "inStreamMemberName", "inStream");
          add_member(to, child, "outStreamVariableName", "outStreamMemberName", "outStream");
          break;
        case key("Terminal"):
          if (depth < deepest) {
            to.terminals.push_back(read(child, depth + 1));
          } else {
            context_.warn(Rule::terminal, {}, child,
                          "terminals are nested more than {} deep; ignored", deepest);
          }
          break;
        case key("TerminalGraphicalRepresentation"):
        case key("Annotations"):
          break;
        default:
          context_.unknown_element(child);
      }
    }
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
