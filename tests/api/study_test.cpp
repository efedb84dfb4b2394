// SPDX-License-Identifier: BSD-2-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tutti/error.hpp>
#include <tutti/study.hpp>

#include "support/command.hpp"

namespace tutti {
namespace {

using ::testing::HasSubstr;

constexpr const char* sweep = R"(system = "car.toml"
outputs = ["c.y"]
[[parameters]]
name = "c.k"
values = [1, 2]
[sweep]
)";

std::string error_of(const std::filesystem::path& file) {
  try {
    read_study(file);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Study, HasPathsThatStartAtTheFolderOfItsFile) {
  const testing::Workplace work;
  work.write("car.toml", "");
  const auto file = work.write("springs.toml", sweep);
  const Study study = read_study(file);
  EXPECT_EQ(study.file, file);
  EXPECT_EQ(study.folder, work.path());
  EXPECT_EQ(study.system, work.path() / "car.toml");
  ASSERT_TRUE(study.sweep);
  EXPECT_EQ(study.sweep->results, work.path() / "springs.csv");  // the name of the study
  EXPECT_TRUE(study.sweep->trajectories.empty());
}

TEST(Study, NamesFilesThatAreMissing) {
  const testing::Workplace work;
  const auto file = work.write("springs.toml", sweep);
  EXPECT_THAT(error_of(file), HasSubstr("springs.toml:1:10: system = \"car.toml\": there is no "
                                        "file"));
  EXPECT_THAT(error_of(work.path() / "other.toml"), HasSubstr("there is no file"));
  EXPECT_THAT(error_of(work.path()), HasSubstr("it is a folder"));
}

TEST(Study, HasNotesAboutSectionsWithoutEffect) {
  const testing::Workplace work;
  work.write("car.toml", "");
  work.write("d.csv", "");
  const auto file = work.write(
      "s.toml", std::string(sweep) + "[[experiments]]\ndata = \"d.csv\"\nsignals = [\"c.y\"]\n");
  std::string notes;
  read_study(file, Log([&](const LogRecord& record) { notes += record.text; }));
  EXPECT_THAT(notes, HasSubstr("s.toml:7:1: experiments have no effect without [estimate]"));
}

}  // namespace
}  // namespace tutti
