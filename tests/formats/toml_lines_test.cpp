// SPDX-License-Identifier: BSD-2-Clause
// Ports, transmission lines and delayed signals in system files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <tutti/error.hpp>

#include "formats/toml/read.hpp"
#include "formats/toml/write.hpp"

namespace tutti::formats {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Words line_words{{"gauss-seidel"}, {"cvode"}, {"fixed"}};

const std::string two_ports = R"([components.A]
fmu = "a.fmu"
[components.A.ports.P]
domain = "translational"
effort = "force"
flow = "velocity"
state = "position"
sign = -1
input = "constant"
[components."B.C"]
fmu = "b.fmu"
[components."B.C".ports.Q]
domain = "planar"
flow = ["vx", "vy", "w"]
flow-sign = -1
wave = ["cx", "cy", "cw"]
wave-slope = ["dx", "dy", "dw"]
impedance = "Z"
wave-table = "table"
time-table = "times"
)";

System read_lines(const std::string& text) { return read_toml(text, "line.toml", line_words); }

std::string line_refusal(const std::string& text) {
  try {
    read_lines(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "nothing refused";
}

TEST(TomlLines, ReadsPortsLinesAndDelays) {
  const System s = read_lines(two_ports + R"(
[simulation]
tlm = "omtlm"
[[tlm]]
between = ["A.P", "B.C.Q"]
delay = 4e-4
stiffness = 2500
rotational-impedance = 0
damping = 0.2
keep-stiffness = true
initial = { effort = 1.5, flow = [1, -1] }
wave = "consistent"
[[delays]]
from = "A.y"
to = "B.C.u"
delay = 1e-3
initial = 2
)");
  ASSERT_EQ(s.components.at(0).ports.size(), 1u);
  const Port& p = s.components[0].ports[0];
  EXPECT_EQ(p.name, "P");
  EXPECT_EQ(p.domain, PortDomain::translational);
  EXPECT_THAT(p.effort, ElementsAre("force"));
  EXPECT_THAT(p.flow, ElementsAre("velocity"));
  EXPECT_THAT(p.state, ElementsAre("position"));
  EXPECT_EQ(p.sign, -1);
  EXPECT_EQ(p.flow_sign, 1);
  EXPECT_EQ(p.input, PortInput::constant);
  EXPECT_EQ(p.place.line, 3u);
  const Port& q = s.components.at(1).ports.at(0);
  EXPECT_EQ(q.domain, PortDomain::planar);
  EXPECT_THAT(q.flow, ElementsAre("vx", "vy", "w"));
  EXPECT_EQ(q.flow_sign, -1);
  EXPECT_EQ(q.wave,
            (WaveInputs{{"cx", "cy", "cw"}, {"dx", "dy", "dw"}, {"Z"}, {"table"}, "times"}));
  ASSERT_EQ(s.tlm.size(), 1u);
  const TlmLine& line = s.tlm[0];
  EXPECT_THAT(line.between, ElementsAre(PortName{"A", "P"}, PortName{"B.C", "Q"}));
  EXPECT_EQ(line.delay, 4e-4);
  EXPECT_EQ(line.impedance, std::nullopt);
  EXPECT_EQ(line.stiffness, 2500);
  EXPECT_EQ(line.rotational_impedance, 0);
  EXPECT_EQ(line.damping, 0.2);
  EXPECT_TRUE(line.keep_stiffness);
  EXPECT_THAT(line.initial_effort, ElementsAre(1.5));
  EXPECT_THAT(line.initial_flow, ElementsAre(1, -1));
  EXPECT_EQ(line.wave, WaveRule::consistent);
  EXPECT_EQ(line.place.line, 24u);
  ASSERT_EQ(s.delays.size(), 1u);
  EXPECT_EQ(s.delays[0].to, (Endpoint{"B.C", "u"}));
  EXPECT_EQ(s.delays[0].delay, 1e-3);
  EXPECT_EQ(s.delays[0].initial, 2);
  EXPECT_EQ(s.simulation.tlm, TlmRules::omtlm);
  EXPECT_EQ(toml_text(read_lines(toml_text(s))), toml_text(s));
}

TEST(TomlLines, ReadsCarriedQuantities) {
  const System s = read_lines(R"([components.A]
fmu = "a.fmu"
[components.A.ports.P]
domain = "thermofluid"
carry = [{ out = "h_out", in = "h_in" }]
density = 1.2
)");
  const Port& port = s.components.at(0).ports.at(0);
  EXPECT_THAT(port.carry, ElementsAre(CarriedQuantity{"h_out", "h_in"}));
  EXPECT_EQ(port.density, 1.2);
}

TEST(TomlLines, RefusalsNameKeyAndPlace) {
  EXPECT_THAT(line_refusal("[components.A]\nfmu = \"a\"\n[components.A.ports.P]\nefort = \"f\"\n"),
              HasSubstr("line.toml:4:1: unknown key \"components.A.ports.P.efort\". Did you mean "
                        "\"effort\"?"));
  EXPECT_THAT(line_refusal("[components.A]\nfmu = \"a\"\n[components.A.ports.P]\neffort = \"f\"\n"),
              HasSubstr("line.toml:3:21: port \"P\" of component \"A\" lacks the key \"domain\""));
  const auto of_port = [](const std::string& key) {
    return line_refusal(
        "[components.A]\nfmu = \"a\"\n[components.A.ports.P]\ndomain = "
        "\"translational\"\n" +
        key);
  };
  EXPECT_THAT(
      of_port("sign = 2"),
      HasSubstr("line.toml:5:8: components.A.ports.P.sign must be 1 or -1, not the number"));
  EXPECT_THAT(of_port("input = \"corse\""), HasSubstr("Did you mean \"coarse\"?"));
  EXPECT_THAT(of_port("carry = [{ out = \"a\" }]"), HasSubstr("an entry lacks \"in\""));
  EXPECT_THAT(of_port("carry = [{ out = \"a\", inn = \"b\" }]"),
              HasSubstr("unknown key \"inn\". Did you mean \"in\"?"));
  EXPECT_THAT(of_port("carry = \"h\""), HasSubstr("must be a list of tables"));
  EXPECT_THAT(of_port("density = 0"), HasSubstr("must be a positive number"));
  EXPECT_THAT(line_refusal("[components.A]\nfmu = \"a\"\nports = 3\n"),
              HasSubstr("components.A.ports must be a table, not the number 3"));
  EXPECT_THAT(line_refusal("[components.A]\nfmu = \"a\"\nports.P = 3\n"),
              HasSubstr("components.A.ports.P must be a table, not the number 3"));
}

TEST(TomlLines, RefusesLinesWithPlaces) {
  const auto of_line = [](const std::string& keys) {
    return line_refusal(two_ports + "[[tlm]]\n" + keys);
  };
  EXPECT_THAT(of_line("between = [\"A.P\", \"D.Q\"]"),
              HasSubstr("line.toml:22:19: tlm.between = \"D.Q\": there is no component \"D\""));
  EXPECT_THAT(of_line("between = [\"A.P\"]"),
              HasSubstr("line.toml:22:11: tlm.between must be a list of two ports"));
  EXPECT_THAT(of_line("between = \"A.P\""), HasSubstr("not the string \"A.P\""));
  EXPECT_THAT(of_line("delay = 1"), HasSubstr("an entry of tlm lacks the key \"between\""));
  EXPECT_THAT(of_line("delay = 0"),
              HasSubstr("line.toml:22:9: tlm.delay must be a positive number"));
  EXPECT_THAT(of_line("damping = 1"),
              HasSubstr("tlm.damping must be a number that is non-negative and below 1"));
  EXPECT_THAT(of_line("rotational-impedance = -1"), HasSubstr("a non-negative number"));
  EXPECT_THAT(of_line("initial.effort = \"x\""),
              HasSubstr("tlm.initial.effort must be a number or a list of numbers"));
  EXPECT_THAT(of_line("initial.efort = 1"), HasSubstr("Did you mean \"effort\"?"));
  EXPECT_THAT(line_refusal(two_ports + "tlm = 3"), HasSubstr("unknown key"));
  EXPECT_THAT(line_refusal("tlm = 3"), HasSubstr("tlm must be a list, not the number 3"));
  EXPECT_THAT(line_refusal(two_ports + "[[delays]]\nfrom = \"A.y\"\nto = \"B.C.u\"\n"),
              HasSubstr("an entry of delays lacks the key \"delay\""));
}

TEST(TomlLines, PortsCanBeSetOnTheCommandLine) {
  System s = read_lines(two_ports + "[components.A.ports.\"P.left\"]\ndomain = \"electric\"\n");
  assign(s, "components.A.ports.P.input=slope", line_words);
  assign(s, "components.B.C.ports.Q.effort=[\"a\", \"b\"]", line_words);
  assign(s, "components.A.ports.P.left.sign=-1", line_words);
  assign(s, "simulation.tlm=omtlm", line_words);
  EXPECT_EQ(s.components[0].ports.size(), 2u);
  EXPECT_EQ(s.components[0].ports[0].input, PortInput::slope);
  EXPECT_THAT(s.components[1].ports[0].effort, ElementsAre("a", "b"));
  EXPECT_EQ(s.components[0].ports[1].sign, -1);
  EXPECT_EQ(s.simulation.tlm, TlmRules::omtlm);
  const auto refusal = [&](const std::string& assignment) -> std::string {
    try {
      assign(s, assignment, line_words);
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing refused";
  };
  EXPECT_THAT(refusal("components.A.ports.PP.input=slope"),
              HasSubstr("component \"A\" has no port \"PP\". Did you mean \"P\"?"));
  EXPECT_THAT(refusal("components.A.ports.P.input=slop"), HasSubstr("Did you mean \"slope\"?"));
}

TEST(TomlLines, SettingsOfProgramsAreChecked) {
  System s = read_lines(two_ports);
  s.components[0].ports[0].sign = 0.5;
  s.tlm.emplace_back().damping = 2;
  system::Problems problems;
  check_settings(s, line_words, problems);
  ASSERT_EQ(problems.all().size(), 2u);
  EXPECT_THAT(problems.all()[0].what(), HasSubstr("tlm.damping must be"));
  EXPECT_THAT(problems.all()[1].what(), HasSubstr("components.A.ports.P.sign must be 1 or -1"));
}

}  // namespace
}  // namespace tutti::formats
