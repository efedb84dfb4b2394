// SPDX-License-Identifier: BSD-2-Clause
// Terminals, memory and folders that are not what one would wish.
#include <gmock/gmock.h>

#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

class Surroundings : public ::testing::Test {
 protected:
  Workplace place_;
};

TEST_F(Surroundings, FmuMessagesDoNotSteerTheTerminal) {
  const Answer answer = place_.tutti(
      {"simulate", fmu("2.0", "faulty_log_escapes"), "-o", "y.csv", "--log-file", "log.txt"});
  EXPECT_EQ(answer.status, 0);
  for (const std::string& text : {answer.err, place_.read("log.txt")}) {
    EXPECT_THAT(text, HasSubstr("a \\x1b]0;title\\x07 and \\x1b[31mred"));
    EXPECT_THAT(text, HasSubstr("\\x9b2J text"));
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
    EXPECT_THAT(text, Not(HasSubstr("\xc2\x9b")));
  }
}

TEST_F(Surroundings, NamesDoNotSteerTheTerminal) {
  place_.write("s.toml",
               "[system]\nname = \"\\u001b[2Jsystem\"\n[components.\"\\u001b[31mred\"]\n"
               "fmu = \"" +
                   fmu("2.0", "Dahlquist") +
                   "\"\n"
                   "[simulation]\nstop = 1.0\nstep = 0.1\n");
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"run", "s.toml", "-o", "y.csv", "--plot"},
        {"graph", "s.toml"},
        {"check", "s.toml"},
        {"advise", "s.toml"},
        {"run", "s.toml", "-o", "y.csv", "--set", "simulation.step=\x1b[31m"},
        {"simulate", "\x1b[31m.fmu"}}) {
    const Answer answer = place_.tutti(command);
    EXPECT_THAT(answer.out + answer.err, Not(HasSubstr("\x1b"))) << command.front();
  }
}

TEST_F(Surroundings, TooLittleMemoryIsSaid) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer needs more";
#endif
  // The ring alone takes 16 MB.
  const Answer answer = place_.shell("ulimit -v 32000; $TUTTI simulate " + fmu("2.0", "Dahlquist"));
  EXPECT_EQ(answer.status, 2) << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("there is not enough memory"));
  EXPECT_THAT(answer.err, Not(HasSubstr("bad_alloc")));
}

TEST_F(Surroundings, ATemporaryFolderWithoutProgramsIsSaid) {
  if (place_.shell("unshare -m mount -t tmpfs -o noexec none tmp").status != 0)
    GTEST_SKIP() << "mounting is not allowed here";
  const Answer answer = place_.shell(
      "unshare -m sh -c 'mount -t tmpfs -o noexec none tmp && TMPDIR=$PWD/tmp $TUTTI simulate " +
      fmu("2.0", "Dahlquist") + " -o y.csv'");
  EXPECT_EQ(answer.status, 2) << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("mounted noexec. Set TMPDIR"));
}

TEST_F(Surroundings, AFullDiskKeepsWholeRows) {
  if (place_.shell("unshare -m mount -t tmpfs -o size=1m none tmp").status != 0)
    GTEST_SKIP() << "mounting is not allowed here";
  const Answer answer = place_.shell(
      "mkdir full && unshare -m sh -c 'mount -t tmpfs -o size=1m none full && $TUTTI simulate " +
      fmu("2.0", "Dahlquist") + " --stop 1 --step 2e-6 -o full/y.csv; status=$?; cp full/* .; " +
      "exit $status'");
  EXPECT_EQ(answer.status, 1) << answer.err;
  const std::string text = place_.read("y.csv");
  ASSERT_TRUE(text.ends_with('\n'));
  const std::string last = csv_rows(text).back()[0];
  EXPECT_THAT(answer.err,
              HasSubstr("No space left on device; it contains the results up to t = " + last));
  const std::string meta = place_.read("y.meta.json");
  EXPECT_TRUE(meta.empty() || meta.ends_with("}\n")) << meta;
}

TEST_F(Surroundings, ABinaryThatIsCutOffIsSaid) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "most of the binary are debug sections, which it can do without";
#endif
  fs::create_directory(place_.path() / "cut");
  ASSERT_EQ(
      place_.shell("cd cut && python3 -m zipfile -e " + fmu("2.0", "Dahlquist") + " .").status, 0);
  const fs::path binary = place_.path() / "cut/binaries/linux64/Dahlquist.so";
  const auto size = fs::file_size(binary);
  for (const auto left : {size * 3 / 4, size / 2, std::uintmax_t{4000}, std::uintmax_t{40}}) {
    fs::resize_file(binary, left);
    const Answer answer = place_.tutti({"simulate", "cut", "-o", "y.csv"});
    EXPECT_EQ(answer.status, 2) << answer.err;
    EXPECT_THAT(answer.err, HasSubstr("the file is truncated")) << left;
  }
}

}  // namespace
}  // namespace tutti::testing
