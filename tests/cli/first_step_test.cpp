// SPDX-License-Identifier: BSD-2-Clause
// Extrapolated inputs in the first step, where they have no past.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;

class FirstStep : public SystemRun {
 protected:
  /// x' = a x + b u, y = c x + d u, twice: a damped oscillation, as the FMU of one class.
  struct Pair {
    std::string fmu, as = "cs";
    double feed_through = 0;  ///< d of the first
  };
  void write_pair(const Pair& pair, double h, const std::string& settings) {
    const std::string solver = pair.as == "me" ? "solver = { rtol = 1e-11 }\n" : "";
    const auto part = [&](const char* name, const std::string& set) {
      return fmt::format("[components.{}]\nfmu = \"{}\"\nas = \"{}\"\n{}set = {{ {} }}\n", name,
                         pair.fmu, pair.as, solver, set);
    };
    place_.write(
        "s.toml",
        part("a", fmt::format("a = -1.0, b = 1.0, c = 1.0, d = {}, x = 1.0", pair.feed_through)) +
            part("b", "a = -0.5, b = 1.0, c = -2.0, d = 0.0, x = 0.5") +
            fmt::format("[connections]\nlist = [\"a.y -> b.u\", \"b.y -> a.u\"]\n[simulation]\n"
                        "stop = 1.0\nstep = {:.17g}\n{}\n[results]\nvariables = [\"*.x\"]\n",
                        h, settings));
  }
  /// The largest error of the states at 1 s.
  double error(const Pair& pair, double h, const std::string& settings) {
    write_pair(pair, h, settings);
    const auto last = run();
    EXPECT_EQ(answer_.status, 0) << answer_.err;
    const auto [a, b] = solution(pair.feed_through);
    return std::max(std::abs(last.at("a.x") - a), std::abs(last.at("b.x") - b));
  }
  /// exp(A) x(0) by Taylor's series: x1' = -x1 - 2 x2, x2' = x1 - (0.5 + 2 d) x2.
  static std::array<double, 2> solution(double d) {
    std::array<double, 2> term{1, 0.5}, sum = term;
    for (int k = 1; k < 40; ++k) {
      term = {(-term[0] - 2 * term[1]) / k, (term[0] - (0.5 + 2 * d) * term[1]) / k};
      sum = {sum[0] + term[0], sum[1] + term[1]};
    }
    return sum;
  }
  /// Observed between steps of 1/20, 1/40, 1/80, 1/160.
  std::vector<double> orders(const Pair& pair, const std::string& settings) {
    std::vector<double> result;
    double coarse = error(pair, 1.0 / 20, settings);
    for (const int steps : {40, 80, 160}) {
      const double fine = error(pair, 1.0 / steps, settings);
      result.push_back(std::log2(coarse / fine));
      coarse = fine;
    }
    return result;
  }
  void expect_orders(double low, double high, const Pair& pair, const std::string& settings) {
    for (const double order : orders(pair, settings)) {
      EXPECT_GT(order, low) << pair.fmu << " " << pair.as << " " << settings;
      EXPECT_LT(order, high) << pair.fmu << " " << pair.as << " " << settings;
    }
  }
  const Attributes no_rollback{{"canGetAndSetFMUstate", "false"}};
  const Attributes no_derivatives{{"maxOutputDerivativeOrder", "0"}};
  const Attributes fixed_step{{"canHandleVariableCommunicationStepSize", "false"}};
  const Attributes values_only{{"maxOutputDerivativeOrder", "0"},
                               {"canInterpolateInputs", "false"}};
  static Attributes both(Attributes a, const Attributes& b) {
    a.insert(b.begin(), b.end());
    return a;
  }
};

const std::string jacobi = "method = \"jacobi\"\ninputs = { order = 2 }";
const std::string seidel = "method = \"gauss-seidel\"\ninputs = { order = 2 }";
const std::string constant = "method = \"jacobi\"\ninputs = { order = 2, start = \"constant\" }";

// Three points are a parabola, so a step errs by h^4, and a first step along a line by h^3.
TEST_F(FirstStep, LetsOrderTwoConvergeWithOrderThree) {
  const std::string all = fmu("2.0", "Feedback");
  for (const Pair& pair :
       {Pair{all}, Pair{all, "me"}, Pair{fmu("3.0", "Feedback")}, Pair{fmu("1.0-cs", "Feedback")},
        Pair{described("Feedback", no_derivatives)}, Pair{described("Feedback", no_rollback)},
        Pair{described("Feedback", both(no_rollback, no_derivatives))},
        Pair{described("Feedback", both(fixed_step, no_derivatives))},
        Pair{described("Feedback", both(fixed_step, no_rollback))}})
    for (const std::string& settings : {jacobi, seidel}) expect_orders(2.8, 3.2, pair, settings);
}

TEST_F(FirstStep, KnowsWhatOutputsTakeFromInputsAtOnce) {
  const std::string all = fmu("2.0", "Feedback");
  for (const Pair& pair : {Pair{all, "cs", 0.2}, Pair{all, "me", 0.2},
                           Pair{described("Feedback", no_rollback), "cs", 0.2},
                           Pair{described("Feedback", no_derivatives), "cs", 0.2}})
    expect_orders(2.8, 3.2, pair, jacobi);
}

// A constant in the middle of a step differs from a line in its effect on states by h^3 in each
// step, so the second order is all that there is; but the first step no longer is what is seen.
TEST_F(FirstStep, IsNotWhatLimitsValuesToOrderTwo) {
  for (const Attributes& attributes : {values_only, both(values_only, no_rollback)}) {
    const Pair pair{described("Feedback", attributes)};
    expect_orders(1.7, 2.4, pair, jacobi);  // errors of two kinds, of which one changes its sign
    EXPECT_LT(error(pair, 1.0 / 40, jacobi), 0.1 * error(pair, 1.0 / 40, constant));
  }
}

TEST_F(FirstStep, IsConstantWhereTheFileSaysSo) {
  expect_orders(1.9, 2.1, {fmu("2.0", "Feedback")}, constant);
  EXPECT_EQ(statistics()["calls"]["doStep"], 2 * 160);
}

TEST_F(FirstStep, IsConstantWhereFmusCanDoNothingAboutIt) {
  const Pair pair{described("Feedback", both(both(no_rollback, no_derivatives), fixed_step))};
  EXPECT_EQ(error(pair, 0.05, jacobi), error(pair, 0.05, constant));
}

// A constant start makes up for a part of what the other steps miss: 5/12 h^2 (u'(T) - u'(0)).
TEST_F(FirstStep, IsConstantWithOrderOne) {
  const Pair pair{fmu("2.0", "Feedback")};
  for (const char* inputs : {"order = 1", "order = 1, derivatives = \"differences\"",
                             "order = 2, derivatives = \"backward\""}) {
    const auto error_of = [&](const char* start) {
      return error(
          pair, 0.05,
          fmt::format("method = \"jacobi\"\ninputs = {{ {}, start = \"{}\" }}", inputs, start));
    };
    EXPECT_EQ(error_of("auto"), error_of("constant")) << inputs;
  }
}

TEST_F(FirstStep, IsRecordedAsOneWhenItIsTakenInParts) {
  write_pair({described("Feedback", both(no_rollback, no_derivatives))}, 0.25, jacobi);
  run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  std::vector<std::string> times;
  for (const auto& row : csv_rows(place_.read("r.csv"))) times.push_back(row[0]);
  EXPECT_THAT(times, ::testing::ElementsAre("time", "0", "0.25", "0.5", "0.75", "1"));
  EXPECT_EQ(statistics()["calls"]["doStep"], 2 * (3 + 8));  // parts of 1, 1, 2, 4, ... 64 of 128
  place_.write("s.toml", place_.read("s.toml") + "steps = true\n");
  run();
  const auto rows = csv_rows(place_.read("r.csv"));
  const auto step = std::find(rows[0].begin(), rows[0].end(), "step") - rows[0].begin();
  for (std::size_t k = 2; k < rows.size(); ++k)
    EXPECT_EQ(rows[k].at(static_cast<std::size_t>(step)), "0.25") << k;
}

// Slopes converge with a factor of 0.7 for each look, so that 8 looks leave 6 % of them: parts know
// more.
TEST_F(FirstStep, LetsOrderTwoConvergeInSlowlyConvergingLoops) {
  const auto last_of = [&](int steps) {
    write({{"a", "Feedback", "a = -1.0, b = 1.0, c = 1.0, d = 0.7, x = 1.0"},
           {"b", "Feedback", "a = -2.5, b = 1.0, c = 0.5, d = 1.0, x = 0.5"}},
          {"\"a.y -> b.u\"", "\"b.y -> a.u\""},
          fmt::format("[simulation]\nmethod = \"jacobi\"\nstop = 1.0\nstep = {:.17g}\n"
                      "inputs = {{ order = 2, correct = \"linear\" }}\n"
                      "[results]\nvariables = [\"*.x\"]\n",
                      1.0 / steps));
    return run().at("a.x");
  };
  const double coarse = last_of(80), medium = last_of(160), fine = last_of(320);
  const double order = std::log2((coarse - medium) / (medium - fine));
  EXPECT_GT(order, 2.8);
  EXPECT_LT(order, 3.3);
}

TEST_F(FirstStep, SavesNoStatesWhereTheFileForbidsIt) {
  const auto write_crashing = [&](const std::string& settings) {
    write(
        {{"a", "faulty_crash_in_get_state", ""}, {"b", "faulty_crash_in_get_state", ""}},
        {"\"a.y -> b.u\"", "\"b.y -> a.u\""},
        "[simulation]\nmethod = \"jacobi\"\nstop = 1.0\nstep = 0.1\ninputs.order = 2\n" + settings);
    run();
  };
  write_crashing("save-states = \"never\"\n");
  EXPECT_EQ(answer_.status, 0) << answer_.err;
  write_crashing("");
  EXPECT_EQ(answer_.status, 1);
  EXPECT_THAT(answer_.err, HasSubstr("simulation.inputs.start = \"constant\""));
}

// Two with y' = u - y feed each other. Where an FMU fails, the run is repeated; where it discards a
// short step, it is asked for the whole one.
TEST_F(FirstStep, IsConstantWhereFmusDoNotKeepTheirPromises) {
  for (const char* model :
       {"faulty_refuses_short_steps", "faulty_discards_short_steps", "faulty_keeps_moving",
        "faulty_hides_a_state", "faulty_lacks_state_functions"}) {
    const auto last_of = [&](const std::string& start) {
      write({{"a", model, "y = 1.0"}, {"b", model, "y = 0.0"}},
            {"\"a.y -> b.u\"", "\"b.y -> a.u\""},
            "[simulation]\nmethod = \"jacobi\"\nstop = 1.0\nstep = 0.1\ninputs = { order = 2, "
            "start = \"" +
                start + "\" }\n");
      const auto last = run();
      EXPECT_EQ(answer_.status, 0) << model << answer_.err;
      return last;
    };
    EXPECT_EQ(last_of("auto"), last_of("constant")) << model;
  }
}

TEST_F(FirstStep, SaysWhyTheRunIsRepeated) {
  write({{"a", "faulty_keeps_moving", "y = 1.0"}, {"b", "faulty_keeps_moving", "y = 0.0"}},
        {"\"a.y -> b.u\"", "\"b.y -> a.u\""},
        "[simulation]\nmethod = \"jacobi\"\nstop = 1.0\nstep = 0.1\ninputs.order = 2\n");
  run({"--verbose"});
  EXPECT_THAT(answer_.err, HasSubstr("outputs differ after a step that was rolled back"));
}

TEST_F(FirstStep, IsLookedAtTwiceToSeeWhetherAllStatesAreRestored) {
  write({{"a", "faulty_hides_a_state", "y = 1.0"}, {"b", "faulty_hides_a_state", "y = 0.0"}},
        {"\"a.y -> b.u\"", "\"b.y -> a.u\""},
        "[simulation]\nmethod = \"jacobi\"\nstop = 1.0\nstep = 0.1\ninputs.order = 2\n");
  run({"--verbose"});
  EXPECT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_THAT(answer_.err, HasSubstr("rolled back and repeated gives different outputs"));
}

}  // namespace
}  // namespace tutti::testing
