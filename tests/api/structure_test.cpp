// SPDX-License-Identifier: BSD-2-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tutti/structure.hpp>

namespace tutti {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// x_i' depends on what `columns(i)` returns; nothing: not stated.
template <class Columns>
ModelDescription chain(std::int32_t n, const Columns& columns) {
  ModelDescription description;
  description.version = FmiVersion::v2;
  for (std::int32_t i = 0; i < 2 * n; ++i) {
    Variable& v = description.variables.emplace_back();
    v.value_reference = static_cast<ValueReference>(i);
    v.type = Type::float64;
    v.name = i < n ? "x" + std::to_string(i + 1) : "der(x" + std::to_string(i - n + 1) + ")";
    if (i >= n) v.derivative_of = i - n;
    if (i >= n) description.structure.derivatives.push_back({i, columns(i - n), {}});
  }
  description.continuous_state_count = static_cast<std::size_t>(n);
  return description;
}

std::optional<std::vector<std::int32_t>> neighbours(std::int32_t n, std::int32_t i) {
  std::vector<std::int32_t> found;
  for (std::int32_t j = std::max(i - 1, 0); j <= std::min(i + 1, n - 1); ++j) found.push_back(j);
  return found;
}

TEST(Structure, DrawsAndCountsATridiagonalJacobian) {
  const auto description = chain(12, [](std::int32_t i) { return neighbours(12, i); });
  const auto figures = jacobian_figures(description);
  ASSERT_TRUE(figures);
  EXPECT_EQ(figures->states, 12u);
  EXPECT_EQ(figures->nonzeros, 34u);
  EXPECT_EQ(figures->column_groups, 3u);
  EXPECT_EQ(figures->row_groups, 3u);
  EXPECT_EQ(figures->half_bandwidth, 1u);
  const std::string text = structure_text(description);
  EXPECT_THAT(text, HasSubstr("             111\n"));
  EXPECT_THAT(text, HasSubstr("    der(x1)    xx..........\n    der(x2)    xxx.........\n"));
  EXPECT_THAT(text, HasSubstr("nonzeros        34 (23.6 % of 144)"));
}

TEST(Structure, ShowsWhatIsNotStatedAndTheKinds) {
  auto description = chain(2, [](std::int32_t i) {
    return i == 0 ? std::nullopt : std::optional(std::vector<std::int32_t>{0, 1});
  });
  description.structure.derivatives[1].kinds = {DependencyKind::constant, DependencyKind::tunable};
  const std::string text = structure_text(description);
  EXPECT_THAT(text, HasSubstr("der(x1)    ??\n"));
  EXPECT_THAT(text, HasSubstr("der(x2)    ct\n"));
  EXPECT_THAT(text, HasSubstr("c constant factor, t tunable factor, ? not stated"));
  EXPECT_EQ(jacobian_figures(description)->nonzeros, 4u);
}

TEST(Structure, DrawsLargeOnesInBlocks) {
  const auto description = chain(300, [](std::int32_t i) { return neighbours(300, i); });
  const std::string text = structure_text(description);
  EXPECT_THAT(text, HasSubstr("der(x1) ... der(x3)"));
  EXPECT_THAT(text, HasSubstr("x1 ... x5"));
  EXPECT_THAT(text, HasSubstr("share of dependent elements"));
  std::size_t longest = 0;
  for (std::size_t at = 0, end = 0; end != text.npos; at = end + 1) {
    end = text.find('\n', at);
    longest = std::max(longest, std::min(end, text.size()) - at);
  }
  EXPECT_LE(longest, 100u);
}

TEST(Structure, CountsTheElementsOfArrays) {
  auto description = chain(2, [](std::int32_t i) { return std::optional(std::vector{i}); });
  for (Variable& v : description.variables)
    if (v.name.find('1') != v.name.npos) v.dimensions.push_back({3, {}});
  const auto figures = jacobian_figures(description);
  EXPECT_EQ(figures->states, 4u);
  EXPECT_EQ(figures->nonzeros, 10u);  // 3 x 3 and 1
  EXPECT_EQ(figures->column_groups, 3u);
  EXPECT_THAT(structure_text(description), HasSubstr("der(x1)[3]"));
}

TEST(Structure, OfNothingSaysSo) {
  const std::string text = structure_text({});
  EXPECT_THAT(text, HasSubstr("lists neither derivatives nor outputs"));
  EXPECT_THAT(text, HasSubstr("no continuous states"));
  ModelDescription hidden;
  hidden.continuous_state_count = 4;  // FMI 1.0
  EXPECT_THAT(structure_text(hidden), HasSubstr("does not name its 4 continuous states"));
  EXPECT_FALSE(jacobian_figures(hidden));
}

TEST(Structure, ReplacesControlCharacters) {
  auto description = chain(1, [](std::int32_t) { return std::nullopt; });
  description.variables[0].name = "a\nb\x1b";
  EXPECT_THAT(structure_text(description), Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace tutti
