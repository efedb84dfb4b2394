// SPDX-License-Identifier: BSD-2-Clause
#include <optional>
#include <utility>
#include <vector>

#include "fmi/description/variable.hpp"

namespace tutti::fmi {
namespace {

/// One attribute of a clock or clock type. False: it is none of them.
bool read_clock_attribute(Context& context, pugi::xml_node element, pugi::xml_attribute attribute,
                          ClockAttributes& to) {
  return context.read_one_of(element, attribute,
                             {{"intervalVariability", &to.interval_variability},
                              {"canBeDeactivated", &to.can_be_deactivated},
                              {"priority", &to.priority},
                              {"intervalDecimal", &to.interval_decimal},
                              {"shiftDecimal", &to.shift_decimal},
                              {"supportsFraction", &to.supports_fraction},
                              {"resolution", &to.resolution},
                              {"intervalCounter", &to.interval_counter},
                              {"shiftCounter", &to.shift_counter}});
}

constexpr const char* default_mime_type = "application/octet-stream";

/// A clock takes missing attributes from its type.
void fill_clock(ClockAttributes& to, const ClockAttributes& from) {
  if (to.interval_variability.empty()) to.interval_variability = from.interval_variability;
  to.can_be_deactivated = to.can_be_deactivated || from.can_be_deactivated;
  to.supports_fraction = to.supports_fraction || from.supports_fraction;
  if (!to.priority) to.priority = from.priority;
  if (!to.interval_decimal) to.interval_decimal = from.interval_decimal;
  if (!to.shift_decimal) to.shift_decimal = from.shift_decimal;
  if (!to.resolution) to.resolution = from.resolution;
  if (!to.interval_counter) to.interval_counter = from.interval_counter;
  if (!to.shift_counter) to.shift_counter = from.shift_counter;
}

/// One child of <TypeDefinitions>: <Float64Type>, <EnumerationType>, <ClockType>, ...
void read_type_v3(Context& context, pugi::xml_node element) {
  std::string_view name = element.name();
  std::optional<Type> kind;
  if (name.ends_with("Type")) kind = from_word<Type>(name.substr(0, name.size() - 4));
  if (!kind) {
    context.unknown_element(element);
    return;
  }

  TypeDefinition type;
  type.type = *kind;
  if (type.type == Type::clock) type.clock.emplace();
  if (type.type == Type::binary) type.mime_type = default_mime_type;
  Given given;
  for (const pugi::xml_attribute attribute : attributes_of(element)) {
    if (context.read_one_of(element, attribute,
                            {{"name", &type.name},
                             {"description", &type.description},
                             {"mimeType", &type.mime_type},
                             {"maxSize", &type.max_size}}))
      continue;
    if (type.clock && read_clock_attribute(context, element, attribute, *type.clock)) continue;
    if (!read_type_attribute(context, element, attribute, type.attributes, given))
      context.unknown_attribute(element, attribute);
  }

  context.read_children(
      element, {{"Item", [&](auto item) { type.items.push_back(read_item(context, item, 0)); }},
                {"Annotations", [](auto) {}}});
  context.result.types.push_back(std::move(type));
}

/// The variables of FMI 3.0, which may be arrays and clocks and refer to each other.
class VariableReaderV3 {
 public:
  explicit VariableReaderV3(Context& context)
      : context_(context), to_(context.result), reader_(context) {}

  /// Reads all, builds the index, and turns references between variables into indices.
  void read(pugi::xml_node list) {
    reserve_for_children(to_.variables, list);
    for (const pugi::xml_node child : children_of(list)) {
      if (const std::optional<Type> type = from_word<Type>(child.name())) {
        read_variable(child, *type);
      } else {
        context_.unknown_element(child);
      }
    }
    index_variables(context_);
    resolve(derivatives_, &Variable::derivative_of);
    resolve(previous_, &Variable::previous);
    check_arrays_and_clocks();
  }

 private:
  struct Reference {
    std::size_t variable;
    pugi::xml_node element;
    pugi::xml_attribute attribute;
  };

  void read_variable(pugi::xml_node element, Type type) {
    VariableDraft draft(element, to_.variables.emplace_back());
    Variable& to = draft.to;
    to.type = type;
    if (type == Type::clock) to.clock.emplace();
    for (const pugi::xml_attribute attribute : attributes_of(element))
      read_attribute(draft, attribute);
    read_children(draft);
    reader_.finish_common(draft);
    if (type == Type::binary && to.mime_type.empty()) to.mime_type = default_mime_type;
    if (to.clock) {
      const TypeDefinition* declared = to_.type_of(to);
      if (declared != nullptr && declared->clock) fill_clock(*to.clock, *declared->clock);
    }
    reader_.finish_start(draft);
    reader_.finish_defaults(draft);
    if (to.is_array() || to.clock || !to.clocks.empty()) {
      arrays_and_clocks_.push_back(to_.variables.size() - 1);
    }
  }

  void read_attribute(VariableDraft& draft, pugi::xml_attribute attribute) {
    Variable& to = draft.to;
    const pugi::xml_node element = draft.element;
    const auto refer = [&](std::vector<Reference>& references) {
      references.push_back({to_.variables.size() - 1, element, attribute});
    };
    switch (key(attribute.name())) {
      case key("derivative"):
        refer(derivatives_);
        break;
      case key("previous"):
        refer(previous_);
        break;
      case key("reinit"):
        context_.read(element, attribute, to.reinit);
        break;
      case key("intermediateUpdate"):
        context_.read(element, attribute, to.intermediate_update);
        break;
      case key("mimeType"):
        to.mime_type = attribute.value();
        break;
      case key("maxSize"):
        context_.read(element, attribute, to.max_size);
        break;
      case key("clocks"):
        for_each_item(attribute.value(), [&](std::string_view item) {
          if (const auto reference = parse_integer<ValueReference>(item)) {
            to.clocks.push_back(*reference);
          } else {
            context_.warn(Rule::clock, element, attribute,
                          "the clock \"{}\" is not a value reference", item);
          }
        });
        break;
      default:
        if (to.clock && read_clock_attribute(context_, element, attribute, *to.clock)) break;
        if (!reader_.attribute(draft, attribute) &&
            !reader_.type_attribute(draft, element, attribute))
          context_.unknown_attribute(element, attribute);
    }
  }

  void read_children(VariableDraft& draft) {
    for (const pugi::xml_node child : children_of(draft.element)) {
      switch (key(child.name())) {
        case key("Dimension"):
          read_dimension(draft, child);
          break;
        case key("Start"):
          draft.to.start.emplace_back(child.attribute("value").value());
          break;
        case key("Alias"):
          read_alias(draft, child);
          break;
        case key("Annotations"):
          read_annotations(child, "type", draft.to.annotations);
          break;
        default:
          context_.unknown_element(child);
      }
    }
  }

  void read_dimension(VariableDraft& draft, pugi::xml_node element) {
    Dimension dimension;
    context_.read_attributes(
        element, {{"start", &dimension.size}, {"valueReference", &dimension.size_variable}});
    if (!dimension.size && !dimension.size_variable) {
      context_.fail(element,
                    "variable \"{}\": <Dimension> has neither start nor valueReference. Export the "
                    "FMU again.",
                    draft.to.name);
    }
    draft.to.dimensions.push_back(dimension);
  }

  void read_alias(VariableDraft& draft, pugi::xml_node element) {
    AliasName& alias = draft.to.aliases.emplace_back();
    context_.read_attributes(element, {{"name", &alias.name},
                                       {"description", &alias.description},
                                       {"displayUnit", &alias.display_unit}});
  }

  void resolve(const std::vector<Reference>& references, std::int32_t Variable::*to) {
    for (const Reference& reference : references) {
      const auto value = parse_integer<ValueReference>(reference.attribute.value());
      const std::int32_t index = value ? to_.find(*value) : -1;
      if (index < 0) {
        context_.warn(Rule::derivative, reference.element, reference.attribute,
                      "{}=\"{}\" is not a variable; ignored", reference.attribute.name(),
                      reference.attribute.value());
      }
      to_.variables[reference.variable].*to = index;
    }
  }

  void check_arrays_and_clocks() {
    for (const std::size_t which : arrays_and_clocks_) {
      const Variable& variable = to_.variables[which];
      for (const Dimension& dimension : variable.dimensions) {
        if (!dimension.size_variable) continue;
        const std::int32_t index = to_.find(*dimension.size_variable);
        const Variable* size =
            index >= 0 ? &to_.variables[static_cast<std::size_t>(index)] : nullptr;
        if (size == nullptr || size->type != Type::uint64 ||
            (size->causality != Causality::structural_parameter &&
             size->variability != Variability::constant)) {
          context_.warn(
              Rule::dimension, variable,
              "its dimension refers to {}, which is not a UInt64 structural parameter or constant",
              *dimension.size_variable);
        }
      }
      if (variable.start.size() > 1 && variable.start.size() != declared_size(to_, variable)) {
        context_.warn(Rule::start_count, variable, "it has {} start values for {} elements",
                      variable.start.size(), declared_size(to_, variable));
      }
      for (const ValueReference reference : variable.clocks) {
        const std::int32_t index = to_.find(reference);
        if (index < 0 || to_.variables[static_cast<std::size_t>(index)].type != Type::clock) {
          context_.warn(Rule::clock, variable, "clocks refers to {}, which is not a clock",
                        reference);
        }
      }
      if (variable.clock && variable.clock->interval_variability.empty()) {
        context_.warn(Rule::clock, variable, "it is a clock without intervalVariability");
      }
    }
  }

  Context& context_;
  ModelDescription& to_;
  VariableReader reader_;
  std::vector<Reference> derivatives_, previous_;
  std::vector<std::size_t> arrays_and_clocks_;  ///< variables that refer to others or have a clock
};

class ReaderV3 {
 public:
  explicit ReaderV3(Context& context) : context_(context), to_(context.result) {}

  void read() {
    read_model_attributes(context_, {{"instantiationToken", &to_.token}});
    const pugi::xml_node root = context_.xml.root();
    pugi::xml_node variables, structure;
    const auto read_types = [&](pugi::xml_node list) {
      for (const pugi::xml_node type : children_of(list)) read_type_v3(context_, type);
    };
    context_.read_children(
        root,
        {{"ModelExchange", [&](auto child) { to_.model_exchange = read_interface(child); }},
         {"CoSimulation", [&](auto child) { to_.co_simulation = read_interface(child); }},
         {"ScheduledExecution",
          [&](auto child) { to_.scheduled_execution = read_interface(child); }},
         {"UnitDefinitions", [&](auto child) { read_units(context_, child); }},
         {"TypeDefinitions", read_types},
         {"LogCategories", [&](auto child) { read_log_categories(context_, child); }},
         {"DefaultExperiment", [&](auto child) { read_default_experiment(context_, child); }},
         {"Annotations", [&](auto child) { read_annotations(child, "type", to_.annotations); }},
         {"ModelVariables", [&](auto child) { variables = child; }},
         {"ModelStructure", [&](auto child) { structure = child; }}});
    check_model(context_, "instantiationToken");
    if (!to_.model_exchange && !to_.co_simulation && !to_.scheduled_execution) {
      context_.fail(root,
                    "there is none of <ModelExchange>, <CoSimulation>, <ScheduledExecution>. "
                    "Export the FMU again.");
    }
    VariableReaderV3(context_).read(variables);
    read_structure(structure);
  }

 private:
  Capabilities read_interface(pugi::xml_node element) {
    Capabilities to;
    to.needs_completed_integrator_step = false;
    context_.read_attributes(
        element,
        {{"modelIdentifier", &to.model_identifier},
         {"needsExecutionTool", &to.needs_execution_tool},
         {"canBeInstantiatedOnlyOncePerProcess", &to.only_once_per_process},
         {"canGetAndSetFMUState", &to.can_save_state},
         {"canSerializeFMUState", &to.can_serialize_state},
         {"providesDirectionalDerivatives", &to.provides_directional_derivatives},
         {"providesAdjointDerivatives", &to.provides_adjoint_derivatives},
         {"providesPerElementDependencies", &to.per_element_dependencies},
         {"needsCompletedIntegratorStep", &to.needs_completed_integrator_step},
         {"providesEvaluateDiscreteStates", &to.provides_evaluate_discrete_states},
         {"canHandleVariableCommunicationStepSize", &to.can_vary_step},
         {"fixedInternalStepSize", &to.fixed_internal_step},
         {"maxOutputDerivativeOrder", &to.max_output_derivative_order},
         {"recommendedIntermediateInputSmoothness", &to.recommended_intermediate_input_smoothness},
         {"providesIntermediateUpdate", &to.provides_intermediate_update},
         {"mightReturnEarlyFromDoStep", &to.might_return_early},
         {"canReturnEarlyAfterIntermediateUpdate", &to.can_return_early_after_intermediate_update},
         {"hasEventMode", &to.has_event_mode}});
    check_identifier(context_, element, to);
    context_.read_children(element, {{"Annotations", [](auto) {}}});
    return to;
  }

  void read_structure(pugi::xml_node structure) {
    ModelStructure& to = to_.structure;
    const auto reading = [&](std::vector<Unknown>& rows) {
      return [this, &rows](pugi::xml_node child) {
        read_unknown(context_, child, "valueReference", rows,
                     [this](std::uint32_t reference) { return to_.find(reference); });
      };
    };
    context_.read_children(structure, {{"Output", reading(to.outputs)},
                                       {"ContinuousStateDerivative", reading(to.derivatives)},
                                       {"ClockedState", reading(to.clocked_states)},
                                       {"InitialUnknown", reading(to.initial_unknowns)},
                                       {"EventIndicator", reading(to.event_indicators)}});
    complete_outputs(context_, structure);
    constexpr std::uint64_t most = std::uint64_t{1} << 62;
    const auto count = [&](const std::vector<Unknown>& rows) {
      std::uint64_t total = 0;
      for (const Unknown& row : rows) {
        total += declared_size(to_, to_.variables[static_cast<std::size_t>(row.variable)]);
        if (total > most) return most;
      }
      return total;
    };
    check_state_derivatives(context_);
    to_.continuous_state_count = count(to.derivatives);
    to_.event_indicator_count = count(to.event_indicators);
  }

  Context& context_;
  ModelDescription& to_;
};

}  // namespace

void read_v3(Context& context) { ReaderV3(context).read(); }

}  // namespace tutti::fmi
