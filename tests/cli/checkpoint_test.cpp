// SPDX-License-Identifier: BSD-2-Clause
// Runs that are killed and go on from a checkpoint.
#include <gmock/gmock.h>

#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;

class CheckpointFile : public ::testing::Test {
 protected:
  /// An oscillator, a ball that bounces, and something with a tunable parameter.
  void write_system(const std::string& version, const std::string& simulation,
                    const std::string& kind = "cs") const {
    const auto component = [&](const std::string& name, const std::string& model,
                               const std::string& rest) {
      return "[components." + name + "]\nfmu = \"" + fmu(version, model) + "\"\n" + rest;
    };
    const std::string as = "as = \"" + kind + "\"\n";
    place_.write("s.toml",
                 component("position", "Feedback", as + "set = { a = 0.0, x = 1.0 }\n") +
                     component("speed", "Feedback", as + "set = { a = -0.01, x = 0.0 }\n") +
                     component("ball", "BouncingBall", as) + component("ramp", "TunableGain", "") +
                     "[connections]\nlist = [\"speed.y -> position.u\", "
                     "{ from = \"position.y\", to = \"speed.u\", factor = -1.0 }]\n"
                     "[simulation]\n" +
                     simulation);
  }
  Answer run(const std::string& arguments) const {
    return place_.shell("$TUTTI run " + arguments + " -q");
  }
  Workplace place_;
};

struct Way {
  const char *version, *simulation, *kind;
};
class EveryWay : public CheckpointFile, public ::testing::WithParamInterface<Way> {};
INSTANTIATE_TEST_SUITE_P(
    CheckpointFile, EveryWay,
    ::testing::Values(
        Way{"2.0", "stop = 20.0\nstep = 0.001\n", "cs"},
        Way{"3.0", "stop = 5.0\nstep = 0.001\nmethod = \"newton\"\n", "cs"},
        Way{"2.0", "stop = 5.0\nstep = 0.001\nmethod = \"broyden\"\ninputs = { order = 2 }\n",
            "cs"},
        Way{"2.0", "stop = 5.0\nstep = 0.001\nmethod = \"anderson\"\n", "cs"},
        Way{"2.0", "stop = 5.0\nstep = 0.001\nmethod = \"linear-implicit\"\n", "cs"},
        Way{"2.0", "stop = 50.0\nstep = 0.001\ncontrol = { name = \"predictor\" }\n", "cs"},
        Way{"3.0", "stop = 50.0\nstep = 0.001\ncontrol = { name = \"richardson\" }\n", "cs"},
        Way{"2.0", "stop = 100.0\nmethod = \"auto\"\n", "cs"},
        Way{"2.0", "stop = 5.0\nstep = 0.001\n", "me"}));

// Wherever it is killed, the results are those of a run that was not.
TEST_P(EveryWay, ARunThatIsKilledAndResumedHasTheSameResults) {
  write_system(GetParam().version, GetParam().simulation, GetParam().kind);
  ASSERT_EQ(run("s.toml -o whole.csv").status, 0);
  const std::string whole = place_.read("whole.csv");
  const std::string start =
      "rm -f c.tutti\n$TUTTI run s.toml -o y.csv -q --checkpoint c.tutti --every 0.7 &\n"
      "for i in $(seq 2000); do [ -e c.tutti ] && break; sleep 0.005; done\n";
  for (const char* seconds : {"0", "0.01", "0.02", "0.04", "0.08"}) {
    const Answer answer = place_.shell(start + "sleep " + seconds +
                                       "; kill -9 $! 2>/dev/null; wait $!\n"
                                       "$TUTTI run --resume c.tutti -q");
    ASSERT_EQ(answer.status, 0) << answer.err;
    EXPECT_EQ(place_.read("y.csv"), whole) << seconds;
  }
}

TEST_F(CheckpointFile, DoesNotChangeTheResults) {
  write_system("2.0", "stop = 5.0\nstep = 0.01\n");
  ASSERT_EQ(run("s.toml -o a.csv").status, 0);
  ASSERT_EQ(run("s.toml -o b.csv --checkpoint c.tutti --every 0.333").status, 0);
  EXPECT_EQ(place_.read("a.csv"), place_.read("b.csv"));
  for (const char* where : {"", " --in-process"}) {
    ASSERT_EQ(run("--resume c.tutti" + std::string(where)).status, 0) << where;
    EXPECT_EQ(place_.read("a.csv"), place_.read("b.csv")) << where;
  }
}

TEST_F(CheckpointFile, GoesOnWithOtherValuesInAnotherFile) {
  write_system("2.0", "stop = 5.0\nstep = 0.01\n");
  ASSERT_EQ(run("s.toml -o a.csv --checkpoint c.tutti --every 2").status, 0);
  const std::string whole = place_.read("a.csv");
  ASSERT_EQ(run("--resume c.tutti --set ramp.gain=3 -o b.csv").status, 0);
  ASSERT_EQ(run("--resume c.tutti --set ramp.gain=3").status, 0);
  EXPECT_EQ(place_.read("a-branch.csv"), place_.read("b.csv"));
  EXPECT_EQ(place_.read("a.csv"), whole);
  const auto before = csv_rows(place_.read("a.csv")), branch = csv_rows(place_.read("b.csv"));
  EXPECT_EQ(before.size(), 502u);
  EXPECT_NEAR(std::stod(branch[1][0]), 4, 0.011);  // the last checkpoint was at 4 s
  const auto value = [](const auto& rows, const std::string& name) {
    const auto found = std::find(rows[0].begin(), rows[0].end(), name);
    return std::stod(rows.back().at(static_cast<std::size_t>(found - rows[0].begin())));
  };
  EXPECT_NEAR(value(before, "ramp.y"), 5, 1e-9);
  EXPECT_NEAR(value(branch, "ramp.y"), 7, 1e-9);
  EXPECT_EQ(value(branch, "position.y"), value(before, "position.y"));
}

TEST_F(CheckpointFile, IsRefusedIfItDoesNotFit) {
  write_system("2.0", "stop = 5.0\nstep = 0.01\n");
  const std::string own = (place_.path() / "own.fmu").string();
  ASSERT_EQ(place_
                .shell("cp " + fmu("2.0", "Dahlquist") +
                       " own.fmu; printf '[components.d]\\nfmu = "
                       "\"own.fmu\"\\n' >> s.toml; sed -i 's/^\\[components.d\\]/\\n&/' s.toml")
                .status,
            0);
  const auto expect_refusal = [&](const std::string& arguments, const std::string& why) {
    const Answer answer = run(arguments);
    EXPECT_EQ(answer.status, 2) << arguments << answer.err;
    EXPECT_THAT(answer.err, HasSubstr(why)) << arguments;
  };
  ASSERT_EQ(run("s.toml -o a.csv --checkpoint c.tutti --every 2").status, 0);
  const std::string results = place_.read("a.csv");
  expect_refusal("--resume s.toml", "it is not a checkpoint");
  expect_refusal("--resume none.tutti", "cannot read");
  expect_refusal("--resume c.tutti s.toml", "SYSTEM, --start and --step cannot be used");
  expect_refusal("--resume c.tutti --set ramp.nothing=1", "has no variable \"nothing\"");
  expect_refusal("--resume c.tutti --set position.a=1", "it is a fixed parameter");
  expect_refusal("--resume c.tutti --verify=1e-3", "checkpoints are not possible");
  expect_refusal("--resume c.tutti --stop 3", "after the stop time");
  expect_refusal("s.toml --checkpoint s.toml --every 1", "would overwrite");
  expect_refusal("s.toml -o new.csv --checkpoint new.csv --every 1", "would overwrite");
  expect_refusal("s.toml --checkpoint /nowhere/c --every 1", "cannot write the checkpoint");
  expect_refusal("s.toml --checkpoint tmp --every 1", "cannot write the checkpoint");
  expect_refusal("s.toml --checkpoint d.tutti --every 0", "is not possible");
  expect_refusal("s.toml --checkpoint d.tutti", "--every");
  expect_refusal("", "a system file is required");
  for (const char* at : {"200", "900"}) {
    place_.shell("cp c.tutti d.tutti; printf '~~~' | dd of=d.tutti conv=notrunc bs=1 seek=" +
                 std::string(at) + " status=none");
    expect_refusal("--resume d.tutti", "it is damaged");
  }
  place_.shell("head -c 300 c.tutti > d.tutti");
  expect_refusal("--resume d.tutti", "it is damaged");
  place_.shell(
      "sed 's/Tutti checkpoint/Tutti checkpoint/' c.tutti > d.tutti; printf '0000' | dd "
      "of=d.tutti conv=notrunc bs=1 seek=30 status=none");
  expect_refusal("--resume d.tutti", "another build of Tutti");
  EXPECT_EQ(place_.read("a.csv"), results);  // nothing is lost
  place_.shell("cp " + fmu("2.0", "VanDerPol") + " own.fmu");
  expect_refusal("--resume c.tutti", "has changed since");
  place_.shell("rm own.fmu");
  expect_refusal("--resume c.tutti", "no longer exists");
}

TEST_F(CheckpointFile, GoesOnOnlyInItsResults) {
  write_system("2.0", "stop = 5.0\nstep = 0.01\n");
  ASSERT_EQ(run("s.toml -o a.csv --checkpoint c.tutti --every 2").status, 0);
  place_.write("a.csv", "time,other\n0,1\n");
  const auto expect_refusal = [&] {
    const Answer answer = run("--resume c.tutti");
    EXPECT_EQ(answer.status, 2);
    EXPECT_THAT(answer.err, HasSubstr("the results do not match the checkpoint"));
  };
  expect_refusal();
  EXPECT_EQ(place_.read("a.csv"), "time,other\n0,1\n");
  // Those of another run, of the same columns.
  ASSERT_EQ(run("s.toml -o a.csv --set ramp.gain=7").status, 0);
  const std::string others = place_.read("a.csv");
  expect_refusal();
  EXPECT_EQ(place_.read("a.csv"), others);
  place_.shell("rm a.csv");
  expect_refusal();
}

TEST_F(CheckpointFile, OfAnEarlierRunIsGoneWhenARunStarts) {
  write_system("2.0", "stop = 5.0\nstep = 0.01\n");
  ASSERT_EQ(run("s.toml -o a.csv --checkpoint c.tutti --every 2").status, 0);
  ASSERT_EQ(run("s.toml -o a.csv --checkpoint c.tutti --every 20").status, 0);
  EXPECT_EQ(run("--resume c.tutti").status, 2);
}

TEST_F(CheckpointFile, KeepsAStepThatFollowedFromTheStopTime) {
  write_system("2.0", "stop = 5.0\n");
  ASSERT_EQ(run("s.toml -o a.csv --checkpoint c.tutti --every 5").status, 0);
  ASSERT_EQ(run("--resume c.tutti --stop 6").status, 0);
  const auto rows = csv_rows(place_.read("a.csv"));
  EXPECT_EQ(rows.size(), 602u);
  EXPECT_EQ(rows.back()[0], "6");
}

TEST_F(CheckpointFile, SetsElementsOfAnArrayTogether) {
  place_.write("s.toml", "[components.s]\nfmu = \"" + fmu("3.0", "StateSpace") +
                             "\"\n[simulation]\nstop = 1.0\nstep = 0.1\n[results]\n"
                             "variables = [\"s.*\"]\n");
  ASSERT_EQ(run("s.toml -o a.csv --checkpoint c.tutti --every 0.5").status, 0);
  ASSERT_EQ(run("--resume c.tutti --stop 2 -o b.csv --set 's.u[1]=10' --set 's.u[2]=20'").status,
            0);
  ASSERT_EQ(run("--resume c.tutti --stop 2 -o d.csv --set 's.u[2]=20' --set 's.u[1]=10'").status,
            0);
  EXPECT_EQ(place_.read("b.csv"), place_.read("d.csv"));
  ASSERT_EQ(run("--resume c.tutti --stop 2 -o d.csv --set 's.u[2]=20'").status, 0);
  EXPECT_NE(place_.read("b.csv"), place_.read("d.csv"));
}

TEST_F(CheckpointFile, NeedsFmusThatSerializeTheirState) {
  place_.write("s.toml", "[components.a]\nfmu = \"" + fmu("1.0-cs", "Dahlquist") +
                             "\"\n[simulation]\nstop = 1.0\nstep = 0.1\n");
  const Answer answer = run("s.toml -o a.csv --checkpoint c.tutti --every 0.5");
  EXPECT_EQ(answer.status, 2);
  EXPECT_THAT(answer.err, HasSubstr("a cannot save and serialize its state"));
}

}  // namespace
}  // namespace tutti::testing
