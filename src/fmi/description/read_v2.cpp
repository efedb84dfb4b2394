// SPDX-License-Identifier: BSD-2-Clause

#include "fmi/description/variable.hpp"

namespace tutti::fmi {
namespace {

class ReaderV2 {
 public:
  explicit ReaderV2(Context& context) : context_(context), to_(context.result) {}

  void read() {
    read_model_attributes(
        context_, {{"guid", &to_.token}, {"numberOfEventIndicators", &to_.event_indicator_count}});
    const pugi::xml_node root = context_.xml.root();
    pugi::xml_node variables, structure;
    const auto read_types = [&](pugi::xml_node list) {
      context_.read_children(
          list, {{"SimpleType", [&](auto type) { read_scalar_type(context_, type); }}});
    };
    context_.read_children(
        root, {{"ModelExchange", [&](auto child) { to_.model_exchange = read_interface(child); }},
               {"CoSimulation", [&](auto child) { to_.co_simulation = read_interface(child); }},
               {"UnitDefinitions", [&](auto child) { read_units(context_, child); }},
               {"TypeDefinitions", read_types},
               {"LogCategories", [&](auto child) { read_log_categories(context_, child); }},
               {"DefaultExperiment", [&](auto child) { read_default_experiment(context_, child); }},
               {"VendorAnnotations",
                [&](auto child) { read_annotations(child, "name", to_.annotations); }},
               {"ModelVariables", [&](auto child) { variables = child; }},
               {"ModelStructure", [&](auto child) { structure = child; }}});
    check_model(context_, "guid");
    if (!to_.model_exchange && !to_.co_simulation) {
      context_.fail(root,
                    "there is neither <ModelExchange> nor <CoSimulation>. Export the FMU again.");
    }
    read_variables(variables);
    index_variables(context_);
    read_structure(structure);
  }

 private:
  Capabilities read_interface(pugi::xml_node element) {
    Capabilities to;
    bool step_not_needed = false;
    context_.read_attributes(
        element, {{"modelIdentifier", &to.model_identifier},
                  {"needsExecutionTool", &to.needs_execution_tool},
                  {"canBeInstantiatedOnlyOncePerProcess", &to.only_once_per_process},
                  {"canNotUseMemoryManagementFunctions", &to.no_memory_management},
                  {"canGetAndSetFMUstate", &to.can_save_state},
                  {"canSerializeFMUstate", &to.can_serialize_state},
                  {"providesDirectionalDerivative", &to.provides_directional_derivatives},
                  {"completedIntegratorStepNotNeeded", &step_not_needed},
                  {"canHandleVariableCommunicationStepSize", &to.can_vary_step},
                  {"canInterpolateInputs", &to.can_interpolate_inputs},
                  {"maxOutputDerivativeOrder", &to.max_output_derivative_order},
                  {"canRunAsynchronuously", &to.can_run_asynchronously}});
    to.needs_completed_integrator_step = !step_not_needed;
    check_identifier(context_, element, to);
    const auto read_sources = [&](pugi::xml_node list) {
      for (const pugi::xml_node file : list.children("File")) {
        to.source_files.emplace_back(file.attribute("name").value());
      }
    };
    context_.read_children(element, {{"SourceFiles", read_sources}});
    return to;
  }

  void read_variables(pugi::xml_node list) {
    VariableReader reader(context_);
    reserve_for_children(to_.variables, list);
    context_.read_children(list,
                           {{"ScalarVariable", [&](auto child) { read_variable(child, reader); }}});
    // The attribute counted from 1.
    for (Variable& variable : to_.variables) {
      if (variable.derivative_of < 0) continue;
      if (static_cast<std::size_t>(variable.derivative_of) < to_.variables.size()) continue;
      context_.warn(Rule::derivative, variable, "derivative=\"{}\" is not a variable; ignored",
                    variable.derivative_of + 1);
      variable.derivative_of = -1;
    }
  }

  void read_variable(pugi::xml_node element, VariableReader& reader) {
    VariableDraft draft(element, to_.variables.emplace_back());
    for (const pugi::xml_attribute attribute : attributes_of(element)) {
      if (!reader.attribute(draft, attribute)) context_.unknown_attribute(element, attribute);
    }
    for (const pugi::xml_node child : children_of(element)) {
      if (reader.scalar_type(draft, child)) {
        read_type_element(reader, draft, child);
      } else if (child.name() == std::string_view("Annotations")) {
        read_annotations(child, "name", draft.to.annotations);
      } else {
        context_.unknown_element(child);
      }
    }
    reader.finish_type(draft);
    reader.finish_common(draft);
    reader.finish_start(draft);
    reader.finish_defaults(draft);
  }

  void read_type_element(VariableReader& reader, VariableDraft& draft, pugi::xml_node element) {
    for (const pugi::xml_attribute attribute : attributes_of(element)) {
      const std::string_view name = attribute.name();
      if (name == "derivative") {
        std::int32_t index = 0;
        context_.read(element, attribute, index);
        draft.to.derivative_of = index > 0 ? index - 1 : -1;
      } else if (name == "reinit") {
        context_.read(element, attribute, draft.to.reinit);
      } else if (!reader.type_attribute(draft, element, attribute)) {
        context_.unknown_attribute(element, attribute);
      }
    }
  }

  void read_structure(pugi::xml_node structure) {
    ModelStructure& to = to_.structure;
    context_.read_children(
        structure,
        {{"Outputs", [&](auto child) { read_rows(child, to.outputs); }},
         {"Derivatives", [&](auto child) { read_rows(child, to.derivatives); }},
         {"DiscreteStates", [&](auto child) { read_rows(child, to.discrete_states); }},
         {"InitialUnknowns", [&](auto child) { read_rows(child, to.initial_unknowns); }}});
    complete_outputs(context_, structure);
    check_state_derivatives(context_);
    to_.continuous_state_count = to_.structure.derivatives.size();
  }

  void read_rows(pugi::xml_node list, std::vector<Unknown>& to) {
    for (const pugi::xml_node child : children_of(list)) {
      if (child.name() != std::string_view("Unknown")) {
        context_.unknown_element(child);
        continue;
      }
      read_unknown(context_, child, "index", to, [this](std::uint32_t index) {  // counts from 1
        return index >= 1 && index <= to_.variables.size() ? static_cast<std::int32_t>(index - 1)
                                                           : -1;
      });
    }
  }

  Context& context_;
  ModelDescription& to_;
};

}  // namespace

void read_v2(Context& context) { ReaderV2(context).read(); }

}  // namespace tutti::fmi
