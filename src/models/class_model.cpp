// SPDX-License-Identifier: BSD-2-Clause
// Components that are C++ classes.
#include "models/class_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <tutti/error.hpp>

#include "base/number_type.hpp"

namespace tutti {

ComponentModel::ComponentModel() = default;
ComponentModel::~ComponentModel() = default;
void ComponentModel::save(std::any& /*into*/) const {}
void ComponentModel::restore(const std::any& /*from*/) {}

}  // namespace tutti

namespace tutti::models {
namespace {

using Declared = ComponentModel::Declared;

[[noreturn]] void refuse_declaration(const Declared& declared, const std::string& why) {
  throw Error(ErrorCode::usage, fmt::format("variable \"{}\": {}", declared.name, why),
              {.variable = declared.name});
}

std::unique_ptr<ComponentModel> construct(const Component& component) {
  std::unique_ptr<ComponentModel> made;
  try {
    made = component.model();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw Error(ErrorCode::usage,
                fmt::format("the C++ class cannot be constructed: {}", error.what()),
                {.component = component.name});
  } catch (...) {
    throw Error(ErrorCode::usage, "the C++ class cannot be constructed: its constructor threw",
                {.component = component.name});
  }
  if (!made)
    throw Error(ErrorCode::usage, "Component::model returned no object",
                {.component = component.name});
  return made;
}

Variability variability_of(const Declared& declared) {
  using enum Variability;
  const bool is_real = is_float(declared.type);
  const bool is_parameter = declared.causality == Causality::parameter;
  const Variability chosen = declared.details.variability.value_or(is_parameter ? fixed
                                                                   : is_real    ? continuous
                                                                                : discrete);
  if (is_parameter && chosen != fixed && chosen != tunable)
    refuse_declaration(declared,
                       fmt::format("a parameter is fixed or tunable, not {}", to_string(chosen)));
  if (!is_parameter && chosen != continuous && chosen != discrete)
    refuse_declaration(declared, fmt::format("an {} is continuous or discrete, not {}",
                                             to_string(declared.causality), to_string(chosen)));
  if (chosen == continuous && !is_real)
    refuse_declaration(declared, fmt::format("{} is not a type of continuous variables",
                                             to_string(declared.type)));
  return chosen;
}

Variable describe_variable(const Declared& declared, ValueReference reference) {
  if (declared.name.empty())
    throw Error(ErrorCode::usage, fmt::format("variable {} has no name", reference + 1));
  if (declared.details.depends_on && declared.causality != Causality::output)
    refuse_declaration(declared, "only outputs have depends_on");
  Variable variable;
  variable.name = declared.name;
  variable.description = declared.details.description;
  variable.value_reference = reference;
  variable.type = declared.type;
  variable.causality = declared.causality;
  variable.variability = variability_of(declared);
  variable.attributes.unit = declared.details.unit;
  if (declared.causality == Causality::parameter || declared.details.has_start)
    variable.initial = Initial::exact;
  else if (declared.causality != Causality::input)
    variable.initial = Initial::calculated;
  if (variable.initial != Initial::calculated) variable.start = {declared.start};
  return variable;
}

Unknown describe_output(const Declared& declared, const ModelDescription& description) {
  Unknown unknown;
  unknown.variable =
      static_cast<std::int32_t>(description.find(declared.name) - description.variables.data());
  if (!declared.details.depends_on) return unknown;
  unknown.dependencies.emplace();
  for (const std::string& name : *declared.details.depends_on) {
    const Variable* const input = description.find(name);
    if (input == nullptr || input->causality != Causality::input)
      refuse_declaration(declared, fmt::format("depends_on names \"{}\", which is {}", name,
                                               input == nullptr ? "not declared" : "not an input"));
    unknown.dependencies->push_back(
        static_cast<std::int32_t>(input - description.variables.data()));
  }
  return unknown;
}

}  // namespace

ClassModel::ClassModel(const InstanceTask& task, std::unique_ptr<ComponentModel> model)
    : name_(task.component->name),
      description_(*task.description),
      start_(task.start),
      substep_(task.substep),
      boundary_(task.boundary),
      model_(std::move(model)) {
  check_variables();
  inputs_ = ValueSet(description_, task.inputs, start_.structure());
  outputs_ = ValueSet(description_, task.outputs, start_.structure());
  start_.copy_inputs_to(inputs_, description_);
  std::vector<std::int32_t> all(description_.variables.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int32_t>(i);
  all_ = ValueSet(description_, all, start_.structure());
}

/// Every object of the class must declare the same.
void ClassModel::check_variables() const {
  const auto declared = model_->variables();
  const auto& known = description_.variables;
  if (!std::equal(declared.begin(), declared.end(), known.begin(), known.end(),
                  [](const Declared& a, const Variable& b) {
                    return a.name == b.name && a.type == b.type && a.causality == b.causality;
                  }))
    throw Error(ErrorCode::usage,
                fmt::format("component \"{}\": its C++ class does not declare the same variables "
                            "each time it is constructed",
                            name_),
                {.component = name_});
}

void ClassModel::begin_initialization(const Experiment& experiment) {
  start_time_ = experiment.start;
  start_.apply_to(*this);
}

void ClassModel::set_some(std::span<const std::int32_t> variables) {
  inputs_.part(description_, variables, start_.structure()).set_to(*this);
  is_computed_ = false;
}

void ClassModel::get_some(std::span<const std::int32_t> variables) {
  compute_start();
  ValueSet some(description_, variables, start_.structure());
  some.get_from(*this);
  outputs_.copy_from(some);
}

void ClassModel::end_initialization(const Experiment& /*experiment*/) {
  compute_start();
  outputs_.get_from(*this);
}

void ClassModel::compute() {
  calling("initialize", start_time_, [&] { model_->initialize(start_time_); });
}

void ClassModel::compute_start() {
  if (is_computed_) return;
  compute();
  is_computed_ = true;
}

double ClassModel::parts_of(double h) const {
  return substep_ > 0 ? std::max(1.0, std::ceil(h / substep_ - 1e-9)) : 1;
}

StepOutcome ClassModel::step(double t, double h) {
  std::vector<double> slopes;
  if (boundary_ != nullptr) boundary_->begin(t, h, slopes);
  write_inputs();
  const double parts = parts_of(h);
  for (double n = 0; n < parts; ++n) {
    const double from = t + h * n / parts;
    calling("step", from, [&] { model_->step(from, h / parts); });
    count_step();
  }
  read_outputs();
  if (boundary_ != nullptr) boundary_->accept(t + h, false);
  return {StepOutcome::Status::done, t + h};
}

void ClassModel::write_inputs() {
  if (inputs_.empty()) return;
  inputs_.set_to(*this);
  ++counts_.set;
}

void ClassModel::read_outputs() {
  if (!outputs_.empty()) ++counts_.get;
  outputs_.get_from(*this);
}

void ClassModel::save(Snapshot& into) {
  auto& saved = writable<Saved>(into);
  ++counts_.get_state;
  all_.get_from(*this);
  all_.save(saved.all);
  outputs_.save(saved.outputs);
  saved.time = time_;
  calling("save", time_, [&] { model_->save(saved.others); });
}

void ClassModel::restore(const Snapshot& from) {
  const auto& saved = static_cast<const Saved&>(*from);
  ++counts_.set_state;
  all_.restore(saved.all);
  all_.set_to(*this);
  outputs_.restore(saved.outputs);
  time_ = saved.time;
  calling("restore", time_, [&] { model_->restore(saved.others); });
}

void ClassModel::call_guarded(std::string_view function, const std::function<void()>& call) {
  const auto context = [&] {
    const std::string_view name = shown(function);
    return fmt::format("component \"{}\"{}", name_,
                       name.empty() ? "" : fmt::format(": {}()", name));
  };
  try {
    call();
  } catch (const Error& error) {
    if (error.code() == ErrorCode::interrupted) throw;
    throw error.within(context(), {.component = name_, .time = time_});
  } catch (const std::exception& error) {
    throw Error(ErrorCode::fmu, fmt::format("{} failed: {}", context(), error.what()),
                {.component = name_, .time = time_});
  } catch (...) {
    throw Error(
        ErrorCode::fmu,
        context() + " failed: it threw an exception that is not derived from std::exception",
        {.component = name_, .time = time_});
  }
}

void ClassModel::get(Type /*type*/, References references, void* values,
                     std::size_t /*value_count*/) {
  auto* to = static_cast<std::byte*>(values);
  for (const ValueReference reference : references) {
    std::memcpy(to, at(reference).value, at(reference).size);
    to += at(reference).size;
  }
}

void ClassModel::set(Type /*type*/, References references, const void* values,
                     std::size_t /*value_count*/) {
  const auto* from = static_cast<const std::byte*>(values);
  for (const ValueReference reference : references) {
    std::memcpy(at(reference).value, from, at(reference).size);
    from += at(reference).size;
  }
}

void ClassModel::get_strings(References references, std::span<std::string> values) {
  for (std::size_t i = 0; i < references.size(); ++i) values[i] = text_at(references[i]);
}

void ClassModel::set_strings(References references, std::span<const std::string> values) {
  for (std::size_t i = 0; i < references.size(); ++i) text_at(references[i]) = values[i];
}

std::shared_ptr<ModelDescription> describe_object(const ComponentModel& model,
                                                  const std::string& name) {
  const auto description = std::make_shared<ModelDescription>();
  description->version = FmiVersion::v3;  // which has all types
  description->version_text = "3.0";
  description->model_name = description->token = name;
  Capabilities& able = description->co_simulation.emplace();
  able.model_identifier = name;
  able.can_save_state = model.can_roll_back();
  able.can_vary_step = model.can_vary_step();
  for (const Declared& declared : model.variables())
    description->variables.push_back(
        describe_variable(declared, static_cast<ValueReference>(description->variables.size())));
  if (const auto duplicates = description->build_index().names; !duplicates.empty())
    refuse_declaration(model.variables()[static_cast<std::size_t>(duplicates.front())],
                       "it is declared twice");
  for (const Declared& declared : model.variables())
    if (declared.causality == Causality::output)
      description->structure.outputs.push_back(describe_output(declared, *description));
  return description;
}

namespace {

std::shared_ptr<const ModelDescription> describe_class(const Component& component,
                                                       const std::filesystem::path& /*file*/,
                                                       const FmuOptions& /*options*/,
                                                       const Log& /*log*/) {
  if (!component.fmu.empty())
    throw Error(ErrorCode::usage,
                fmt::format("it is both an FMU ({}) and a C++ class; choose one of them",
                            component.fmu.filename().string()));
  return describe_object(*construct(component), component.name);
}

}  // namespace

constinit const system::ComponentKind class_kind = {
    .name = "C++ class",
    .noun = "class",
    .origin = system::Origin::object,
    .without_rollback = "can_roll_back() is false",
    .to_roll_back = "override can_roll_back(), save() and restore()",
    .fits = [](const Component& component,
               const ModelDescription*) { return component.model != nullptr; },
    .describe = describe_class,
    .make = [](const InstanceTask& task) -> std::unique_ptr<Instance> {
      return std::make_unique<ClassModel>(task, construct(*task.component));
    },
    .summary = "an object of your program in place of an FMU",
    .about =
        {"A class derived from tutti::ComponentModel declares variables and computes steps. For "
         "programs that use the library: system files and workers cannot name an object, and "
         "tutti advise knows only its dependencies. Methods that repeat steps need "
         "can_roll_back(), save() and restore().",
         "docs/extend.md"}};

}  // namespace tutti::models
