// SPDX-License-Identifier: BSD-2-Clause
// A step that was rejected leaves no trace.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "fmi/fmu.hpp"
#include "master/coupling/coupling_method.hpp"
#include "master/island.hpp"
#include "models/cs_model.hpp"
#include "support/command.hpp"
#include "system/make_plan.hpp"

namespace tutti::master {
namespace {

using testing::fmu;

/// Four components: a loop of three with different gains, and one behind it.
class CoupledSystem {
 public:
  CoupledSystem(const std::string& version, const std::string& method, const InputSettings& inputs,
                const std::string& control = "fixed") {
    system_.simulation.control.name = control;
    add(version, "plant", "Integrator", {{"x", "1"}});
    add(version, "back", "Gain", {{"k", "-0.25"}});
    add(version, "lag", "Dahlquist", {});
    add(version, "sink", "Integrator", {});
    connect("plant", "y", "back", "u", 1, 0);
    connect("back", "y", "plant", "u", 0.9, 0.1);
    connect("plant", "y", "sink", "u", 2, 0);
    system_.simulation.methods = {method};
    if (method == "iterated") system_.simulation.methods.push_back("newton");
    system_.simulation.inputs = inputs;
    system_.simulation.tolerance.iterations = 100;
    // Step control would iterate to a tenth of its own tolerance, fixed steps would not.
    system_.simulation.tolerance.rel = 1e-6;
    // The gain of the loop is too much for quadratic extrapolation: it diverges, bit by bit.
    system_.simulation.tolerance.on_limit = OnLimit::go_on;

    std::vector<const ModelDescription*> descriptions;
    std::vector<fmi::StructuralValues> structures(fmus_.size());
    for (const auto& fmu : fmus_) descriptions.push_back(&fmu->description());
    CoupledParts parts;
    parts.plan = system::make_plan(system_, descriptions, structures);
    parts.descriptions = descriptions;
    parts.settings = system_.simulation;
    parts.inputs.assign(system_.connections.size(), inputs);
    for (std::size_t c = 0; c < fmus_.size(); ++c) parts.instances.push_back(make(c, parts.plan));
    island_ = std::make_unique<Island>(std::move(parts), monitor_, 1, log_);
    island_->initialize({0, 1, {}});
  }
  Island& island() { return *island_; }

  /// All outputs, as bits.
  std::vector<std::uint64_t> values() const {
    std::vector<std::uint64_t> all;
    for (std::size_t c = 0; c < island_->instance_count(); ++c)
      for (const std::uint64_t bits : island_->instance(c).outputs().doubles()) all.push_back(bits);
    return all;
  }

 private:
  void add(const std::string& version, const std::string& name, const std::string& model,
           const std::vector<std::pair<std::string, std::string>>& set) {
    fmus_.push_back(fmi::Fmu::open(fmu(version, model), {}, log_));
    Component& component = system_.components.emplace_back();
    component.name = name;
    component.set = set;
  }
  void connect(const char* from, const char* y, const char* to, const char* u, double factor,
               double offset) {
    Connection connection;
    connection.from = {from, y};
    connection.to = {to, u};
    connection.factor = factor;
    connection.offset = offset;
    system_.connections.push_back(connection);
  }
  std::unique_ptr<models::Instance> make(std::size_t c, const system::Plan& plan) {
    models::CsModel::Options options;
    options.fmu.name = system_.components[c].name;
    std::vector<models::Assignment> assignments;
    for (const auto& [name, value] : system_.components[c].set)
      assignments.push_back({name, value});
    options.start = models::StartValues(fmus_[c]->description(), assignments);
    const auto& variables = fmus_[c]->description().variables;
    for (std::size_t v = 0; v < variables.size(); ++v)
      if (variables[v].causality == Causality::output)
        options.outputs.push_back(static_cast<std::int32_t>(v));
    for (const system::Link& link : plan.links)
      if (link.to.component == c) options.inputs.push_back(link.to.variable);
    options.goes_back = true;
    options.curves = system_.has_varying_inputs();
    return std::make_unique<models::CsModel>(*fmus_[c], options);
  }

  Log log_;
  System system_;
  std::vector<std::shared_ptr<fmi::Fmu>> fmus_;
  Monitor monitor_;
  std::unique_ptr<Island> island_;
};

struct Inputs {
  const char* name;
  InputSettings settings;
};
const Inputs kinds_of_inputs[] = {
    {"constant", {}},
    {"linear", {.inside = InsideStep::linear}},
    {"smooth", {.order = 1, .derivatives = DerivativeSource::differences, .smooth = true}},
    {"corrected", {.order = 1, .correct = Correction::linear}},
    {"quadratic", {.order = 2, .derivatives = DerivativeSource::differences}},
};

struct CheckpointCase {
  std::string version, method;
  Inputs inputs;
};
std::vector<CheckpointCase> cases() {
  std::vector<CheckpointCase> all;
  for (const char* version : {"2.0", "3.0"})
    for (const CouplingEntry& entry : coupling_methods())
      for (const Inputs& inputs : kinds_of_inputs)
        all.push_back({version, std::string(entry.name), inputs});
  return all;
}

class EveryCheckpoint : public ::testing::TestWithParam<CheckpointCase> {};
INSTANTIATE_TEST_SUITE_P(Coupling, EveryCheckpoint, ::testing::ValuesIn(cases()),
                         [](const auto& tested) {
                           const CheckpointCase& c = tested.param;
                           std::string name = c.method + "Fmi" + c.version + c.inputs.name;
                           std::erase_if(name, [](char x) { return x == '-' || x == '.'; });
                           return name;
                         });

TEST_P(EveryCheckpoint, GivesTheSameBitsWhenEveryStepIsRejectedOnce) {
  const auto& [version, method, inputs] = GetParam();
  CoupledSystem plain(version, method, inputs.settings);
  CoupledSystem rejecting(version, method, inputs.settings);
  Checkpoint checkpoint;
  constexpr double h = 0.1;
  for (int n = 0; n < 50; ++n) {
    ASSERT_TRUE(plain.island().stepper().step(n * h, h).is_plain());
    rejecting.island().save(checkpoint);
    // Other steps than the one that counts: longer, then two short ones.
    rejecting.island().stepper().step(n * h, 2 * h);
    rejecting.island().restore(checkpoint);
    rejecting.island().stepper().step(n * h, h / 4);
    rejecting.island().stepper().step(n * h + h / 4, h / 4);
    rejecting.island().restore(checkpoint);
    ASSERT_TRUE(rejecting.island().stepper().step(n * h, h).is_plain());
    ASSERT_EQ(plain.values(), rejecting.values()) << "step " << n;
  }
}

// What a controller tries and takes back leaves no trace either: the steps that it keeps, taken
// without it, give the same bits.
TEST_P(EveryCheckpoint, GivesTheSameBitsUnderStepControlAsWithTheStepsItChose) {
  const auto& [version, method, inputs] = GetParam();
  for (const auto& [name, variant] : {std::pair(std::string("richardson"), ControlVariant::tutti),
                                      std::pair(std::string("richardson"), ControlVariant::pyfmi),
                                      std::pair(std::string("predictor"), ControlVariant::tutti)}) {
    const int parts = name == "richardson" ? 2 : 1;
    CoupledSystem controlled(version, method, inputs.settings, name);
    CoupledSystem plain(version, method, inputs.settings);
    ControlSettings settings;
    settings.name = name;
    settings.variant = variant;
    // Where a loop without delay is not iterated, its error does not go away with the step.
    settings.min = 1e-3;
    settings.at_min = OnLimit::go_on;
    settings.max = 0.5;
    settings.atol = settings.rtol = 1e-5;
    const auto controller = make_step_controller(settings, 0.5);
    double t = 0;
    for (int n = 0; n < 30; ++n) {
      const ControlledStep step = controller->advance(controlled.island().stepper(), t, 100);
      const double part = step.h / parts;
      for (int k = 0; k < parts; ++k)
        ASSERT_TRUE(plain.island().stepper().step(t + k * part, part).is_plain());
      ASSERT_EQ(plain.values(), controlled.values()) << "step " << n;
      t = step.outcome.reached;
      if (step.jumps) plain.island().stepper().forget_signals();
    }
    EXPECT_GT(controller->counts().error_test_failures, 0u);
  }
}

}  // namespace
}  // namespace tutti::master
