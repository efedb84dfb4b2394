// SPDX-License-Identifier: BSD-2-Clause
#include "archive.hpp"
#include "support/places.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

using namespace fmukit_test;

namespace {

/// All dynamic symbols that a library defines, by asking nm.
std::set<std::string> exported(const std::string& library) {
  std::set<std::string> symbols;
  std::FILE* pipe = popen(("nm -D --defined-only '" + library + "'").c_str(), "r");
  char line[1024];
  while (pipe && std::fgets(line, sizeof line, pipe)) {
    std::string text = line;
    text.erase(text.find_last_not_of('\n') + 1);
    symbols.insert(text.substr(text.find_last_of(' ') + 1));
  }
  if (pipe) pclose(pipe);
  return symbols;
}

TEST(Archive, IsPackedToTheSameBytesAgain) {
  const std::string original = Archive::path("2.0", "Resource");
  const Archive fmu("2.0", "Resource");
  const std::string again = fmu.folder() + "/again.fmu";
  std::string command = tutti::places::fmukit_pack_program().string() + " " + again;
  for (const Entry& entry : read_zip(original))  // any order of arguments will do
    command += " " + entry.name + "=" + fmu.folder() + "/" + entry.name;
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(read_file(again), read_file(original));
}

TEST(Archive, HasSortedEntriesOfOneDate) {
  const std::vector<Entry> entries = read_zip(Archive::path("3.0", "Resource"));
  std::vector<std::string> names;
  for (const Entry& entry : entries) {
    names.push_back(entry.name);
    EXPECT_EQ(entry.modified, entries.front().modified);
  }
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_NE(std::find(names.begin(), names.end(), "resources/y.txt"), names.end());
  EXPECT_NE(std::find(names.begin(), names.end(), "modelDescription.xml"), names.end());
}

#ifndef FMUKIT_SANITIZED  // sanitizers keep the names of the source files
TEST(Archive, NamesNoFolderOfTheBuildMachine) {
  for (const char* kind : {"1.0-cs", "2.0", "3.0"})
    for (const Entry& entry : read_zip(Archive::path(kind, "BouncingBall"))) {
      EXPECT_EQ(entry.contents.find(tutti::places::source_folder().string()), std::string::npos)
          << entry.name;
      EXPECT_EQ(entry.contents.find(tutti::places::fmu_folder().string()), std::string::npos)
          << entry.name;
    }
}
#endif

TEST(Library, ExportsWhatTheStandardWantsAndNothingElse) {
  const Archive one("1.0-me", "VanDerPol"), two("2.0", "VanDerPol"), three("3.0", "VanDerPol");
  const auto all_begin_with = [](const std::set<std::string>& symbols, const std::string& prefix) {
    return std::all_of(symbols.begin(), symbols.end(),
                       [&](const std::string& s) { return s.rfind(prefix, 0) == 0; });
  };
  // 12 of both interfaces, 13 of model exchange, 14 of co-simulation.
  EXPECT_EQ(exported(one.binary()).size(), 39u);
  EXPECT_TRUE(all_begin_with(exported(one.binary()), "VanDerPol_fmi"));
  EXPECT_EQ(exported(two.binary()).size(), 44u);  // as many as the header of the standard has
  EXPECT_TRUE(all_begin_with(exported(two.binary()), "fmi2"));
  EXPECT_EQ(exported(three.binary()).size(), 75u);
  EXPECT_TRUE(all_begin_with(exported(three.binary()), "fmi3"));
}

}  // namespace
