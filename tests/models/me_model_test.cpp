// SPDX-License-Identifier: BSD-2-Clause
#include "models/me_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "support/command.hpp"

namespace tutti::models {
namespace {

/// A component with input u and output y.
class Coupled {
 public:
  Coupled(const std::string& version, const std::string& model)
      : fmu_(fmi::Fmu::open(testing::fmu(version, model), {}, log_)) {
    MeModel::Options options;
    options.fmu.name = "it";
    options.inputs = {u()};
    options.outputs = {y()};
    options.coupled = true;
    options.solver = solvers::find_ode_integrator("cvode");
    model_ = std::make_unique<MeModel>(*fmu_, std::move(options), log_);
  }
  std::int32_t u() const { return find("u"); }
  std::int32_t y() const { return find("y"); }
  MeModel* operator->() { return model_.get(); }
  void set(double value) { model_->inputs().write_real(model_->inputs().scalars()[0], value); }
  double output() const { return model_->outputs().read(model_->outputs().scalars()[0]).real; }
  bool can_differentiate() { return model_->differentiate({}, {}, {}, {}); }
  double feed_through(double seed = 1) {
    const std::int32_t from = u(), to = y();
    double slope = 0;
    EXPECT_TRUE(model_->differentiate({&to, 1}, {&from, 1}, {&seed, 1}, {&slope, 1}));
    return slope;
  }

 private:
  std::int32_t find(const std::string& name) const {
    const auto& variables = fmu_->description().variables;
    const auto found = std::find_if(variables.begin(), variables.end(),
                                    [&](const Variable& v) { return v.name == name; });
    return static_cast<std::int32_t>(found - variables.begin());
  }
  Log log_;
  std::shared_ptr<fmi::Fmu> fmu_;
  std::unique_ptr<MeModel> model_;
};

// y = t u: what follows depends on where the model is.
TEST(MeModel, IsWhereItWasSavedWhenItIsRestored) {
  Coupled it("2.0", "Rising");
  it.set(1);
  it->initialize({0, 2, {}});
  it->step(0, 0.25);
  Snapshot there;
  it->save(there);
  it->step(0.25, 0.5);
  it->restore(there);
  const std::int32_t y = it.y();
  double slope = 0;
  it->get_output_derivatives({&y, 1}, 1, {&slope, 1});
  EXPECT_NEAR(slope, 1, 1e-6);  // a difference over 1e-7 s
  EXPECT_EQ(it.output(), 0.25);
}

// BareGain has no directional derivatives in any version, and FMI 1.0 does not know them.
TEST(MeModel, TellsFeedThroughByDifferences) {
  for (const auto& [version, model, d] : {std::tuple("1.0-me", "Gain", 1.0),
                                          {"2.0", "BareGain", 1.0},
                                          {"3.0", "BareGain", 1.0},
                                          {"1.0-me", "FeedbackNegated", 0.0},
                                          {"1.0-me", "Rising", 0.5}}) {
    Coupled it(version, model);
    it.set(3);
    it->initialize({0, 2, {}});
    it->step(0, 0.5);
    const double before = it.output();
    // The FMU is asked, whatever has been written to the inputs since: both functions are linear.
    it.set(1e6);
    EXPECT_NEAR(it.feed_through(), d, 1e-8) << version << model;  // rounding errors over 3e-7
    EXPECT_NEAR(it.feed_through(-1000), -1000 * d, 1e-5) << version << model;
    it->begin_event();
    EXPECT_NEAR(it.feed_through(), d, 1e-8) << version << model;
    it.set(3);
    it->set_some(it->inputs().variables());
    EXPECT_TRUE(it->end_event(0.5));
    EXPECT_EQ(it.output(), before) << version << model;
  }
}

// FMI 1.0 cannot set inputs and read outputs in turn before fmiInitialize is over.
TEST(MeModel, CannotTellFeedThroughInInitializationByDifferences) {
  Coupled it("1.0-me", "Gain");
  EXPECT_TRUE(it.can_differentiate());  // it will
  it->begin_initialization({0, 1, {}});
  EXPECT_FALSE(it.can_differentiate());
  const std::int32_t y = it.y();
  it->get_some({&y, 1});
  EXPECT_FALSE(it.can_differentiate());
  it->end_initialization({0, 1, {}});
  EXPECT_TRUE(it.can_differentiate());
}

}  // namespace
}  // namespace tutti::models
