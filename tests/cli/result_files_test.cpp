// SPDX-License-Identifier: BSD-2-Clause
// What becomes of files that commands write to: nothing is lost, and nothing old is taken for new.
#include <gmock/gmock.h>

#include <cstdlib>

#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

class ResultFiles : public ::testing::Test {
 protected:
  Workplace place_;
};

TEST_F(ResultFiles, OfAnEarlierRunAreSaidToBeOld) {
  place_.write("y.csv", "time,y\n0,1\n");
  place_.write("y.meta.json", "{}");
  for (const std::string fault : {"error_in_initialization", "crash_in_initialization"}) {
    const Answer answer = place_.tutti({"simulate", fmu("2.0", "faulty_" + fault), "-o", "y.csv"});
    EXPECT_EQ(answer.status, 2);
    EXPECT_THAT(answer.err, HasSubstr("\"y.csv\" contains the results of an earlier run"));
    EXPECT_THAT(answer.err, Not(HasSubstr("the results up to then")));
    EXPECT_EQ(place_.read("y.csv"), "time,y\n0,1\n");
    EXPECT_EQ(place_.read("y.meta.json"), "{}");
  }
}

TEST_F(ResultFiles, OfAnEarlierRunFollowAQuestion) {
  place_.write("y.csv", "time,y\n0,1\n");
  const Answer answer =
      place_.tutti({"simulate", fmu("2.0", "VanDerPol"), "-o", "y.csv", "--set", "mmu=1"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_THAT(answer.err, HasSubstr("Did you mean \"mu\"? \"y.csv\" contains the results"));
}

TEST_F(ResultFiles, OfARefusedRunAreNotMade) {
  const Answer answer =
      place_.tutti({"simulate", fmu("2.0", "faulty_error_in_initialization"), "-o", "y.csv"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_FALSE(fs::exists(place_.path() / "y.csv"));
  EXPECT_THAT(answer.err, Not(HasSubstr("y.csv")));
}

TEST_F(ResultFiles, OfAFailedRunReplaceEarlierOnes) {
  place_.write("y.csv", "time,y\n7,1\n");
  const Answer answer =
      place_.tutti({"simulate", fmu("2.0", "faulty_error_in_step"), "-o", "y.csv"});
  EXPECT_EQ(answer.status, 1);
  EXPECT_THAT(answer.err, HasSubstr("the results up to then are in \"y.csv\""));
  EXPECT_EQ(csv_rows(place_.read("y.csv")).back()[0], "0.5");
  EXPECT_THAT(place_.read("y.meta.json"), HasSubstr("failed"));
}

// A limit of the file size, as a full disk: 4 MB, more than the FMU itself has.
TEST_F(ResultFiles, EndWithAWholeLineWhenNoMoreFits) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the binary of the FMU is larger than that";
#endif
  const Answer answer = place_.shell("ulimit -f 4096; $TUTTI simulate " + fmu("2.0", "Dahlquist") +
                                     " --stop 1 --step 2e-6 -o y.csv");
  EXPECT_EQ(answer.status, 1) << answer.err;
  const std::string text = place_.read("y.csv");
  ASSERT_TRUE(text.ends_with('\n'));
  const auto rows = csv_rows(text);
  EXPECT_EQ(rows.back().size(), rows.front().size());
  EXPECT_THAT(answer.err,
              HasSubstr("cannot write \"y.csv\": File too large; it contains the results up "
                        "to t = " +
                        rows.back()[0] + " s"));
  EXPECT_GT(text.size(), 4'000'000u);
  EXPECT_THAT(place_.read("y.meta.json"), HasSubstr("\"columns\""));
  EXPECT_TRUE(place_.read("y.meta.json").ends_with("}\n"));
  EXPECT_EQ(place_.leftover_count(), 0u);
}

// Nothing is written over a part of what is unpacked: an FMU, or a system of SSP.
TEST_F(ResultFiles, AreNoPartsOfUnpackedInputs) {
  ASSERT_EQ(std::system(("cd '" + place_.path().string() + "' && mkdir ssp && unzip -q '" +
                         fmu("2.0", "Dahlquist") + "' -d unpacked")
                            .c_str()),
            0);
  const std::string description = place_.read("unpacked/modelDescription.xml");
  const std::string ssd =
      R"(<SystemStructureDescription xmlns="http://ssp-standard.org/SSP1/SystemStructureDescription"
 version="1.0" name="one"><System name="one"><Elements>
<Component name="a" source="../unpacked" type="application/x-fmu-sharedlibrary"/>
</Elements></System></SystemStructureDescription>)";
  place_.write("ssp/SystemStructure.ssd", ssd);
  place_.write("ssp/values.ssv", "values");
  const std::vector<std::vector<std::string>> commands = {
      {"simulate", "unpacked", "-o", "unpacked/modelDescription.xml"},
      {"simulate", "unpacked", "-o", "unpacked/new.csv"},
      {"run", "ssp", "-o", "ssp/SystemStructure.ssd"},
      {"run", "ssp", "-o", "none", "--log-file", "ssp/SystemStructure.ssd"},
      {"run", "ssp/SystemStructure.ssd", "-o", "ssp/values.ssv"},
  };
  for (const auto& command : commands) {
    const Answer answer = place_.tutti(command);
    EXPECT_EQ(answer.status, 2) << command.back();
    EXPECT_THAT(answer.err, HasSubstr("which the command uses, too")) << command.back();
  }
  EXPECT_EQ(place_.read("unpacked/modelDescription.xml"), description);
  EXPECT_EQ(place_.read("ssp/SystemStructure.ssd"), ssd);
  EXPECT_EQ(place_.read("ssp/values.ssv"), "values");
  EXPECT_EQ(place_.tutti({"run", "ssp", "-o", "ssp/results.csv"}).status, 0);
}

TEST_F(ResultFiles, OnAFullDeviceAreAnError) {
  const Answer answer = place_.tutti({"simulate", fmu("2.0", "Dahlquist"), "-o", "/dev/full"});
  EXPECT_EQ(answer.status, 1);
  EXPECT_THAT(answer.err, HasSubstr("No space left on device; it contains no results"));
}

TEST_F(ResultFiles, AreWrittenByOneRunAtATime) {
  const std::string slow = "$TUTTI simulate " + fmu("2.0", "faulty_slow_step") +
                           " --set at=0 --step 0.1 --stop 1 -o y.csv";
  const Answer answer =
      place_.shell(slow + " & sleep 0.7; $TUTTI simulate " + fmu("2.0", "Dahlquist") +
                   " -o ./y.csv; second=$?; wait $!; " + "echo first $? second $second");
  EXPECT_THAT(answer.out, HasSubstr("first 0 second 2"));
  EXPECT_THAT(answer.err, HasSubstr("another run is writing to \"./y.csv\""));
  EXPECT_EQ(csv_rows(place_.read("y.csv")).size(), 12u);  // header, 11 points
}

// Each command with an output that is one of its inputs, by whatever name.
TEST_F(ResultFiles, AreNeverInputs) {
  fs::copy_file(fmu("2.0", "Gain"), place_.path() / "g.fmu");
  fs::create_hard_link(place_.path() / "g.fmu", place_.path() / "hard.csv");
  fs::create_symlink("g.fmu", place_.path() / "soft.csv");
  place_.write("in.csv", "time,g.u\n0,1\n1,2\n");
  place_.write("u.csv", "time,u\n0,1\n1,2\n");
  place_.write("s.toml",
               "[components.g]\nfmu = \"g.fmu\"\n[inputs]\nfile = \"in.csv\"\n"
               "[simulation]\nstop = 1.0\nstep = 0.1\n");
  place_.write("r.csv", "time,y\n0,1\n1,2\n");
  fs::create_hard_link(place_.path() / "r.csv", place_.path() / "r.svg");
  fs::create_hard_link(place_.path() / "g.fmu", place_.path() / "g.svg");
  fs::create_hard_link(place_.path() / "g.fmu", place_.path() / "g.ssd");
  std::map<std::string, std::string> before;
  for (const char* name : {"g.fmu", "in.csv", "u.csv", "s.toml", "r.csv"})
    before[name] = place_.read(name);

  const std::vector<std::vector<std::string>> commands = {
      {"simulate", "g.fmu", "-o", "g.fmu"},
      {"simulate", "g.fmu", "-o", "hard.csv"},
      {"simulate", "g.fmu", "-o", "./soft.csv"},
      {"simulate", "g.fmu", "--input", "u.csv", "-o", "u.csv"},
      {"simulate", "g.fmu", "-o", "y.csv", "--log-file", "hard.csv"},
      {"simulate", "g.fmu", "-o", "y.csv", "--log-file", "y.csv"},
      {"run", "s.toml", "-o", "s.toml"},
      {"run", "s.toml", "-o", "tmp/../g.fmu"},
      {"run", "s.toml", "-o", "soft.csv"},
      {"run", "s.toml", "-o", "in.csv"},
      {"run", "s.toml", "-o", "y.csv", "--log-file", "g.fmu"},
      {"run", "s.toml", "-o", "y.csv", "--log-file", "s.toml"},
      {"run", "s.toml", "-o", "y.csv", "--log-file", "in.csv"},
      {"graph", "s.toml", "-o", "g.fmu"},
      {"graph", "s.toml", "-o", "in.csv"},
      {"graph", "s.toml", "--log-file", "g.fmu"},
      {"convert", "s.toml", "g.ssd"},
      {"convert", "s.toml", "s.toml"},
      {"convert", "s.toml", "x.ssd", "--log-file", "g.fmu"},
      {"advise", "s.toml", "--plot", "g.svg"},
      {"plot", "r.csv", "-o", "r.svg"},
      {"info", "g.fmu", "--log-file", "hard.csv"},
      {"compare", "r.csv", "r.csv", "--log-file", "r.csv"},
  };
  for (const auto& command : commands) {
    std::string line;
    for (const std::string& word : command) line += word + " ";
    const Answer answer = place_.tutti(command);
    EXPECT_EQ(answer.status, 2) << line << answer.err;
    for (const auto& [name, text] : before)
      EXPECT_TRUE(place_.read(name) == text) << line << "changed " << name;
  }
}

TEST_F(ResultFiles, ALogIsWrittenFromItsStart) {
  place_.write("log.txt", "what an earlier run said\n");
  const Answer answer = place_.tutti(
      {"simulate", fmu("2.0", "faulty_warning_in_step"), "-o", "y.csv", "--log-file", "log.txt"});
  EXPECT_EQ(answer.status, 0);
  EXPECT_THAT(place_.read("log.txt"), HasSubstr("returned a warning at t = 0.5 s"));
  EXPECT_THAT(place_.read("log.txt"), Not(HasSubstr("earlier")));
}

}  // namespace
}  // namespace tutti::testing
