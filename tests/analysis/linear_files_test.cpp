// SPDX-License-Identifier: BSD-2-Clause
// Linear models in MAT files, read back.
#include <gmock/gmock.h>

#include <tutti/linearize.hpp>

#include "results/mat4.hpp"
#include "support/command.hpp"

namespace tutti::analysis {
namespace {

using ::testing::ElementsAre;

TEST(LinearMatFile, HasMatricesNamesAndThePoint) {
  LinearModel model;
  model.time = 0.5;
  model.has_states = true;
  model.states = {{"a.x", "a", "m", 1, 10}, {"b.longer", "b", "", 2, 20}};
  model.inputs = {{"a.u", "a", "N", 3, 0}};
  model.outputs = {{"b.y", "b", "", 4, 0}};
  model.a = {2, 2, {{0, 0, 11}, {0, 1, 12}, {1, 0, 21}}};
  model.b = {2, 1, {{1, 0, 5}}};
  model.c = {1, 2, {{0, 1, 6}}};
  model.d = {1, 1, {{0, 0, 7}}};
  const testing::Workplace place;
  write_linear_model(model, place.path() / "m.mat");
  results::MatReader reader(place.path() / "m.mat");
  const auto numbers = [&](const char* name) { return reader.numbers(*reader.find(name)); };
  EXPECT_THAT(numbers("ABCD"), ElementsAre(11, 21, 0, 12, 0, 6, 0, 5, 7)) << "column by column";
  // Rows, columns and values of the entries, then the size of the matrix.
  ASSERT_NE(reader.find("A"), nullptr);
  EXPECT_TRUE(reader.find("A")->is_sparse);
  EXPECT_THAT(numbers("A"), ElementsAre(1, 2, 1, 2, 1, 1, 2, 2, 11, 21, 12, 0));
  EXPECT_THAT(numbers("nx"), ElementsAre(2));
  EXPECT_THAT(numbers("x0"), ElementsAre(1, 2));
  EXPECT_THAT(numbers("dx0"), ElementsAre(10, 20));
  EXPECT_THAT(numbers("t0"), ElementsAre(0.5));
  EXPECT_THAT(reader.lines(*reader.find("x_names")), ElementsAre("a.x", "b.longer"));
  EXPECT_THAT(reader.lines(*reader.find("xuyName")), ElementsAre("a.x", "b.longer", "a.u", "b.y"));
}

}  // namespace
}  // namespace tutti::analysis
