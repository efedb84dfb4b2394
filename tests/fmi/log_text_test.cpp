// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/log_text.hpp"

#include <gtest/gtest.h>

#include <cstdarg>

namespace tutti::fmi {
namespace {

std::string print(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  std::string text = format_message(format, arguments);
  va_end(arguments);
  return text;
}

TEST(LogText, IsFormattedLikePrintf) {
  EXPECT_EQ(print("x = %g, n = %d, %s", 0.5, 7, "done"), "x = 0.5, n = 7, done");
  EXPECT_EQ(print("%5.2f|%-4d|%ld", 1.0, 3, 4l), " 1.00|3   |4");
}

TEST(LogText, MayBeNullOrEmpty) {
  EXPECT_EQ(print(nullptr), "");
  EXPECT_EQ(print(""), "");
  EXPECT_EQ(print("%s", static_cast<const char*>(nullptr)), "(null)");
}

TEST(LogText, MayBeLong) {
  const std::string words(100'000, 'w');
  EXPECT_EQ(print("%s", words.c_str()), words);
  EXPECT_LE(print("%s%s", std::string(1 << 20, 'a').c_str(), "b").size(), (1u << 20));
}

TEST(LogText, WritesToNoMemory) {
  int target = 42;
  EXPECT_EQ(print("a%nb", &target), "a%nb");
  EXPECT_EQ(print("a%hhnb", &target), "a%hhnb");
  EXPECT_EQ(print("a%1$nb", &target), "a%1$nb");
  EXPECT_EQ(target, 42);
}

TEST(LogText, KeepsPercentSignsThatMeanNothing) {
  EXPECT_EQ(print("100%"), "100%");
  EXPECT_EQ(print("50%, or so"), "50%, or so");
  EXPECT_EQ(print("%y %"), "%y %");
  EXPECT_EQ(print("100%%"), "100%");
}

class References : public testing::Test {
 protected:
  static ModelDescription describe(FmiVersion version) {
    ModelDescription description;
    description.version = version;
    const auto add = [&](const char* name, Type type, ValueReference reference) {
      Variable variable;
      variable.name = name;
      variable.type = type;
      variable.value_reference = reference;
      description.variables.push_back(variable);
    };
    add("body.m", Type::float64, 1365);
    add("count", Type::int32, 1);
    add("on", Type::boolean, version == FmiVersion::v3 ? 2 : 1);
    return description;
  }
};

// The example of section 2.1.5.
TEST_F(References, BecomeNames) {
  const ModelDescription description = describe(FmiVersion::v2);
  ReferenceNames names(description);
  EXPECT_EQ(names.replace("#r1365# must be larger than zero (used in IO channel ##4)"),
            "body.m must be larger than zero (used in IO channel #4)");
  EXPECT_EQ(names.replace("#i1# and #b1#"), "count and on");
}

TEST_F(References, OfFmi3HaveNoLetter) {
  const ModelDescription description = describe(FmiVersion::v3);
  ReferenceNames names(description);
  EXPECT_EQ(names.replace("#1365# is bad, #2# too"), "body.m is bad, on too");
}

TEST_F(References, ToNothingStay) {
  const ModelDescription description = describe(FmiVersion::v2);
  ReferenceNames names(description);
  for (const char* const text :
       {"#r7#", "#", "a # b # c", "#r#", "#x1#", "#r99999999999#", "#r1"}) {
    EXPECT_EQ(names.replace(text), text);
  }
}

}  // namespace
}  // namespace tutti::fmi
