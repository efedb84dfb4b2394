// SPDX-License-Identifier: BSD-2-Clause
// A run in hand, as a user of the library holds it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <sstream>
#include <thread>
#include <tutti/session.hpp>
#include <tutti/system_file.hpp>
#include <tutti/system_run.hpp>

#include "api/systems.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;

TEST(Session, StepsOneCommunicationStepAtATime) {
  Session session(oscillator(), placed());
  const Handle x = session.find("position.y");
  session.initialize();
  EXPECT_EQ(session.time(), 0);
  EXPECT_EQ(session.get(x), 1);
  const StepEnd end = session.step();
  EXPECT_EQ(end.kind, StepEnd::Kind::reached);
  EXPECT_EQ(end.time, 0.01);
  EXPECT_EQ(session.time(), 0.01);
  session.advance_to(1);
  EXPECT_NEAR(session.get(x), std::cos(1), 0.02);
  const RunReport report = session.finish();
  EXPECT_EQ(report.statistics.steps, 100u);
  EXPECT_EQ(report.end.kind, RunEnd::Kind::completed);
}

TEST(Session, GivesTheSameBitsAsARun) {
  for (const char* method : {"jacobi", "gauss-seidel", "newton"}) {
    System system = oscillator();
    system.simulation.methods = {method};
    system.results.variables = {"position.y"};
    Rows rows;
    run(system, {}, &rows, {});
    Session session(system, placed());
    const Handle x = session.find("position.y");
    session.initialize();
    for (std::size_t i = 1; i < rows.times.size(); ++i) {
      session.step();
      ASSERT_EQ(session.time(), rows.times[i]) << method;
      ASSERT_EQ(session.get(x), rows.values[i]) << method << " at " << session.time();
    }
  }
}

TEST(Session, EndsAStepAtALimitAndKeepsTheGrid) {
  Session session(oscillator(), placed());
  session.initialize();
  EXPECT_EQ(session.step(0.004).time, 0.004);
  EXPECT_EQ(session.step().time, 0.01);
  EXPECT_EQ(session.step(0.5).time, 0.02);
  EXPECT_EQ(session.advance_to(0.055).time, 0.055);
  EXPECT_EQ(session.step().time, 0.06);
}

TEST(Session, RefusesTimesThatItCannotReach) {
  Session session(oscillator(), placed());
  EXPECT_THAT(refusal_of([&] { session.step(); }), HasSubstr("before initialize()"));
  session.initialize();
  EXPECT_THAT(refusal_of([&] { session.advance_to(2); }), HasSubstr("beyond the stop time"));
  session.advance_to(1);
  EXPECT_THAT(refusal_of([&] { session.step(); }), HasSubstr("there is no further step"));
  EXPECT_THAT(refusal_of([&] { session.advance_to(0.5); }),
              HasSubstr("not after the present time"));

  Session fixed(system_of(fmu_of("2.0", "FixedStep")), placed({.stop = 1.0}));
  fixed.initialize();
  fixed.step();
  EXPECT_THAT(refusal_of([&] { fixed.step(fixed.time() + 1e-4); }),
              HasSubstr("cannot vary its step"));
}

TEST(Session, MayHaveNoEnd) {
  Session session(oscillator(), placed({.stop = std::numeric_limits<double>::infinity()}));
  const Handle x = session.find("position.y");
  session.initialize();
  session.advance_to(12);
  EXPECT_EQ(session.time(), 12);
  EXPECT_NEAR(session.get(x), std::cos(12), 0.2);
}

TEST(Session, RunsAnFmuAlone) {
  System system = system_of(fmu_of("2.0", "VanDerPol"));
  system.components[0].as = FmuKind::model_exchange;
  Session session(system, placed());
  const Handle x = session.find("x0");
  session.initialize();
  EXPECT_EQ(session.get(x), 2);
  session.advance_to(1);
  EXPECT_NEAR(session.get(x), 1.5081443, 1e-4);
}

TEST(Session, SetsStartValuesBeforeInitialization) {
  Session session(oscillator(), placed());
  session.set(session.find("position.x"), 3.0);
  const Handle y = session.find("position.y");
  session.initialize();
  EXPECT_EQ(session.get(y), 3);
  EXPECT_THAT(refusal_of([&] { Session(oscillator(), placed()).find("position.z"); }),
              HasSubstr("position"));
}

class EveryVersion : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryVersion, SetsATunableParameterWhenTheNextStepStarts) {
  Session session(system_of(fmu_of(GetParam(), "TunableGain")), placed());
  const Handle gain = session.find("gain"), y = session.find("y");
  session.initialize();
  session.advance_to(0.5);
  EXPECT_NEAR(session.get(y), 0.5, 1e-12);
  session.set(gain, 3.0);
  EXPECT_NEAR(session.get(y), 0.5, 1e-12);
  session.advance_to(1);
  EXPECT_NEAR(session.get(y), 2, 1e-12);
  EXPECT_EQ(session.get(gain), 3);
}

TEST_P(EveryVersion, KeepsWhatIsToBeSetWhenItIsSaved) {
  System system = system_of(fmu_of(GetParam(), "TunableGain"));
  Session session(system, placed());
  const Handle y = session.find("y");
  session.initialize();
  for (const double gain : {2.0, 3.0, 4.0}) {
    session.set(session.find("gain"), gain);
    session.step();
    EXPECT_EQ(session.get(session.find("gain")), gain);
  }
  session.set(session.find("gain"), 0.0);
  const SessionState here = session.save();
  const double before = session.get(y);
  session.set(session.find("gain"), 9.0);
  session.step();
  EXPECT_NE(session.get(y), before);
  session.restore(here);
  session.step();
  EXPECT_NEAR(session.get(y), before, 1e-12);
}

TEST_P(EveryVersion, RestoresWhatItSaved) {
  Session session(oscillator(GetParam()), placed());
  const Handle x = session.find("position.y");
  session.initialize();
  session.advance_to(0.3);
  const SessionState here = session.save();
  EXPECT_EQ(here.time(), 0.3);
  session.advance_to(1);
  const double first = session.get(x);
  session.restore(here);
  EXPECT_EQ(session.time(), 0.3);
  session.advance_to(0.7);
  session.restore(here);
  session.advance_to(1);
  EXPECT_EQ(session.get(x), first);
}
INSTANTIATE_TEST_SUITE_P(Api, EveryVersion, ::testing::Values("2.0", "3.0"));

TEST(Session, RestoresUnderEveryStepControl) {
  for (const std::string_view control : {"convergence", "richardson", "predictor"}) {
    System system = oscillator();
    system.simulation.control.name = control;
    if (control == "convergence") system.simulation.methods = {"newton"};
    system.simulation.inputs.order = control == "predictor" ? 1 : 0;
    Session session(system, placed());
    const Handle x = session.find("position.y");
    session.initialize();
    while (session.time() < 0.4) session.step();
    const SessionState here = session.save();
    std::vector<double> first, second;
    const auto run_on = [&](std::vector<double>& values) {
      while (session.time() < 1) {
        session.step();
        values.push_back(session.time());
        values.push_back(session.get(x));
      }
    };
    run_on(first);
    session.restore(here);
    run_on(second);
    EXPECT_EQ(first, second) << control;
  }
}

TEST(Session, RestoresAcrossEvents) {
  for (const FmuKind as : {FmuKind::co_simulation, FmuKind::model_exchange}) {
    System system = system_of(fmu_of("3.0", "BouncingBall"));
    system.components[0].as = as;
    system.simulation.step = 0.01;
    Session session(system, placed({.stop = 2.0}));
    const Handle h = session.find("h");
    session.initialize();
    session.advance_to(0.4);
    const SessionState here = session.save();
    session.advance_to(1.5);  // it bounces at 0.45 and later
    const double first = session.get(h);
    session.restore(here);
    session.advance_to(1.5);
    EXPECT_NEAR(session.get(h), first, 1e-5);
    EXPECT_GT(first, 0);
  }
}

TEST(Session, RefusesToSaveWhatCannotBeSaved) {
  Session session(oscillator("1.0-cs"), placed());
  session.initialize();
  session.step();
  EXPECT_THAT(refusal_of([&] { session.save(); }), HasSubstr("position, speed cannot save"));
}

TEST(Session, RefusesTheStateOfAnother) {
  Session one(oscillator(), placed()), other(oscillator(), placed());
  one.initialize();
  other.initialize();
  const SessionState here = one.save();
  EXPECT_THAT(refusal_of([&] { other.restore(here); }), HasSubstr("another session"));
}

TEST(Session, StatesMayOutliveIt) {
  std::optional<Session> session(oscillator());
  session->initialize();
  const SessionState here = session->save();
  session.reset();
  EXPECT_EQ(here.time(), 0);
}

TEST(Session, RefusesSetsThatFmiForbids) {
  Session session(oscillator(), placed());
  EXPECT_THAT(refusal_of([&] { session.set(session.find("position.u"), 1.0); }),
              HasSubstr("a connection or a table drives it"));
  Session alone(system_of(fmu_of("3.0", "TunableGain")), placed());
  alone.initialize();
  EXPECT_THAT(refusal_of([&] { alone.set(alone.find("offset"), 1.0); }),
              HasSubstr("FMI 3.0, 2.4.7.4"));
  EXPECT_THAT(refusal_of([&] { alone.set(alone.find("y"), 1.0); }),
              HasSubstr("the FMU computes it"));
}

TEST(Session, ExchangesValuesOfAllTypes) {
  Session session(system_of(fmu_of("3.0", "Feedthrough")), placed());
  const std::vector<std::pair<std::string, Value>> values = {
      {"real", 2.5},
      {"discrete", -1.0},
      {"float32", 0.5},
      {"int8", std::int64_t{-8}},
      {"int64", std::int64_t{-4'000'000'000}},
      {"uint8", std::uint64_t{200}},
      {"uint64", std::uint64_t{18'000'000'000'000'000'000u}},
      {"boolean", true},
      {"string", std::string("a, b; \"c\"")},
      {"binary", Binary{0, 1, 255}},
      {"option", std::int64_t{2}},
      {"array", std::vector<double>{4, 5, 6}},
      {"matrix", std::vector<double>{1, 2, 3, 4}},
      {"flags", std::vector<bool>{false, true}},
      {"words", std::vector<std::string>{"one two", "three"}},
  };
  session.initialize();
  for (const auto& [name, value] : values) session.set(session.find(name + "_in"), value);
  session.step();
  for (const auto& [name, value] : values)
    EXPECT_EQ(session.value(session.find(name + "_out")), value) << name;

  const Handle element = session.find("matrix_in[2,1]");
  EXPECT_TRUE(session.info(element).shape.empty());
  EXPECT_EQ(session.info(session.find("matrix_out")).shape, (std::vector<std::uint64_t>{2, 2}));
  session.set(element, 30.0);
  session.step();
  EXPECT_EQ(session.value(session.find("matrix_out")), Value(std::vector<double>{1, 2, 30, 4}));
  EXPECT_EQ(session.get(session.find("matrix_out[2,1]")), 30);
  EXPECT_EQ(session.get(session.find("int64_out")), -4e9);

  EXPECT_THAT(refusal_of([&] { session.set(session.find("int8_in"), std::int64_t{1000}); }),
              HasSubstr("int8_in"));
  EXPECT_THAT(refusal_of([&] { session.set(session.find("real_in"), std::string("x")); }),
              HasSubstr("Float64"));
  EXPECT_THAT(refusal_of([&] { session.get(session.find("array_out")); }), HasSubstr("an array"));
}

TEST(Session, HandsRowsToObservers) {
  const auto rows = std::make_shared<Rows>();
  Session session(oscillator(), placed());
  const Handle x[] = {session.find("position.y")};
  session.observe(rows, x);
  session.initialize();
  session.advance_to(0.1);
  ASSERT_EQ(rows->times.size(), 11u);
  EXPECT_EQ(rows->columns[0].name, "position.y");
  EXPECT_EQ(rows->values.back(), session.get(x[0]));
  const SessionState here = session.save();
  session.advance_to(0.2);
  EXPECT_EQ(rows->times.size(), 21u);
  session.restore(here);
  EXPECT_EQ(rows->times.size(), 11u);
  session.advance_to(0.15);
  EXPECT_EQ(rows->times.size(), 16u);
  session.finish();
  EXPECT_TRUE(rows->is_finished);
}

TEST(Session, WritesAFileThatRestoringShortens) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("session_" + std::to_string(::getpid()) + ".csv");
  {
    Session session(oscillator(), placed());
    const Handle x[] = {session.find("position.y")};
    session.observe(make_csv_writer(file), x);
    session.initialize();
    session.advance_to(0.02);
    const SessionState here = session.save();
    session.advance_to(1);
    session.restore(here);
    session.advance_to(0.03);
    session.finish();
  }
  std::ifstream in(file);
  std::string text((std::istreambuf_iterator<char>(in)), {});
  EXPECT_THAT(text, HasSubstr("time,position.y\n0,1\n"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 5);
  std::filesystem::remove(file);
}

TEST(Session, HeedsAnInterruptionThatCameBetweenCalls) {
  Session session(oscillator(), placed());
  session.initialize();
  session.interrupt();
  EXPECT_EQ(session.advance_to(1).kind, StepEnd::Kind::interrupted);
  EXPECT_EQ(session.time(), 0);
  EXPECT_EQ(session.advance_to(1).kind, StepEnd::Kind::reached);
}

TEST(Session, RestoresTheStartOfExtrapolatedInputs) {
  for (const std::uint32_t order : {1u, 2u}) {
    System system = oscillator("2.0", 0.1);
    system.simulation.methods = {"jacobi"};
    system.simulation.inputs.order = order;
    Session session(system, placed());
    const Handle x = session.find("position.y");
    session.initialize();
    const SessionState start = session.save();
    std::vector<double> first, second;
    for (std::vector<double>* const values : {&first, &second}) {
      for (int n = 0; n < 10; ++n) {
        session.step();
        values->push_back(session.get(x));
      }
      session.restore(start);
    }
    EXPECT_EQ(first, second) << "order " << order;
  }
}

TEST(Session, HasTheSameStatisticsAfterItsEnd) {
  Session session(oscillator(), placed());
  session.initialize();
  session.advance_to(1);
  const std::uint64_t steps = session.statistics().do_step;
  EXPECT_EQ(session.finish().statistics.do_step, steps);
  EXPECT_EQ(session.statistics().do_step, steps);
  EXPECT_EQ(session.statistics().components.size(), 2u);
}

TEST(Session, IsInterruptedFromAnotherThread) {
  Session session(oscillator("2.0", 1e-6), placed());
  session.initialize();
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    session.interrupt();
  });
  StepEnd end;
  EXPECT_NO_THROW(end = session.advance_to(1));
  other.join();
  if (end.kind == StepEnd::Kind::reached) GTEST_SKIP() << "it was faster";
  EXPECT_EQ(end.kind, StepEnd::Kind::interrupted);
  EXPECT_LT(end.time, 1);
  EXPECT_EQ(session.advance_to(end.time + 1e-5).kind, StepEnd::Kind::reached);
}

TEST(Session, RunsInEightThreadsAtOnce) {
  std::vector<std::thread> threads;
  std::vector<double> results(8);
  for (std::size_t k = 0; k < results.size(); ++k)
    threads.emplace_back([&, k] {
      for (int again = 0; again < 5; ++again) {
        Session session(oscillator(k % 2 == 0 ? "2.0" : "3.0"), placed());
        const Handle x = session.find("position.y");
        session.initialize();
        session.advance_to(1);
        results[k] = session.get(x);
        session.finish();
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const double result : results) EXPECT_EQ(result, results[0]);
}

/// What one of several threads does, again and again: all that touches what threads share.
double work_of(std::size_t kind) {
  System system = oscillator(kind % 2 == 0 ? "2.0" : "3.0");
  SimulationSettings& simulation = system.simulation;
  switch (kind) {
    case 0:  // solvers, with callbacks of their own
      for (Component& component : system.components) component.as = FmuKind::model_exchange;
      break;
    case 1:  // states that are saved and restored in every step
      simulation.methods = {"newton"};
      break;
    case 2:  // threads of its own
      simulation.methods = {"jacobi"};
      simulation.threads = 2;
      break;
    case 3:
      simulation.methods = {"auto"};
      break;
    case 4:  // an FMU that changes what belongs to the whole process
      system.components.push_back(component("guest", fmu_of("2.0", "faulty_change_folder")));
      break;
    case 5:
      system.components.push_back(component("guest", fmu_of("2.0", "faulty_change_locale")));
      break;
    case 6:  // messages
      system.components.push_back(component("guest", fmu_of("2.0", "faulty_warning_in_step")));
      break;
    default:
      break;
  }
  Session session(system, placed({.log = Log([](const LogRecord&) {})}));
  const Handle x[] = {session.find("position.y")};
  session.observe(std::make_shared<Rows>(), x);
  session.initialize();
  while (session.time() < 0.5) session.step();
  session.advance_to(1);
  const double value = session.get(x[0]);
  session.finish();
  return value;
}

TEST(Session, DoesWorkOfEveryKindInEightThreadsAtOnce) {
  std::vector<double> alone, together(8);
  for (std::size_t kind = 0; kind < together.size(); ++kind) alone.push_back(work_of(kind));
  std::vector<std::thread> threads;
  for (std::size_t kind = 0; kind < together.size(); ++kind)
    threads.emplace_back([&, kind] {
      for (int again = 0; again < 3; ++again) together[kind] = work_of(kind);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(together, alone);
}

TEST(Session, ChoosesTheCouplingItself) {
  System system = oscillator();
  system.simulation.methods = {"auto"};
  system.simulation.tolerance = {.abs = 1e-6, .rel = 1e-6};
  Session session(system, placed());
  const Handle x = session.find("position.y");
  session.initialize();
  session.advance_to(1);
  EXPECT_NEAR(session.get(x), std::cos(1), 1e-5);
  EXPECT_FALSE(session.finish().statistics.automatic.empty());
}

}  // namespace
}  // namespace tutti::testing
