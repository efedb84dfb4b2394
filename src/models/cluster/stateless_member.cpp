// SPDX-License-Identifier: BSD-2-Clause
#include "models/cluster/stateless_member.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tutti::models {
namespace {

class BuiltInMember final : public StatelessMember {
 public:
  BuiltInMember(std::string name, std::shared_ptr<const ModelDescription> description,
                std::unique_ptr<BuiltInModel> model)
      : StatelessMember(std::move(name), std::move(description)), model_(std::move(model)) {}

  void enter_initialization(const Experiment& experiment) override { set_time(experiment.start); }
  void set_time(double t) override {
    time_ = t;
    is_stale_ = true;
  }

  void get(Type /*type*/, References references, void* values, std::size_t /*count*/) override {
    compute();
    auto* to = static_cast<std::byte*>(values);
    for (const ValueReference reference : references) {
      std::memcpy(to, at(reference).value, at(reference).size);
      to += at(reference).size;
    }
  }
  void set(Type /*type*/, References references, const void* values,
           std::size_t /*count*/) override {
    const auto* from = static_cast<const std::byte*>(values);
    for (const ValueReference reference : references) {
      std::memcpy(at(reference).value, from, at(reference).size);
      from += at(reference).size;
    }
    is_stale_ = true;
  }
  void get_strings(References references, std::span<std::string> values) override {
    compute();
    for (std::size_t i = 0; i < references.size(); ++i) values[i] = text_at(references[i]);
  }
  void set_strings(References references, std::span<const std::string> values) override {
    for (std::size_t i = 0; i < references.size(); ++i) text_at(references[i]) = values[i];
    is_stale_ = true;
  }
  void get_binaries(References, std::span<std::vector<std::uint8_t>>) override {}
  void set_binaries(References, std::span<const std::vector<std::uint8_t>>) override {}

  /// By central differences.
  void directional_derivative(References unknowns, References knowns, std::span<const double> seed,
                              std::span<double> sensitivity) override {
    std::vector<double> here;
    double largest = 1;
    for (const ValueReference known : knowns) {
      here.push_back(number(known));
      largest = std::max(largest, std::abs(here.back()));
    }
    const double distance = std::exp2(std::ceil(std::log2(largest)) - 17);
    const auto move = [&](double part) {
      for (std::size_t i = 0; i < knowns.size(); ++i) number(knowns[i]) = here[i] + part * seed[i];
      is_stale_ = true;
      compute();
    };
    move(-distance);
    for (std::size_t i = 0; i < unknowns.size(); ++i) sensitivity[i] = -number(unknowns[i]);
    move(distance);
    for (std::size_t i = 0; i < unknowns.size(); ++i)
      sensitivity[i] = (sensitivity[i] + number(unknowns[i])) / (2 * distance);
    move(0);
  }

 private:
  const ComponentModel::Declared& at(ValueReference reference) const {
    return model_->variables()[reference];
  }
  double& number(ValueReference reference) const {
    return *static_cast<double*>(at(reference).value);
  }
  std::string& text_at(ValueReference reference) const {
    return *static_cast<std::string*>(at(reference).value);
  }
  void compute() {
    if (!is_stale_) return;
    model_->initialize(time_);
    is_stale_ = false;
  }

  std::unique_ptr<BuiltInModel> model_;
  double time_ = 0;
  bool is_stale_ = true;
};

class HeldMember final : public StatelessMember {
 public:
  HeldMember(std::shared_ptr<const ModelDescription> description,
             fmi::Owned<fmi::CoSimulation> instance)
      : StatelessMember(instance->name(), std::move(description)), instance_(std::move(instance)) {}

  const CallCounts& counts() const override { return instance_->counts(); }
  void enter_configuration_mode() override { instance_->enter_configuration_mode(); }
  void exit_configuration_mode() override { instance_->exit_configuration_mode(); }
  void enter_initialization(const Experiment& experiment) override {
    instance_->enter_initialization(experiment);
  }
  void directional_derivative(References unknowns, References knowns, std::span<const double> seed,
                              std::span<double> sensitivity) override {
    instance_->directional_derivative(unknowns, knowns, seed, sensitivity);
  }
  void get(Type type, References references, void* values, std::size_t count) override {
    instance_->get(type, references, values, count);
  }
  void set(Type type, References references, const void* values, std::size_t count) override {
    instance_->set(type, references, values, count);
  }
  void get_strings(References references, std::span<std::string> values) override {
    instance_->get_strings(references, values);
  }
  void set_strings(References references, std::span<const std::string> values) override {
    instance_->set_strings(references, values);
  }
  void get_binaries(References references, std::span<std::vector<std::uint8_t>> values) override {
    instance_->get_binaries(references, values);
  }
  void set_binaries(References references,
                    std::span<const std::vector<std::uint8_t>> values) override {
    instance_->set_binaries(references, values);
  }

 private:
  fmi::Owned<fmi::CoSimulation> instance_;
};

}  // namespace

fmi::Owned<fmi::ModelExchange> make_built_in_member(
    std::string name, std::shared_ptr<const ModelDescription> description,
    std::unique_ptr<BuiltInModel> model) {
  return fmi::Owned<fmi::ModelExchange>(
      new BuiltInMember(std::move(name), std::move(description), std::move(model)));
}

std::shared_ptr<const ModelDescription> describe_built_in_member(const ModelDescription& built_in) {
  auto description = std::make_shared<ModelDescription>(built_in);
  Capabilities& able = description->model_exchange.emplace();
  able.model_identifier = built_in.model_name;
  able.provides_directional_derivatives = true;
  // A delay has other dependencies at the start, where it passes its input on.
  if (!description->structure.initial_unknowns.empty())
    description->structure.outputs = description->structure.initial_unknowns;
  return description;
}

fmi::Owned<fmi::ModelExchange> make_held_member(std::shared_ptr<const ModelDescription> description,
                                                fmi::Owned<fmi::CoSimulation> instance) {
  return fmi::Owned<fmi::ModelExchange>(
      new HeldMember(std::move(description), std::move(instance)));
}

std::shared_ptr<const ModelDescription> describe_held_member(const ModelDescription& fmu) {
  auto description = std::make_shared<ModelDescription>(fmu);
  description->model_exchange = fmu.co_simulation;
  return description;
}

}  // namespace tutti::models
