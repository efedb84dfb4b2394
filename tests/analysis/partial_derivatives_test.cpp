// SPDX-License-Identifier: BSD-2-Clause
#include "analysis/partial_derivatives.hpp"

#include <gtest/gtest.h>

#include "fmi/fmu.hpp"
#include "models/fmu_model.hpp"
#include "support/command.hpp"

namespace tutti::analysis {
namespace {

struct Found {
  std::vector<double> values;  // row after row
  CallCounts counts;
};
Found derivatives_of(const std::string& version, const std::string& model,
                     const std::vector<std::string>& unknowns,
                     const std::vector<std::string>& knowns) {
  const auto fmu = fmi::Fmu::open(testing::fmu(version, model), {}, {});
  const auto references = [&](const std::vector<std::string>& names) {
    std::vector<ValueReference> found;
    for (const std::string& name : names)
      found.push_back(fmu->description().find(name)->value_reference);
    return found;
  };
  const auto instance = fmu->instantiate_model_exchange({.name = "it"});
  instance->enter_initialization({});
  instance->exit_initialization();
  models::settle_discrete_states(*instance, 0);
  instance->enter_continuous_time_mode();
  Found found;
  found.values.resize(unknowns.size() * knowns.size());
  for_partial_derivatives(*instance, references(unknowns), references(knowns),
                          [&](std::size_t i, std::size_t j, double value) {
                            found.values[i * knowns.size() + j] = value;
                          });
  found.counts = instance->counts();
  return found;
}

// y = 1 + w u at u = w = 0: one row and two columns. FMI 2.0 has no adjoint derivatives.
TEST(PartialDerivatives, TakeOneAdjointCallForOneOutput) {
  const Found v2 = derivatives_of("2.0", "Product", {"y"}, {"u", "w"});
  const Found v3 = derivatives_of("3.0", "Product", {"y"}, {"u", "w"});
  EXPECT_EQ(v2.values, v3.values);
  EXPECT_EQ(v2.counts.directional_derivatives, 2u);
  EXPECT_EQ(v3.counts.adjoint_derivatives, 1u);
  EXPECT_EQ(v3.counts.directional_derivatives, 0u);
}

// One output of 40 states, from analytic derivatives: 40 calls or one.
TEST(PartialDerivatives, OfOneOutputByManyStatesAreOneCall) {
  std::vector<std::string> states;
  for (int i = 0; i < 40; ++i) states.push_back("x" + std::to_string(i));
  const Found v2 = derivatives_of("2.0", "ArrowRow", {"total"}, states);
  const Found v3 = derivatives_of("3.0", "ArrowRow", {"total"}, states);
  EXPECT_EQ(v3.values, std::vector<double>(40, 1.0));
  EXPECT_EQ(v2.values, v3.values);
  EXPECT_EQ(v2.counts.directional_derivatives, 40u);
  EXPECT_EQ(v3.counts.adjoint_derivatives, 1u);
}

}  // namespace
}  // namespace tutti::analysis
