// SPDX-License-Identifier: BSD-2-Clause
// `tutti compare` and `tutti plot` as a user calls them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/command.hpp"

namespace tutti::testing {
namespace {

class CompareCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    place_.write("a.csv", "time,x,n\n0,0,0\n1,1.1,0\n2,2,1\n");
    place_.write("b.csv", "\"time\" ; \"x [m]\";n\r\n0;0;0\r\n1;1;0\r\n2;2;1\r\n");
  }
  Answer compare(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "compare");
    return place_.tutti(arguments);
  }
  Workplace place_;
};

TEST_F(CompareCommand, EndsWithOneBeyondTheTolerance) {
  const Answer strict = compare({"a.csv", "b.csv"});
  EXPECT_EQ(strict.status, 1) << strict.err;
  // The difference is a hat of height 0.1: RMS 0.1/sqrt(3), over a range of 2.
  EXPECT_NE(strict.out.find("0.0289"), std::string::npos) << strict.out;
  EXPECT_LT(strict.out.find("\nx "), strict.out.find("\nn ")) << strict.out;
  EXPECT_NE(strict.out.find("1 of 2 variables beyond the tolerance 0.02"), std::string::npos);
  EXPECT_EQ(compare({"a.csv", "b.csv", "--tolerance", "0.03"}).status, 0);
  EXPECT_EQ(compare({"a.csv", "b.csv", "--tolerance", "0.03", "--measure", "max"}).status, 1);
  EXPECT_EQ(compare({"a.csv", "b.csv", "n*"}).status, 0);
  EXPECT_EQ(compare({"a.csv", "a.csv"}).status, 0);
}

TEST_F(CompareCommand, PrintsJson) {
  const Answer answer = compare({"a.csv", "b.csv", "--json"});
  EXPECT_EQ(answer.status, 1);
  const auto json = nlohmann::json::parse(answer.out);
  EXPECT_EQ(json["agrees"], false);
  ASSERT_EQ(json["variables"].size(), 2u);
  EXPECT_EQ(json["variables"][0]["name"], "x");
  EXPECT_EQ(json["variables"][0]["unit"], "m");
  EXPECT_EQ(json["variables"][0]["beyond"], true);
  EXPECT_NEAR(json["variables"][0]["max"], 0.05, 1e-15);  // rounding of 1.1 - 1
  EXPECT_EQ(json["variables"][0]["time"], 1);
  EXPECT_EQ(json["variables"][1]["discrete"], true);
}

TEST_F(CompareCommand, NamesColumnsThatAreMissing) {
  place_.write("c.csv", "time,x\n0,0\n2,2\n");
  const Answer answer = compare({"c.csv", "b.csv"});
  EXPECT_EQ(answer.status, 1);
  EXPECT_NE(answer.err.find("only in \"b.csv\": n"), std::string::npos) << answer.err;
  EXPECT_EQ(compare({"c.csv", "b.csv", "--common"}).status, 0);
  EXPECT_EQ(compare({"b.csv", "c.csv"}).status, 0);
}

TEST_F(CompareCommand, PairsColumnsOfOtherNames) {
  place_.write("c.csv", "time,a.x,n\n0,0,0\n1,1,0\n2,2,1\n");
  EXPECT_EQ(compare({"c.csv", "b.csv"}).status, 1);
  const Answer answer = compare({"c.csv", "b.csv", "--map", "a.x=x", "--json"});
  EXPECT_EQ(answer.status, 0) << answer.err;
  const auto json = nlohmann::json::parse(answer.out);
  ASSERT_EQ(json["variables"].size(), 2u);
  EXPECT_EQ(json["variables"][0]["name"], "x");
  EXPECT_EQ(json["variables"][0]["resultName"], "a.x");
  EXPECT_FALSE(json["variables"][1].contains("resultName"));
  EXPECT_NE(compare({"c.csv", "b.csv", "--map", "a.x=x"}).out.find("a.x = x"), std::string::npos);
  for (const char* const map : {"a.x", "=x", "a.x="}) {
    const Answer refused = compare({"c.csv", "b.csv", "--map", map});
    EXPECT_EQ(refused.status, 2);
    EXPECT_NE(refused.err.find("expected A=B"), std::string::npos) << refused.err;
  }
}

TEST_F(CompareCommand, RefusesWhatCannotBeCompared) {
  EXPECT_EQ(compare({"a.csv", "missing.csv"}).status, 2);
  EXPECT_EQ(compare({"a.csv"}).status, 2);
  for (const char* const number : {"-1", "nan", "inf", "2%"}) {
    const Answer answer = compare({"a.csv", "b.csv", "--tolerance", number});
    EXPECT_EQ(answer.status, 2);
    EXPECT_NE(answer.err.find("is not a non-negative number"), std::string::npos) << answer.err;
  }
  const Answer unknown = compare({"a.csv", "b.csv", "speed"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_NE(unknown.err.find("It has x, n."), std::string::npos) << unknown.err;
  place_.write("later.csv", "time,x\n5,0\n6,2\n");
  EXPECT_EQ(compare({"a.csv", "later.csv"}).status, 2);
}

TEST_F(CompareCommand, ReadsWhatSimulateSaysOfItsColumns) {
  ASSERT_EQ(place_
                .tutti({"simulate", fmu("3.0", "Thermostat"), "--stop", "500", "--step", "10", "-o",
                        "t.csv"})
                .status,
            0);
  const auto meta = nlohmann::json::parse(place_.read("t.meta.json"));
  EXPECT_EQ(meta["columns"][0]["name"], "T");
  EXPECT_EQ(meta["columns"][0]["unit"], "K");
  EXPECT_EQ(meta["columns"][0]["discrete"], false);
  EXPECT_EQ(meta["columns"][2]["discrete"], true);
  const auto json = nlohmann::json::parse(compare({"t.csv", "t.csv", "T", "--json"}).out);
  EXPECT_EQ(json["variables"][0]["unit"], "K");
  const Answer drawn = place_.tutti({"plot", "t.csv"});
  EXPECT_EQ(drawn.status, 0) << drawn.err;
  EXPECT_NE(drawn.out.find("T [K]"), std::string::npos) << drawn.out;
}

TEST_F(CompareCommand, CountsTheLastRow) {
  place_.write("c.csv", "time,x,n,s\n0,0,0,on\n1,1,0,on\n2,2,0,on\n");
  place_.write("d.csv", "time,x,n,s\n0,0,0,on\n1,1,0,on\n2,2,1,off\n");
  EXPECT_EQ(compare({"c.csv", "d.csv", "n"}).status, 1);
  EXPECT_EQ(compare({"c.csv", "d.csv", "s", "--tolerance", "2"}).status, 1);
  EXPECT_EQ(compare({"c.csv", "d.csv", "x"}).status, 0);
}

class PlotCommand : public CompareCommand {
 protected:
  Answer plot(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "plot");
    return place_.tutti(arguments);
  }
};

TEST_F(PlotCommand, WritesPicturesAndDrawsInTheTerminal) {
  EXPECT_EQ(plot({"a.csv", "-o", "a.svg"}).status, 0);
  EXPECT_EQ(place_.read("a.svg").substr(0, 4), "<svg");
  EXPECT_EQ(plot({"a.csv", "x", "--with", "b.csv", "-o", "a.png", "--size", "300x200"}).status, 0);
  EXPECT_EQ(place_.read("a.png").substr(1, 3), "PNG");
  const Answer drawn = plot({"a.csv", "--title", "Two columns"});
  EXPECT_EQ(drawn.status, 0) << drawn.err;
  for (const char* part : {"Two columns", "┤", "└┬", "time [s]"})
    EXPECT_NE(drawn.out.find(part), std::string::npos) << part << drawn.out;
  EXPECT_EQ(drawn.out.find('\x1b'), std::string::npos);  // no colour into a file
  EXPECT_NE(plot({"a.csv", "--color", "always"}).out.find('\x1b'), std::string::npos);
}

TEST_F(PlotCommand, DoesNotReplaceWhatItReads) {
  const std::string text = "time,x\n0,0\n1,1\n";
  place_.write("q.svg", text);
  EXPECT_EQ(plot({"q.svg", "-o", "q.svg"}).status, 2);
  const Answer answer = plot({"a.csv", "--with", "q.svg", "-o", "./q.svg"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_NE(answer.err.find("would overwrite"), std::string::npos) << answer.err;
  EXPECT_EQ(place_.read("q.svg"), text);
}

TEST_F(PlotCommand, RefusesWhatCannotBeDrawn) {
  place_.write("negative.csv", "time,x\n-1,0\n0,-1\n");
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"missing.csv"},
                                             {"a.csv", "y"},
                                             {"a.csv", "-o", "a.pdf"},
                                             {"a.csv", "-o", "a.svg", "--size", "12"},
                                             {"a.csv", "-o", "missing/a.svg"},
                                             {"a.csv", "-o", "missing/a.png"},
                                             {"a.csv", "--from", "3"},
                                             {"negative.csv", "--log-y"},
                                             {"negative.csv", "--log-x"},
                                             {"a.csv", "--log-x", "--from", "0"}}) {
    const Answer answer = plot(arguments);
    EXPECT_EQ(answer.status, 2) << arguments.back();
    EXPECT_NE(answer.err.find("error"), std::string::npos) << arguments.back();
  }
}

}  // namespace
}  // namespace tutti::testing
