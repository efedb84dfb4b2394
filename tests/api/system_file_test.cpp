// SPDX-License-Identifier: BSD-2-Clause
// <tutti/system_file.hpp>: systems in files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tutti/system_file.hpp>

#include "api/systems.hpp"
#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;

TEST(SystemFiles, AreWrittenSoThatTheyReadBack) {
  const Workplace place;
  System system = oscillator();
  system.name = "oscillator";
  system.simulation.control.name = "richardson";
  for (const SystemFormat& format : system_formats()) {
    if (!format.is_written) continue;
    const auto file = place.path() / ("s" + format.extension);
    write_system(system, file, format.name);
    const System back = read_system(file);
    EXPECT_EQ(back.components.size(), 2u) << format.name;
    ASSERT_EQ(back.connections.size(), 2u) << format.name;
    EXPECT_EQ(back.connections[0].from, system.connections[0].from) << format.name;
    EXPECT_EQ(back.connections[1].factor, -1) << format.name;
    EXPECT_EQ(back.simulation.stop, 1) << format.name;
  }
  write_system(system, place.path() / "plain.toml");  // the extension says what is written
  EXPECT_EQ(read_system(place.path() / "plain.toml").simulation.control.name, "richardson");
}

TEST(SystemFiles, AreRefusedWithEverythingThatIsWrong) {
  const Workplace place;
  const Error error = error_of(
      [&] { read_system(place.write("s.toml", "[simulation]\nstop = true\nstpe = 0.1\n")); });
  EXPECT_EQ(error.code(), ErrorCode::usage);
  EXPECT_GE(error.parts().size(), 2u);
  EXPECT_EQ(error_of([] { read_system("there/is/none.toml"); }).code(), ErrorCode::file);
  EXPECT_EQ(error_of([&] { read_system(place.write("s.txt", "hello")); }).code(), ErrorCode::file);
  EXPECT_THAT(refusal_of([&] { write_system(oscillator(), place.path() / "s.x", "xml"); }),
              HasSubstr("xml"));
  EXPECT_THAT(refusal_of([&] { write_system(oscillator(), place.path() / "no/such/s.toml"); }),
              HasSubstr("no/such"));
}

TEST(SystemFiles, AreKnownByExtensionOrBeginning) {
  const Workplace place;
  EXPECT_TRUE(is_system_file(place.write("s.toml", "")));
  EXPECT_FALSE(is_system_file(fmu_of("2.0", "Gain")));
  EXPECT_FALSE(is_system_file(place.write("s.txt", "hello")));
  EXPECT_FALSE(is_system_file("there/is/none"));
}

TEST(SystemAssignments, ChangeAParameterOrASetting) {
  System system = oscillator();
  assign(system, "position.x=2");
  assign(system, "simulation.step=0.5");
  assign(system, "simulation.method=newton");
  EXPECT_EQ(system.components[0].set.back(), (std::pair<std::string, std::string>("x", "2")));
  EXPECT_EQ(system.simulation.step, 0.5);
  EXPECT_EQ(system.simulation.methods, std::vector<std::string>{"newton"});
}

TEST(SystemAssignments, AreRefusedWithTheNearestName) {
  System system = oscillator();
  EXPECT_THAT(refusal_of([&] { assign(system, "simulation.stpe=1"); }),
              HasSubstr("Did you mean \"step\"?"));
  EXPECT_THAT(refusal_of([&] { assign(system, "positoin.x=1"); }),
              HasSubstr("Did you mean \"position\"?"));
  EXPECT_EQ(error_of([&] { assign(system, "simulation.step"); }).code(), ErrorCode::usage);
  EXPECT_EQ(error_of([&] { assign(system, "simulation.step=soon"); }).code(), ErrorCode::usage);
}

TEST(FilesOfValues, ReadBackWhatWasWritten) {
  const Workplace place;
  const std::filesystem::path file = place.path() / "v.toml";
  const std::vector<NamedValue> values = {
      {"position.x", "0.1"}, {"position.a", "-3"}, {"a b.\"c\"", "two words"},
      {"p.on", "true"},      {"p.tiny", "1e-300"}, {"p.y[2]", "2.66e-06"},
      {"p.A", "1 2 3"}};
  write_values(file, values, "Made by a test\n\nin three lines");
  EXPECT_THAT(place.read("v.toml"), ::testing::StartsWith("# Made by a test\n#\n# in three lines\n"
                                                          "[set]\n\"position.x\" = 0.1\n"));
  const std::vector<NamedValue> back = read_values(file);
  ASSERT_EQ(back.size(), values.size());
  for (std::size_t i = 0; i < back.size(); ++i) {
    EXPECT_EQ(back[i].name, values[i].name);
    EXPECT_EQ(back[i].value, values[i].value);
    EXPECT_EQ(back[i].place.line, 5 + i);
  }
}

TEST(FilesOfValues, TakeEveryKindOfValueAndNestedTables) {
  const Workplace place;
  const auto values =
      read_values(place.write("v.toml",
                              "[set]\nposition.x = 2\n\"simulation.step\" = 0.5\n"
                              "b = { c = [[1, 2.5], [3, 4]], t = [\"a b\", \"c\"] }\n"));
  std::vector<std::pair<std::string, std::string>> found;
  for (const NamedValue& value : values) found.emplace_back(value.name, value.value);
  EXPECT_THAT(found, ::testing::ElementsAre(std::pair("position.x", "2"),
                                            std::pair("simulation.step", "0.5"),
                                            std::pair("b.c", "1 2.5 3 4"),
                                            std::pair("b.t[1]", "a b"), std::pair("b.t[2]", "c")));
}

TEST(FilesOfValues, AreRefusedWithEverythingThatIsWrong) {
  const Workplace place;
  const Error error = error_of([&] {
    read_values(
        place.write("v.toml", "[set]\na = 1979-05-27\n\"x.y\" = 1\nx.y = 2\n[sett]\nb = 1\n"));
  });
  EXPECT_EQ(error.code(), ErrorCode::usage);
  ASSERT_EQ(error.parts().size(), 3u);
  EXPECT_THAT(error.what(), HasSubstr("v.toml:2:5: the value of \"a\" must be a number"));
  EXPECT_THAT(error.what(), HasSubstr("\"x.y\" has two values"));
  EXPECT_THAT(error.what(), HasSubstr("Did you mean \"set\"?"));
  EXPECT_THAT(refusal_of([&] { read_values(place.write("v.toml", "set = 3")); }),
              HasSubstr("set must be a table, not the number 3"));
  EXPECT_EQ(error_of([] { read_values("there/is/none.toml"); }).code(), ErrorCode::file);
}

TEST(FilesOfValues, SetVariablesAndSettingsOfASystem) {
  System system = oscillator();
  system.inputs.constants = {{{"position", "u"}, "1"}};
  const std::vector<NamedValue> values = {
      {"position.x", "2"}, {"simulation.step", "0.5"}, {"position.u", "7"}};
  assign(system, values);
  EXPECT_EQ(system.components[0].set[1], (std::pair<std::string, std::string>("x", "2")));
  EXPECT_EQ(system.simulation.step, 0.5);
  EXPECT_EQ(system.inputs.constants[0].second, "7");  // the constant, which comes later
}

TEST(FilesOfValues, AreRefusedForASystemWithEachPlaceAndTheNearestName) {
  const Workplace place;
  System system = oscillator();
  const auto values =
      read_values(place.write("v.toml",
                              "[set]\n\"position.x\" = 3\n\"positoin.x\" = 2\n\"position.xx\" = 1\n"
                              "\"simulation.stpe\" = 1\n\"speed.x\" = \"fast\"\n"));
  const std::string text = refusal_of([&] { assign(system, values); });
  EXPECT_THAT(text, HasSubstr("v.toml:3:16: unknown key \"positoin\". Did you mean \"position\"?"));
  EXPECT_THAT(text,
              HasSubstr("v.toml:5:21: unknown key \"simulation.stpe\". Did you mean \"step\"?"));
  EXPECT_EQ(system.components[0].set[1].second, "1") << "nothing changes";
  const std::string variables = refusal_of([&] {
    assign(system, read_values(place.write(
                       "v.toml", "[set]\n\"position.xx\" = 1\n\"speed.x\" = \"fast\"\n")));
  });
  EXPECT_THAT(variables,
              HasSubstr("v.toml:2:17: component \"position\": there is no variable \"xx\""));
  EXPECT_THAT(variables, HasSubstr("v.toml:3:13: component \"speed\": "));
}

TEST(SystemFormats, AreListedWithWhatTheyAreGoodFor) {
  bool has_toml = false;
  for (const SystemFormat& format : system_formats()) {
    has_toml |= format.name == "toml" && format.extension == ".toml" && format.is_written;
    EXPECT_FALSE(format.summary.empty()) << format.name;
  }
  EXPECT_TRUE(has_toml);
}

TEST(SystemKeys, AreListedWithTypeAndMeaning) {
  for (const std::string& text : {system_keys_text(), system_keys_markdown()}) {
    EXPECT_THAT(text, HasSubstr("simulation.step"));
    EXPECT_THAT(text, HasSubstr("Communication step"));
  }
}

}  // namespace
}  // namespace tutti::testing
