// SPDX-License-Identifier: BSD-2-Clause
// Model-exchange FMUs that are solved together: [[clusters]] and --monolithic.
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr double solver_tolerance = 1e-8;
constexpr double agreement = 10 * solver_tolerance;

/// A component of a version of FMI, and what stands in its table.
struct Member {
  std::string name, version, model, set, more = "as = \"me\"\n";
};

class Clusters : public SystemRun {
 protected:
  void write(const std::vector<Member>& members, const std::vector<std::string>& connections,
             const std::string& rest, const std::string& simulation = "") {
    std::string text = "[system]\nname = \"test\"\n";
    for (const Member& m : members)
      text += fmt::format("[components.{}]\nfmu = \"{}\"\nset = {{ {} }}\n{}", m.name,
                          fmu(m.version, m.model), m.set, m.more);
    text += "[connections]\nlist = [";
    for (const std::string& connection : connections)
      text += connection.starts_with('{') ? connection + ", " : "\"" + connection + "\", ";
    place_.write("s.toml", text + "]\n[simulation]\nstop = 1.0\nstep = 0.1\n" + simulation + rest);
  }
  /// x_i' = -x_i + u_i/2, y_i = x_i + d u_i, u_i = y_(i-1), x_i(0) = i + 1.
  void write_ring(const std::vector<std::string>& versions, double d, const std::string& cluster,
                  const std::string& model = "Feedback") {
    std::vector<Member> members;
    std::vector<std::string> connections, names;
    for (std::size_t i = 0; i < versions.size(); ++i) {
      names.push_back(std::string(1, static_cast<char>('a' + i)));
      members.push_back({names.back(), versions[i], model,
                         fmt::format("b = 0.5, d = {:.17g}, x = {}.0", d, i + 1)});
    }
    for (std::size_t i = 0; i < names.size(); ++i)
      connections.push_back(fmt::format("{}.y -> {}.u", names[i], names[(i + 1) % names.size()]));
    write(members, connections, cluster_of(names) + cluster + "[results]\nvariables = [\"*.x\"]\n");
  }
  static std::string cluster_of(const std::vector<std::string>& names,
                                double rtol = solver_tolerance) {
    return fmt::format("[[clusters]]\nof = [\"{}\"]\nsolver.rtol = {}\n",
                       fmt::join(names, "\", \""), rtol);
  }
  /// The ring of two: x1 + x2 and x1 - x2 follow x' = (-1 + w/2) x with w = 1/(1 - d), -1/(1 + d).
  static std::pair<double, double> ring_of_two(double d) {
    const double sum = 3 * std::exp(-1 + 0.5 / (1 - d));
    const double difference = -std::exp(-1 - 0.5 / (1 + d));
    return {(sum + difference) / 2, (sum - difference) / 2};
  }
  void expect_ring_of_two(double d, const std::string& what, double tolerance = agreement) {
    const auto last = run();
    ASSERT_EQ(answer_.status, 0) << what << answer_.err;
    const auto [a, b] = ring_of_two(d);
    EXPECT_NEAR(last.at("a.x"), a, tolerance) << what;
    EXPECT_NEAR(last.at("b.x"), b, tolerance) << what;
  }
  std::string refusal() {
    answer_ = place_.tutti({"run", "s.toml", "-o", "r.csv"});
    EXPECT_EQ(answer_.status, 2) << answer_.err;
    return answer_.err;
  }
};

TEST_F(Clusters, OfMixedVersionsAgreeWithTheSolution) {
  for (const auto& [a, b] : {std::pair("2.0", "2.0"),
                             {"1.0-me", "3.0"},
                             {"3.0", "1.0-me"},
                             {"1.0-me", "1.0-me"},
                             {"2.0", "1.0-me"}})
    for (const double d : {0.0, 0.5}) {
      write_ring({a, b}, d, "");
      expect_ring_of_two(d, fmt::format("{} {} {}", a, b, d));
    }
}

// The ring of three from (1, 2, 3): the mean follows x' = (-1 + w/2) x, the rest turns and decays.
TEST_F(Clusters, OfThreeMembersAgreeWithTheSolution) {
  write_ring({"1.0-me", "2.0", "3.0"}, 0.5, "");
  const auto last = run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_NEAR(last.at("a.x") + last.at("b.x") + last.at("c.x"), 6, 3 * agreement);  // w = 2
}

TEST_F(Clusters, AreSolvedByEverySolver) {
  for (const char* solver : {"arkode-explicit", "auto", "cvode", "cvode-adams", "dop853", "dopri5",
                             "ida", "radau5", "rk34", "rodas"}) {
    write_ring({"2.0", "3.0"}, 0.5, fmt::format("solver.name = \"{}\"\n", solver));
    expect_ring_of_two(0.5, solver);
  }
  write_ring({"2.0", "3.0"}, 0, "solver.name = \"arkode-implicit\"\n");
  expect_ring_of_two(0, "arkode-implicit");
  // Fixed steps of 0.1 s: errors of order 4 (h^4/120) and 1 (h/2).
  for (const auto& [solver, error] :
       {std::pair("rk4", 1e-5), {"euler", 0.2}, {"implicit-euler", 0.2}}) {
    write_ring({"2.0", "3.0"}, 0.5, fmt::format("solver.name = \"{}\"\n", solver));
    expect_ring_of_two(0.5, solver, error);
  }
}

TEST_F(Clusters, SolveTheirLoopsAsADae) {
  for (const char* solver : {"auto", "ida", "radau5", "rodas"}) {
    write_ring({"2.0", "3.0"}, 0.5, fmt::format("loops = \"dae\"\nsolver.name = \"{}\"\n", solver));
    expect_ring_of_two(0.5, solver);
    if (std::string(solver) == "rodas") continue;  // it needs exact derivatives
    write_ring({"1.0-me", "2.0"}, 0.5,
               fmt::format("loops = \"dae\"\nsolver.name = \"{}\"\n", solver));
    expect_ring_of_two(0.5, std::string(solver) + " with differences");
  }
}

TEST_F(Clusters, RefuseSolversThatSolveNoDae) {
  write_ring({"2.0", "3.0"}, 0.5, "loops = \"dae\"\n");
  EXPECT_THAT(refusal(),
              AllOf(HasSubstr("s.toml:"), HasSubstr("solver \"cvode\" does not solve"),
                    HasSubstr("auto, ida, implicit-euler, radau5, rodas; or loops = \"newton\"")));
}

// a = 1 + b^2, b = 0.2 a: a = 1 + a^2/25.
TEST_F(Clusters, SolveNonlinearLoops) {
  for (const char* loops : {"newton", "dae"}) {
    write({{"a", "2.0", "Product", ""},
           {"b", "3.0", "Gain", "k = 0.2"},
           {"i", "1.0-me", "Integrator", ""}},
          {"a.y -> b.u", "b.y -> a.u", "b.y -> a.w", "a.y -> i.u"},
          cluster_of({"a", "b", "i"}) +
              fmt::format("loops = \"{}\"\nsolver.name = \"ida\"\n", loops) +
              "[results]\nvariables = [\"a.y\", \"i.x\"]\n");
    const auto last = run();
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    const double y = (25 - std::sqrt(25 * 25 - 100.0)) / 2;
    EXPECT_NEAR(last.at("a.y"), y, 1e-10) << loops;
    EXPECT_NEAR(last.at("i.x"), y, agreement) << loops;
  }
}

// The residual of a loop of gain 1 - 1e-6 is rounded a million times what its values are.
TEST_F(Clusters, SettleLoopsThatCarryRoundingErrors) {
  for (const double gain : {0.99993, 0.99997, 0.999999, 0.9999997, 0.99999999})
    for (const char* model : {"Gain", "BareGain"}) {
      write({{"a", "2.0", model, fmt::format("k = {:.17g}, b = 1.0", gain / 0.7)},
             {"b", "3.0", model, "k = 0.7, b = 2.0"},
             {"i", "2.0", "Integrator", ""},
             {"r", "3.0", "Relay", "level = 0.0"}},
            {"a.y -> b.u", "b.y -> a.u", "b.y -> i.u", "i.y -> r.u"},
            cluster_of({"a", "b", "i", "r"}));
      const auto last = run();
      ASSERT_EQ(answer_.status, 0) << gain << model << answer_.err;
      const double b = (2 + 0.7) / (1 - gain);
      EXPECT_NEAR(last.at("b.y"), b, b * 1e-14 / (1 - gain)) << gain << model;  // its condition
    }
}

TEST_F(Clusters, NameALoopWithoutSolutionAtTheStart) {
  for (const char* loops : {"newton", "dae"}) {
    write({{"a", "2.0", "Product", ""}, {"b", "3.0", "Gain", "k = 1.0"}},
          {"a.y -> b.u", "b.y -> a.u", "b.y -> a.w"},
          cluster_of({"a", "b"}) + fmt::format("loops = \"{}\"\nsolver.name = \"ida\"\n", loops));
    EXPECT_THAT(refusal(), AllOf(HasSubstr("t = 0 s: cluster \"a+b\""),
                                 HasSubstr("no solution of the algebraic loop"), HasSubstr("a.y ="),
                                 HasSubstr("b.y =")));
  }
}

// y = 1 + t y^2 has no solution after t = 1/4.
TEST_F(Clusters, NameALoopThatLosesItsSolution) {
  for (const auto& [loops, solver] : {std::pair("newton", "cvode"),
                                      {"newton", "dopri5"},
                                      {"dae", "ida"},
                                      {"dae", "radau5"},
                                      {"dae", "rodas"}}) {
    write({{"a", "2.0", "Product", ""},
           {"b", "3.0", "Rising", ""},
           {"i", "3.0", "Integrator", ""},
           {"g", "2.0", "Gain", ""}},
          {"a.y -> b.u", "b.y -> a.u", "a.y -> g.u", "g.y -> a.w", "a.y -> i.u"},
          cluster_of({"a", "b", "i", "g"}, 1e-6) +
              fmt::format("loops = \"{}\"\nsolver.name = \"{}\"\n", loops, solver));
    run();
    EXPECT_EQ(answer_.status, 1) << solver;
    EXPECT_THAT(answer_.err, AllOf(HasSubstr("t = 0.2"), HasSubstr("a.y"), HasSubstr("b.y"),
                                   HasSubstr("g.y"), Not(HasSubstr("components.a+b"))))
        << loops << solver;
  }
}

TEST_F(Clusters, MoveArraysAndTheirElements) {
  const auto write_arrays = [&](const std::vector<std::string>& connections,
                                const std::string& cluster) {
    const std::string set =
        "m = 2, n = 2, r = 2, A = [-1.0, 0.5, 0.25, -2.0], B = [1.0, 0.0, 0.0, 1.0], C = [1.0, "
        "0.0, 0.0, 1.0], D = [0.3, 0.1, 0.0, 0.2], x0 = [1.0, 2.0], u = [0.0, 0.0]";
    write({{"a", "3.0", "StateSpace", set}, {"b", "3.0", "StateSpace", set}}, connections,
          cluster + "[results]\nvariables = [\"*.x\"]\n");
  };
  for (const std::vector<std::string>& connections :
       {std::vector<std::string>{"a.y -> b.u", "b.y -> a.u"},
        {"a.y[1] -> b.u[2]", "a.y[2] -> b.u[1]", "b.y[1] -> a.u[1]"}}) {
    std::map<std::string, double> first;
    for (const char* loops : {"newton", "dae"}) {
      write_arrays(connections, cluster_of({"a", "b"}) +
                                    fmt::format("loops = \"{}\"\nsolver.name = \"ida\"\n", loops));
      const auto last = run();
      ASSERT_EQ(answer_.status, 0) << answer_.err;
      if (first.empty()) first = last;
      for (const auto& [name, value] : first)
        EXPECT_NEAR(last.at(name), value, agreement) << name << loops;
    }
    // Both are alike: x' = M x with M = A + (I - D)^-1, by the formula for matrices of order 2.
    if (connections.size() > 2) continue;
    const double m11 = -1 + 1 / 0.7, m12 = 0.5 + 0.1 / 0.56, m21 = 0.25, m22 = -2 + 1 / 0.8;
    const double s = (m11 + m22) / 2, q = std::sqrt(std::pow((m11 - m22) / 2, 2) + m12 * m21);
    const double x = std::exp(s) * (std::cosh(q) + std::sinh(q) / q * (m11 - s + 2 * m12));
    EXPECT_NEAR(first.at("a.x[1]"), x, agreement);
    EXPECT_NEAR(first.at("b.x[1]"), x, agreement);
  }
}

// A negated input and output: z = -x is a member of the ring, from -1.
TEST_F(Clusters, NegateAliasesOfFmi1) {
  write({{"a", "1.0-me", "FeedbackNegated", "b = 0.5, d = 0.5, x = 1.0"},
         {"b", "2.0", "Feedback", "b = 0.5, d = 0.5, x = 2.0"}},
        {"a.y -> b.u", "b.y -> a.u"},
        cluster_of({"a", "b"}) + "[results]\nvariables = [\"*.x\"]\n");
  const auto last = run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  const double difference = 3 * std::exp(-1 - 1.0 / 3);
  EXPECT_NEAR(last.at("a.x"), -(1 - difference) / 2, agreement);
  EXPECT_NEAR(last.at("b.x"), (1 + difference) / 2, agreement);
}

TEST_F(Clusters, ConvertValuesInside) {
  write({{"w", "3.0", "Thermostat", "T = 280.0"},
         {"g", "2.0", "Feedthrough", ""},
         {"h", "1.0-me", "Feedthrough", ""}},
        {"{ from = \"w.T\", to = \"g.real_in\", factor = 0.5, offset = 10.0 }",
         "w.mode -> g.int32_in", "g.int32_out -> h.int32_in", "g.string_out -> h.string_in"},
        cluster_of({"w", "g", "h"}) +
            "[results]\nvariables = [\"w.T\", \"g.real_out\", \"h.int32_out\"]\n");
  const auto last = run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_EQ(last.at("g.real_out"), 0.5 * last.at("w.T") + 10);
  EXPECT_EQ(last.at("h.int32_out"), 2);  // heating
}

// 3 + 2 t passes 4: a Boolean, an Integer and a discrete Real go through two more members.
TEST_F(Clusters, PassDiscreteValuesOnAtEvents) {
  for (const std::vector<std::string>& v : {std::vector<std::string>{"2.0", "2.0", "2.0", "3.0"},
                                            {"1.0-me", "1.0-me", "1.0-me", "1.0-me"},
                                            {"3.0", "1.0-me", "2.0", "3.0"},
                                            {"3.0", "3.0", "3.0", "1.0-me"}}) {
    write({{"s", v[0], "Integrator", "u = 1.0"},
           {"r", v[1], "Relay", "level = 4.05"},
           {"f", v[2], "Feedthrough", ""},
           {"g", v[3], "Feedthrough", ""}},
          {"s.y -> r.u", "r.on -> f.boolean_in", "f.boolean_out -> g.boolean_in",
           "r.changes -> f.int32_in", "f.int32_out -> g.int32_in", "r.y -> f.discrete_in",
           "f.discrete_out -> g.discrete_in"},
          cluster_of({"s", "r", "f", "g"}) +
              "[results]\nvariables = [\"g.boolean_out\", \"g.int32_out\", \"g.discrete_out\"]\n");
    run();
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    const auto rows = csv_rows(place_.read("r.csv"));
    for (std::size_t i = 1; i < rows.size(); ++i)
      for (std::size_t k = 1; k < 4; ++k)
        EXPECT_EQ(rows[i][k], std::stod(rows[i][0]) > 0.525 ? "1" : "0") << rows[i][0];
  }
}

TEST_F(Clusters, HandleTimeEventsStepEventsAndTheEnd) {
  write({{"t", "3.0", "Stair", "period = 0.35, last = 3"},
         {"s", "2.0", "Saw", "x = 0.6"},
         {"f", "2.0", "Feedthrough", ""},
         {"g", "1.0-me", "Feedthrough", ""}},
        {"t.counter -> f.int32_in", "f.int32_out -> g.int32_in", "s.jumps -> g.int16_in",
         "s.x -> g.real_in"},
        cluster_of({"t", "s", "f", "g"}) +
            "[results]\nvariables = [\"g.int32_out\", \"g.int16_out\", \"g.real_out\"]\n");
  const auto last = run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_NEAR(last.at("time"), 0.7, 1e-12);  // the third event ends the run
  EXPECT_EQ(last.at("g.int32_out"), 3);
  EXPECT_EQ(last.at("g.int16_out"), 1);
  EXPECT_NEAR(last.at("g.real_out"), 0.3, 1e-9);
}

TEST_F(Clusters, NameTheInputsOfAnEventIterationWithoutEnd) {
  write({{"r", "2.0", "Relay", "level = 4.5"},
         {"g", "2.0", "Product", ""},
         {"s", "2.0", "Integrator", "u = 1.0"},
         {"h", "3.0", "Gain", "k = -10.0, b = 1.0"}},
        {"r.y -> h.u", "h.y -> g.u", "s.y -> g.w", "g.y -> r.u"}, cluster_of({"r", "g", "s", "h"}));
  run();
  EXPECT_EQ(answer_.status, 1);
  EXPECT_THAT(answer_.err, AllOf(HasSubstr("t = 0.25"), HasSubstr("event iteration does not end"),
                                 HasSubstr("100"), HasSubstr("r.u")));
}

// A relay that the outside switches: by a table, and by actions.
TEST_F(Clusters, SeeJumpsOfInputsFromOutside) {
  place_.write("t.csv", "time,v\n0,0\n0.33,0\n0.33,1\n0.71,1\n0.71,0\n2,0\n");
  for (const std::string& source :
       {std::string("[[inputs.tables]]\nfile = \"t.csv\"\ncolumns = { \"r.u\" = \"v\" }\n"),
        std::string("[[actions]]\nat = 0.33\nset = { \"r.u\" = 1.0 }\n"
                    "[[actions]]\nat = 0.71\nset = { \"r.u\" = 0.0 }\n")}) {
    write({{"r", "2.0", "Relay", ""},
           {"f", "3.0", "Feedthrough", ""},
           {"h", "1.0-me", "Feedthrough", ""}},
          {"r.on -> f.boolean_in", "r.changes -> h.int32_in"},
          cluster_of({"r", "f", "h"}) + source +
              "[results]\nvariables = [\"f.boolean_out\", \"h.int32_out\"]\n");
    const auto last = run();
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    EXPECT_EQ(last.at("h.int32_out"), 2) << source;
    for (const auto& row : csv_rows(place_.read("r.csv")))
      if (row[0] == "0.5") {
        EXPECT_EQ(row[1], "1") << source;
      }
  }
}

// The loop w = y/2, y = 1 + w u jumps with u from 1 to 2.
TEST_F(Clusters, FindConsistentValuesAfterAJump) {
  place_.write("t.csv", "time,v\n0,0\n0.33,0\n0.33,1\n2,1\n");
  for (const auto& [loops, solver] : {std::pair("newton", "cvode"),
                                      {"dae", "ida"},
                                      {"dae", "radau5"},
                                      {"dae", "rodas"},
                                      {"dae", "auto"}}) {
    write({{"a", "2.0", "Product", ""},
           {"b", "3.0", "Gain", "k = 0.5"},
           {"i", "2.0", "Integrator", ""}},
          {"a.y -> b.u", "b.y -> a.w", "a.y -> i.u"},
          cluster_of({"a", "b", "i"}) +
              fmt::format("loops = \"{}\"\nsolver.name = \"{}\"\n", loops, solver) +
              "[[inputs.tables]]\nfile = \"t.csv\"\ncolumns = { \"a.u\" = \"v\" }\n"
              "[results]\nvariables = [\"i.x\"]\n");
    const auto last = run();
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    EXPECT_NEAR(last.at("i.x"), 0.33 + 2 * 0.67, agreement) << solver;
  }
}

TEST_F(Clusters, AreTunable) {
  write({{"a", "2.0", "TunableGain", ""},
         {"i", "3.0", "Integrator", ""},
         {"j", "1.0-me", "Integrator", ""}},
        {"a.y -> i.u", "i.y -> j.u"},
        cluster_of({"a", "i", "j"}) + "[[actions]]\nat = 0.3\nset = { \"a.gain\" = 2.0 }\n" +
            "[results]\nvariables = [\"a.y\", \"i.x\"]\n");
  const auto last = run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_NEAR(last.at("a.y"), 1.7, agreement);
  EXPECT_NEAR(last.at("i.x"), 0.745, agreement);
}

/// The ring {a, b} beside a co-simulation FMU c: x(1) of the whole ring of three.
class ClustersBeside : public Clusters {
 protected:
  void write_beside(const std::string& method, const std::string& simulation,
                    const std::string& cluster = "", const std::string& version = "3.0") {
    write({{"a", "2.0", "Feedback", "b = 0.5, x = 1.0"},
           {"b", version, "Feedback", "b = 0.5, x = 2.0"},
           {"c", "2.0", "Feedback", "b = 0.5, x = 3.0", "as = \"cs\"\n"}},
          {"a.y -> b.u", "b.y -> c.u", "c.y -> a.u"},
          cluster_of({"a", "b"}) + cluster + "[results]\nvariables = [\"*.x\"]\n",
          fmt::format("method = \"{}\"\n{}", method, simulation));
  }
};

// The sum follows x' = -x/2.
TEST_F(ClustersBeside, CoupleByEveryMethod) {
  for (const char* method : {"jacobi", "gauss-seidel", "iterated", "newton", "broyden", "anderson",
                             "linear-implicit", "auto"})
    for (const char* cluster : {"", "step = 0.005\n", "loops = \"dae\"\nsolver.name = \"ida\"\n"}) {
      const bool is_auto = std::string(method) == "auto";
      write_beside(method, is_auto ? "" : "inputs.order = 2\n", cluster);
      const auto last = run({"--set", "simulation.step=0.02"});
      ASSERT_EQ(answer_.status, 0) << method << cluster << answer_.err;
      EXPECT_NEAR(last.at("a.x") + last.at("b.x") + last.at("c.x"), 6 * std::exp(-0.5), 1e-4)
          << method << cluster;
    }
}

TEST_F(ClustersBeside, ControlTheStep) {
  for (const char* control : {"richardson", "convergence", "predictor"}) {
    write_beside("newton", fmt::format("inputs.order = 1\ncontrol = \"{}\"\n", control));
    const auto last = run();
    ASSERT_EQ(answer_.status, 0) << control << answer_.err;
    EXPECT_NEAR(last.at("a.x") + last.at("b.x") + last.at("c.x"), 6 * std::exp(-0.5), 3e-2)
        << control;
  }
}

TEST_F(ClustersBeside, GiveTheSameBitsEverywhere) {
  for (const char* cluster : {"", "loops = \"dae\"\nsolver.name = \"ida\"\n"}) {
    write_beside("newton", "", cluster);
    run();
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    const std::string there = place_.read("r.csv");
    run({"--in-process"});
    EXPECT_EQ(place_.read("r.csv"), there);
    run({"--set", "simulation.threads=2"});
    EXPECT_EQ(place_.read("r.csv"), there);
    ASSERT_EQ(place_.tutti({"run", "s.toml", "-o", "c.csv", "--checkpoint", "c", "--every", "0.7"})
                  .status,
              0);
    EXPECT_EQ(place_.read("c.csv"), there);
    const Answer resumed = place_.tutti({"run", "--resume", "c", "-o", "d.csv"});
    ASSERT_EQ(resumed.status, 0) << resumed.err;
    const std::string rest = place_.read("d.csv");
    EXPECT_TRUE(there.ends_with(rest.substr(rest.find('\n') + 1)));
  }
}

TEST_F(ClustersBeside, NameTheMemberThatCannotRollBack) {
  write_beside("newton", "", "", "1.0-me");
  EXPECT_THAT(refusal(), AllOf(HasSubstr("method \"newton\" repeats steps"),
                               HasSubstr("because of member \"b\"")));
}

TEST_F(ClustersBeside, HaveTheColumnsOfTheirMembers) {
  write_beside("gauss-seidel", "");
  std::string text = place_.read("s.toml");
  text.resize(text.find("[results]"));
  place_.write("s.toml", text);
  run();
  const auto with = csv_rows(place_.read("r.csv")).front();
  place_.write("s.toml", text.substr(0, text.find("[[clusters]]")));
  run();
  EXPECT_EQ(with, csv_rows(place_.read("r.csv")).front());
}

TEST_F(Clusters, AreMadeOfAllConnectedFmusByMonolithic) {
  write_ring({"2.0", "3.0"}, 0.5, "");
  std::string text = place_.read("s.toml");
  const std::size_t first = text.find("[[clusters]]"), last = text.find("[results]");
  place_.write("s.toml", text.erase(first, last - first));
  const auto end = run({"--monolithic"});
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_NEAR(end.at("a.x"), ring_of_two(0.5).first, 1e-5);  // rtol 1e-6
}

TEST_F(Clusters, AreKeptByConvert) {
  write_ring({"2.0", "3.0"}, 0.5, "loops = \"dae\"\nsolver.name = \"ida\"\nstep = 0.05\n");
  run();
  const std::string direct = place_.read("r.csv");
  for (const char* file : {"c.toml", "c.ssp"}) {
    ASSERT_EQ(place_.tutti({"convert", "s.toml", file}).status, 0) << file;
    const Answer answer = place_.tutti({"run", file, "-o", "c.csv"});
    ASSERT_EQ(answer.status, 0) << answer.err;
    EXPECT_EQ(place_.read("c.csv"), direct) << file;
  }
}

struct Bad {
  const char* name;
  std::string rest;
  std::vector<const char*> words;
  std::string in_b = "as = \"me\"\n";
  std::string b = "Feedback";
};

class BadClusters : public Clusters, public ::testing::WithParamInterface<Bad> {};
INSTANTIATE_TEST_SUITE_P(
    Cli, BadClusters,
    ::testing::Values(
        Bad{"UnknownMember",
            "[[clusters]]\nof = [\"a\", \"bb\"]\n",
            {"there is no component \"bb\"", "Did you mean \"b\"?"}},
        Bad{"MemberTwice", "[[clusters]]\nof = [\"a\", \"b\", \"a\"]\n", {"\"a\" is named twice"}},
        Bad{"TwoClusters",
            "[[clusters]]\nof = [\"a\", \"b\"]\n[[clusters]]\nof = [\"b\", \"c\"]\n",
            {"of = [b, c]: \"b\" is a member of another cluster, [a, b]"}},
        Bad{"OneMember", "[[clusters]]\nof = [\"a\"]\n", {"at least two members"}},
        Bad{"NoMembers", "[[clusters]]\nloops = \"dae\"\n", {"lacks the key \"of\""}},
        Bad{"NoModelExchange",
            "[[clusters]]\nof = [\"a\", \"b\"]\n",
            {"component \"b\" (FeedbackCs.fmu) has no model-exchange interface"},
            "",
            "FeedbackCs"},
        Bad{"CoSimulation",
            "[[clusters]]\nof = [\"a\", \"b\"]\n",
            {"component \"b\" (Feedback.fmu) has as = \"cs\""},
            "as = \"cs\"\n"},
        Bad{"BuiltIn",
            "[[clusters]]\nof = [\"a\", \"k\"]\n[components.k]\ntype = \"gain\"\n",
            {"component \"k\"", "is no FMU"}},
        Bad{"SolverOfAMember",
            "[[clusters]]\nof = [\"a\", \"b\"]\n",
            {"component \"b\" (Feedback.fmu) has a solver of its own", "[[clusters]] solver"},
            "as = \"me\"\nsolver.name = \"ida\"\n"},
        Bad{"StepOfAMember",
            "[[clusters]]\nof = [\"a\", \"b\"]\n",
            {"has a step of its own", "[[clusters]] step"},
            "as = \"me\"\nstep = 0.01\n"},
        Bad{"NotConnected",
            "[[clusters]]\nof = [\"a\", \"b\", \"c\"]\n",
            {"no connection joins {a, b} and {c}"}},
        Bad{"UnknownKey",
            "[[clusters]]\nof = [\"a\", \"b\"]\nsovler.name = \"ida\"\n",
            {"unknown key \"clusters.sovler\". Did you mean \"solver\"?"}},
        Bad{"Step",
            "[[clusters]]\nof = [\"a\", \"b\"]\nstep = 0.03\n",
            {"clusters.step = 0.03 s", "not an integer multiple"}},
        Bad{"TwoDrivers",
            "[[clusters]]\nof = [\"a\", \"b\"]\n[inputs.set]\n\"a.u\" = 1.0\n",
            {"constant input \"a.u\"", "driven twice: by connection \"b.y -> a.u\""}},
        Bad{"DelayInside",
            "[[clusters]]\nof = [\"a\", \"b\"]\n[[delays]]\nfrom = \"b.y\"\nto = \"a.u\"\ndelay = "
            "0.1\n",
            {"the delayed signal \"b.y -> a.u\" connects two members"}}),
    [](const auto& tested) { return std::string(tested.param.name); });
TEST_P(BadClusters, AreRefused) {
  const Bad& bad = GetParam();
  write({{"a", "2.0", "Feedback", ""},
         {"b", "2.0", bad.b, "", bad.in_b},
         {"c", "3.0", "Feedback", ""}},
        {"a.y -> b.u", "b.y -> a.u"}, bad.rest);
  const std::string text = refusal();
  for (const char* const word : bad.words) EXPECT_THAT(text, HasSubstr(word));
  EXPECT_THAT(text, Not(HasSubstr("a+b")));
  const Answer checked = place_.tutti({"check", "s.toml"});
  EXPECT_EQ(checked.status, 1);
  EXPECT_THAT(checked.out + checked.err, HasSubstr(bad.words.back()));
}

TEST_F(Clusters, RefuseFloat32InLoopsOfADae) {
  write({{"g", "3.0", "Feedthrough", ""}, {"h", "3.0", "Feedthrough", ""}},
        {"{ from = \"g.float32_out\", to = \"h.float32_in\", factor = 0.3, offset = 1.0 }",
         "h.float32_out -> g.float32_in"},
        cluster_of({"g", "h"}) + "loops = \"dae\"\nsolver.name = \"ida\"\n" +
            "[results]\nvariables = [\"g.float32_out\"]\n");
  EXPECT_THAT(refusal(), AllOf(HasSubstr("g.float32_out"), HasSubstr("of type Float32")));
  const auto last = run({"--set", "clusters.1.loops=newton"});
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_NEAR(last.at("g.float32_out"), 1 / 0.7, 1e-6);  // single precision
}

// From t = 0.5 s on, b misbehaves.
TEST_F(Clusters, NameTheMemberAtFault) {
  const auto answer = [&](const char* version, int fault) {
    write({{"a", "2.0", "Feedback", ""},
           {"b", version, "faulty_me_faults", fmt::format("fault = {}", fault)},
           {"c", "2.0", "Gain", ""}},
          {"a.y -> b.u", "b.y -> a.u", "b.y -> c.u"}, cluster_of({"a", "b", "c"}));
    return place_.tutti({"run", "s.toml", "-o", "r.csv"});
  };
  for (const char* version : {"1.0-me", "2.0", "3.0"}) {
    // A sanitizer ends the process itself.
    EXPECT_THAT(
        answer(version, 2).err,
        AllOf(HasSubstr("\"a+b+c\""), AnyOf(HasSubstr("SIGSEGV"), HasSubstr("ended the process"))));
    for (const int fault : {1, 3, 5, 6}) {
      const Answer told = answer(version, fault);
      EXPECT_NE(told.status, 0) << version << fault;
      EXPECT_THAT(told.err, HasSubstr("\"b\"")) << version << fault;
      if (fault == 1) {
        EXPECT_THAT(told.err, HasSubstr("at t = 0.5")) << version;
      }
    }
    const Answer nan = answer(version, 4);
    EXPECT_EQ(nan.status, 1) << version;
    EXPECT_THAT(nan.err, AllOf(HasSubstr("not finite"), HasSubstr("\"b"))) << version;
    const Answer ended = answer(version, 7);
    EXPECT_EQ(ended.status, 0) << ended.err;
    EXPECT_EQ(csv_rows(place_.read("r.csv")).back()[0], "0.5") << version;
    const Answer early = answer(version, 8);
    EXPECT_EQ(early.status, 2) << version;
    EXPECT_THAT(early.err, HasSubstr("\"b\"")) << version;
  }
}

// The rounding mode of a member must not reach the equations of the others. (Its own derivatives
// for a Jacobian would have it: an explicit solver needs none.)
TEST_F(Clusters, RestoreTheRoundingModeThatAMemberChanges) {
  const auto results = [&](const char* version, int fault) {
    write({{"a", "2.0", "Feedback", "b = 0.3, x = 1.0"},
           {"b", version, "faulty_me_faults", fmt::format("fault = {}", fault)},
           {"c", "3.0", "Feedback", "b = 0.7, x = 3.0"}},
          {"a.y -> b.u", "b.y -> a.u", "b.y -> c.u"},
          cluster_of({"a", "b", "c"}) +
              "solver.name = \"dopri5\"\n[results]\nvariables = [\"*.x\"]\n");
    answer_ = place_.tutti({"run", "s.toml", "-o", "r.csv"});
    EXPECT_EQ(answer_.status, 0) << answer_.err;
    return place_.read("r.csv");
  };
  for (const char* version : {"1.0-me", "2.0", "3.0"}) {
    const std::string expected = results(version, 0);
    EXPECT_THAT(answer_.err, Not(HasSubstr("rounding mode"))) << version;
    EXPECT_EQ(results(version, 9), expected) << version;
    EXPECT_THAT(answer_.err, AllOf(HasSubstr("warning: b: fmi"),
                                   HasSubstr("changed the rounding mode; restored")))
        << version;
  }
}

// In each evaluation s is read, g is set and read, and e is set, each once.
TEST_F(Clusters, CountTheCallsOfEachMember) {
  for (const char* version : {"1.0-me", "2.0", "3.0"}) {
    write({{"s", version, "Integrator", "u = 1.0"},
           {"g", version, "Gain", "k = 2.0"},
           {"e", version, "Integrator", ""}},
          {"s.y -> g.u", "g.y -> e.u"},
          cluster_of({"s", "g", "e"}) + "[results]\nvariables = [\"e.y\"]\n");
    answer_ = place_.tutti({"run", "s.toml", "-o", "r.csv", "--json"});
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    const auto cluster =
        nlohmann::json::parse(answer_.out).at("statistics").at("components").at("s+g+e");
    const auto& solver = cluster.at("solver");
    const int evaluations = solver.at("rightHandSides");
    const int for_jacobians = solver.at("rightHandSidesForJacobians");
    const auto& members = cluster.at("members");
    const auto count = [&](const char* member, const char* what) -> int {
      return members.at(member).at(what);
    };
    // Besides: initialization, the first event, the values at communication points.
    constexpr int others = 60;
    for (const int calls :
         {count("s", "get"), count("g", "set"), count("g", "get"), count("e", "set")}) {
      EXPECT_GE(calls, evaluations) << version;
      EXPECT_LE(calls, evaluations + for_jacobians + others) << version;
    }
    EXPECT_LE(count("s", "set"), others) << version;
    EXPECT_EQ(cluster.at("set"), count("s", "set") + count("g", "set") + count("e", "set"));
  }
}

TEST_F(Clusters, AreMadeByAnOptionBesideAssignments) {
  write_ring({"2.0", "3.0"}, 0.5, "");
  const std::string text = place_.read("s.toml");
  place_.write("s.toml",
               text.substr(0, text.find("[[clusters]]")) + "[results]\nvariables = [\"*.x\"]\n");
  for (const auto& arguments : {std::vector<std::string>{"--monolithic", "--set", "a.b=0.5"},
                                {"--set", "a.b=0.5", "--monolithic"}}) {
    run(arguments);
    EXPECT_THAT(answer_.out, HasSubstr("cluster {a, b}")) << answer_.err;
  }
}

// a.u[1] is driven inside, in a loop: y1 = u1/2 + u2 and u1 = y1/2, so y1 = 4 u2/3 without a state.
TEST_F(Clusters, KeepElementsOfArraysThatNothingDrivesInside) {
  const std::string a =
      "m = 2, n = 1, r = 1, A = \"-1\", B = \"0 0\", C = \"0\", D = \"0.5 1\", x0 = \"0\", u = \"0 "
      "3\"";
  const std::vector<Member> members = {{"a", "3.0", "StateSpace", a},
                                       {"g", "2.0", "Gain", "k = 0.5"}};
  write(members, {"a.y[1] -> g.u", "g.y -> a.u[1]"}, cluster_of({"a", "g"}));
  EXPECT_NEAR(run().at("g.y"), 2, 1e-9) << answer_.err;
  EXPECT_EQ(run().at("a.u[1]"), run().at("g.y"));  // not the start value
}

TEST_F(Clusters, EnterConfigurationModeOfMembersThatNeedIt) {
  const std::string a =
      "m = 1, n = 1, r = 1, A = \"-1\", B = \"1\", C = \"1\", D = \"0\", x0 = \"2\"";
  write({{"a", "3.0", "StateSpace", a}, {"g", "3.0", "Gain", "k = 0.0"}},
        {"a.y[1] -> g.u", "g.y -> a.u[1]"}, cluster_of({"a", "g"}));
  EXPECT_NEAR(run().at("a.y[1]"), 2 * std::exp(-1), agreement) << answer_.err;
}

// y = u + w, w = y/2, so y = 2 u with a saw of a co-simulation FMU; a relay switches at 1.4.
TEST_F(Clusters, SeeEventsThatAJumpCausesThroughALoop) {
  std::map<std::string, double> newton;
  for (const std::string solver : {"cvode", "ida", "radau5", "rodas", "implicit-euler"}) {
    const bool is_dae = solver != "cvode";
    write({{"s", "2.0", "Saw", "", "as = \"cs\"\n"},
           {"a", "2.0", "Product", ""},
           {"b", "3.0", "Gain", "k = 0.5"},
           {"i", "2.0", "Integrator", ""},
           {"r", "3.0", "Relay", "level = 1.4"}},
          {"a.y -> b.u", "b.y -> a.w", "a.y -> i.u", "s.x -> a.u", "a.y -> r.u"},
          cluster_of({"a", "b", "i", "r"}) + fmt::format("solver.name = \"{}\"\n", solver) +
              (is_dae ? "loops = \"dae\"\n" : "") + "[results]\nvariables = [\"r.*\", \"a.y\"]\n",
          "stop = 2.0\n");
    std::string text = place_.read("s.toml");
    text.erase(text.find("stop = 1.0\n"), 11);
    place_.write("s.toml", text);
    const auto last = run();
    ASSERT_EQ(answer_.status, 0) << solver << answer_.err;
    if (!is_dae) newton = last;
    EXPECT_EQ(last.at("r.changes"), newton.at("r.changes")) << solver;
    EXPECT_EQ(last.at("r.on"), newton.at("r.on")) << solver;
  }
  EXPECT_EQ(newton.at("r.changes"), 4);
}

TEST_F(Clusters, HaveANameOfTheirOwn) {
  write({{"a", "2.0", "Feedback", ""}, {"b", "2.0", "Feedback", ""}}, {"a.y -> b.u", "b.y -> a.u"},
        "[components.\"a+b\"]\nfmu = \"" + fmu("2.0", "Gain") + "\"\n" + cluster_of({"a", "b"}));
  run();
  EXPECT_EQ(answer_.status, 0) << answer_.err;
}

}  // namespace
}  // namespace tutti::testing
