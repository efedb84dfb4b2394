// SPDX-License-Identifier: BSD-2-Clause
#include <string>
#include <utility>
#include <vector>

#include "fmi/description/variable.hpp"

namespace tutti::fmi {
namespace {

class ReaderV1 {
 public:
  explicit ReaderV1(Context& context) : context_(context), to_(context.result) {}

  void read() {
    read_model_attributes(context_, {{"modelIdentifier", &model_identifier_},
                                     {"guid", &to_.token},
                                     {"numberOfContinuousStates", &to_.continuous_state_count},
                                     {"numberOfEventIndicators", &to_.event_indicator_count}});
    pugi::xml_node variables, implementation;
    const auto read_types = [&](pugi::xml_node list) {
      for (const pugi::xml_node type : list.children("Type")) read_scalar_type(context_, type);
    };
    context_.read_children(
        context_.xml.root(),
        {{"UnitDefinitions", [&](auto child) { read_units(child); }},
         {"TypeDefinitions", read_types},
         {"DefaultExperiment", [&](auto child) { read_default_experiment(context_, child); }},
         {"VendorAnnotations",
          [&](auto child) { read_annotations(child, "name", to_.annotations); }},
         {"ModelVariables", [&](auto child) { variables = child; }},
         {"Implementation", [&](auto child) { implementation = child; }}});
    check_model(context_, "guid");
    read_interface(implementation);
    read_variables(variables);
    index_variables(context_);
    read_dependencies();
  }

 private:
  void read_units(pugi::xml_node list) {
    const auto read_unit = [&](pugi::xml_node element) {
      Unit unit;
      unit.name = element.attribute("unit").value();
      for (const pugi::xml_node child : element.children("DisplayUnitDefinition")) {
        DisplayUnit& display = unit.display_units.emplace_back();
        context_.read_attributes(child, {{"displayUnit", &display.name},
                                         {"gain", &display.factor},
                                         {"offset", &display.offset}});
      }
      to_.units.push_back(std::move(unit));
    };
    context_.read_children(list, {{"BaseUnit", read_unit}});
  }

  void read_interface(pugi::xml_node implementation) {
    if (model_identifier_.empty()) {
      context_.fail(context_.xml.root(),
                    "there is no modelIdentifier, so the FMU's functions have no "
                    "name. Export the FMU again.");
    }
    Capabilities can;
    can.model_identifier = model_identifier_;
    if (!implementation) {
      to_.model_exchange = std::move(can);
      return;
    }
    const auto read_model = [&](pugi::xml_node part) {
      can.entry_point = part.attribute("entryPoint").value();
      can.mime_type = part.attribute("type").value();
      can.manual_start = parse_boolean(part.attribute("manualStart").value()).value_or(false);
    };
    const auto read_parts = [&](pugi::xml_node child) {
      context_.read_children(child,
                             {{"Capabilities", [&](auto part) { read_capabilities(part, can); }},
                              {"Model", read_model}});
    };
    const auto read_tool = [&](pugi::xml_node child) {
      can.needs_execution_tool = true;
      read_parts(child);
    };
    context_.read_children(implementation, {{"CoSimulation_StandAlone", read_parts},
                                            {"CoSimulation_Tool", read_tool}});
    to_.co_simulation = std::move(can);
  }

  void read_capabilities(pugi::xml_node element, Capabilities& to) {
    context_.read_attributes(element,
                             {{"canHandleVariableCommunicationStepSize", &to.can_vary_step},
                              {"canHandleEvents", &to.can_handle_events},
                              {"canRejectSteps", &to.can_redo_step},
                              {"canInterpolateInputs", &to.can_interpolate_inputs},
                              {"maxOutputDerivativeOrder", &to.max_output_derivative_order},
                              {"canRunAsynchronuously", &to.can_run_asynchronously},
                              {"canSignalEvents", &to.can_signal_events},
                              {"canBeInstantiatedOnlyOncePerProcess", &to.only_once_per_process},
                              {"canNotUseMemoryManagementFunctions", &to.no_memory_management}});
  }

  void read_variables(pugi::xml_node list) {
    VariableReader reader(context_);
    reserve_for_children(to_.variables, list);
    context_.read_children(list,
                           {{"ScalarVariable", [&](auto child) { read_variable(child, reader); }}});
  }

  void read_variable(pugi::xml_node element, VariableReader& reader) {
    VariableDraft draft(element, to_.variables.emplace_back());
    Variable& to = draft.to;
    pugi::xml_attribute causality, variability;
    for (const pugi::xml_attribute attribute : attributes_of(element)) {
      switch (key(attribute.name())) {
        case key("causality"):
          causality = attribute;
          break;
        case key("variability"):
          variability = attribute;
          break;
        case key("alias"):
          to.alias = attribute.value() == std::string_view("alias")          ? AliasKind::alias
                     : attribute.value() == std::string_view("negatedAlias") ? AliasKind::negated
                                                                             : AliasKind::none;
          break;
        default:
          if (!reader.identity(draft, attribute)) context_.unknown_attribute(element, attribute);
      }
    }
    pugi::xml_node direct_dependency;
    for (const pugi::xml_node child : children_of(element)) {
      if (reader.scalar_type(draft, child)) {
        read_type_element(reader, draft, child);
      } else if (child.name() == std::string_view("DirectDependency")) {
        direct_dependency = child;
      } else {
        context_.unknown_element(child);
      }
    }
    reader.finish_type(draft);
    reader.finish_start(draft);
    map_words(draft, causality, variability);
    reader.finish_common(draft);
    if (to.causality == Causality::output) {
      dependencies_.emplace_back(static_cast<std::int32_t>(to_.variables.size()) - 1,
                                 direct_dependency);
    }
  }

  void read_type_element(VariableReader& reader, VariableDraft& draft, pugi::xml_node element) {
    bool fixed = true;
    for (const pugi::xml_attribute attribute : attributes_of(element)) {
      if (attribute.name() == std::string_view("fixed")) {
        context_.read(element, attribute, fixed);
      } else if (!reader.type_attribute(draft, element, attribute)) {
        context_.unknown_attribute(element, attribute);
      }
    }
    draft.to.initial = !draft.start ? Initial::calculated
                       : fixed      ? Initial::exact
                                    : Initial::approx;
  }

  /// Maps the values of 1.0 to those of 3.0. A parameter without a start value cannot be set before
  /// initialization, so it is calculated by the FMU.
  void map_words(VariableDraft& draft, pugi::xml_attribute causality,
                 pugi::xml_attribute variability) {
    Variable& to = draft.to;
    switch (key(causality.value())) {
      case key("input"):
        to.causality = Causality::input;
        break;
      case key("output"):
        to.causality = Causality::output;
        break;
      case key(""):
      case key("internal"):
      case key("none"):
        to.causality = Causality::local;
        break;
      default:
        context_.warn(Rule::word, draft.element, causality,
                      "causality=\"{}\" is unknown; read as \"internal\"", causality.value());
    }
    const bool is_local = to.causality == Causality::local;
    switch (key(variability.value())) {
      case key("constant"):
        to.variability = Variability::constant;
        break;
      case key("discrete"):
        to.variability = Variability::discrete;
        break;
      case key("parameter"):
        to.variability = Variability::fixed;
        if (is_local) {
          to.causality = to.start.empty() && to.alias == AliasKind::none
                             ? Causality::calculated_parameter
                             : Causality::parameter;
        } else if (to.causality == Causality::input) {  // may be set between steps
          to.causality = Causality::parameter;
          to.variability = Variability::tunable;
        }
        break;
      case key(""):
      case key("continuous"):
        to.variability = is_float(to.type) ? Variability::continuous : Variability::discrete;
        break;
      default:
        context_.warn(Rule::word, draft.element, variability,
                      "variability=\"{}\" is unknown; the default is used", variability.value());
        to.variability = is_float(to.type) ? Variability::continuous : Variability::discrete;
    }
    if (to.causality == Causality::input) to.initial = Initial::none;
  }

  void read_dependencies() {
    for (const auto& [output, element] : dependencies_) {
      Unknown row;
      row.variable = output;
      if (element) row.dependencies.emplace();
      for (const pugi::xml_node child : element.children("Name")) {
        const std::string_view name = trim(child.text().get());
        if (const Variable* input = to_.find(name)) {
          row.dependencies->push_back(static_cast<std::int32_t>(input - to_.variables.data()));
        } else {
          context_.warn(Rule::structure, element, child,
                        "it depends on \"{}\", which is not a variable; ignored", name);
        }
      }
      to_.structure.outputs.push_back(std::move(row));
    }
  }

  Context& context_;
  ModelDescription& to_;
  std::string model_identifier_;
  std::vector<std::pair<std::int32_t, pugi::xml_node>>
      dependencies_;  ///< output, its element or null
};

}  // namespace

void read_v1(Context& context) { ReaderV1(context).read(); }

}  // namespace tutti::fmi
