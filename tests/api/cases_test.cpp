// SPDX-License-Identifier: BSD-2-Clause
#include <tutti/cases.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <fstream>
#include <mutex>
#include <tutti/component_model.hpp>
#include <tutti/system_file.hpp>
#include <tutti/system_run.hpp>

#include "api/systems.hpp"
#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::NanSensitiveDoubleEq;
using ::testing::SizeIs;

/// Keeps the messages of a log.
class CaseNotes {
 public:
  Log log() {
    return Log([this](const LogRecord& record) {
      const std::lock_guard lock(mutex_);
      texts_.push_back(std::string(record.component) + ": " + std::string(record.text));
    });
  }
  std::vector<std::string> with(std::string_view part) const {
    std::vector<std::string> found;
    for (const std::string& text : texts_)
      if (text.find(part) != std::string::npos) found.push_back(text);
    return found;
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> texts_;
};

std::vector<std::uint64_t> case_bits(const std::vector<double>& values) {
  std::vector<std::uint64_t> bits;
  for (const double value : values) bits.push_back(std::bit_cast<std::uint64_t>(value));
  return bits;
}

/// All numbers of all rows: two rows at an event, too.
class RowsOfRun final : public Observer {
 public:
  void begin(std::span<const Column> all) override { columns.assign(all.begin(), all.end()); }
  void row(const Row& row) override {
    times.push_back(row.time);
    rows.emplace_back();
    for (std::size_t i = 0; i < columns.size(); ++i)
      rows.back().push_back(as_real(columns[i].type, row.cells[i]));
  }
  bool rewind(std::uint64_t count) override {
    times.resize(count);
    rows.resize(count);
    return true;
  }
  void finish() override {}
  std::vector<Column> columns;
  std::vector<double> times;
  std::vector<std::vector<double>> rows;
};

/// The maximum, the integral and the last value of a variable, from the rows of run().
std::vector<double> run_reference(System system, const std::vector<std::string>& names,
                                  const std::vector<std::string>& values,
                                  const std::string& variable) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (system.is_single_fmu)
      system.components[0].set.emplace_back(names[i], values[i]);
    else
      assign(system, names[i] + "=" + values[i]);
  system.results.variables = {variable};
  RowsOfRun rows;
  const RunReport report = run(system, {}, &rows, {});
  EXPECT_EQ(report.end.kind, RunEnd::Kind::completed);
  double most = rows.rows.front()[0], integral = 0;
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    const double now = rows.rows[i][0];
    most = std::max(most, now);
    if (i == 0) continue;
    integral += (rows.times[i] - rows.times[i - 1]) * ((rows.rows[i - 1][0] + now) / 2);
  }
  return {most, integral, rows.rows.back()[0]};
}

std::vector<Measure> case_measures(const std::string& variable) {
  return {{"max(" + variable + ")"}, {"integral(" + variable + ")"}, {variable}};
}

std::vector<Case> cases_of(const std::vector<std::vector<std::string>>& values) {
  std::vector<Case> cases;
  for (const auto& row : values) cases.push_back({cases.size(), 0, row});
  return cases;
}

/// Runs the cases in one worker and in this process: the same instances serve all of them.
void expect_results_of_run(const System& system, const std::vector<std::string>& names,
                           const std::vector<std::vector<std::string>>& values,
                           const std::string& variable, const std::string& what) {
  std::vector<std::vector<std::uint64_t>> expected;
  for (const auto& row : values)
    expected.push_back(case_bits(run_reference(system, names, row, variable)));
  for (const bool own_process : {true, false}) {
    CaseOptions options;
    options.own_process = own_process;
    options.jobs = 1;
    Cases cases({{system, names, case_measures(variable)}}, options, {});
    const auto results = cases.run(cases_of(values));
    for (std::size_t i = 0; i < values.size(); ++i) {
      ASSERT_EQ(results[i].end.kind, RunEnd::Kind::completed)
          << what << " " << results[i].end.error->what();
      EXPECT_EQ(case_bits(results[i].values), expected[i])
          << what << ", case " << i << (own_process ? ", worker" : ", here");
    }
  }
}

const std::vector<std::vector<std::string>> case_starts = {{"1", "0"},   {"0.3", "-2"}, {"1", "0"},
                                                           {"-1", "1"},  {"7", "1e-3"}, {"0", "0"},
                                                           {"0.1", "4"}, {"1", "0"}};

TEST(Cases, HaveTheResultsOfRunToTheLastBitWhateverRanBefore) {
  for (const char* version : {"1.0-cs", "1.0-me", "2.0", "3.0"})
    for (const FmuKind kind : {FmuKind::co_simulation, FmuKind::model_exchange}) {
      const bool is_cs = kind == FmuKind::co_simulation;
      if (version == std::string("1.0-cs") && !is_cs) continue;
      if (version == std::string("1.0-me") && is_cs) continue;
      System system = oscillator(version, 0.05);
      for (Component& component : system.components) component.as = kind;
      expect_results_of_run(system, {"position.x", "speed.x"}, case_starts, "position.y",
                            std::string(version) + (is_cs ? " cs" : " me"));
    }
}

TEST(Cases, HaveTheResultsOfRunInClusters) {
  for (const char* version : {"1.0-me", "2.0", "3.0"}) {
    System system = oscillator(version, 0.1);
    ClusterSettings cluster;
    cluster.of = {"position", "speed"};
    system.clusters = {cluster};
    expect_results_of_run(system, {"position.x", "speed.x"}, case_starts, "position.y", version);
  }
}

TEST(Cases, HaveTheResultsOfRunWithEvents) {
  for (const char* version : {"2.0", "3.0"})
    for (const FmuKind kind : {FmuKind::co_simulation, FmuKind::model_exchange}) {
      System system = system_of(fmu_of(version, "BouncingBall"));
      system.components[0].as = kind;
      expect_results_of_run(system, {"e", "h"},
                            {{"0.7", "1"}, {"0.2", "3"}, {"0.9", "0.5"}, {"0.7", "1"}}, "h",
                            version);
    }
}

TEST(Cases, HaveTheResultsOfRunWithIterationsAndStepControl) {
  System system = oscillator("2.0", 0.05);
  system.simulation.methods = {"newton"};
  system.simulation.control.name = "richardson";
  expect_results_of_run(system, {"position.x", "speed.x"}, case_starts, "speed.y", "newton");
}

TEST(Cases, SetSettingsToo) {
  expect_results_of_run(oscillator("2.0", 0.05),
                        {"simulation.step", "position.x", "simulation.method"},
                        {{"0.05", "1", "jacobi"},
                         {"0.1", "1", "jacobi"},
                         {"0.1", "2", "gauss-seidel"},
                         {"0.05", "1", "jacobi"},
                         {"0.05", "3", "jacobi"},
                         {"0.05", "4", "jacobi"}},
                        "position.y", "settings");
}

TEST(Cases, SetSizesOfArrays) {
  for (const bool is_single : {true, false}) {
    System system = system_of(fmu_of("3.0", "StateSpace"));
    system.is_single_fmu = is_single;
    const std::string prefix = is_single ? "" : "StateSpace.";
    expect_results_of_run(system, {prefix + "n", prefix + "x0"},
                          {{"2", "1"}, {"2", "3"}, {"3", "1"}, {"2", "1"}, {"2", "4"}},
                          prefix + "y[1]", is_single ? "alone" : "sizes");
  }
}

TEST(Cases, MakeTheChoiceOfAutoForEachRunAgain) {
  System system = oscillator("2.0", 0.05);
  system.simulation.methods = {"auto"};
  expect_results_of_run(system, {"position.a", "position.x"},
                        {{"0", "1"}, {"-30", "1"}, {"0", "2"}}, "position.y", "auto");
}

TEST(Cases, WriteTheRowsThatRunWrites) {
  const Workplace place;
  System system = oscillator("3.0", 0.1);
  const std::vector<std::string> values = {"0.5", "1.5", "2.5"};
  for (const std::string& value : values) {
    System changed = system;
    assign(changed, "position.x=" + value);
    const auto writer = make_result_writer(place.path() / ("run" + value + ".csv"));
    run(changed, {}, writer.get(), {});
  }
  for (const bool own_process : {true, false}) {
    CaseOptions options;
    options.own_process = own_process;
    // A measure of a variable that is not recorded changes nothing in the file.
    Cases cases({{system, {"position.x"}, {{"speed.x"}}}}, options, {});
    std::vector<Case> all;
    for (const std::string& value : values)
      all.push_back({0, 0, {value}, place.path() / ("case" + value + ".csv")});
    for (const CaseResult& result : cases.run(all))
      EXPECT_EQ(result.end.kind, RunEnd::Kind::completed);
    for (const std::string& value : values) {
      EXPECT_EQ(place.read("case" + value + ".csv"), place.read("run" + value + ".csv"));
      EXPECT_THAT(place.read("case" + value + ".csv"), HasSubstr("position.y"));
    }
  }
}

TEST(Cases, FailWhereTheirFileCannotBeWritten) {
  for (const bool own_process : {true, false}) {
    CaseOptions options;
    options.own_process = own_process;
    Cases cases({{oscillator(), {}, {{"speed.x"}}}}, options, {});
    const std::vector<Case> all = {{0, 0, {}, "/no/such/folder/a.csv"}, {1, 0, {}}};
    const auto results = cases.run(all);
    ASSERT_TRUE(results[0].end.error);
    EXPECT_THAT(results[0].end.error->what(), HasSubstr("/no/such/folder/a.csv"));
    EXPECT_EQ(results[0].end.kind, RunEnd::Kind::failed);
    EXPECT_EQ(results[1].end.kind, RunEnd::Kind::completed);
  }
}

TEST(Cases, EvaluateFormulasAtGivenTimes) {
  System system = system_of(fmu_of("2.0", "Dahlquist"));
  system.simulation.stop = 1;
  system.simulation.step = 0.25;
  Cases cases({{system, {"x"}, {{"2*x", {0, 0.375, 1, 2}}, {"time"}}}}, {}, {});
  const auto results = cases.run(cases_of({{"1"}, {"3"}}));
  for (const CaseResult& result : results) {
    ASSERT_THAT(result.values, SizeIs(5));
    EXPECT_EQ(result.values[0], result.number == 0 ? 2 : 6);
    EXPECT_GT(result.values[1], result.values[2]);
    EXPECT_TRUE(std::isnan(result.values[3]));  // beyond the stop time
    EXPECT_EQ(result.values[4], 1);
  }
}

TEST(Cases, SeveralSystemsMix) {
  const System slow = oscillator("2.0", 0.1), fine = oscillator("3.0", 0.01);
  CaseOptions options;
  options.jobs = 2;
  Cases cases({{slow, {"position.x"}, case_measures("position.y")},
               {fine, {"speed.x", "position.x"}, case_measures("speed.y")}},
              options, {});
  std::vector<Case> all;
  for (int i = 0; i < 12; ++i) {
    const std::string x = std::to_string(i % 5);
    all.push_back(i % 3 == 0 ? Case{100, 1, {x, "1"}} : Case{7, 0, {x}});
  }
  const auto results = cases.run(all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_fine = all[i].system == 1;
    EXPECT_EQ(results[i].number, all[i].number);
    EXPECT_EQ(
        case_bits(results[i].values),
        case_bits(is_fine ? run_reference(fine, {"speed.x", "position.x"}, all[i].values, "speed.y")
                          : run_reference(slow, {"position.x"}, all[i].values, "position.y")));
  }
}

// Resets.

System resettable(const std::string& fault) {
  System system = system_of(fmu_of("2.0", "faulty_reset_" + fault));
  system.simulation.stop = 1;
  system.simulation.step = 0.25;
  return system;
}

/// The FMU has y(1) = y(0) + u, exactly. The first runs have u = 0, so they do not change y.
void expect_exact_sums(const std::string& fault, bool reuse, int count, CaseNotes& notes) {
  CaseOptions options;
  options.jobs = 1;
  options.reuse = reuse;
  options.step_timeout = 0.5;
  Cases cases({{resettable(fault), {"u"}, {{"y"}}}}, options, notes.log());
  std::vector<std::vector<std::string>> values;
  const auto u = [](int i) { return std::max(0, i - 2); };
  for (int i = 0; i < count; ++i) values.push_back({std::to_string(u(i))});
  // Each one alone, so that what follows a run is over before the next one.
  for (int i = 0; i < count; ++i) {
    const auto results = cases.run(cases_of({values[static_cast<std::size_t>(i)]}));
    ASSERT_EQ(results[0].end.kind, RunEnd::Kind::completed)
        << fault << " " << results[0].end.error->what();
    EXPECT_THAT(results[0].values, ElementsAre(u(i))) << fault << i;
  }
  const auto together = cases.run(cases_of(values));
  for (int i = 0; i < count; ++i)
    EXPECT_THAT(together[static_cast<std::size_t>(i)].values, ElementsAre(u(i))) << fault << i;
}

TEST(Cases, DoNotReuseInstancesWhoseResetIsWrongWithOneNoteThatNamesTheFmu) {
  for (const char* fault : {"keeps_state", "fails", "crashes", "hangs", "crashes_later"}) {
    CaseNotes notes;
    expect_exact_sums(fault, true, 6, notes);
    EXPECT_THAT(notes.with("is instantiated for each run"), SizeIs(1)) << fault;
    EXPECT_THAT(notes.with("faulty_reset_"), SizeIs(1)) << fault;
  }
}

TEST(Cases, NeverResetWithoutReuse) {
  for (const char* fault : {"keeps_state", "fails", "crashes"}) {
    CaseNotes notes;
    expect_exact_sums(fault, false, 4, notes);
    EXPECT_THAT(notes.with("instantiated"), IsEmpty()) << fault;
  }
}

TEST(Cases, OnlyTheFmuWithTheWrongResetIsInstantiatedAgain) {
  System system = oscillator("2.0", 0.1);
  system.components.push_back(component("bad", fmu_of("2.0", "faulty_reset_keeps_state")));
  for (const bool own_process : {true, false}) {
    CaseNotes notes;
    CaseOptions options;
    options.jobs = 1;
    options.own_process = own_process;
    Cases cases({{system, {"position.x"}, {{"bad.y"}, {"position.y"}}}}, options, notes.log());
    const auto results = cases.run(cases_of({{"1"}, {"2"}, {"3"}, {"1"}, {"2"}, {"3"}}));
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(results[i].values[0], 1, 1e-12);  // the rounding of ten sums
      EXPECT_EQ(case_bits(results[i].values), case_bits(results[i + 3].values));
    }
    EXPECT_THAT(notes.with("is instantiated for each run"),
                ElementsAre(AllOf(HasSubstr("bad: "), HasSubstr("after a reset"))));
  }
}

TEST(Cases, NoteFmusThatCannotBeReset) {
  CaseNotes notes;
  CaseOptions options;
  options.jobs = 1;
  Cases cases({{system_of(fmu_of("1.0-cs", "Feedback")), {"x"}, {{"y"}}}}, options, notes.log());
  EXPECT_THAT(cases.run(cases_of({{"1"}, {"2"}, {"3"}})), SizeIs(3));
  EXPECT_THAT(notes.with("is instantiated for each run"), ElementsAre(HasSubstr("FMI 1.0")));
}

// Failures.

/// Its third component misbehaves from t = 0.5 on.
System case_with_bad(const std::string& fmu) {
  System system = oscillator("2.0", 0.05);
  system.components.push_back(component("bad", fmu_of("2.0", fmu)));
  return system;
}

TEST(Cases, ACrashOrAHangFailsTheCaseInWhichItHappens) {
#ifdef __SANITIZE_ADDRESS__
  const char* const crash = "exit status";  // of the sanitizer
#else
  const char* const crash = "SIGSEGV";
#endif
  for (const auto& [fmu, code, what] : {std::tuple("faulty_crash_in_step", ErrorCode::crash, crash),
                                        {"faulty_exit_in_step", ErrorCode::crash, "exit status"},
                                        {"faulty_hang_in_step", ErrorCode::timeout, "0.3 s"},
                                        {"faulty_error_in_step", ErrorCode::fmu, "DoStep"}}) {
    CaseOptions options;
    options.jobs = 2;
    options.step_timeout = 0.3;
    Cases cases({{case_with_bad(fmu), {"simulation.stop"}, case_measures("position.y")}}, options,
                {});
    std::vector<std::vector<std::string>> stops;
    for (int i = 0; i < 16; ++i) stops.push_back({i == 3 || i == 9 ? "1" : "0.2"});
    const auto results = cases.run(cases_of(stops));
    for (std::size_t i = 0; i < results.size(); ++i) {
      const RunEnd& end = results[i].end;
      ASSERT_THAT(results[i].values, SizeIs(3)) << fmu << i;
      if (i != 3 && i != 9) {
        EXPECT_EQ(end.kind, RunEnd::Kind::completed) << fmu << i;
        EXPECT_NEAR(results[i].values[2], std::cos(0.2), 0.02);  // of explicit Euler
        continue;
      }
      EXPECT_EQ(end.kind, RunEnd::Kind::failed);
      ASSERT_TRUE(end.error) << fmu;
      EXPECT_EQ(end.error->code(), code) << end.error->what();
      EXPECT_EQ(end.error->details().component, "bad");
      EXPECT_THAT(end.error->what(), HasSubstr(what));
      EXPECT_NEAR(end.time, 0.5, 0.051);
      EXPECT_EQ(std::isnan(results[i].values[2]), code != ErrorCode::fmu);
    }
  }
}

TEST(Cases, AFailingInitializationFailsTheCaseOnly) {
  Cases cases({{oscillator(), {}, {{"position.y"}}},
               {case_with_bad("faulty_error_in_initialization"), {}, {{"position.y"}}},
               {case_with_bad("faulty_crash_in_instantiate"), {}, {{"position.y"}}}},
              {}, {});
  std::vector<Case> all;
  for (std::uint32_t i = 0; i < 9; ++i) all.push_back({i, i % 3, {}});
  for (const CaseResult& result : cases.run(all)) {
    const bool is_good = result.number % 3 == 0;
    EXPECT_EQ(result.end.started, is_good);
    EXPECT_THAT(result.values, SizeIs(is_good ? 1 : 0));
    if (!is_good) {
      ASSERT_TRUE(result.end.error);
      EXPECT_EQ(result.end.error->details().component, "bad") << result.end.error->what();
    }
  }
}

TEST(Cases, AWrongValueFailsTheCaseOnly) {
  for (const bool own_process : {true, false}) {
    CaseOptions options;
    options.own_process = own_process;
    System system = oscillator();
    system.components.push_back(component("ball", fmu_of("2.0", "BouncingBall")));
    Cases cases({{system, {"ball.e", "simulation.step"}, {{"ball.h"}}}}, options, {});
    const auto results =
        cases.run(cases_of({{"0.5", "0.1"}, {"1.5", "0.1"}, {"0.5", "-1"}, {"0.5", "0.1"}}));
    EXPECT_EQ(results[0].end.kind, RunEnd::Kind::completed);
    EXPECT_EQ(case_bits(results[3].values), case_bits(results[0].values));
    for (const std::size_t i : {1u, 2u}) {
      EXPECT_FALSE(results[i].end.started);
      ASSERT_TRUE(results[i].end.error);
      EXPECT_EQ(results[i].end.error->code(), ErrorCode::usage);
      EXPECT_THAT(results[i].values, IsEmpty());
    }
    EXPECT_THAT(results[1].end.error->what(),
                AllOf(HasSubstr("\"ball\""), HasSubstr("\"e\""), HasSubstr("maximum 1")));
    EXPECT_THAT(results[2].end.error->what(), HasSubstr("simulation.step"));
  }
}

TEST(Cases, RefuseWhatCannotBeSetOrMeasured) {
  const auto refusal = [](const std::vector<std::string>& names, const std::string& formula) {
    return refusal_of([&] { const Cases cases({{oscillator(), names, {{formula}}}}, {}, {}); });
  };
  EXPECT_THAT(refusal({"position.xx"}, "speed.y"),
              AllOf(HasSubstr("position"), HasSubstr("no variable \"xx\"")));
  EXPECT_THAT(refusal({"position.y"}, "speed.y"), HasSubstr("cannot be set"));
  EXPECT_THAT(refusal({}, "spede.y"), HasSubstr("Did you mean"));
  EXPECT_THAT(refusal({}, "speed.yy"), HasSubstr("\"yy\""));
  EXPECT_THAT(refusal({}, "max(speed.y"), HasSubstr("max(speed.y"));
  EXPECT_THAT(refusal_of([] {
                const Cases cases({{System(), {}, {}}}, {}, {});
              }),
              HasSubstr("component"));
  Cases cases({{oscillator(), {"position.x"}, {{"speed.y"}}}}, {}, {});
  const auto results = cases.run(std::vector<Case>{{0, 0, {}}, {1, 1, {"1"}}, {2, 0, {"1"}}});
  EXPECT_THAT(results[0].end.error->what(), HasSubstr("0 values"));
  EXPECT_THAT(results[1].end.error->what(), HasSubstr("system 1"));
  EXPECT_EQ(results[2].end.kind, RunEnd::Kind::completed);
}

// Interruptions.

TEST(Cases, AStopRequestEndsSoonAndLaterRunsWork) {
  for (const bool own_process : {true, false}) {
    std::atomic<bool> stop{false};
    CaseOptions options;
    options.own_process = own_process;
    options.jobs = 2;
    options.stop_request = &stop;
    Cases cases({{oscillator("2.0", 1e-3), {}, {{"position.y"}}}}, options, {});
    std::uint64_t asked = 0, done = 0;
    const bool completed = cases.run(
        [&]() -> std::optional<Case> {
          return asked < 100'000 ? std::optional<Case>({asked++, 0, {}}) : std::nullopt;
        },
        [&](const CaseResult& result) {
          EXPECT_EQ(result.end.kind, RunEnd::Kind::completed);
          if (++done == 20) stop = true;
        });
    EXPECT_FALSE(completed);
    EXPECT_GE(done, 20u);
    EXPECT_LT(asked, 1000u);
    const auto none = cases.run(std::vector<Case>{{5, 0, {}}});
    EXPECT_EQ(none[0].number, 5u);
    EXPECT_EQ(none[0].end.kind, RunEnd::Kind::interrupted);
    stop = false;
    EXPECT_EQ(cases.run(std::vector<Case>{{5, 0, {}}})[0].end.kind, RunEnd::Kind::completed);
  }
}

TEST(Cases, AStopRequestEndsAnFmuThatHangs) {
  std::atomic<bool> stop{false};
  CaseOptions options;
  options.stop_request = &stop;
  Cases cases({{case_with_bad("faulty_hang_in_step"), {}, {{"position.y"}}}}, options, {});
  const auto start = std::chrono::steady_clock::now();
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    stop = true;
  });
  const auto results = cases.run(std::vector<Case>{{0, 0, {}}});
  later.join();
  EXPECT_EQ(results[0].end.kind, RunEnd::Kind::interrupted);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(Cases, AnExceptionOfTheCallerEndsTheRunAndLaterRunsWork) {
  CaseOptions options;
  options.jobs = 2;
  Cases cases({{oscillator(), {"position.x"}, {{"max(position.y)"}}}}, options, {});
  std::uint64_t asked = 0;
  EXPECT_THROW(cases.run(
                   [&]() {
                     return Case{asked++, 0, {"9"}};
                   },
                   [](const CaseResult&) { throw std::runtime_error("enough"); }),
               std::runtime_error);
  const auto results = cases.run(cases_of({{"1"}, {"2"}, {"3"}}));
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_THAT(results[i].values, ElementsAre(static_cast<double>(i + 1)));
}

// The rest.

class CaseDoubler final : public ComponentModel {
 public:
  CaseDoubler() {
    parameter("u", u_);
    output("y", y_);
  }
  void initialize(double) override { y_ = 2 * u_; }
  void step(double, double) override { y_ = 2 * u_; }

 private:
  double u_ = 0, y_ = 0;
};

TEST(Cases, OfClassesRunInThisProcess) {
  System system;
  Component& made = system.components.emplace_back();
  made.name = "c";
  made.model = [] { return std::make_unique<CaseDoubler>(); };
  system.simulation.stop = 1;
  system.simulation.step = 0.5;
  CaseNotes notes;
  Cases cases({{system, {"c.u"}, {{"c.y"}}}}, {}, notes.log());
  const auto results = cases.run(cases_of({{"1"}, {"2"}, {"3"}}));
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_THAT(results[i].values, ElementsAre(2.0 * static_cast<double>(i + 1)));
  EXPECT_THAT(notes.with("in this process"), SizeIs(1));
}

TEST(Cases, UseAsManyWorkersAsTheyAreTold) {
  CaseOptions options;
  options.jobs = 3;
  EXPECT_EQ(Cases({{oscillator(), {}, {}}}, options, {}).jobs(), 3u);
  options.jobs = 0;
  EXPECT_GE(Cases({{oscillator(), {}, {}}}, options, {}).jobs(), 1u);
  options.own_process = false;
  Cases here({{oscillator(), {}, {}}}, options, {});
  EXPECT_EQ(here.jobs(), 1u);
  EXPECT_THAT(here.run(std::vector<Case>{}), IsEmpty());
  EXPECT_THAT(here.run(std::vector<Case>{{1, 0, {}}})[0].values, IsEmpty());
}

TEST(Cases, NameTheReductionsOfFormulas) {
  EXPECT_THAT(reduction_names(), ::testing::IsSupersetOf({"at", "end", "integral", "max", "rms"}));
}

}  // namespace
}  // namespace tutti::testing
