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
