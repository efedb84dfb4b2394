// SPDX-License-Identifier: BSD-2-Clause
#include "models/input_table.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <tutti/error.hpp>

#include "support/small_description.hpp"

namespace tutti::models {
namespace {

class InputTableTest : public ::testing::Test {
 protected:
  InputTableTest() {
    small_.add("u", Type::float64, Causality::input);
    small_.add("gear", Type::int32, Causality::input, Variability::discrete);
    small_.add("mode", Type::string, Causality::input, Variability::discrete);
    Variable& vector = small_.add("v", Type::float64, Causality::input);
    vector.dimensions = {{.size = 2, .size_variable = {}}};
    small_.add("y", Type::float64, Causality::output);
  }
  InputTable table(const std::string& csv) {
    InputTable made(CsvTable::parse(csv, "in.csv"), small_.description, {});
    values_ = ValueSet(small_.description, made.variables(), {});
    return made;
  }
  double real(std::size_t i) const { return values_.read(values_.scalars()[i]).real; }
  std::string message_of(const std::string& csv) {
    try {
      table(csv);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  testing::SmallDescription small_;
  ValueSet values_;
};

TEST_F(InputTableTest, InterpolatesContinuousInputsAndHoldsDiscreteOnes) {
  InputTable inputs = table("time,u,gear,mode\n0,0,1,eco\n1,10,2,sport\n");
  inputs.write(0.25, values_);
  EXPECT_EQ(real(0), 2.5);
  EXPECT_EQ(values_.read(values_.scalars()[1]).integer, 1);
  EXPECT_EQ(values_.text(values_.scalars()[2]), "eco");
  inputs.write(1, values_);
  EXPECT_EQ(real(0), 10);
  EXPECT_EQ(values_.read(values_.scalars()[1]).integer, 2);
  EXPECT_EQ(values_.text(values_.scalars()[2]), "sport");
}

TEST_F(InputTableTest, HoldsTheNearestRowOutsideTheTableAndMayGoBack) {
  InputTable inputs = table("time,u\n1,3\n2,5\n");
  inputs.write(9, values_);
  EXPECT_EQ(real(0), 5);
  inputs.write(0, values_);
  EXPECT_EQ(real(0), 3);
  inputs.write(1.5, values_);
  EXPECT_EQ(real(0), 4);
  inputs.write(0, values_);
  inputs.write(1.25, values_);
  EXPECT_EQ(real(0), 3.5);
}

TEST_F(InputTableTest, TakesTheLaterOfTwoRowsOfTheSameTimeAndNamesTheJump) {
  InputTable inputs = table("time,u\n0,0\n1,1\n1,5\n2,6\n");
  inputs.write(std::nextafter(1.0, 0.0), values_);
  EXPECT_NEAR(real(0), 1, 1e-15);  // 1e-15: one rounding error before the jump
  inputs.write(1, values_);
  EXPECT_EQ(real(0), 5);
  EXPECT_EQ(inputs.next_jump(0), 1);
  EXPECT_EQ(inputs.next_jump(1), HUGE_VAL);
}

TEST_F(InputTableTest, AChangeOfADiscreteInputIsAJump) {
  const InputTable inputs = table("time,gear\n0,1\n0.5,1\n0.75,2\n");
  EXPECT_EQ(inputs.next_jump(0), 0.75);
}

TEST_F(InputTableTest, MovesTimesThatRoundingMovedToTheCommunicationPoints) {
  const double late = std::nextafter(0.3, 1.0);
  InputTable inputs = table(fmt::format("time,gear\n0,1\n{},2\n0.35,3\n", late));
  inputs.align(TimeGrid(0, 1, 0.1));
  EXPECT_EQ(inputs.next_jump(0), TimeGrid(0, 1, 0.1).point(3));
  EXPECT_EQ(inputs.next_jump(0.3), 0.35);  // no rounding: it stays
  inputs.write(TimeGrid(0, 1, 0.1).point(3), values_);
  EXPECT_EQ(values_.read(values_.scalars()[0]).integer, 2);
}

TEST_F(InputTableTest, ReadsNumbersAsOtherToolsWriteThem) {
  small_.add("on", Type::boolean, Causality::input, Variability::discrete);
  InputTable inputs = table("time,on,gear\n0,1.000000e+00,+3.0\n1,FALSE,1e1\n");
  inputs.write(0, values_);
  EXPECT_EQ(values_.read(values_.scalars()[0]).natural, 1u);
  EXPECT_EQ(values_.read(values_.scalars()[1]).integer, 3);
  inputs.write(1, values_);
  EXPECT_EQ(values_.read(values_.scalars()[0]).natural, 0u);
  EXPECT_EQ(values_.read(values_.scalars()[1]).integer, 10);
}

TEST_F(InputTableTest, DrivesTunableParametersAndRefusesOthers) {
  small_.add("gain", Type::float64, Causality::parameter, Variability::tunable);
  small_.add("mass", Type::float64, Causality::parameter, Variability::fixed);
  InputTable inputs = table("time,gain\n0,1\n1,2\n");
  inputs.write(0.5, values_);
  EXPECT_EQ(real(0), 1);  // it holds its value
  EXPECT_EQ(inputs.next_jump(0), 1);
  EXPECT_EQ(message_of("time,mass\n0,1\n"),
            "in.csv:1: column \"mass\" is a parameter of model \"small\" that is not tunable. "
            "Leave the column out and use set.");
}

TEST_F(InputTableTest, DrivesArrayElementsByTheirNames) {
  InputTable inputs = table("time,v[2],v[1]\n0,20,10\n");
  inputs.write(0, values_);
  EXPECT_EQ(real(0), 10);
  EXPECT_EQ(real(1), 20);
}

TEST_F(InputTableTest, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(message_of("time,U1\n0,1\n"),
            "in.csv:1: column \"U1\" is not a variable of model \"small\". Did you mean \"u\"?");
  EXPECT_EQ(message_of("time,y\n0,1\n"),
            "in.csv:1: column \"y\" is not an input of model \"small\". Did you mean \"u\"?");
  EXPECT_EQ(message_of("time,u\n1,1\n0,1\n"), "in.csv:3: time 0 after 1: times must not decrease");
  EXPECT_EQ(
      message_of("time,gear\n0,1.5\n"),
      "in.csv:2: column \"gear\": \"1.5\" is not a whole number from -2147483648 to 2147483647");
  EXPECT_EQ(
      message_of("time,v\n0,1\n"),
      "in.csv:1: column \"v\" is not an element of an input array; write one column per element, "
      "for example \"v[1]\"");
  EXPECT_EQ(message_of("time,u\n"), "in.csv: the table has a header but no rows");
}

TEST_F(InputTableTest, RefusesWhatIsNotFiniteAndSaysWhere) {
  EXPECT_EQ(message_of("time,u\n0,0\n1,nan\n"),
            "in.csv:3: column \"u\": \"nan\" is not a finite number");
  EXPECT_EQ(message_of("time,gear,v[2]\n0,1,-inf\n"),
            "in.csv:2: column \"v[2]\": \"-inf\" is not a finite number");
}

}  // namespace
}  // namespace tutti::models
