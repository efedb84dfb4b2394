// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/helper_libraries.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstring>

#include "fmi/support/fixture.hpp"

namespace tutti::fmi::test {
namespace {

class OldFortran : public testing::Test {
 protected:
  void SetUp() override {
    if (void* const real = ::dlopen("libgfortran.so.3", RTLD_LAZY | RTLD_LOCAL)) {
      ::dlclose(real);
      GTEST_SKIP() << "this machine has the library itself";
    }
    ASSERT_TRUE(helpers_.load("libgfortran.so.3", scratch_.path(), lines_.log()));
    library_ = ::dlopen("libgfortran.so.3", RTLD_LAZY | RTLD_NOLOAD);
    ASSERT_NE(library_, nullptr);  // it answers to the name that FMUs ask for
  }
  void TearDown() override {
    if (library_) ::dlclose(library_);
  }
  template <class F>
  F* function(const char* name) {
    return reinterpret_cast<F*>(::dlsym(library_, name));
  }
  ScratchFolder scratch_;
  Lines lines_;
  HelperLibraries helpers_;
  void* library_ = nullptr;
};

TEST_F(OldFortran, IsReplacedWithAWarningAndOnce) {
  EXPECT_TRUE(lines_.contain("warning|||the FMU needs libgfortran.so.3"));
  EXPECT_EQ(helpers_.stand_ins(), std::vector<std::string>{"libgfortran.so.3"});
  EXPECT_FALSE(helpers_.load("libgfortran.so.3", scratch_.path(), lines_.log()));
}

TEST_F(OldFortran, ComparesAndJoinsTextsAsFortranDoes) {
  const auto compare =
      function<int(int, const char*, int, const char*)>("_gfortran_compare_string");
  ASSERT_NE(compare, nullptr);
  EXPECT_EQ(compare(2, "AB", 4, "AB  "), 0);  // filled with blanks
  EXPECT_LT(compare(2, "AB", 3, "ABC"), 0);
  EXPECT_GT(compare(2, "AB", 3, "AB\t"), 0);  // a blank comes after a tabulator
  EXPECT_GT(compare(1, "\xff", 1, "a"), 0);   // bytes have no sign
  const auto join =
      function<void(int, char*, int, const char*, int, const char*)>("_gfortran_concat_string");
  ASSERT_NE(join, nullptr);
  char text[6] = {};
  join(5, text, 2, "DG", 2, "TR");
  EXPECT_STREQ(text, "DGTR ");
  join(3, text, 2, "DG", 2, "TR");
  EXPECT_EQ(std::memcmp(text, "DGT", 3), 0);
  const auto trimmed = function<int(int, const char*)>("_gfortran_string_len_trim");
  EXPECT_EQ(trimmed(4, "a b "), 3);
  EXPECT_EQ(trimmed(2, "  "), 0);
  const auto find =
      function<int(int, const char*, int, const char*, int)>("_gfortran_string_index");
  EXPECT_EQ(find(5, "abcab", 2, "ab", 0), 1);
  EXPECT_EQ(find(5, "abcab", 2, "ab", 1), 4);
  EXPECT_EQ(find(5, "abcab", 2, "ba", 0), 0);
}

TEST_F(OldFortran, RaisesIntegersToPowers) {
  const auto power = function<int(int, int)>("_gfortran_pow_i4_i4");
  ASSERT_NE(power, nullptr);
  EXPECT_EQ(power(3, 4), 81);
  EXPECT_EQ(power(-2, 3), -8);
  EXPECT_EQ(power(7, 0), 1);
  EXPECT_EQ(power(2, -1), 0);
  EXPECT_EQ(power(-1, -3), -1);
}

TEST(HelperLibraries, DoNotExistForEveryName) {
  const ScratchFolder empty;
  const Lines lines;
  HelperLibraries helpers;
  EXPECT_FALSE(helpers.load("libnobody.so.1", empty.path(), lines.log()));
  EXPECT_FALSE(helpers.load("", empty.path(), lines.log()));
  EXPECT_TRUE(lines.all().empty());
}

}  // namespace
}  // namespace tutti::fmi::test
