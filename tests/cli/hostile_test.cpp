// SPDX-License-Identifier: BSD-2-Clause
// Hostile archives through the command line: refused with a message, nothing written, nothing left.
#include <gtest/gtest.h>

#include "support/command.hpp"
#include "support/zip_writer.hpp"

namespace tutti::testing {
namespace {

using test::make_zip;
using test::minimal_description;
using test::ZipItem;

struct Hostile {
  const char* name;
  std::string bytes;
  const char* message;
};

std::ostream& operator<<(std::ostream& out, const Hostile& hostile) { return out << hostile.name; }

std::string with(ZipItem item) {
  return make_zip(
      {{.name = "modelDescription.xml", .data = minimal_description()}, std::move(item)});
}

std::vector<Hostile> archives() {
  const std::string good = with({.name = "resources/a.txt", .data = "a"});
  return {
      {"traversal", with({.name = "../escaped.txt", .data = "x"}), "../escaped.txt"},
      {"absolute", with({.name = "/tmp/escaped.txt", .data = "x"}), "/tmp/escaped.txt"},
      {"symlink", with({.name = "link", .data = "/etc/passwd", .mode = 0120777}), "link"},
      {"encrypted", with({.name = "secret", .data = "x", .flags = 0x0801}), "secret"},
      {"checksum", with({.name = "entry", .data = "x", .crc = 1}), "damaged: CRC error"},
      {"longer", with({.name = "entry", .data = "xyz", .deflate = true, .size = 2}), "damaged"},
      {"shorter", with({.name = "entry", .data = "xyz", .deflate = true, .size = 4}), "damaged"},
      {"truncated", good.substr(0, good.size() / 2), ""},
      {"no_description", make_zip({{.name = "a.txt", .data = "a"}}), "modelDescription.xml"},
      {"broken_xml", make_zip({{.name = "modelDescription.xml", .data = "<fmiModelDescription"}}),
       "modelDescription.xml:1"},
      {"empty_file", "", "empty"},
      {"text_file", "This is no archive.\n", ""},
  };
}

class HostileArchive : public ::testing::TestWithParam<Hostile> {};
INSTANTIATE_TEST_SUITE_P(Cli, HostileArchive, ::testing::ValuesIn(archives()),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST_P(HostileArchive, IsRefusedWithAMessage) {
  for (const std::string command : {"info", "simulate"}) {
    // `info` reads the description only: damage elsewhere is not its business.
    const std::string name = GetParam().name;
    if (command == "info" && (name == "checksum" || name == "longer" || name == "shorter"))
      continue;
    const Workplace place;
    place.write("x.fmu", GetParam().bytes);
    const Answer answer = place.tutti({command, "x.fmu"});
    EXPECT_EQ(answer.status, 2) << answer.err;
    EXPECT_NE(answer.err.find("tutti: error: "), std::string::npos) << answer.err;
    EXPECT_NE(answer.err.find(GetParam().message), std::string::npos) << answer.err;
    EXPECT_EQ(place.leftover_count(), 0u);
    EXPECT_FALSE(std::filesystem::exists(place.path() / "x.csv"));
    EXPECT_FALSE(std::filesystem::exists(place.path() / "escaped.txt"));
    EXPECT_FALSE(std::filesystem::exists("/tmp/escaped.txt"));
  }
}

TEST(Limits, CanBeSetByTheUser) {
  const Workplace place;
  const Answer answer = place.tutti({"simulate", fmu("2.0", "Trivial"), "--max-unpacked", "10kb"});
  EXPECT_EQ(answer.status, 2) << answer.err;
  EXPECT_EQ(place.tutti({"simulate", fmu("2.0", "Trivial"), "--max-unpacked", "1gb", "-o", "none"})
                .status,
            0);
}

TEST(Limits, TakeNoNegativeNumber) {
  const Workplace place;
  for (const char* const option : {"--max-unpacked", "--max-ratio", "--max-elements"}) {
    const Answer answer = place.tutti({"info", fmu("2.0", "Trivial"), option, "-1"});
    EXPECT_EQ(answer.status, 2) << option;
    EXPECT_NE(answer.err.find("\"-1\" is not a non-negative number"), std::string::npos)
        << answer.err;
  }
}

TEST(Limits, OfTheDescriptionNameTheirOption) {
  const Workplace place;
  const Answer answer = place.tutti({"info", fmu("2.0", "Many"), "--max-elements", "100"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_NE(answer.err.find("more than 100 XML elements, the limit; --max-elements"),
            std::string::npos)
      << answer.err;
}

TEST(Values, BeyondTheRangeOfADoubleAreRefused) {
  const Workplace place;
  const Answer answer =
      place.tutti({"simulate", fmu("2.0", "Dahlquist"), "--set", "k=1e400", "-o", "none"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_NE(answer.err.find("too large"), std::string::npos) << answer.err;
}

}  // namespace
}  // namespace tutti::testing
