// SPDX-License-Identifier: BSD-2-Clause
#include <nlohmann/json.hpp>
#include <tutti/structure.hpp>

#include "info.hpp"
#include "info_words.hpp"

namespace tutti::cli {
namespace {

using Json = nlohmann::ordered_json;

template <class Value>
void put(Json& to, const char* key, const std::optional<Value>& value) {
  if (value) to[key] = *value;
}
void put(Json& to, const char* key, const std::string& value) {
  if (!value.empty()) to[key] = value;
}

Json json_of(const Capabilities& can) {
  Json to;
  to["modelIdentifier"] = can.model_identifier;
  for (const auto& [name, value] : capability_flags(can)) to[std::string(name)] = value;
  to["needsCompletedIntegratorStep"] = can.needs_completed_integrator_step;
  to["maxOutputDerivativeOrder"] = can.max_output_derivative_order;
  put(to, "fixedInternalStepSize", can.fixed_internal_step);
  put(to, "recommendedIntermediateInputSmoothness", can.recommended_intermediate_input_smoothness);
  put(to, "entryPoint", can.entry_point);
  put(to, "mimeType", can.mime_type);
  if (can.manual_start) to["manualStart"] = true;
  if (!can.source_files.empty()) to["sourceFiles"] = can.source_files;
  return to;
}

void put_attributes(Json& to, const TypeAttributes& from) {
  put(to, "quantity", from.quantity);
  put(to, "unit", from.unit);
  put(to, "displayUnit", from.display_unit);
  put(to, "min", from.min);
  put(to, "max", from.max);
  put(to, "nominal", from.nominal);
  if (from.relative_quantity) to["relativeQuantity"] = true;
  if (from.unbounded) to["unbounded"] = true;
}

Json json_of(const ClockAttributes& clock) {
  Json to;
  to["intervalVariability"] = clock.interval_variability;
  to["canBeDeactivated"] = clock.can_be_deactivated;
  to["supportsFraction"] = clock.supports_fraction;
  put(to, "priority", clock.priority);
  put(to, "intervalDecimal", clock.interval_decimal);
  put(to, "shiftDecimal", clock.shift_decimal);
  put(to, "resolution", clock.resolution);
  put(to, "intervalCounter", clock.interval_counter);
  put(to, "shiftCounter", clock.shift_counter);
  return to;
}

Json json_of(const std::vector<Annotation>& annotations) {
  Json list = Json::array();
  for (const Annotation& each : annotations)
    list.push_back({{"name", each.name}, {"xml", each.xml}});
  return list;
}

Json json_of(const ModelDescription& description, const Variable& from) {
  Json to;
  to["name"] = from.name;
  to["valueReference"] = from.value_reference;
  to["type"] = to_string(from.type);
  to["causality"] = to_string(from.causality);
  to["variability"] = to_string(from.variability);
  if (from.initial != Initial::none) to["initial"] = to_string(from.initial);
  put(to, "description", from.description);
  if (from.alias != AliasKind::none) {
    to["alias"] = from.alias == AliasKind::negated ? "negatedAlias" : "alias";
  }
  if (!from.start.empty()) to["start"] = from.start;
  for (const Dimension& dimension : from.dimensions) {
    Json one = Json::object();
    put(one, "start", dimension.size);
    put(one, "valueReference", dimension.size_variable);
    to["dimensions"].push_back(one);
  }
  if (const TypeDefinition* type = description.type_of(from)) to["declaredType"] = type->name;
  put_attributes(to, from.attributes);
  const auto name_of = [&](std::int32_t index) {
    return description.variables[static_cast<std::size_t>(index)].name;
  };
  if (from.derivative_of >= 0) to["derivative"] = name_of(from.derivative_of);
  if (from.previous >= 0) to["previous"] = name_of(from.previous);
  if (from.reinit) to["reinit"] = true;
  if (!from.can_handle_multiple_set) to["canHandleMultipleSetPerTimeInstant"] = false;
  if (from.intermediate_update) to["intermediateUpdate"] = true;
  if (!from.clocks.empty()) to["clocks"] = from.clocks;
  if (from.clock) to["clock"] = json_of(*from.clock);
  put(to, "mimeType", from.mime_type);
  if (from.max_size > 0) to["maxSize"] = from.max_size;
  for (const AliasName& alias : from.aliases) {
    Json one = {{"name", alias.name}};
    put(one, "description", alias.description);
    put(one, "displayUnit", alias.display_unit);
    to["aliases"].push_back(one);
  }
  if (!from.annotations.empty()) to["annotations"] = json_of(from.annotations);
  to["line"] = from.line;
  return to;
}

Json json_of(const Unit& from) {
  Json to = {{"name", from.name}};
  if (from.base) {
    constexpr const char* names[] = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};
    Json base = Json::object();
    for (std::size_t i = 0; i < std::size(names); ++i) {
      if (from.base->exponents[i] != 0) base[names[i]] = from.base->exponents[i];
    }
    base["factor"] = from.base->factor;
    base["offset"] = from.base->offset;
    to["baseUnit"] = base;
  }
  for (const DisplayUnit& unit : from.display_units) {
    Json one = {{"name", unit.name}, {"factor", unit.factor}, {"offset", unit.offset}};
    if (unit.inverse) one["inverse"] = true;
    to["displayUnits"].push_back(one);
  }
  return to;
}

Json json_of(const TypeDefinition& from) {
  Json to = {{"name", from.name}, {"type", to_string(from.type)}};
  put(to, "description", from.description);
  put_attributes(to, from.attributes);
  for (const EnumerationItem& item : from.items) {
    Json one = {{"name", item.name}, {"value", item.value}};
    put(one, "description", item.description);
    to["items"].push_back(one);
  }
  put(to, "mimeType", from.mime_type);
  if (from.max_size > 0) to["maxSize"] = from.max_size;
  if (from.clock) to["clock"] = json_of(*from.clock);
  return to;
}

Json json_of(const ModelDescription& description, const std::vector<Unknown>& rows) {
  Json list = Json::array();
  const auto name_of = [&](std::int32_t index) {
    return description.variables[static_cast<std::size_t>(index)].name;
  };
  for (const Unknown& row : rows) {
    Json one = {{"variable", name_of(row.variable)}};
    if (row.dependencies) {
      one["dependencies"] = Json::array();
      for (const std::int32_t index : *row.dependencies)
        one["dependencies"].push_back(name_of(index));
    }
    for (const DependencyKind kind : row.kinds) one["dependenciesKind"].push_back(to_string(kind));
    list.push_back(one);
  }
  return list;
}

Json json_of(const ModelDescription& description, const ModelStructure& structure) {
  return {{"outputs", json_of(description, structure.outputs)},
          {"derivatives", json_of(description, structure.derivatives)},
          {"discreteStates", json_of(description, structure.discrete_states)},
          {"clockedStates", json_of(description, structure.clocked_states)},
          {"initialUnknowns", json_of(description, structure.initial_unknowns)},
          {"eventIndicators", json_of(description, structure.event_indicators)}};
}

Json json_of(const Terminal& from) {
  Json to = {{"name", from.name}, {"matchingRule", from.matching_rule}};
  put(to, "terminalKind", from.kind);
  put(to, "description", from.description);
  for (const TerminalMember& member : from.members) {
    Json one = {{"variable", member.variable}, {"kind", member.kind}};
    put(one, "name", member.name);
    to["members"].push_back(one);
  }
  for (const Terminal& child : from.terminals) to["terminals"].push_back(json_of(child));
  return to;
}

}  // namespace

std::string info_json(const ModelDescription& description, const FmuContents& contents) {
  Json to;
  to["fmiVersion"] = description.version_text;
  to["modelName"] = description.model_name;
  put(to, "description", description.description);
  put(to, "author", description.author);
  put(to, "version", description.model_version);
  put(to, "copyright", description.copyright);
  put(to, "license", description.license);
  put(to, "generationTool", description.generation_tool);
  put(to, "generationDateAndTime", description.generation_date);
  put(to, "variableNamingConvention", description.naming_convention);
  to["token"] = description.token;
  to["interfaces"] = Json::object();
  for (const auto& [name, can] : interfaces(description)) {
    to["interfaces"][std::string(name)] = json_of(*can);
  }
  to["contents"] = {{"platforms", contents.platforms},
                    {"sources", contents.has_sources},
                    {"documentation", contents.has_documentation},
                    {"files", contents.files},
                    {"bytes", contents.bytes}};
  Json experiment = Json::object();
  put(experiment, "startTime", description.default_experiment.start);
  put(experiment, "stopTime", description.default_experiment.stop);
  put(experiment, "tolerance", description.default_experiment.tolerance);
  put(experiment, "stepSize", description.default_experiment.step);
  to["defaultExperiment"] = experiment;
  to["continuousStates"] = description.continuous_state_count;
  to["eventIndicators"] = description.event_indicator_count;
  const auto list = [&](const char* key, const auto& items, auto&& convert) {
    to[key] = Json::array();
    for (const auto& item : items) to[key].push_back(convert(item));
  };
  list("logCategories", description.log_categories, [](const LogCategory& category) {
    Json one = {{"name", category.name}};
    put(one, "description", category.description);
    return one;
  });
  list("units", description.units, [](const Unit& unit) { return json_of(unit); });
  list("types", description.types, [](const TypeDefinition& type) { return json_of(type); });
  list("variables", description.variables,
       [&](const Variable& variable) { return json_of(description, variable); });
  to["structure"] = json_of(description, description.structure);
  list("terminals", description.terminals,
       [](const Terminal& terminal) { return json_of(terminal); });
  to["annotations"] = json_of(description.annotations);
  return to.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string structure_json(const ModelDescription& description) {
  Json to;
  to["states"] = Json::array();
  const auto variable = [&](std::int32_t index) -> const Variable& {
    return description.variables[static_cast<std::size_t>(index)];
  };
  for (const Unknown& row : description.structure.derivatives)
    if (const std::int32_t state = variable(row.variable).derivative_of; state >= 0)
      to["states"].push_back(variable(state).name);
  to["inputs"] = Json::array();
  for (const Variable& input : description.variables)
    if (input.causality == Causality::input) to["inputs"].push_back(input.name);
  to["structure"] = json_of(description, description.structure);
  if (const auto found = jacobian_figures(description)) {
    Json figures = {
        {"states", found->states},
        {"nonzeros", found->nonzeros},
        {"density", static_cast<double>(found->nonzeros) /
                        (static_cast<double>(found->states) * static_cast<double>(found->states))},
        {"halfBandwidth", found->half_bandwidth}};
    if (found->column_groups > 0) {
      figures["columnGroups"] = found->column_groups;
      figures["rowGroups"] = found->row_groups;
    }
    to["jacobian"] = figures;
  }
  return to.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string results_json(const ResultTable& table) {
  nlohmann::ordered_json json = {{"file", table.name}, {"rows", table.times.size()}};
  json["time"] = {{"name", table.time_name}, {"unit", table.time_unit}};
  if (!table.times.empty()) {
    json["time"]["first"] = table.times.front();
    json["time"]["last"] = table.times.back();
  }
  json["variables"] = nlohmann::ordered_json::array();
  constexpr std::string_view motions[] = {"constant", "linear", "discrete"};
  for (const ResultColumn& column : table.columns) {
    nlohmann::ordered_json one = {
        {"name", column.name},
        {"unit", column.unit},
        {"interpolation", motions[static_cast<std::size_t>(column.motion)]},
        {"text", column.is_text}};
    if (!column.description.empty()) one["description"] = column.description;
    if (const auto range = range_of(column)) {
      one["min"] = range->min;
      one["max"] = range->max;
    }
    json["variables"].push_back(std::move(one));
  }
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace tutti::cli
