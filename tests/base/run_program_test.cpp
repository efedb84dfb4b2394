// SPDX-License-Identifier: BSD-2-Clause
#include "base/run_program.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <tutti/error.hpp>

#include "base/sha256.hpp"

namespace tutti {
namespace {

using Kind = ProgramEnd::Kind;

TEST(RunProgram, HandsTheWordsOverAsTheyAre) {
  const ProgramEnd end = run_program({"/usr/bin/printf", "%s|", "a b", "$HOME", "*;`id`"}, {});
  EXPECT_EQ(end.kind, Kind::exited);
  EXPECT_EQ(end.status, 0);
  EXPECT_EQ(end.output, "a b|$HOME|*;`id`|");
}

TEST(RunProgram, TellsHowItEnded) {
  EXPECT_EQ(run_program({"/bin/sh", "-c", "echo no >&2; exit 3"}, {}).status, 3);
  const ProgramEnd killed = run_program({"/bin/sh", "-c", "kill -9 $$"}, {});
  EXPECT_EQ(killed.kind, Kind::killed);
  EXPECT_EQ(killed.status, 9);
  EXPECT_THROW(run_program({"/nowhere/program"}, {}), Error);
}

TEST(RunProgram, RunsInItsFolderAndCutsTheOutput) {
  ProgramOptions options;
  options.folder = "/usr/bin";
  EXPECT_EQ(run_program({"/bin/pwd"}, options).output, "/usr/bin\n");
  options.most_output = 10;
  EXPECT_EQ(run_program({"/bin/sh", "-c", "yes | head -c 1000000"}, options).output.size(), 10u);
}

// The children hold the pipe open for a minute; nobody waits for them.
TEST(RunProgram, EndsWhatHangsWithAllItsChildren) {
  const auto begin = std::chrono::steady_clock::now();
  ProgramOptions options;
  options.timeout = 0.2;
  EXPECT_EQ(run_program({"/bin/sh", "-c", "sleep 60 & sleep 60"}, options).kind, Kind::timed_out);
  options.timeout = 0;
  EXPECT_EQ(run_program({"/bin/sh", "-c", "sleep 60 & exit 0"}, options).kind, Kind::exited);
  const std::atomic<bool> stop = true;
  options.stop = &stop;
  EXPECT_EQ(run_program({"/bin/sleep", "60"}, options).kind, Kind::stopped);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(FindProgram, LooksIntoPathOnly) {
  EXPECT_EQ(find_program("sh").filename(), "sh");
  EXPECT_EQ(find_program("no-such-program"), "");
  EXPECT_EQ(find_program("/bin"), "");
  EXPECT_EQ(find_program(""), "");
}

// The examples of FIPS 180-4 for one block, two blocks and a million letters.
TEST(Sha256, GivesTheValuesOfTheStandard) {
  const auto of = [](std::string_view text) {
    Sha256 hash;
    hash.add(text);
    return hash.finish();
  };
  EXPECT_EQ(of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(of(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

}  // namespace
}  // namespace tutti
