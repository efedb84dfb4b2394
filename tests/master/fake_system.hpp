// SPDX-License-Identifier: BSD-2-Clause
// Components without FMUs, coupled as a plan says: for tests of what the master does with them.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "master/coupled_parts.hpp"
#include "master/wiring.hpp"
#include "system/support_models.hpp"

namespace tutti::master {

/// A component whose outputs are a function of time and inputs.
class FakeInstance final : public models::Instance {
 public:
  using Values = std::vector<double>;
  /// Outputs of inputs, in the order of the description; whole numbers for integers.
  using Function = std::function<Values(double t, const Values& u)>;
  /// By rows; none: the component has no directional derivatives.
  using Jacobian = std::function<std::vector<Values>(const Values& u)>;

  FakeInstance(std::string name, const ModelDescription& description, Function function)
      : function_(std::move(function)), name_(std::move(name)) {
    std::vector<std::int32_t> inputs, outputs;
    for (std::size_t i = 0; i < description.variables.size(); ++i)
      (description.variables[i].causality == Causality::input ? inputs : outputs)
          .push_back(static_cast<std::int32_t>(i));
    inputs_ = models::ValueSet(description, inputs, {});
    outputs_ = models::ValueSet(description, outputs, {});
  }

  const std::string& name() const override { return name_; }
  void begin_initialization(const models::Experiment&) override {}
  void set_some(std::span<const std::int32_t>) override {}
  void get_some(std::span<const std::int32_t>) override { evaluate(); }
  void end_initialization(const models::Experiment&) override { evaluate(); }
  models::StepOutcome step(double t, double h) override {
    steps.push_back(t);
    const models::StepOutcome outcome =
        answer ? answer(t, h) : models::StepOutcome{models::StepOutcome::Status::done, t + h};
    time_ = outcome.reached;
    evaluate();
    return outcome;
  }
  bool differentiate(std::span<const std::int32_t> unknowns, std::span<const std::int32_t> knowns,
                     std::span<const double> seed, std::span<double> sensitivity) override {
    if (!jacobian) return false;
    if (unknowns.empty()) return true;
    ++derivatives;
    const std::vector<Values> matrix = jacobian(values_of(inputs_));
    for (std::size_t i = 0; i < unknowns.size(); ++i) {
      sensitivity[i] = 0;
      for (std::size_t j = 0; j < knowns.size(); ++j)
        sensitivity[i] += matrix[index(outputs_, unknowns[i])][index(inputs_, knowns[j])] * seed[j];
    }
    return true;
  }
  bool handle_event(double t) override {
    events.push_back(t);
    if (planned && *planned <= t) planned.reset();
    evaluate();
    return goes_on;
  }
  void finish() override {}
  bool can_go_back() const override { return goes_back; }
  void save(models::Snapshot& into) override {
    auto& [time, outputs] = saved_[&into];
    time = time_;
    outputs_.save(outputs);
  }
  void restore(const models::Snapshot& from) override {
    const auto& [time, outputs] = saved_.at(&from);
    time_ = time;
    outputs_.restore(outputs);
  }
  bool can_vary_step() const override { return true; }
  bool has_event_mode() const override { return event_mode; }
  std::optional<double> next_event() const override { return planned; }
  using Counts = std::remove_cvref_t<decltype(std::declval<models::Instance>().counts())>;
  const Counts& counts() const override { return counts_; }

  double output(std::size_t i = 0) const {
    return as_real(outputs_.scalars()[i].type, outputs_.read(outputs_.scalars()[i]));
  }

  Jacobian jacobian;
  /// How a step ends; none: where it should.
  std::function<models::StepOutcome(double t, double h)> answer;
  std::optional<double> planned;  ///< event
  bool goes_back = false, event_mode = false;
  bool goes_on = true;                   ///< after an event
  int evaluations = 0, derivatives = 0;  ///< so often that was asked for
  std::vector<double> steps, events;     ///< at these times

 private:
  void evaluate() {
    ++evaluations;
    const Values y = function_(time_, values_of(inputs_));
    for (std::size_t i = 0; i < y.size(); ++i) {
      const models::Scalar& scalar = outputs_.scalars()[i];
      if (scalar.type == Type::float64)
        outputs_.write_real(scalar, y[i]);
      else
        outputs_.write(scalar, {.integer = static_cast<std::int64_t>(y[i])});
    }
  }
  static Values values_of(const models::ValueSet& set) {
    Values values;
    for (const models::Scalar& scalar : set.scalars())
      values.push_back(as_real(scalar.type, set.read(scalar)));
    return values;
  }
  static std::size_t index(const models::ValueSet& set, std::int32_t variable) {
    std::size_t i = 0;
    while (set.scalars()[i].variable != variable) ++i;
    return i;
  }

  Function function_;
  std::string name_;
  Counts counts_;
  double time_ = 0;
  std::map<const models::Snapshot*, std::pair<double, models::ValueSet::Values>> saved_;
};

/// Some of them, with the plan and the wires that belong to them.
class FakeSystem {
 public:
  /// A component of one input u and one output y, both of this type.
  FakeInstance& add(const std::string& name, FakeInstance::Function function,
                    Type type = Type::float64) {
    testing::SmallDescription& model = bench_.add(name);
    const auto variability =
        type == Type::float64 ? Variability::continuous : Variability::discrete;
    model.add("u", type, Causality::input, variability);
    model.add("y", type, Causality::output, variability);
    return make(name, model, std::move(function));
  }
  /// The same with a second output z, which feeds nothing.
  FakeInstance& add_with_follower(const std::string& name, FakeInstance::Function function) {
    testing::SmallDescription& model = bench_.add(name);
    model.add("u", Type::float64, Causality::input);
    model.add("y", Type::float64, Causality::output);
    model.add("z", Type::float64, Causality::output);
    return make(name, model, std::move(function));
  }
  void connect(const std::string& from, const std::string& to, double factor = 1,
               double offset = 0) {
    Connection& connection = bench_.connect(from, to);
    connection.factor = factor;
    connection.offset = offset;
  }
  /// Once everything is connected.
  void plan() {
    parts.descriptions = bench_.descriptions;
    parts.plan = bench_.plan();
    wires.resize(instances.size());
    for (const system::Link& link : parts.plan.links) {
      const models::ValueSet& from = instances[link.from.component]->outputs();
      models::ValueSet& to = instances[link.to.component]->inputs();
      wires[link.to.component].push_back({&from, scalar(from, link.from), &to, scalar(to, link.to),
                                          link.factor, link.offset, nullptr, nullptr,
                                          static_cast<std::int32_t>(link.connection)});
    }
  }
  std::size_t connection_count() const { return bench_.system.connections.size(); }
  void gather() {
    for (const auto& to_component : wires)
      for (const Wiring::Wire& wire : to_component) move_value(wire);
  }

  CoupledParts parts;  ///< without the instances
  std::vector<std::unique_ptr<models::Instance>> instances;
  std::vector<std::vector<Wiring::Wire>> wires;  ///< by component

 private:
  FakeInstance& make(const std::string& name, const testing::SmallDescription& model,
                     FakeInstance::Function function) {
    auto made = std::make_unique<FakeInstance>(name, model.description, std::move(function));
    FakeInstance& instance = *made;
    instances.push_back(std::move(made));
    return instance;
  }
  static const models::Scalar* scalar(const models::ValueSet& set, const system::Point& point) {
    for (const models::Scalar& one : set.scalars())
      if (one.variable == point.variable && one.element == point.element) return &one;
    return nullptr;
  }

  system::Bench bench_;
};

}  // namespace tutti::master
