// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <tutti/error.hpp>
#include <tutti/system_file.hpp>

#include "formats/registry.hpp"
#include "formats/toml/keys.hpp"
#include "formats/toml/read.hpp"
#include "support/command.hpp"
#include "support/places.hpp"

namespace tutti::formats {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const Words reference_words{.controls = {"fixed"}, .built_ins = {"gain"}};

TEST(Keys, EveryOneIsDescribedOnce) {
  std::set<std::string_view> paths;
  for (const Key& key : keys()) {
    EXPECT_TRUE(paths.insert(key.path).second) << key.path;
    EXPECT_FALSE(type_text(key, reference_words).empty()) << key.path;
    EXPECT_FALSE(key.text.empty()) << key.path;
    EXPECT_THAT(keys_text(reference_words), HasSubstr(std::string(key.path)));
  }
}

TEST(Keys, ThePageHoldsThePresentTable) {
  std::ifstream file(tutti::places::source_folder() / "docs/system-file.md");
  std::ostringstream page;
  page << file.rdbuf();
  EXPECT_NE(page.str().find(system_keys_markdown()), std::string::npos)
      << "put this into docs/system-file.md:\n"
      << system_keys_markdown();
}

/// A system in which the example can stand.
std::string around(const Key& key, const std::string& example) {
  std::string text;
  for (const char* const name : {"motor", "shaft", "sensor", "controller"})
    if (!key.path.starts_with("components.") || name != std::string_view("motor"))
      text += fmt::format("components.{}.fmu = \"x.fmu\"\n", name);
  return text + example;
}

// Other keys that the same table requires may be missing, but the key itself is taken.
TEST(Keys, HaveExamplesThatCanBeRead) {
  const Words words{.methods = {"gauss-seidel", "iterated", "newton"},
                    .solvers = {"cvode", "radau5"},
                    .controls = {"fixed", "predictor"},
                    .built_ins = {"gain", "sum"},
                    .solver_options = {"maxord"}};
  for (const Key& key : keys()) {
    const std::string example = example_lines(key, words);
    EXPECT_EQ(example.empty(), key.field.read == nullptr) << key.path;
    try {
      read_toml(around(key, example), "x.toml", words);
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("lacks the key")) << key.path << ":\n" << example;
      EXPECT_THAT(error.what(), Not(HasSubstr("unknown"))) << key.path << ":\n" << example;
    }
  }
}

TEST(Formats, AFileThatCannotBeReadIsNamed) {
  const testing::Workplace work;
  const auto refusal = [](const std::filesystem::path& file) -> std::string {
    try {
      read_system(file, {Words{}});
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::file);
      return error.what();
    }
    return "nothing refused";
  };
  EXPECT_THAT(refusal(work.path() / "none.toml"), HasSubstr("No such file"));
  std::filesystem::create_directory(work.path() / "folder.toml");
  EXPECT_THAT(refusal(work.path() / "folder.toml"), HasSubstr("it is a folder"));
  EXPECT_THAT(refusal("x.fmu"), HasSubstr("there is no file \"x.fmu\""));
  std::ofstream(work.path() / "x.fmu") << "PK";
  EXPECT_THAT(refusal(work.path() / "x.fmu"), HasSubstr(".toml"));
}

TEST(Formats, FolderAndNameAreTheFiles) {
  const testing::Workplace work;
  const System system = read_system(work.write("car.toml", ""), {Words{}});
  EXPECT_EQ(system.folder, work.path());
  EXPECT_EQ(system.name, "car");
}

}  // namespace
}  // namespace tutti::formats
