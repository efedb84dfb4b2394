// SPDX-License-Identifier: BSD-2-Clause
// A command reads every description and every table once, however many components and phases need
// them. inotify counts: every opening of a file, by whatever process.
#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "support/system_run.hpp"

namespace tutti {
namespace {

class OpeningCount {
 public:
  explicit OpeningCount(const std::filesystem::path& file)
      : inotify_(::inotify_init1(IN_NONBLOCK)) {
    // With the closings: equal events in a row would become one.
    ::inotify_add_watch(inotify_, file.c_str(), IN_OPEN | IN_CLOSE);
  }
  ~OpeningCount() { ::close(inotify_); }
  OpeningCount(const OpeningCount&) = delete;
  OpeningCount& operator=(const OpeningCount&) = delete;

  int since_last_time() {
    int count = 0;
    inotify_event events[64];
    for (ssize_t size = ::read(inotify_, events, sizeof events); size > 0;
         size = ::read(inotify_, events, sizeof events))
      for (std::size_t i = 0; i < static_cast<std::size_t>(size) / sizeof *events; ++i)
        count += (events[i].mask & IN_OPEN) != 0 ? 1 : 0;
    return count;
  }

 private:
  int inotify_;
};

/// Five components of one FMU that is there as a folder, two of them in a loop.
class ReadOnce : public testing::SystemRun {
 protected:
  ReadOnce() {
    const std::string folder = (place_.path() / "gain").string();
    if (std::system(("unzip -q " + testing::fmu("2.0", "Gain") + " -d " + folder).c_str()) != 0)
      ADD_FAILURE() << "unzip";
    place_.write("u.csv", "time,u,w\n0,0,0\n1,1,2\n");
  }
  void write_system(const std::string& rest) {
    std::string text;
    for (const std::string_view name : {"a", "b", "c", "d", "e"})
      text += fmt::format("[components.{}]\nfmu = \"gain\"\nset = {{ k = 0.5 }}\n", name);
    text += "[connections]\nlist = [\"a.y -> b.u\", \"b.y -> a.u\"]\n";
    place_.write("s.toml", text + "[simulation]\nstop = 1.0\nstep = 0.1\n" + rest);
  }
};

TEST_F(ReadOnce, ADescriptionIsReadOnceByEveryCommand) {
  write_system("");
  OpeningCount opened(place_.path() / "gain/modelDescription.xml");
  const std::vector<std::vector<std::string>> commands = {
      {"run", "s.toml", "-o", "none"},
      {"run", "s.toml", "-o", "none", "--in-process"},
      {"run", "s.toml", "-o", "none", "--set", "simulation.method=auto"},
      {"run", "s.toml", "-o", "none", "--set", "simulation.method=linear-implicit"},
      {"advise", "s.toml", "--points", "2"},
      {"check", "s.toml"},
      {"graph", "s.toml"},
      {"convert", "s.toml", "t.ssd"},
      {"run", "t.ssd", "-o", "none", "--in-process"},
      {"simulate", "gain", "-o", "none", "--rtol", "1e-3"},
  };
  for (const auto& command : commands) {
    const testing::Answer answer = place_.tutti(command);
    EXPECT_EQ(opened.since_last_time(), 1) << command[0] << " " << command.back() << answer.err;
  }
}

TEST_F(ReadOnce, ATableIsReadOnceHoweverManyInputsItDrives) {
  write_system(R"([[inputs.tables]]
file = "u.csv"
columns = { "c.u" = "u" }
[[inputs.tables]]
file = "./u.csv"
sample = "end"
columns = { "d.u" = "w", "e.u" = "w" }
)");
  OpeningCount opened(place_.path() / "u.csv");
  for (const std::string method : {"gauss-seidel", "auto"}) {
    run({"--set", "simulation.method=" + method});
    EXPECT_EQ(answer_.status, 0) << answer_.err;
    EXPECT_EQ(opened.since_last_time(), 1) << method;
  }
}

TEST_F(ReadOnce, WarningsOfADescriptionAreReportedAlthoughAQuietPhaseReadItFirst) {
  std::string text = place_.read("gain/modelDescription.xml");
  const std::string_view causality = "parameter";
  text.replace(text.find(causality, text.find("name=\"b\"")), causality.size(), "unheard-of");
  place_.write("gain/modelDescription.xml", text);
  write_system("");
  const testing::Answer plain = place_.tutti({"run", "s.toml", "-o", "none"});
  const testing::Answer automatic =
      place_.tutti({"run", "s.toml", "-o", "none", "--set", "simulation.method=auto"});
  EXPECT_NE(plain.err.find("unheard-of"), std::string::npos) << plain.err;
  EXPECT_NE(automatic.err.find("unheard-of"), std::string::npos) << automatic.err;
  EXPECT_EQ(automatic.err.find("unheard-of"), automatic.err.rfind("unheard-of"));
}

}  // namespace
}  // namespace tutti
