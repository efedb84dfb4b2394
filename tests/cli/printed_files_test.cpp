// SPDX-License-Identifier: BSD-2-Clause
// The files printed in the papers, run as they are but for the paths of their FMUs.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <tutti/fmu.hpp>

#include <nlohmann/json.hpp>

#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;

/// Rows of a result by time, as written.
std::map<std::string, std::map<std::string, double>> results(const Workplace& work,
                                                             const std::string& name) {
  const auto rows = csv_rows(work.read(name));
  std::map<std::string, std::map<std::string, double>> all;
  for (std::size_t i = 1; i < rows.size(); ++i)
    for (std::size_t k = 1; k < rows[i].size(); ++k)
      all[rows[i][0]][rows[0][k]] = std::stod(rows[i][k]);
  return all;
}

std::string decay(int mode) {
  return fmt::format(
      "nval 3\nnsim 3\ntstart 0.0\ntend 10.0\ntstepmax 0.1\ntstepstart 0.1\nMasterMode {}\n"
      "MasterDebug 0\nOutputGnuplot 1\nit_max_steps 100\nit_tol_abs 1.0E-6\nit_tol_rel 1.0E-4\n"
      "simulator 0 {}\nsimulator 1 {}\nsimulator 2 {}\n"
      "graph #val #sim -1(out)/1(in) type name\n0 0 -1 r f1.x1\n0 1  1 r f2.x1\n"
      "1 1 -1 r f2.x2\n1 0  1 r f1.x2\n1 2  1 r f3.x2\n2 2 -1 r f3.y\nend\n"
      "priority #sim priority\n0 0\n1 0\n2 1\nend\ncycles #prior 0(no)/1(yes)\n0 1\n1 0\nend\n",
      mode, "f1.fmu", "f2.fmu", "f3.fmu");
}

// x2' = -x2 with inputs held: one pass is Euler's explicit rule, x2 = 0.9^n; iterations and
// Newton's method are the implicit one, 1.1^-n.
TEST(PrintedFiles, TheDecayOfTheEasMaster) {
  const Workplace work;
  for (const char* const n : {"1", "2", "3"})
    std::filesystem::copy_file(fmu("2.0", std::string("PrintedF") + n),
                               work.path() / fmt::format("f{}.fmu", n));
  const auto y_at_1 = [&](int mode) {
    work.write("decay.eas", decay(mode));
    const Answer answer = work.tutti({"run", "decay.eas", "-o", "r.csv"});
    EXPECT_EQ(answer.status, 0) << answer.err;
    return results(work, "r.csv")["1"]["f3.y"];
  };
  EXPECT_NEAR(y_at_1(1), 1.9201e-2, 5e-7);   // four digits after the first
  EXPECT_NEAR(y_at_1(2), -1.7664e-2, 2e-5);  // tolerance 1e-4 of values up to 1, ten steps
  EXPECT_NEAR(y_at_1(3), -1.7664e-2, 5e-7);
}

std::uint32_t reference(const std::string& model, const std::string& variable) {
  return read_description(fmu("2.0", model)).find(variable)->value_reference;
}

// Value references and unpacked FMUs; the values of the table for r = (1, 0, 1).
TEST(PrintedFiles, TheLinearSystemOfTheEasMaster) {
  const Workplace work;
  for (const char* const model : {"PrintedRight", "PrintedSum", "PrintedEquation"})
    ASSERT_EQ(std::system(fmt::format("unzip -q '{}' -d '{}'", fmu("2.0", model),
                                      (work.path() / model).string())
                              .c_str()),
              0);
  for (const char* const name : {"X1", "X2", "X3"})
    std::filesystem::copy(work.path() / "PrintedEquation", work.path() / name,
                          std::filesystem::copy_options::recursive);
  std::string text =
      "nval 7\nnsim 5\ntstart 0\ntend 4\ntstepmax 1\ntstepstart 1\nMasterMode 9\nMasterDebug 2\n"
      "OutputGnuplot 1\nit_max_steps 1000\nit_tol_abs 1e-6\nit_tol_rel 1e-4\n"
      "simulator 0 PrintedRight\nsimulator 1 PrintedSum\nsimulator 2 X2\nsimulator 3 X3\n"
      "simulator 4 X1\ngraph #val #sim -1(out)/1(in) [r|i|b|s]\n      valueref\n";
  const auto edge = [&](int value, int simulator, int direction, const std::string& model,
                        const std::string& name) {
    text += fmt::format("{} {} {} r {}\n", value, simulator, direction, reference(model, name));
  };
  edge(3, 0, -1, "PrintedRight", "r1");
  edge(4, 0, -1, "PrintedRight", "r3");
  edge(5, 0, -1, "PrintedRight", "r2");
  struct Equation {
    int simulator, x, p, q, r;
  };
  for (const Equation& e : {Equation{4, 1, 2, 0, 3}, {2, 2, 1, 0, 5}, {3, 0, 1, 2, 4}}) {
    edge(e.x, e.simulator, -1, "PrintedEquation", "x");
    edge(e.p, e.simulator, 1, "PrintedEquation", "p");
    edge(e.q, e.simulator, 1, "PrintedEquation", "q");
    edge(e.r, e.simulator, 1, "PrintedEquation", "r");
  }
  edge(6, 1, -1, "PrintedSum", "y");
  edge(1, 1, 1, "PrintedSum", "x1");
  edge(2, 1, 1, "PrintedSum", "x2");
  edge(0, 1, 1, "PrintedSum", "x3");
  work.write("linear.cfg", text +
                               "end\npriority #sim #prior\n0 0\n1 2\n2 1\n3 1\n4 1\nend\n"
                               "cycles #prior #cycles\n0 0\n1 1\n2 0\nend\n");
  std::vector<std::string> arguments = {"run", "linear.cfg", "-o", "r.csv"};
  for (const char* const assignment :
       {"X1.a=0.1", "X1.a_t=1", "X1.b=0.2", "X1.c=3", "X2.a=0.1", "X2.b=0.1", "X2.b_t=1", "X2.c=3",
        "X3.a=0.1", "X3.a_t=1", "X3.b=0.2", "X3.c=4"})
    arguments.insert(arguments.end(), {"--set", assignment});
  const Answer answer = work.tutti(arguments);
  ASSERT_EQ(answer.status, 0) << answer.err;
  EXPECT_THAT(work.read("r.gnuplot"), HasSubstr("plot 'r.csv' skip 1"));  // OutputGnuplot 1
  auto r = results(work, "r.csv");
  // Six digits are printed.
  EXPECT_NEAR(r["0"]["PrintedSum.y"], 0.542056, 1e-6);
  EXPECT_NEAR(r["1"]["X1.x"], 0.348278, 1e-6);
  EXPECT_NEAR(r["4"]["X2.x"], 0.041986, 1e-6);
  EXPECT_NEAR(r["4"]["PrintedSum.y"], 0.282926, 1e-6);
}

std::string math003(const std::string& settings) {
  std::string text = settings + "tStart 0 s\ntEnd 10 s\nabsTol 1e-05\nrelTol 1e-05\n";
  for (int i = 1; i <= 3; ++i)
    text += fmt::format("simulator {} {} Part{} #447cb4 \"{}\"\n", i - 1, i > 1 ? 1 : 0, i,
                        fmu("2.0", fmt::format("PrintedPart{}", i)));
  return text +
         "graph Part1.x1 Part2.x1\ngraph Part1.x2 Part2.x2\ngraph Part2.x3 Part3.x3\n"
         "graph Part3.x4 Part2.x4\n";
}

// With times from the number of the step; the printed runs have a clock that drifts.
TEST(PrintedFiles, Math003OfMasterSim) {
  const Workplace work;
  const auto x4_at_end = [&](const std::string& settings) {
    work.write("math003.msim", math003(settings));
    const Answer answer = work.tutti({"run", "math003.msim", "-o", "r.csv"});
    EXPECT_EQ(answer.status, 0) << answer.err;
    return results(work, "r.csv")["10"]["Part3.x4"];
  };
  // Sums of 0.6 a step: rounding only.
  EXPECT_NEAR(x4_at_end("hStart 0.1 s\nMasterMode GAUSS_JACOBI\n"), 3.6, 1e-12);
  EXPECT_NEAR(x4_at_end("hStart 0.1 s\nMasterMode GAUSS_SEIDEL\n"), 3.0, 1e-12);
  EXPECT_NEAR(x4_at_end("hStart 0.1 s\nMasterMode GAUSS_SEIDEL\nmaxIterations 2\n"), 2.4, 1e-12);
}

// What MASTERSIM itself counts with these settings: 328 steps, 41 that did not converge and 89
// whose error was too large, 1250 calls of doStep for part 1 and 1517 for the others.
TEST(PrintedFiles, AProjectWithErrorControlTakesTheStepsThatMastersimTakes) {
  const Workplace work;
  work.write("math003.msim",
             math003("hStart 0.14 s\nhMax 0.14 s\nhMin 1e-05 s\nhFallBackLimit 0.0001 s\n"
                     "adjustStepSize yes\nabsTol 1e-05\nrelTol 1e-05\n"
                     "MasterMode GAUSS_SEIDEL\nErrorControlMode STEP_DOUBLING\n"
                     "maxIterations 2\n"));
  const Answer answer = work.tutti({"run", "math003.msim", "--json", "-o", "r.csv"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  const auto statistics = nlohmann::json::parse(answer.out)["statistics"];
  EXPECT_EQ(statistics["steps"], 328);
  EXPECT_EQ(statistics["failures"]["convergence"], 41);
  EXPECT_EQ(statistics["failures"]["errorTest"], 89);
  EXPECT_EQ(statistics["components"]["Part1"]["doStep"], 1250);
  EXPECT_EQ(statistics["components"]["Part2"]["doStep"], 1517);
  EXPECT_EQ(work.tutti({"convert", "math003.msim", "m.toml"}).status, 0);
  EXPECT_THAT(work.read("m.toml"), HasSubstr("control.variant = \"mastersim\""));
}

}  // namespace
}  // namespace tutti::testing
