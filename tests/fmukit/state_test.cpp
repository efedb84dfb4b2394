// SPDX-License-Identifier: BSD-2-Clause
#include "slaves.hpp"

#include <gtest/gtest.h>

using namespace fmukit_test;

namespace {

/// h and v after the steps from `first` to `last` (of 0.01 s each).
template <class Slave>
std::pair<double, double> run(Slave& s, int first, int last) {
  for (int i = first; i < last; ++i) s.step(i * 0.01, 0.01);
  return {s.get("h"), s.get("v")};
}

TEST(FmuState, BringsEverythingBackBitForBit) {
  Slave2 s("BouncingBall");
  s.initialize();
  run(s, 0, 40);
  f2::FmuState state = nullptr;
  EXPECT_EQ(s.call<f2::GetFmuState>("GetFMUstate")(s.c, &state), f2::ok);
  const auto once = run(s, 40, 120);
  EXPECT_EQ(s.call<f2::SetFmuState>("SetFMUstate")(s.c, state), f2::ok);
  EXPECT_EQ(run(s, 40, 120), once);
  EXPECT_EQ(s.call<f2::FreeFmuState>("FreeFMUstate")(s.c, &state), f2::ok);
  EXPECT_EQ(state, nullptr);
}

TEST(FmuState, CanBeOverwritten) {
  Slave3 s("BouncingBall");
  s.initialize();
  f3::FmuState state = nullptr;
  s.call<f3::GetFmuState>("GetFMUState")(s.c, &state);
  const f3::FmuState same = state;
  run(s, 0, 10);
  s.call<f3::GetFmuState>("GetFMUState")(s.c, &state);
  EXPECT_EQ(state, same);
  const auto once = run(s, 10, 20);
  s.call<f3::SetFmuState>("SetFMUState")(s.c, state);
  EXPECT_EQ(run(s, 10, 20), once);
  s.call<f3::FreeFmuState>("FreeFMUState")(s.c, &state);
}

TEST(FmuState, GoesThroughBytesIntoAnotherInstance) {
  Slave2 s("BouncingBall"), other("BouncingBall");
  s.initialize(), other.initialize();
  run(s, 0, 40);
  f2::FmuState state = nullptr, copy = nullptr;
  std::size_t size = 0;
  s.call<f2::GetFmuState>("GetFMUstate")(s.c, &state);
  EXPECT_EQ(s.call<f2::SerializedFmuStateSize>("SerializedFMUstateSize")(s.c, state, &size),
            f2::ok);
  std::vector<char> bytes(size);
  EXPECT_EQ(s.call<f2::SerializeFmuState>("SerializeFMUstate")(s.c, state, bytes.data(), size),
            f2::ok);
  const auto deserialize = other.call<f2::DeSerializeFmuState>("DeSerializeFMUstate");
  EXPECT_EQ(deserialize(other.c, bytes.data(), size, &copy), f2::ok);
  EXPECT_EQ(other.call<f2::SetFmuState>("SetFMUstate")(other.c, copy), f2::ok);
  EXPECT_EQ(run(other, 40, 120), run(s, 40, 120));
  s.call<f2::FreeFmuState>("FreeFMUstate")(s.c, &state);
  other.call<f2::FreeFmuState>("FreeFMUstate")(other.c, &copy);
}

TEST(FmuState, OfStringsArraysAndBinariesSurvivesBytes) {
  Slave3 s("Feedthrough");
  s.initialize();
  const char* text = "a text that is too long for the small string optimisation";
  s.set<f3::String>("String", "string_in", {text});
  s.set<double>("Float64", "matrix_in", {5, 6, 7, 8});
  f3::FmuState state = nullptr, copy = nullptr;
  std::size_t size = 0;
  s.call<f3::GetFmuState>("GetFMUState")(s.c, &state);
  s.call<f3::SerializedFmuStateSize>("SerializedFMUStateSize")(s.c, state, &size);
  std::vector<std::uint8_t> bytes(size);
  EXPECT_EQ(s.call<f3::SerializeFmuState>("SerializeFMUState")(s.c, state, bytes.data(), size),
            f3::ok);
  s.set<f3::String>("String", "string_in", {"other"});
  s.set<double>("Float64", "matrix_in", {0, 0, 0, 0});
  EXPECT_EQ(s.call<f3::DeserializeFmuState>("DeserializeFMUState")(s.c, bytes.data(), size, &copy),
            f3::ok);
  EXPECT_EQ(s.call<f3::SetFmuState>("SetFMUState")(s.c, copy), f3::ok);
  EXPECT_STREQ(s.get<f3::String>("String", "string_out", 1).at(0), text);
  EXPECT_EQ(s.get<double>("Float64", "matrix_out", 4), (std::vector<double>{5, 6, 7, 8}));
  s.call<f3::FreeFmuState>("FreeFMUState")(s.c, &state);
  s.call<f3::FreeFmuState>("FreeFMUState")(s.c, &copy);
}

TEST(FmuState, RefusesForeignAndDamagedBytes) {
  Slave2 s("BouncingBall");
  s.initialize();
  f2::FmuState state = nullptr;
  const std::vector<char> rubbish(100, 'x');
  const auto deserialize = s.call<f2::DeSerializeFmuState>("DeSerializeFMUstate");
  EXPECT_EQ(deserialize(s.c, rubbish.data(), rubbish.size(), &state), f2::error);
  EXPECT_EQ(state, nullptr);
  EXPECT_NE(s.messages.back().text.find("another model"), std::string::npos);
}

TEST(Reset, StartsANewLife) {
  Slave2 s("BouncingBall");
  s.set("h", 2);
  s.initialize();
  const auto once = run(s, 0, 40);
  EXPECT_EQ(s.call<f2::Reset>("Reset")(s.c), f2::ok);
  EXPECT_EQ(s.get("h"), 1);  // start values come back too
  s.set("h", 2);
  s.initialize();
  EXPECT_EQ(run(s, 0, 40), once);
}

}  // namespace
