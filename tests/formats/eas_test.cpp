// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tutti/error.hpp>

#include "formats/registry.hpp"
#include "support/command.hpp"

namespace tutti::formats {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Words eas_words;

// Petridis and Clauß, table 2: names of variables, FMU archives.
constexpr std::string_view decay = R"(nval 3
nsim 3
tstart 0.0
tend 10.0
tstepmax 0.1
tstepstart 0.1
MasterMode 2
MasterDebug 0
OutputGnuplot 1
it_max_steps 100
it_tol_abs 1.0E-6
it_tol_rel 1.0E-4
simulator 0 fmus/f1.fmu
simulator 1 fmus/f2.fmu
simulator 2 fmus/f3.fmu
graph #val #sim -1(out)/1(in) type name
0 0 -1 r f1.x1
0 1  1 r f2.x1
1 1 -1 r f2.x2
1 0  1 r f1.x2
1 2  1 r f3.x2
2 2 -1 r f3.y
end
priority #sim priority
0 0
1 0
2 1
end
cycles #prior 0(no)/1(yes)
0 1
1 0
end
)";

class Eas : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(work_.path() / "fmus");
    for (const char* const name : {"f1", "f2", "f3"}) {
      const std::string model = std::string("PrintedF") + name[1];
      std::filesystem::copy_file(testing::fmu("2.0", model),
                                 work_.path() / "fmus" / fmt::format("{}.fmu", name));
    }
  }
  System read(std::string text, const std::string& name = "s.eas") {
    warnings_.clear();
    const Log log([this](const LogRecord& record) {
      if (record.severity == Severity::warning) warnings_.emplace_back(record.text);
    });
    return read_system(work_.write(name, text), {eas_words, {}, log});
  }
  std::string refusal(const std::string& text) {
    try {
      read(text);
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing refused";
  }
  static std::string changed(std::string_view from, std::string_view to) {
    std::string text(decay);
    return text.replace(text.find(from), from.size(), to);
  }
  testing::Workplace work_;
  std::vector<std::string> warnings_;
};

TEST_F(Eas, ReadsTheVariantWithNames) {
  const System s = read(std::string(decay));
  ASSERT_EQ(s.components.size(), 3u);
  EXPECT_EQ(s.components[1].name, "f2");
  EXPECT_EQ(s.components[1].fmu, "fmus/f2.fmu");
  ASSERT_EQ(s.connections.size(), 3u);
  EXPECT_EQ(s.connections[2].from.component, "f2");
  EXPECT_EQ(s.connections[2].from.variable, "x2");
  EXPECT_EQ(s.connections[2].to.component, "f3");
  EXPECT_EQ(s.simulation.stop, 10);
  EXPECT_EQ(s.simulation.step, 0.1);
  EXPECT_THAT(s.simulation.methods, ElementsAre("iterated"));
  EXPECT_EQ(s.simulation.tolerance.iterations, 100u);
  EXPECT_EQ(s.simulation.tolerance.norm, Norm::components);
  EXPECT_EQ(s.simulation.tolerance.on_limit, OnLimit::go_on);
  ASSERT_EQ(s.cycles.size(), 1u);
  EXPECT_THAT(s.cycles[0].order, ElementsAre("f1", "f2"));
  EXPECT_THAT(s.cycles[0].methods, ElementsAre());
  EXPECT_THAT(s.results.variables, ElementsAre("f1.x1", "f2.x2", "f3.y"));
  EXPECT_THAT(warnings_, ElementsAre());
}

TEST_F(Eas, IsRecognizedUnderAnyExtension) {
  EXPECT_EQ(read(std::string(decay), "config.txt").components.size(), 3u);
  EXPECT_EQ(find_format(work_.write("notes.txt", "nothing of the kind\n")), nullptr);
}

TEST_F(Eas, ComputesWhatTheFileLeavesOut) {
  const std::string graph_only(decay.substr(0, decay.find("priority")));
  const System s = read(graph_only);
  ASSERT_EQ(s.cycles.size(), 1u);
  EXPECT_THAT(s.cycles[0].of, ElementsAre("f1", "f2"));
}

TEST_F(Eas, KnowsTheModesOfTheMaster) {
  const auto method = [&](std::string_view mode) {
    return read(changed("MasterMode 2", mode)).simulation;
  };
  EXPECT_THAT(method("MasterMode 1").methods, ElementsAre("gauss-seidel"));
  EXPECT_THAT(method("MasterMode 3").methods, ElementsAre("newton"));
  EXPECT_THAT(method("mastermode 9").methods, ElementsAre("newton"));
  const SimulationSettings richardson = method("MasterMode 4\nsz_tol_abs 1e-5\nsz_tol_rel 1e-3");
  EXPECT_THAT(richardson.methods, ElementsAre("gauss-seidel"));
  EXPECT_EQ(richardson.control.name, "richardson");
  EXPECT_EQ(richardson.control.variant, ControlVariant::eas);
  EXPECT_EQ(richardson.control.atol, 1e-5);
  EXPECT_EQ(richardson.control.rtol, 1e-3);
  EXPECT_EQ(richardson.control.max, 0.1);
  EXPECT_THAT(refusal(changed("MasterMode 2", "MasterMode 7")),
              HasSubstr("s.eas:7:1: unknown MasterMode 7"));
}

TEST_F(Eas, HoldsPrioritiesAndCyclesAgainstTheGraph) {
  EXPECT_THAT(refusal(changed("2 1\nend", "2 0\nend")),
              HasSubstr("simulator 1 has priority 0 and feeds simulator 2 of priority 0"));
  EXPECT_THAT(refusal(changed("1 0\n2 1", "1 1\n2 1")), HasSubstr("but they are in one cycle"));
  EXPECT_THAT(refusal(changed("2 1\nend", "end")), HasSubstr("simulator 2 has no priority"));
  EXPECT_THAT(refusal(changed("1 0\nend\n", "end\n")), HasSubstr("priority 1 has no line"));
  const System denied = read(changed("0 1\n1 0\nend", "0 0\n1 1\nend"));
  EXPECT_THAT(denied.cycles[0].methods, ElementsAre("gauss-seidel"));
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("priority 0 has no cycle"),
                                     HasSubstr("no cycle of priority 1")));
}

TEST_F(Eas, TellsWhatIsWrongAndWhere) {
  EXPECT_THAT(refusal(changed("tend", "tned")),
              HasSubstr("s.eas:4:1: unknown keyword \"tned\". Did "
                        "you mean \"tend\"?"));
  EXPECT_THAT(refusal(changed("nval 3", "nval 4")),
              HasSubstr("s.eas: value 3 is the output of no simulator"));
  EXPECT_THAT(refusal(changed("0 1  1 r f2.x1", "0 1 -1 r f2.x1")),
              HasSubstr("s.eas:18:1: value 0 is the output of simulator 0 and of simulator 1"));
  EXPECT_THAT(refusal(changed("f2.x1", "f2.x7")), HasSubstr("s.eas:18:10: "));
  EXPECT_THAT(refusal(changed("0 1  1 r", "0 1  1 i")), HasSubstr("not integer"));
  EXPECT_THAT(refusal(changed("0 1  1 r", "0 9  1 r")), HasSubstr("from 0 to 2, not \"9\""));
  EXPECT_THAT(refusal(changed("simulator 2 fmus/f3.fmu\n", "")),
              HasSubstr("simulator 2 is missing"));
  EXPECT_THAT(refusal(changed("fmus/f3.fmu", "fmus/g3.fmu")), HasSubstr("s.eas:15:1: "));
  EXPECT_THAT(refusal(changed("nsim 3\n", "")), HasSubstr("nsim, the number of simulators"));
  EXPECT_THAT(refusal(changed("tend 10.0", "tend ten")), HasSubstr("s.eas:4:6: tend must be a"));
  EXPECT_THAT(refusal(std::string(decay.substr(0, decay.size() - 4))), HasSubstr("has no \"end\""));
}

}  // namespace
}  // namespace tutti::formats
