// SPDX-License-Identifier: BSD-2-Clause
#include "base/text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

namespace tutti {
namespace {

TEST(DidYouMean, FindsTheNearestWordDespiteSwappedLettersAndCase) {
  EXPECT_EQ(did_you_mean("gauss-siedel", {"newton", "gauss-seidel", "jacobi"}),
            " Did you mean \"gauss-seidel\"?");
  EXPECT_EQ(did_you_mean("X0", {"x0", "y0"}), " Did you mean \"x0\"?");
}

TEST(DidYouMean, SaysNothingWhenNothingIsNear) {
  EXPECT_EQ(did_you_mean("temperature", {"u", "voltage"}), "");
  EXPECT_EQ(did_you_mean("x", {}), "");
}

TEST(GlobMatch, StarAndQuestionMarkAreTheOnlySpecialCharacters) {
  EXPECT_TRUE(glob_match("*", ""));
  EXPECT_TRUE(glob_match("wheel.*", "wheel.x"));
  EXPECT_TRUE(glob_match("*a*b*", "xxaxxbxx"));
  EXPECT_TRUE(glob_match("y[?]", "y[1]"));
  EXPECT_FALSE(glob_match("y[?]", "y[12]"));
  EXPECT_FALSE(glob_match("wheel.*", "wheel"));
  EXPECT_FALSE(glob_match("", "x"));
}

TEST(GlobMatch, IsNotExponentialInTheNumberOfStars) {
  const std::string text(5000, 'a');
  std::string pattern;
  for (int i = 0; i < 30; ++i) pattern += "a*";
  EXPECT_FALSE(glob_match(pattern + "b", text));
}

TEST(AppendNumber, WritesWhatReadsBackAsTheSameBits) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 10000; ++i) {
    const std::uint64_t bits = random();
    double value;
    std::memcpy(&value, &bits, sizeof value);
    if (std::isnan(value)) continue;
    double back = 0;
    ASSERT_TRUE(parse_number(number_text(value), back)) << value;
    EXPECT_EQ(std::memcmp(&value, &back, sizeof value), 0) << number_text(value);
  }
}

TEST(ParseNumber, TakesBlanksAndSigns) {
  double value = 0;
  EXPECT_TRUE(parse_number(" +1.5e-3\t", value));
  EXPECT_EQ(value, 1.5e-3);
  EXPECT_TRUE(parse_number("-inf", value));
  EXPECT_EQ(value, -HUGE_VAL);
  EXPECT_FALSE(parse_number("1,5", value));
  EXPECT_FALSE(parse_number("", value));
  EXPECT_FALSE(parse_number("1.5x", value));
}

TEST(ParseNumber, MakesZeroOfWhatIsTooSmallAndRefusesWhatIsTooLarge) {
  double value = 1;
  for (const std::string& tiny :
       {std::string("-1e-999"), std::string("1e-99999999999999999999"),
        "0." + std::string(400, '0') + "1", std::string(400, '1') + "e-999"}) {
    EXPECT_TRUE(parse_number(tiny, value)) << tiny;
    EXPECT_EQ(value, 0) << tiny;
  }
  for (const std::string& huge : {std::string("1e999"), std::string("-1e99999999999999999999"),
                                  std::string(400, '1'), "0." + std::string(400, '0') + "1e999"}) {
    EXPECT_FALSE(parse_number(huge, value)) << huge;
    EXPECT_NE(number_advice(huge).find("too large"), std::string::npos) << huge;
  }
}

TEST(NumberAdvice, KnowsADecimalComma) {
  EXPECT_EQ(number_advice("-1,5e3"), "; it has a decimal comma: write -1.5e3");
  EXPECT_EQ(number_advice("one,two"), "");
  EXPECT_EQ(number_advice(std::string(1'000'000, ',')), "");
}

TEST(ListSome, CutsLongLists) {
  std::vector<std::string> names(20, "c");
  EXPECT_EQ(list_some(names).size(), 20 + 19 * 2);
  names.push_back("last");
  EXPECT_EQ(list_some(names, " -> "),
            "c -> c -> c -> c -> c -> c -> c -> c -> c -> c -> ... (21 in all)");
  EXPECT_EQ(list_some({}), "");
}

TEST(DidYouMean, HasNoPatienceForAbsurdWords) {
  const std::string word(1'000'000, 'a'), other(1'000'000, 'b');
  EXPECT_EQ(did_you_mean(word, {other}), "");
}

}  // namespace
}  // namespace tutti
