// SPDX-License-Identifier: BSD-2-Clause
// <tutti/version.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tutti/version.hpp>
#include <tutti/version_number.hpp>

namespace tutti::testing {
namespace {

TEST(Version, IsThatOfTheHeaders) { EXPECT_EQ(version(), TUTTI_VERSION); }

TEST(Version, NamesTheLibrariesInside) {
  EXPECT_THAT(library_versions(), ::testing::HasSubstr("SUNDIALS "));
  EXPECT_THAT(library_versions(), ::testing::HasSubstr("fmt "));
}

}  // namespace
}  // namespace tutti::testing
