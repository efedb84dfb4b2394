// SPDX-License-Identifier: BSD-2-Clause
// Built-in components as instances.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/codec.hpp"
#include "base/infinity.hpp"
#include "base/text.hpp"
#include "base/time_grid.hpp"
#include "fmi/file_cache.hpp"
#include "models/built_in/built_in.hpp"
#include "models/class_model.hpp"
#include "system/known_units.hpp"

namespace tutti::models {

void BuiltInModel::check_parameters() const {
  for (const Declared& declared : variables()) {
    if (declared.causality != Causality::parameter || declared.type != Type::float64) continue;
    const double value = *static_cast<const double*>(declared.value);
    if (!std::isfinite(value))
      refuse_parameter(declared.name, fmt::format("{} = {} must be finite", declared.name, value));
  }
  check();
}

void BuiltInModel::initialize(double t) {
  check_parameters();
  start(t);
  evaluate({t, t});
}

// The end of the step may differ by rounding from a jump that it leads to.
void BuiltInModel::step(double t, double h) {
  const double end = t + h;
  remember(end);
  evaluate({end, end - same_time(end, h)});
}

void BuiltInModel::save(std::any& into) const {
  // The memory is not changed.
  const std::vector<double>* const memory = const_cast<BuiltInModel*>(this)->memory();
  if (memory == nullptr) return;
  if (auto* const known = std::any_cast<std::vector<double>>(&into))
    *known = *memory;
  else
    into = *memory;
}

// A state from a file has values for every model, also for one without memory.
void BuiltInModel::restore(const std::any& from) {
  std::vector<double>* const into = memory();
  const auto* const known = std::any_cast<std::vector<double>>(&from);
  if (into != nullptr && known != nullptr) *into = *known;
}

namespace {

class BuiltInInstance final : public ClassModel {
 public:
  BuiltInInstance(const InstanceTask& task, std::unique_ptr<BuiltInModel> model)
      : BuiltInInstance(task, model.get(), std::move(model)) {}

  void end_initialization(const Experiment& experiment) override {
    ClassModel::end_initialization(experiment);
    move_to(experiment.start);
    is_running_ = true;
    find_next_event();
  }

  StepOutcome step(double t, double h) override {
    if (boundary() != nullptr) boundary()->begin(t, h, slopes_);
    const auto inputs = inputs_.continuous_doubles();
    held_.assign(inputs.begin(), inputs.end());
    const double looks = looks_per_step(), parts = parts_of(h) * looks;
    for (double n = 0; n < parts; ++n) {
      write_inputs_at(h * (n + 1) / parts);
      const double from = t + h * n / parts;
      calling("step", from, [&] { model_.step(from, h / parts); });
      if (std::fmod(n + 1, looks) == 0) count_step();
    }
    move_to(t + h);
    read_outputs();
    if (boundary() != nullptr) boundary()->accept(t + h, false);
    return {StepOutcome::Status::done, t + h};
  }

  /// The outputs are computed with the inputs at the end of the step.
  bool follows_curves() const override { return true; }
  void set_curves(std::span<const double> slopes, std::span<const double> curvatures) override {
    slopes_.assign(slopes.begin(), slopes.end());
    curvatures_.assign(curvatures.begin(), curvatures.end());
  }

  std::uint32_t output_derivative_order() const override { return model_.derivative_order(); }
  void get_output_derivatives(std::span<const std::int32_t> variables, std::uint32_t order,
                              std::span<double> values) override {
    for (std::size_t i = 0; i < variables.size(); ++i)
      values[i] = model_.derivative(static_cast<std::size_t>(variables[i]), order, now());
  }

  /// By central differences, for components without memory.
  bool differentiate(std::span<const std::int32_t> unknowns, std::span<const std::int32_t> knowns,
                     std::span<const double> seed, std::span<double> sensitivity) override {
    const auto is_real = [&](std::int32_t i) {
      return description().variables[static_cast<std::size_t>(i)].type == Type::float64;
    };
    if (model_.memory() != nullptr || !std::ranges::all_of(unknowns, is_real) ||
        !std::ranges::all_of(knowns, is_real))
      return false;
    if (unknowns.empty()) return true;
    std::vector<double> here, values[2];
    double largest = 1;
    for (const std::int32_t known : knowns) {
      here.push_back(number(known));
      largest = std::max(largest, std::abs(here.back()));
    }
    const double distance = std::exp2(std::ceil(std::log2(largest)) - 17);
    const auto move = [&](double part) {
      for (std::size_t i = 0; i < knowns.size(); ++i) number(knowns[i]) = here[i] + part * seed[i];
      calling("differentiate", time(), [&] { model_.evaluate(now()); });
    };
    for (const int side : {0, 1}) {
      move(side == 0 ? -distance : distance);
      for (const std::int32_t unknown : unknowns) values[side].push_back(number(unknown));
    }
    move(0);
    for (std::size_t i = 0; i < unknowns.size(); ++i)
      sensitivity[i] = (values[1][i] - values[0][i]) / (2 * distance);
    return true;
  }

  bool has_event_mode() const override { return true; }
  bool follows_in_events() const override { return true; }
  std::optional<double> next_event() const override {
    return next_event_ < infinity ? std::optional(next_event_) : std::nullopt;
  }
  void begin_event() override {}
  bool end_event(double t) override {
    move_to(t);
    calling("event", t, [&] {
      model_.check_parameters();
      model_.remember(t);
      model_.evaluate(now());
    });
    read_outputs();
    find_next_event();
    return true;
  }
  bool handle_event(double t) override {
    write_inputs();
    return end_event(t);
  }

  void save(Snapshot& into) override {
    writable<SavedEvent>(into).next_event = next_event_;
    ClassModel::save(into);
  }
  void restore(const Snapshot& from) override {
    ClassModel::restore(from);
    next_event_ = static_cast<const SavedEvent&>(*from).next_event;
  }
  bool can_write_state() const override { return true; }
  std::string write_state(const Snapshot& from) override {
    const auto& saved = static_cast<const SavedEvent&>(*from);
    const auto* const memory = std::any_cast<std::vector<double>>(&saved.others);
    return Packer()(saved.all, saved.outputs, saved.time, saved.next_event,
                    memory != nullptr ? *memory : std::vector<double>())
        .bytes();
  }
  Snapshot read_state(std::string_view bytes) override {
    auto saved = std::make_unique<SavedEvent>();
    Unpacker in(bytes);
    in(saved->all, saved->outputs, saved->time, saved->next_event);
    saved->others = in.take<std::vector<double>>();
    return saved;
  }

 private:
  struct SavedEvent final : Saved {
    double next_event = infinity;
  };

  // A reference: arguments are evaluated in any order, and a move must not empty it before get().
  BuiltInInstance(const InstanceTask& task, BuiltInModel* model,
                  std::unique_ptr<BuiltInModel>&& owned)
      : ClassModel(task, std::move(owned)), model_(*model) {}

  std::string_view shown(std::string_view /*function*/) const override { return {}; }
  Moment now() const { return {time(), time() + time_resolution(time())}; }
  void compute() override {
    if (!is_running_) return ClassModel::compute();
    calling("event", time(), [&] { model_.evaluate(now()); });
  }
  void find_next_event() { next_event_ = model_.next_jump(now().passed); }

  /// Inputs that are remembered are looked at more often where they bend inside a step.
  double looks_per_step() const {
    constexpr double enough = 8;  // chords of an eighth are 64 times closer to a parabola
    const bool bends = std::ranges::any_of(curvatures_, [](double c) { return c != 0; });
    return bends && model_.memory() != nullptr ? enough : 1;
  }
  /// Writes their values at time s after the start of the step.
  void write_inputs_at(double s) {
    const auto inputs = inputs_.continuous_doubles();
    for (std::size_t i = 0; i < slopes_.size(); ++i) {
      const double curvature = i < curvatures_.size() ? curvatures_[i] : 0;
      inputs[i] = held_[i] + s * (slopes_[i] + s / 2 * curvature);
    }
    write_inputs();
    std::ranges::copy(held_, inputs.begin());
  }

  BuiltInModel& model_;
  std::vector<double> slopes_, curvatures_;  ///< of the continuous inputs; empty: constant
  std::vector<double> held_;                 ///< scratch
  double next_event_ = infinity;
  bool is_running_ = false;
};

/// A setting of built-in components, and whether it differs from its default.
struct Setting {
  std::string_view name;
  bool (*is_given)(const BuiltIn& given);
};

template <auto member>
constexpr Setting setting(std::string_view name) {
  return {name, [](const BuiltIn& given) { return given.*member != BuiltIn().*member; }};
}

constexpr Setting all_settings[] = {
    setting<&BuiltIn::inputs>("inputs"),
    setting<&BuiltIn::outputs>("outputs"),
    setting<&BuiltIn::parameters>("parameters"),
    setting<&BuiltIn::file>("file"),
    setting<&BuiltIn::interpolation>("interpolation"),
    setting<&BuiltIn::data_type>("data-type"),
    setting<&BuiltIn::unit>("unit"),
};

void check_settings(const BuiltIn& given, const BuiltInEntry& entry) {
  for (const Setting& setting : all_settings)
    if (setting.is_given(given) &&
        std::ranges::find(entry.settings, setting.name) == entry.settings.end())
      throw Error(
          ErrorCode::usage,
          fmt::format("type \"{}\" has no setting \"{}\"", entry.name, setting.name),
          {.key = std::string(setting.name),
           .hint = entry.settings.empty()
                       ? "Its parameters are set with \"set\"."
                       : fmt::format("Its settings are {}; parameters are set with \"set\".",
                                     fmt::join(entry.settings, ", "))});
}

/// Rejects settings that are for FMUs only.
void check_fmu_settings(const Component& component) {
  const Component usual;
  const auto refuse = [&](std::string_view key, bool is_given) {
    if (is_given)
      throw Error(ErrorCode::usage,
                  fmt::format("\"{}\" is for FMUs, and this component is of the built-in type "
                              "\"{}\"",
                              key, component.built_in.type),
                  {.key = std::string(key), .hint = "Leave it out."});
  };
  refuse("as", component.as != usual.as);
  refuse("tolerance", component.tolerance.has_value());
  refuse("event-mode", component.event_mode != usual.event_mode);
  refuse("early-return", component.early_return);
}

/// What the units mean, as an FMU defines them, so that connections convert values.
void define_units(ModelDescription& description) {
  for (const Variable& variable : description.variables) {
    const std::string& name = variable.attributes.unit;
    if (name.empty() ||
        std::ranges::find(description.units, name, &Unit::name) != description.units.end())
      continue;
    description.units.push_back({name, system::known_unit(name), {}});
  }
}

/// As long as the memory is empty, outputs depend on the inputs at the same time.
void describe_start(ModelDescription& description) {
  std::vector<std::int32_t> inputs;
  const auto& variables = description.variables;
  for (std::size_t i = 0; i < variables.size(); ++i)
    if (variables[i].causality == Causality::input) inputs.push_back(static_cast<std::int32_t>(i));
  for (const Unknown& output : description.structure.outputs) {
    Unknown& at_start = description.structure.initial_unknowns.emplace_back(output);
    at_start.dependencies = inputs;
  }
}

/// Rejects invalid values of parameters; syntax errors are found elsewhere.
void check_parameters(const Component& component, const ModelDescription& description,
                      std::unique_ptr<BuiltInModel> model) {
  InstanceTask task;
  task.component = &component;
  task.description = &description;
  std::vector<Assignment> assignments;
  for (const auto& [name, value] : component.set) assignments.push_back({name, value});
  try {
    task.start = StartValues(description, assignments);
  } catch (const Error&) {
    return;
  }
  const BuiltInModel& checked = *model;
  BuiltInInstance instance(task, std::move(model));
  instance.begin_initialization({});
  checked.check_parameters();
}

std::shared_ptr<const ModelDescription> describe_built_in(const Component& component,
                                                          const std::filesystem::path& file,
                                                          const FmuOptions& options,
                                                          const Log& /*log*/) {
  const BuiltIn& settings = component.built_in;
  if (!component.fmu.empty())
    throw Error(ErrorCode::usage,
                fmt::format("it has both fmu = \"{}\" and type = \"{}\"; choose one of them",
                            component.fmu.string(), settings.type));
  const BuiltInEntry& entry = find_built_in(settings.type);
  check_settings(settings, entry);
  check_fmu_settings(component);
  std::shared_ptr<const CsvTable> table;
  if (!settings.file.empty()) table = fmi::with_cache(options).cache->table(file);
  std::unique_ptr<BuiltInModel> model = entry.make({settings, table.get()});
  const auto description = describe_object(*model, component.name);
  Capabilities& able = *description->co_simulation;
  able.has_event_mode = true;
  able.can_serialize_state = true;
  able.provides_intermediate_update = true;
  for (Variable& variable : description->variables)
    variable.intermediate_update = variable.causality == Causality::input;
  able.max_output_derivative_order = model->derivative_order();
  define_units(*description);
  if (model->memory() != nullptr) describe_start(*description);
  check_parameters(component, *description, std::move(model));
  return description;
}

}  // namespace

void refuse_idle_settings(const Component& component) {
  for (const Setting& setting : all_settings)
    if (setting.is_given(component.built_in))
      throw Error(ErrorCode::usage,
                  fmt::format("\"{}\" is a setting of built-in components (type = ...), and this "
                              "one is an FMU",
                              setting.name),
                  {.key = std::string(setting.name)});
}

constinit const system::ComponentKind built_in_kind = {
    .name = "built-in component",
    .noun = "component",
    .origin = system::Origin::built_in,
    .without_rollback = "",
    .to_roll_back = "",
    .fits = [](const Component& component,
               const ModelDescription*) { return !component.built_in.empty(); },
    .describe = describe_built_in,
    .make = [](const InstanceTask& task) -> std::unique_ptr<Instance> {
      const BuiltIn& settings = task.component->built_in;
      return std::make_unique<BuiltInInstance>(
          task, find_built_in(settings.type).make({settings, task.table.get()}));
    },
    .summary = "a source, sum, formula or delay without an FMU",
    .about = {"components.NAME.type chooses one of the built-in types, each of which tutti explain "
              "describes. They are saved and restored, vary their steps and have no states to "
              "integrate, so every coupling method and step control can be used.",
              "docs/components.md"}};

}  // namespace tutti::models
