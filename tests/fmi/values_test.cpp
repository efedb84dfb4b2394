// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include <limits>

#include "fmi/support/fixture.hpp"

namespace tutti::fmi::test {
namespace {

class EveryVersion : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    it_ = open_fmu(GetParam(), "Feedthrough")->instantiate_co_simulation(named("it"));
    initialize(*it_);
  }
  /// Sets the input, steps, and gives what the output then is.
  template <class T>
  std::vector<T> through(Type type, const std::string& name, const std::vector<T>& values) {
    const ValueReference in[] = {reference(*it_, name + "_in")};
    const ValueReference out[] = {reference(*it_, name + "_out")};
    // A plain array: std::vector<bool> has no bools.
    const auto buffer = std::make_unique<T[]>(values.size());
    std::copy(values.begin(), values.end(), buffer.get());
    it_->set(type, in, buffer.get(), values.size());
    it_->do_step(time_, 0.1);
    time_ += 0.1;
    std::fill_n(buffer.get(), values.size(), T{});
    it_->get(type, out, buffer.get(), values.size());
    return std::vector<T>(buffer.get(), buffer.get() + values.size());
  }
  template <class T>
  void expect_limits_pass(Type type, const std::string& name) {
    for (const T value : {std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max(), T{1}}) {
      EXPECT_EQ(through<T>(type, name, {value}), std::vector<T>{value}) << name;
    }
  }

  Owned<CoSimulation> it_;
  double time_ = 0;
};

class EveryVersionOfCoSimulation : public EveryVersion {};
INSTANTIATE_TEST_SUITE_P(Versions, EveryVersionOfCoSimulation,
                         testing::Values("1.0-cs", "2.0", "3.0"), [](const auto& version) {
                           return "Fmi" + std::string(1, *version.param);
                         });

TEST_P(EveryVersionOfCoSimulation, PassesTheValuesOfAllItsTypes) {
  expect_limits_pass<double>(Type::float64, "real");
  expect_limits_pass<std::int32_t>(Type::int32, "int32");
  EXPECT_EQ(through<bool>(Type::boolean, "boolean", {true}), std::vector<bool>{true});
  EXPECT_EQ(through<bool>(Type::boolean, "boolean", {false}), std::vector<bool>{false});
  EXPECT_EQ(through<std::int64_t>(Type::enumeration, "option", {3}), std::vector<std::int64_t>{3});
}

TEST_P(EveryVersionOfCoSimulation, PassesStrings) {
  const ValueReference in[] = {reference(*it_, "string_in")};
  const ValueReference out[] = {reference(*it_, "string_out")};
  for (const std::string text : {"", "plain", "\xc3\xa4\xc3\xb6 & <\"quoted\">"}) {
    it_->set_strings(in, std::vector<std::string>{text});
    it_->do_step(time_, 0.1);
    time_ += 0.1;
    std::vector<std::string> got{"old"};
    it_->get_strings(out, got);
    EXPECT_EQ(got[0], text);
  }
}

TEST_P(EveryVersionOfCoSimulation, PassesManyValuesAtOnce) {
  const ValueReference in[] = {reference(*it_, "real_in"), reference(*it_, "discrete_in")};
  const ValueReference out[] = {reference(*it_, "discrete_out"), reference(*it_, "real_out")};
  const double values[] = {1.5, 2.5};
  it_->set(Type::float64, in, values, 2);
  it_->do_step(0, 0.1);
  double got[2] = {};
  it_->get(Type::float64, out, got, 2);
  EXPECT_EQ(got[0], 2.5);
  EXPECT_EQ(got[1], 1.5);
}

class Fmi3Values : public EveryVersion {};
INSTANTIATE_TEST_SUITE_P(Version, Fmi3Values, testing::Values("3.0"));

TEST_P(Fmi3Values, PassAllNumericTypes) {
  expect_limits_pass<float>(Type::float32, "float32");
  expect_limits_pass<std::int8_t>(Type::int8, "int8");
  expect_limits_pass<std::uint8_t>(Type::uint8, "uint8");
  expect_limits_pass<std::int16_t>(Type::int16, "int16");
  expect_limits_pass<std::uint16_t>(Type::uint16, "uint16");
  expect_limits_pass<std::uint32_t>(Type::uint32, "uint32");
  expect_limits_pass<std::int64_t>(Type::int64, "int64");
  expect_limits_pass<std::uint64_t>(Type::uint64, "uint64");
}

TEST_P(Fmi3Values, PassArraysRowByRow) {
  const std::vector<double> matrix = {1, 2, 3, 4};
  EXPECT_EQ(through<double>(Type::float64, "matrix", matrix), matrix);
  EXPECT_EQ(through<bool>(Type::boolean, "flags", {false, true}), (std::vector<bool>{false, true}));
}

TEST_P(Fmi3Values, PassArraysOfStrings) {
  const ValueReference in[] = {reference(*it_, "words_in")};
  const ValueReference out[] = {reference(*it_, "words_out")};
  const std::vector<std::string> words = {"one", "two"};
  it_->set_strings(in, words);
  it_->do_step(0, 0.1);
  std::vector<std::string> got(2);
  it_->get_strings(out, got);
  EXPECT_EQ(got, words);
}

TEST_P(Fmi3Values, PassBinariesWithZerosAndOfNoLength) {
  const ValueReference in[] = {reference(*it_, "binary_in")};
  const ValueReference out[] = {reference(*it_, "binary_out")};
  for (const std::vector<std::uint8_t>& bytes :
       {std::vector<std::uint8_t>{0, 1, 0, 255}, std::vector<std::uint8_t>{}}) {
    it_->set_binaries(in, std::vector<std::vector<std::uint8_t>>{bytes});
    it_->do_step(time_, 0.1);
    time_ += 0.1;
    std::vector<std::vector<std::uint8_t>> got{{9, 9}};
    it_->get_binaries(out, got);
    EXPECT_EQ(got[0], bytes);
  }
}

TEST(ScalarVersions, KnowNoTypesOfFmi3) {
  for (const char* const version : {"1.0-cs", "2.0"}) {
    const auto it = open_fmu(version, "Feedthrough")->instantiate_co_simulation(named("it"));
    initialize(*it);
    const ValueReference some[] = {reference(*it, "real_out")};
    float value = 0;
    EXPECT_THROW(it->get(Type::float32, some, &value, 1), std::logic_error);
    std::vector<std::vector<std::uint8_t>> bytes(1);
    EXPECT_THROW(it->get_binaries(some, bytes), std::logic_error);
    EXPECT_THROW(it->enter_configuration_mode(), std::logic_error);
  }
}

}  // namespace
}  // namespace tutti::fmi::test
