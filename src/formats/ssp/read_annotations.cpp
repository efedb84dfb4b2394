// SPDX-License-Identifier: BSD-2-Clause
// What annotations of other tools say of a run: those of the Open Simulation Platform
// (OSPAnnotations.xsd) and of OMSimulator (oms.xsd).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "formats/ssp/read_structure.hpp"
#include "system/place.hpp"

namespace tutti::formats::ssp {
namespace {

/// Elements that hold a fixed communication step, and the attribute that it is in.
constexpr std::array<std::pair<std::string_view, const char*>, 2> step_holders = {
    {{"FixedStepAlgorithm", "baseStepSize"}, {"FixedStepMaster", "stepSize"}}};
/// Elements that choose steps in ways that are not ours.
constexpr std::array<std::string_view, 3> not_taken = {"VariableStepSolver", "VariableStepMaster",
                                                       "StepSizeHint"};

class StepReader {
 public:
  StepReader(const Document& document, const Log& log) : document_(document), log_(log) {}

  /// The annotations of a system, an element or an experiment.
  void read(pugi::xml_node owner) {
    for_each_child(child(owner, Space::ssd, "Annotations"), Space::ssc, "Annotation",
                   [&](pugi::xml_node annotation) {
                     for (const pugi::xml_node part : fmi::children_of(annotation))
                       look_into(part, annotation.attribute("type").value());
                   });
  }
  std::optional<double> step;

 private:
  void look_into(pugi::xml_node node, std::string_view tool) {
    if (node.type() != pugi::node_element) return;
    const std::string_view name = local_name(node);
    for (const auto& [element, attribute] : step_holders)
      if (name == element) take(node, attribute, tool);
    if (std::ranges::find(not_taken, name) != not_taken.end())
      log_.info("", fmt::format("{}<{}> of {} is not used; simulation.step, simulation.control and "
                                "components.NAME.step choose steps",
                                system::at(document_.place(node)), printable(node.name()),
                                printable(tool)));
    for (const pugi::xml_node part : fmi::children_of(node)) look_into(part, tool);
  }

  void take(pugi::xml_node node, const char* attribute, std::string_view tool) {
    const std::optional<double> value = document_.number(node, attribute);
    const std::string where = system::at(document_.place(node));
    if (!value || !(*value > 0)) {
      log_.warning("", fmt::format("{}{} of {} has no positive {}; it is not used", where,
                                   printable(node.name()), printable(tool), attribute));
    } else if (step && *step != *value) {
      log_.info("", fmt::format("{}the step {} s of {} is not used: another one came before", where,
                                *value, printable(tool)));
    } else {
      if (!step)
        log_.info("", fmt::format("{}the step is {} s, by the annotation of {}", where, *value,
                                  printable(tool)));
      step = value;
    }
  }

  const Document& document_;
  const Log& log_;
};

}  // namespace

std::optional<double> read_step(const Document& document, pugi::xml_node root, const Log& log) {
  StepReader reader(document, log);
  const pugi::xml_node system = child(root, Space::ssd, "System");
  reader.read(child(root, Space::ssd, "DefaultExperiment"));
  reader.read(system);
  for (const pugi::xml_node element : fmi::children_of(child(system, Space::ssd, "Elements")))
    if (is(element, Space::ssd, "Component")) reader.read(element);
  return reader.step;
}

}  // namespace tutti::formats::ssp
