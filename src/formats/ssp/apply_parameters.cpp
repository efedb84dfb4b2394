// SPDX-License-Identifier: BSD-2-Clause
#include "formats/ssp/signal_graph.hpp"

#include <fmt/format.h>

#include <memory>
#include <tutti/error.hpp>
#include <unordered_map>

#include "base/number_type.hpp"
#include "fmi/file_cache.hpp"
#include "formats/value.hpp"
#include "system/units.hpp"

namespace tutti::formats::ssp {
namespace {

/// A value on its way to a variable.
struct Applied {
  const ParameterValue& value;
  const Binding& binding;
  Transformation transformation;
};

class Appliance {
 public:
  Appliance(const SignalGraph& graph, System& system, const Surroundings& surroundings,
            system::Problems& problems)
      : graph_(graph), system_(system), surroundings_(surroundings), problems_(problems) {}

  /// Inner elements first: what comes later wins.
  void apply(std::uint32_t index) {
    const FlatElement& element = graph_.elements()[index];
    for (const std::uint32_t part : element.children) apply(part);
    for (const Binding& binding : element.element->bindings) apply(index, binding);
  }

 private:
  void apply(std::uint32_t index, const Binding& binding) {
    std::vector<std::string> unused;
    for (const ParameterValue& value : binding.values) {
      const std::string name = binding.prefix + value.name;
      bool used = false;
      if (!binding.mapping) {
        used = give(index, name, {value, binding, {}});
      } else {
        used = true;  // what is not mapped is not meant
        for (const MappingEntry& entry : *binding.mapping)
          if (entry.source == name)
            used &= give(index, entry.target, {value, binding, entry.transformation});
      }
      if (!used) unused.push_back(name);
    }
    if (!unused.empty())
      surroundings_.log.info("", fmt::format("{}values for which no variable is there: {}",
                                             system::at(binding.place), fmt::join(unused, ", ")));
  }

  /// To all variables that the name means, seen from the element.
  bool give(std::uint32_t index, std::string_view name, const Applied& applied) {
    const FlatElement& flat = graph_.elements()[index];
    const Element& element = *flat.element;
    if (element.kind == Element::Kind::component) return set(flat, std::string(name), applied);
    bool given = false;
    if (element.find_connector(name) != nullptr) {
      for (const SignalGraph::Reached& reached :
           graph_.reached_from(index, std::string(name), problems_)) {
        problems_.attempt([&] {
          Applied on = applied;
          on.transformation = on.transformation.then(reached.transformation);
          given |= set(graph_.elements()[reached.element], reached.connector, on);
        });
      }
    }
    for (const std::uint32_t part : flat.children) {
      const std::string& prefix = graph_.elements()[part].element->name;
      if (name.size() > prefix.size() + 1 && name.starts_with(prefix) && name[prefix.size()] == '.')
        given |= give(part, name.substr(prefix.size() + 1), applied);
    }
    return given;
  }

  bool set(const FlatElement& flat, const std::string& variable, const Applied& applied) {
    Component& component = system_.components[static_cast<std::size_t>(flat.component)];
    const ModelDescription* model = description(flat);
    const Variable* found = model == nullptr ? nullptr : model->find(variable);
    if (model != nullptr && found == nullptr) {  // an element of an array?
      const std::size_t bracket = variable.rfind('[');
      if (!variable.ends_with(']') || bracket == variable.npos) return false;
      found = model->find(std::string_view(variable).substr(0, bracket));
      if (found == nullptr || !found->is_array()) return false;
    }
    problems_.attempt([&] {
      std::string text = applied.value.value;
      if (found != nullptr) text = converted(text, applied, *model, *found);
      set_value(component.set, variable, applied.transformation.of(text));
    });
    return true;
  }

  /// From the unit of the parameter set to that of the variable.
  static std::string converted(const std::string& text, const Applied& applied,
                               const ModelDescription& model, const Variable& variable) {
    if (!is_float(variable.type) || applied.value.unit.empty() ||
        !applied.transformation.convert_units)
      return text;
    ModelDescription source;
    source.units = applied.binding.units;
    Variable value;
    value.attributes.unit = applied.value.unit;
    const system::UnitConversion units = system::convert_units(source, value, model, variable);
    using Kind = system::UnitConversion::Kind;
    if (units.kind == Kind::clash)
      throw Error(ErrorCode::usage,
                  fmt::format("parameter \"{}\": unit \"{}\" and unit \"{}\" of the variable "
                              "\"{}\" measure different quantities",
                              applied.value.name, applied.value.unit, variable.attributes.unit,
                              variable.name),
                  system::where(applied.binding.place, {.variable = variable.name}));
    if (units.kind != Kind::linear) return text;
    Transformation conversion;
    conversion.factor = units.factor;
    conversion.offset = units.offset;
    return conversion.of(text);
  }

  /// Read when the first value for its FMU comes; null if it cannot be, which whoever runs the
  /// system says.
  const ModelDescription* description(const FlatElement& flat) {
    const auto [known, is_new] = descriptions_.try_emplace(flat.element->fmu.string());
    if (is_new) {
      try {
        known->second = fmi::description_of(flat.element->fmu, surroundings_.open);
      } catch (const Error& error) {
        if (error.code() == ErrorCode::interrupted) throw;
      }
    }
    return known->second.get();
  }

  const SignalGraph& graph_;
  System& system_;
  const Surroundings& surroundings_;
  system::Problems& problems_;
  std::unordered_map<std::string, std::shared_ptr<const ModelDescription>>
      descriptions_;  // by file
};

}  // namespace

void apply_parameters(const SignalGraph& graph, System& system, const Surroundings& surroundings,
                      system::Problems& problems) {
  Appliance(graph, system, surroundings, problems).apply(0);
}

}  // namespace tutti::formats::ssp
