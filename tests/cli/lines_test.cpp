// SPDX-License-Identifier: BSD-2-Clause
// Transmission lines and delayed signals before they run: `tutti check`, `graph` and `convert`.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// An integrator is a mass of 1 kg: u is the force, y the velocity. The gain is in the island of
/// the first.
std::string masses(const std::string& more = "") {
  const std::string head =
      fmt::format(R"([system]
name = "two masses"
[components.A]
fmu = "{}"
[components.B]
fmu = "{}"
as = "me"
[components.gain]
fmu = "{}"
)",
                  fmu("2.0", "Integrator"), fmu("2.0", "Integrator"), fmu("2.0", "Gain"));
  return head + R"(
[components.A.ports.P]
domain = "translational"
effort = "u"
flow = "y"
[components.B.ports.P]
domain = "translational"
effort = "u"
flow = "y"
sign = -1
[[tlm]]
between = ["A.P", "B.P"]
delay = 4e-4
impedance = 1
damping = 0.2
[[delays]]
from = "B.y"
to = "gain.u"
delay = 1e-3
[simulation]
step = 1e-4
tlm = "omtlm"
)" + more;
}

TEST(LinesCommand, CheckReportsLinesAndInputMethods) {
  const Workplace work;
  work.write("s.toml", masses());
  const Answer answer = work.tutti({"check", "s.toml"});
  EXPECT_EQ(answer.status, 0) << answer.out << answer.err;
  EXPECT_THAT(answer.out,
              HasSubstr("note     line A.P (constant, feed-through) -- B.P (equations, "
                        "feed-through): translational, delay "
                        "0.0004 s, damping 0.2, impedance 1 N.s/m, stiffness 1818.18 N/m, mass "
                        "0.00055 kg\n"));
  EXPECT_THAT(answer.out, Not(HasSubstr("not connected")));
  EXPECT_THAT(answer.out, HasSubstr("checked 3 components, no connections, no cycles, 1 "
                                    "transmission line, 1 delayed signal, 3 islands: no errors"));
  const Answer set =
      work.tutti({"check", "s.toml", "--set", "components.A.ports.P.input=slope", "--json"});
  const auto json = nlohmann::json::parse(set.out);
  EXPECT_EQ(json["lines"], 1);
  EXPECT_EQ(json["islands"], 3);
  EXPECT_THAT(set.out,
              HasSubstr("line A.P (slope, feed-through) -- B.P (equations, feed-through)"));
}

TEST(LinesCommand, SetChangesSingleLinesAndDelays) {
  const Workplace work;
  work.write("s.toml", masses());
  const auto check = [&](const std::string& set) {
    return work.tutti({"check", "s.toml", "--set", set, "--set", "delays.1.delay=2e-3"});
  };
  EXPECT_THAT(check("tlm.1.delay=8e-4").out, HasSubstr("delay 0.0008 s"));
  EXPECT_THAT(work.tutti({"graph", "s.toml", "--set", "delays.1.delay=2e-3"}).out,
              HasSubstr("0.002 s"));
  for (const char* set : {"tlm.2.delay=1", "tlm.x.delay=1", "tlm.0.delay=1"}) {
    const Answer answer = check(set);
    EXPECT_EQ(answer.status, 1) << set;
    EXPECT_THAT(answer.out, HasSubstr("tlm has no entry \"")) << set;
    EXPECT_THAT(answer.out, HasSubstr("Entries are numbered from 1 to 1.")) << set;
  }
  EXPECT_THAT(check("tlm.1.dely=1").out, HasSubstr("Did you mean \"delay\"?"));
  EXPECT_THAT(check("tlm.1=1").out, HasSubstr("tlm.1 must be a table"));
}

// Each says what to do in its place.
TEST(LinesCommand, MethodsForWholeSystemsAreRefused) {
  const Workplace work;
  work.write("s.toml", masses());
  const auto refusal = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"run", "s.toml", "-o", "none", "--stop", "0.01"});
    const Answer answer = work.tutti(more);
    EXPECT_EQ(answer.status, 2) << answer.err;
    return answer.err;
  };
  for (const char* method : {"auto", "linear-implicit"})
    EXPECT_THAT(refusal({"--set", std::string("simulation.method=") + method}),
                HasSubstr("Use \"gauss-seidel\", \"jacobi\""));
  EXPECT_THAT(refusal({"--verify"}), HasSubstr("Run it again with smaller components.X.step"));
  EXPECT_THAT(refusal({"--verify", "1e-3"}),
              HasSubstr("Run it again with smaller components.X.step"));
  EXPECT_THAT(refusal({"--set", "results.steps=true"}), HasSubstr("results.steps"));
}

TEST(LinesCommand, CheckReportsAllThatIsWrong) {
  const Workplace work;
  work.write("s.toml", masses(R"(
[[delays]]
from = "B.y"
to = "gain.y"
delay = 1
[connections]
list = ["A.y -> B.u"]
)"));
  const Answer answer =
      work.tutti({"check", "s.toml", "--set", "components.B.ports.P.input=callback"});
  EXPECT_EQ(answer.status, 1);
  EXPECT_THAT(answer.out, HasSubstr("s.toml:15:21: components.B.ports.P.input: \"callback\" is "
                                    "impossible with Integrator.fmu, FMI 2.0"));
  EXPECT_THAT(answer.out, HasSubstr("s.toml:20:1: tlm, between = [\"A.P\", \"B.P\"]: connections "
                                    "join its two ends"));
  EXPECT_THAT(answer.out, Not(HasSubstr("has no line")));
  EXPECT_THAT(answer.out, HasSubstr("delayed signal \"B.y -> gain.y\": \"y\" is not an input"));
}

TEST(LinesCommand, GraphShowsLinesDelaysAndIslands) {
  const Workplace work;
  work.write("s.toml", masses());
  const Answer text = work.tutti({"graph", "s.toml"});
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("two masses: 3 components, 0 connections, 0 cycles, 1 "
                                  "transmission line, 1 delayed signal\n"));
  EXPECT_THAT(text.out, HasSubstr("\ntransmission lines\n  A.P (constant, feed-through) -- B.P "
                                  "(equations, feed-through): trans"));
  EXPECT_THAT(text.out, HasSubstr("\ndelayed signals\n  B.y -> gain.u  after 0.001 s\n"));
  EXPECT_THAT(text.out, HasSubstr("\nislands, which step on their own\n  A\n  B\n  gain\n"));
  const Answer dot = work.tutti({"graph", "s.toml", "--format", "dot"});
  EXPECT_THAT(dot.out, HasSubstr("dir=none, style=bold];"));
  EXPECT_THAT(dot.out, HasSubstr("n1 -> n2 [label=\"B.y -> gain.u after 0.001 s\", style=dashed]"));
  const Answer svg = work.tutti({"graph", "s.toml", "--format", "svg"});
  pugi::xml_document document;
  EXPECT_TRUE(document.load_string(svg.out.c_str()));
  EXPECT_THAT(svg.out, HasSubstr("A.P (constant, feed-through) -- B.P (equations, feed-through)"));
  const auto json = nlohmann::json::parse(work.tutti({"graph", "s.toml", "--format", "json"}).out);
  EXPECT_EQ(json["lines"][0]["delay"], 4e-4);
  EXPECT_EQ(json["lines"][0]["between"][1]["input"], "equations");
  EXPECT_EQ(json["lines"][0]["directions"][0]["impedance"], 1);
  EXPECT_EQ(json["delays"][0]["to"], "gain.u");
  EXPECT_THAT(json["islands"],
              ElementsAre(nlohmann::json{"A"}, nlohmann::json{"B"}, nlohmann::json{"gain"}));
}

TEST(LinesCommand, GraphsWithoutLinesHaveNoWordOfThem) {
  const Workplace work;
  work.write("s.toml", fmt::format("[components.a]\nfmu = \"{}\"\n", fmu("2.0", "Gain")));
  EXPECT_THAT(work.tutti({"graph", "s.toml"}).out, Not(HasSubstr("island")));
  EXPECT_THAT(work.tutti({"graph", "s.toml", "--format", "json"}).out, Not(HasSubstr("lines")));
  EXPECT_THAT(work.tutti({"check", "s.toml", "--json"}).out, Not(HasSubstr("islands")));
}

TEST(LinesCommand, ConvertKeepsThemInPackages) {
  const Workplace work;
  work.write("s.toml", masses("[results]\nports = [\"A.*\", \"*.flow\"]\nports-interval = 0.0\n"));
  for (const std::string to : {"p.ssp", "p.ssd"}) {
    ASSERT_EQ(work.tutti({"convert", "s.toml", to}).status, 0);
    ASSERT_EQ(work.tutti({"convert", to, "back.toml"}).status, 0)
        << work.tutti({"convert", to, "back.toml"}).err;
    const std::string back = work.read("back.toml");
    EXPECT_THAT(back, HasSubstr("[components.A.ports.P]\ndomain = \"translational\"\neffort = "
                                "\"u\"\nflow = \"y\"\n"));
    EXPECT_THAT(back, HasSubstr("[components.B.ports.P]\ndomain = \"translational\"\neffort = "
                                "\"u\"\nflow = \"y\"\nsign = -1\n"));
    EXPECT_THAT(back, HasSubstr("[[tlm]]\nbetween = [\"A.P\", \"B.P\"]\ndelay = 4e-04\n"
                                "impedance = 1\ndamping = 0.2\n"));
    EXPECT_THAT(back, HasSubstr("[[delays]]\nfrom = \"B.y\"\nto = \"gain.u\"\ndelay = 0.001\n"));
    EXPECT_THAT(back, HasSubstr("tlm = \"omtlm\""));
    EXPECT_THAT(back, HasSubstr("ports = [\"A.*\", \"*.flow\"]\nports-interval = 0"));
    EXPECT_EQ(work.tutti({"check", to}).status, 0);
    // and from a package to TOML to a package
    if (to == "p.ssp") continue;  // its FMUs are in the package
    ASSERT_EQ(work.tutti({"convert", "back.toml", "again.ssd"}).status, 0);
    EXPECT_EQ(work.read("again.ssd"), work.read("p.ssd"));
  }
}

}  // namespace
}  // namespace tutti::testing
