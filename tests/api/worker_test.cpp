// SPDX-License-Identifier: BSD-2-Clause
// Sessions and runs in a process of their own: what differs from those in the process of the
// caller. What does not is in the tests of sessions, which run in both places.
#include <tutti/worker.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>
#include <tutti/check.hpp>
#include <tutti/component_model.hpp>
#include <tutti/session.hpp>
#include <tutti/system_run.hpp>

#include "api/systems.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;

const SessionOptions in_a_worker{.in = Home::worker};

/// The oscillator with one more component that does not behave.
System with_bad(const std::string& fmu) {
  System system = oscillator();
  system.components.push_back(component("bad", fmu_of("2.0", fmu)));
  return system;
}

/// Steps until something is thrown.
Error failure_of(Session& session) {
  return error_of([&] {
    while (true) session.step();
  });
}

TEST(Worker, TurnsACrashIntoAnErrorThatNamesTheComponent) {
  for (const auto& [fmu, how] : {std::pair("faulty_crash_in_step", "in a step: "),
                                 {"faulty_abort_in_step", "SIGABRT"},
                                 {"faulty_exit_in_step", "exit status"}}) {
    Session session(with_bad(fmu), in_a_worker);
    const Handle x = session.find("position.y");
    session.initialize();
    double before = session.get(x), at = session.time();
    const Error error = error_of([&] {
      while (true) {
        session.step();
        before = session.get(x);
        at = session.time();
      }
    });
    EXPECT_EQ(error.code(), ErrorCode::crash) << error.what();
    EXPECT_EQ(error.details().component, "bad");
    EXPECT_THAT(error.what(), HasSubstr(how));
    EXPECT_GT(at, 0);
    EXPECT_EQ(session.time(), at);  // the last accepted point is still there
    EXPECT_EQ(session.get(x), before);
    EXPECT_EQ(std::get<double>(session.value(x)), before);
    EXPECT_EQ(error_of([&] { session.step(); }).code(), ErrorCode::crash);
    const RunReport report = session.finish();
    EXPECT_EQ(report.end.kind, RunEnd::Kind::failed);
    EXPECT_EQ(report.end.error->code(), ErrorCode::crash);
  }
}

TEST(Worker, ShowsTheLastPointOfManyStepsThatEndedInACrash) {
  Session session(with_bad("faulty_crash_in_step"), in_a_worker);
  const Handle x = session.find("position.y");
  session.initialize();
  EXPECT_EQ(error_of([&] { session.advance_to(1); }).code(), ErrorCode::crash);
  const double reached = session.time(), shown = session.get(x);
  EXPECT_GT(reached, 0.1);
  Session other(oscillator());
  const Handle same = other.find("position.y");
  other.initialize();
  other.advance_to(reached);
  EXPECT_EQ(shown, other.get(same));
}

TEST(Worker, SurvivesACrashAtAnyCall) {
  for (const char* fmu : {"faulty_crash_in_instantiate", "faulty_crash_in_initialization"}) {
    Session session(with_bad(fmu), in_a_worker);
    const Error error = error_of([&] { session.initialize(); });
    EXPECT_EQ(error.code(), ErrorCode::crash) << fmu << error.what();
    EXPECT_EQ(error.details().component, "bad") << fmu;
  }
  for (const char* fmu : {"faulty_crash_in_get_state", "faulty_crash_in_set_state"}) {
    Session session(with_bad(fmu), in_a_worker);
    session.initialize();
    const Error error = error_of([&] {
      const SessionState state = session.save();
      session.step();
      session.restore(state);
    });
    EXPECT_EQ(error.code(), ErrorCode::crash) << fmu << error.what();
  }
  {
    Session session(with_bad("faulty_crash_in_terminate"), in_a_worker);
    session.initialize();
    EXPECT_EQ(error_of([&] { session.finish(); }).code(), ErrorCode::crash);
  }
  Session session(with_bad("faulty_crash_in_free"), in_a_worker);  // in the destructor
  session.initialize();
}

TEST(Worker, EndsACallThatTakesTooLong) {
  SessionOptions options = in_a_worker;
  options.step_timeout = 0.3;
  Session session(with_bad("faulty_hang_in_step"), options);
  session.initialize();
  const Error error = failure_of(session);
  EXPECT_EQ(error.code(), ErrorCode::timeout);
  EXPECT_EQ(error.details().component, "bad");
  EXPECT_THAT(error.what(), HasSubstr("did not return within 0.3 s"));
}

TEST(Worker, ServesOneSessionAfterTheOther) {
  const Worker worker("");
  SessionOptions options = in_a_worker;
  options.worker = worker;
  for (int i = 0; i < 20; ++i) {
    Session session(i == 7 ? with_bad("faulty_crash_in_step") : oscillator(), options);
    const Handle x = session.find("position.y");
    session.initialize();
    if (i == 7) {
      EXPECT_EQ(failure_of(session).code(), ErrorCode::crash);
    } else {
      session.advance_to(1);
      EXPECT_NEAR(session.get(x), 0.55, 0.02);
    }
    EXPECT_THAT(refusal_of([&] { Session second(oscillator(), options); }),
                HasSubstr("one after the other"));
  }
}

// What is thrown inside a call leaves an answer behind, which is not for the next one.
TEST(Worker, ServesOthersAfterAnExceptionOfTheCaller) {
  SessionOptions options = in_a_worker;
  options.worker = Worker("");
  {
    SessionOptions loud = options;
    loud.log = Log([](const LogRecord& record) {
      if (!record.category.empty()) throw std::runtime_error("the log is full");
    });
    System system = oscillator();
    system.components.push_back(component("loud", fmu_of("2.0", "faulty_warning_in_step")));
    system.components.back().log = true;
    Session session(system, loud);
    session.initialize();
    EXPECT_THROW(while (true) session.step(), std::runtime_error);
    EXPECT_THAT(refusal_of([&] { session.step(); }), HasSubstr("exception of the caller"));
  }
  Session session(oscillator(), options);
  const Handle x = session.find("position.y");
  session.initialize();
  session.advance_to(1);
  EXPECT_NEAR(session.get(x), 0.55, 0.02);
}

TEST(Worker, TakesSystemsOfManyComponents) {
  System system = oscillator();
  for (int i = 0; i < 500; ++i)
    system.components.push_back(component("c" + std::to_string(i), fmu_of("2.0", "Dahlquist")));
  Session session(system, in_a_worker);
  session.initialize();
  session.step();
  EXPECT_EQ(session.time(), 0.01);
}

TEST(Worker, CannotHaveObjectsOfTheCaller) {
  System system = oscillator();
  system.components[0].model = [] { return std::unique_ptr<ComponentModel>(); };
  EXPECT_THAT(refusal_of([&] { Session session(system, in_a_worker); }),
              HasSubstr("\"position\" is a C++ class"));
}

TEST(Worker, ThatIsNotThereIsNamed) {
  SessionOptions options = in_a_worker;
  options.worker = Worker("/there/is/no/worker");
  const Error error = error_of([&] { Session session(oscillator(), options); });
  EXPECT_THAT(error.what(), HasSubstr("/there/is/no/worker"));
  options.worker = Worker("/bin/false");  // does not serve
  EXPECT_THAT(refusal_of([&] { Session session(oscillator(), options); }),
              HasSubstr("\"/bin/false\" cannot be used as a worker: exit status 1"));
}

TEST(Worker, TellsHowItEndedToACallerThatIgnoresItsChildren) {
  const sighandler_t before = ::signal(SIGCHLD, SIG_IGN);
  {
    Session session(with_bad("faulty_abort_in_step"), in_a_worker);
    session.initialize();
    EXPECT_THAT(failure_of(session).what(), HasSubstr("SIGABRT"));
  }
  {
    Session session(oscillator(), in_a_worker);
    session.initialize();
    session.advance_to(1);
    EXPECT_EQ(session.finish().end.kind, RunEnd::Kind::completed);
  }
  ::signal(SIGCHLD, before);
}

TEST(Worker, RunsInEachOfEightThreads) {
  std::atomic<int> good = 0;
  std::vector<std::thread> threads;
  for (int k = 0; k < 8; ++k)
    threads.emplace_back([&good, k] {
      const bool fails = k % 4 == 3;
      Session session(fails ? with_bad("faulty_crash_in_step") : oscillator(), in_a_worker);
      const Handle x = session.find("position.y");
      session.initialize();
      if (fails) {
        good += failure_of(session).code() == ErrorCode::crash;
        return;
      }
      while (session.time() < 1) session.step();
      good += std::abs(session.get(x) - 0.55) < 0.02;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 8);
}

/// Everything but wall times and what the place of a run decides.
nlohmann::json comparable(const System& system, RunReport report) {
  nlohmann::json json = nlohmann::json::parse(statistics_json(system, report));
  const std::function<void(nlohmann::json&)> strip = [&](nlohmann::json& item) {
    if (item.is_object())
      for (auto it = item.begin(); it != item.end();)
        it = it.key().find("seconds") != std::string::npos ? item.erase(it) : std::next(it);
    for (auto& part : item)
      if (part.is_structured()) strip(part);
  };
  strip(json);
  return json;
}

TEST(Worker, ReportsWhatARunInTheProcessReports) {
  System coupled = oscillator();
  coupled.simulation.methods = {"newton"};
  System automatic = oscillator();
  automatic.simulation.methods = {"auto"};
  automatic.simulation.step.reset();
  System solved = oscillator();
  for (Component& component : solved.components) component.as = FmuKind::model_exchange;
  for (const System& system :
       {oscillator(), coupled, automatic, solved, with_bad("faulty_error_in_step"),
        system_of(fmu_of("3.0", "BouncingBall"))}) {
    SystemRunOptions options;
    Rows here, there;
    options.own_process = false;
    const RunReport local = run(system, options, &here, {});
    options.own_process = true;
    const RunReport remote = run(system, options, &there, {});
    EXPECT_EQ(comparable(system, remote), comparable(system, local));
    EXPECT_EQ(remote.end.kind, local.end.kind);
    EXPECT_EQ(remote.columns.size(), local.columns.size());
    ASSERT_EQ(remote.statistics.components.size(), local.statistics.components.size());
    for (std::size_t i = 0; i < local.statistics.components.size(); ++i)
      if (const auto& solver = local.statistics.components[i].solver) {
        EXPECT_EQ(remote.statistics.components[i].solver->starts, solver->starts);
        EXPECT_GT(solver->starts, 0u);
      }
    EXPECT_EQ(there.times, here.times);
    EXPECT_EQ(there.values, here.values);
  }
}

TEST(Worker, RunsSystemsOneAfterTheOther) {
  SystemRunOptions options;
  options.worker = Worker("");
  for (int i = 0; i < 3; ++i) {
    Rows rows;
    EXPECT_EQ(run(oscillator(), options, &rows, {}).end.kind, RunEnd::Kind::completed);
    EXPECT_EQ(rows.times.size(), 101u);
    EXPECT_EQ(run(with_bad("faulty_crash_in_step"), options, nullptr, {}).end.error->code(),
              ErrorCode::crash);
    CheckOptions check_options;
    check_options.fmu = fmu_of("2.0", "Dahlquist");
    check_options.run = true;
    check_options.worker = options.worker;
    EXPECT_EQ(check(check_options).errors, 0u);
  }
}

}  // namespace
}  // namespace tutti::testing
