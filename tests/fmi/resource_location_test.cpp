// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/resource_location.hpp"

#include <gtest/gtest.h>

#include "fmi/support/fixture.hpp"

namespace tutti::fmi::test {
namespace {

// RFC 3986, section 2.1: everything outside the allowed set as %XX, UTF-8 byte by byte.
TEST(ResourceLocation, EncodesWhatUrisDoNotAllow) {
  EXPECT_EQ(file_uri("/tmp/a b"), "file:///tmp/a%20b");
  EXPECT_EQ(file_uri("/tmp/100%#1?x"), "file:///tmp/100%25%231%3Fx");
  EXPECT_EQ(file_uri("/tmp/\xc3\xa4"), "file:///tmp/%C3%A4");
  EXPECT_EQ(file_uri("/tmp/a-b_c.d~e"), "file:///tmp/a-b_c.d~e");
}

TEST(ResourceLocation, OfFmi2IsGivenEvenIfTheFolderIsMissing) {
  const ScratchFolder folder;
  EXPECT_EQ(resource_uri(folder.path()), "file://" + folder.path().string() + "/resources");
}

TEST(ResourceLocation, OfFmi3EndsWithASeparatorOrIsMissing) {
  const ScratchFolder folder;
  EXPECT_FALSE(resource_path(folder.path()));
  std::filesystem::create_directory(folder.path() / "resources");
  EXPECT_EQ(resource_path(folder.path()), folder.path().string() + "/resources/");
}

class ResourcesInOddFolders : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Versions, ResourcesInOddFolders, testing::Values("1.0-cs", "2.0", "3.0"),
                         [](const auto& version) {
                           return "Fmi" + std::string(1, *version.param);
                         });

TEST_P(ResourcesInOddFolders, AreFoundByTheFmu) {
  const ScratchFolder scratch;
  const std::filesystem::path folder = scratch.path() / "with space, \xc3\xa4 & 100%";
  std::filesystem::copy(open_fmu(GetParam(), "Resource")->folder(), folder,
                        std::filesystem::copy_options::recursive);
  const auto it = Fmu::open(folder, {}, {})->instantiate_co_simulation(named("it"));
  initialize(*it);
  it->do_step(0, 1);
  EXPECT_EQ(integer(*it, "y"), 'a');  // the first byte of y.txt
}

}  // namespace
}  // namespace tutti::fmi::test
