// SPDX-License-Identifier: BSD-2-Clause
// <tutti/fmu.hpp>: what an FMU says of itself, and what it brings along.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <tutti/fmu.hpp>

#include "api/systems.hpp"
#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ReadDescription, GivesTheSameModelInEveryVersion) {
  for (const char* const version : {"1.0-cs", "2.0", "3.0"}) {
    const ModelDescription read = read_description(fmu_of(version, "BouncingBall"));
    EXPECT_EQ(to_string(read.version), std::string(version).substr(0, 3));
    EXPECT_EQ(read.model_name, "BouncingBall");
    ASSERT_NE(read.find("h"), nullptr) << version;
    EXPECT_EQ(read.find("h")->causality, Causality::output);
    EXPECT_EQ(read.find("h")->type, Type::float64);
    EXPECT_TRUE(read.co_simulation) << version;
  }
}

TEST(ReadDescription, RefusesWhatIsNoFmu) {
  const Error missing = error_of([] { read_description("there/is/none.fmu"); });
  EXPECT_EQ(missing.code(), ErrorCode::file);
  EXPECT_THAT(missing.what(), HasSubstr("none.fmu"));
  const Workplace place;
  EXPECT_EQ(error_of([&] { read_description(place.write("a.fmu", "no archive")); }).code(),
            ErrorCode::archive);
  std::filesystem::create_directory(place.path() / "folder");
  place.write("folder/modelDescription.xml", "<fmiModelDescription");
  EXPECT_EQ(error_of([&] { read_description(place.path() / "folder"); }).code(),
            ErrorCode::description);
}

TEST(ReadDescription, KeepsTheLimitsThatItIsGiven) {
  FmuOptions options;
  options.limits.description_bytes = 100;
  EXPECT_EQ(error_of([&] { read_description(fmu_of("2.0", "Many"), options); }).code(),
            ErrorCode::archive);
  options = {};
  options.limits.entries = 1;
  EXPECT_EQ(error_of([&] { read_description(fmu_of("2.0", "Many"), options); }).code(),
            ErrorCode::archive);
}

TEST(ReadDescription, WarnsOfBreachesThatDoNoHarm) {
  const Workplace place;
  std::filesystem::create_directory(place.path() / "m");
  place.write("m/modelDescription.xml",
              R"(<?xml version="1.0"?><fmiModelDescription fmiVersion="2.0" modelName="m" guid="g"
 surprise="1"><CoSimulation modelIdentifier="m"/><ModelVariables/><ModelStructure/>
</fmiModelDescription>)");
  std::vector<std::string> warnings;
  const Log log([&](const LogRecord& record) { warnings.emplace_back(record.text); });
  EXPECT_EQ(read_description(place.path() / "m", {}, log).model_name, "m");
  ASSERT_FALSE(warnings.empty());
}

TEST(FileCache, ReadsAFileOnceForManyThreads) {
  FmuOptions options;
  options.cache = make_file_cache();
  const Workplace place;
  const auto copy = place.path() / "a.fmu";
  std::filesystem::copy(fmu_of("2.0", "BouncingBall"), copy);
  read_description(copy, options);
  std::filesystem::remove(copy);  // whoever has the cache needs it no more
  std::vector<std::thread> threads;
  std::atomic<int> count = 0;
  for (int k = 0; k < 8; ++k)
    threads.emplace_back([&] {
      if (read_description(copy, options).model_name == "BouncingBall") ++count;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, 8);
}

TEST(ListContents, CountsWithoutUnpacking) {
  const FmuContents contents = list_contents(fmu_of("2.0", "Resource"));
  EXPECT_THAT(contents.platforms, ElementsAre("linux64"));
  EXPECT_FALSE(contents.has_sources);
  EXPECT_GE(contents.files, 3u);  // description, binary, resource
  EXPECT_GT(contents.bytes, 1000u);
  EXPECT_THAT(list_contents(fmu_of("3.0", "Resource")).platforms, ElementsAre("x86_64-linux"));
  EXPECT_EQ(error_of([] { list_contents("there/is/none.fmu"); }).code(), ErrorCode::file);
}

}  // namespace
}  // namespace tutti::testing
