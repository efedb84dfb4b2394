// SPDX-License-Identifier: BSD-2-Clause
// Which files `tutti sweep` and `tutti merge` replace.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class FilesOfSweeps : public ::testing::Test {
 protected:
  FilesOfSweeps() {
    std::filesystem::copy_file(fmu("2.0", "Feedthrough"), place_.path() / "f.fmu");
    place_.write("inputs.csv", inputs_);
    place_.write("system.toml",
                 "[components.f]\nfmu = \"f.fmu\"\n[components.k]\ntype = \"ramp\"\n"
                 "[inputs]\nfile = \"inputs.csv\"\n[simulation]\nstop = 1\nstep = 0.5\n");
    place_.write("inputs.toml", study());
    place_.write("s.toml", study());
  }
  static std::string study(const std::string& more = "") {
    return "system = \"system.toml\"\noutputs = [\"k.y\"]\n[[parameters]]\nname = \"k.offset\"\n"
           "values = [1, 2]\n[sweep]\n" +
           more;
  }
  std::string refusal(const std::vector<std::string>& command) const {
    const Answer answer = place_.tutti(command);
    EXPECT_EQ(answer.status, 2) << answer.out << answer.err;
    return answer.err;
  }
  bool exists(const char* file) const { return std::filesystem::exists(place_.path() / file); }

  const std::string inputs_ = "time,f.real_in\n0,1\n1,2\n";
  Workplace place_;
};

TEST_F(FilesOfSweeps, AreNotThoseOfTheSystem) {
  EXPECT_EQ(place_.tutti({"sweep", "s.toml", "-o", "t.csv"}).status, 0);
  EXPECT_THAT(refusal({"sweep", "inputs.toml"}), HasSubstr("would overwrite"));  // inputs.csv
  EXPECT_EQ(place_.read("inputs.csv"), inputs_);
  const std::string fmu_before = place_.read("f.fmu");
  EXPECT_THAT(refusal({"sweep", "s.toml", "-o", "f.fmu"}), HasSubstr("would overwrite"));
  EXPECT_EQ(place_.read("f.fmu"), fmu_before);
  place_.write("i.toml",
               "system = \"system.toml\"\noutputs = [\"k.y\"]\n[[parameters]]\n"
               "name = \"k.offset\"\nmin = 1\nmax = 2\n[sweep]\ndesign = \"random\"\n"
               "samples = 4\nindices = true\n");
  std::filesystem::rename(place_.path() / "inputs.csv", place_.path() / "a-indices.csv");
  std::string system = place_.read("system.toml");
  place_.write("system.toml", system.replace(system.find("inputs.csv"), 10, "a-indices.csv"));
  EXPECT_THAT(refusal({"sweep", "i.toml", "-o", "a.csv"}), HasSubstr("a-indices.csv"));
  EXPECT_EQ(place_.read("a-indices.csv"), inputs_);
}

TEST_F(FilesOfSweeps, AreDifferentOnes) {
  EXPECT_THAT(refusal({"sweep", "s.toml", "-o", "t.png", "--plot", "t.png"}),
              HasSubstr("would overwrite \"t.png\""));
  EXPECT_FALSE(exists("t.png"));
  place_.tutti({"sweep", "s.toml"});
  EXPECT_THAT(refusal({"merge", "s.csv", "-o", "m.svg", "--plot", "m.svg"}),
              HasSubstr("would overwrite \"m.svg\""));
  EXPECT_EQ(place_.tutti({"merge", "s.csv", "-o", "m.csv"}).status, 0);
}

TEST_F(FilesOfSweeps, OfUnfinishedSweepsAndOthersStayWithoutRestart) {
  place_.write("notes.txt", "important\n");
  EXPECT_THAT(refusal({"sweep", "s.toml", "-o", "notes.txt"}),
              AllOf(HasSubstr("is not the table of a sweep"), HasSubstr("--restart")));
  EXPECT_EQ(place_.read("notes.txt"), "important\n");
  ASSERT_EQ(place_.tutti({"sweep", "s.toml"}).status, 0);
  const std::string whole = place_.read("s.csv");
  const std::string part = whole.substr(0, whole.find("2,2,"));
  place_.write("s.csv", part);
  std::string other = study();
  place_.write("s.toml", other.replace(other.find("[1, 2]"), 6, "[1, 2, 3]"));
  EXPECT_THAT(refusal({"sweep", "s.toml"}),
              AllOf(HasSubstr("contains 1 of 2 runs of another sweep"), HasSubstr("--restart")));
  EXPECT_EQ(place_.read("s.csv"), part);
  EXPECT_EQ(place_.tutti({"sweep", "s.toml", "--restart"}).status, 0);
  place_.write("s.toml", study());
  EXPECT_EQ(place_.tutti({"sweep", "s.toml"}).status, 0);  // a finished one is a result
  EXPECT_EQ(place_.read("s.csv"), whole);
}

TEST_F(FilesOfSweeps, AreContinuedOnlyWithTheSameFilesInTheirValues) {
  std::filesystem::copy_file(place_.path() / "f.fmu", place_.path() / "g.fmu");
  place_.write("fmus.toml",
               "system = \"system.toml\"\noutputs = [\"k.y\"]\n[[parameters]]\n"
               "name = \"components.f.fmu\"\nvalues = [\"f.fmu\", \"g.fmu\"]\n[sweep]\n");
  ASSERT_EQ(place_.tutti({"sweep", "fmus.toml"}).status, 0);
  EXPECT_EQ(place_.tutti({"sweep", "fmus.toml", "--continue"}).status, 0);
  std::filesystem::copy_file(fmu("2.0", "Gain"), place_.path() / "g.fmu",
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_THAT(refusal({"sweep", "fmus.toml", "--continue"}),
              HasSubstr("\"g.fmu\" was another file"));
}

TEST_F(FilesOfSweeps, AreTrajectoriesInThePresentFolder) {
  place_.write("s.toml", study("trajectories = \"r-*.csv\"\n"));
  const Answer answer = place_.tutti({"sweep", "s.toml"});
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_TRUE(exists("r-1.csv") && exists("r-2.csv"));
}

TEST_F(FilesOfSweeps, OfMergesAreCheckedFirst) {
  place_.tutti({"sweep", "s.toml"});
  std::filesystem::create_directory(place_.path() / "folder");
  EXPECT_THAT(refusal({"merge", "s.csv", "-o", "folder"}), HasSubstr("is not a regular file"));
  std::string meta = place_.read("s.meta.json");
  meta.replace(meta.find("\"parts\": 1"), 10, "\"parts\": 1000000000000000000");
  place_.write("s.meta.json", meta);
  EXPECT_THAT(refusal({"merge", "s.csv", "-o", "m.csv"}),
              HasSubstr("999999999999999999 are missing"));
  const std::string table = place_.read("s.csv");
  place_.tutti({"sweep", "s.toml", "-o", "t.csv"});
  place_.write("t.csv", table.substr(0, table.find("2,2,")));
  EXPECT_THAT(refusal({"merge", "t.csv", "-o", "m.csv"}),
              AllOf(HasSubstr("-o \"t.csv\" --continue"), Not(HasSubstr("--part"))));
}

TEST_F(FilesOfSweeps, WarnOfTimesThatNoRunReaches) {
  place_.write("s.toml",
               "system = \"system.toml\"\noutputs = [\"at(k.y, 5)\"]\n[[parameters]]\n"
               "name = \"k.offset\"\nvalues = [1, 2]\n[sweep]\n");
  const Answer answer = place_.tutti({"sweep", "s.toml"});
  EXPECT_EQ(answer.status, 0);
  EXPECT_THAT(answer.err, HasSubstr("the output \"at(k.y, 5)\" has no value at t = 5 s: runs are "
                                    "from t = 0 s to 1 s"));
  EXPECT_THAT(place_.tutti({"sweep", "s.toml", "--set", "simulation.stop=5"}).err,
              Not(HasSubstr("no value")));
}

TEST_F(FilesOfSweeps, HaveOneSpellingOfNan) {
  place_.write("s.toml",
               "system = \"system.toml\"\noutputs = [\"sqrt(0 - k.y)\"]\n[[parameters]]\n"
               "name = \"k.offset\"\nvalues = [1]\n[sweep]\n");
  place_.tutti({"sweep", "s.toml"});
  EXPECT_THAT(place_.read("s.csv"), HasSubstr("\n1,1,nan,completed,\n"));
}

}  // namespace
}  // namespace tutti::testing
