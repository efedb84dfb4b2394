// SPDX-License-Identifier: BSD-2-Clause
// Transmission lines and delayed signals as a user of the library has them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>
#include <tutti/session.hpp>
#include <tutti/system_file.hpp>
#include <tutti/system_run.hpp>
#include <utility>

#include "api/masses.hpp"
#include "api/systems.hpp"

namespace tutti::testing::tlm_session {
namespace {

using ::testing::HasSubstr;

// Two masses and a line: the line weighs 0.1, its stiffness is 10.
constexpr double mass = 1, impedance = 1, delay = 0.1;

System two_masses(double step, Component (*part)(const std::string&, double, double)) {
  System system;
  system.components = {part("a", mass, 1), part("b", mass, 0)};
  for (Component& component : system.components) component.step = step;
  system.tlm = {line_between({"a", "port"}, {"b", "port"}, delay, impedance)};
  system.tlm[0].initial_effort = {0};
  system.tlm[0].initial_flow = {0, 0};
  system.simulation.step = 0.1;
  system.simulation.stop = 2;
  return system;
}

Component by_force(const std::string& name, double m, double v) { return mass_part(name, m, v); }
Component by_wave(const std::string& name, double m, double v) {
  return wave_mass_part(name, m, v);
}

/// Of both masses, at the points of a grid.
using Velocities = std::vector<std::array<double, 2>>;

/// What both ends send into a line that is at rest before the start, so many points of the grid per
/// delay: w(t) = 2 Z v(t) - c(t), c(t) = w(t - D) of the other end. It jumps at the start, because
/// `a` does not come from rest, and wherever the jump arrives: both sides are kept.
class SentWaves {
 public:
  explicit SentWaves(std::size_t lag) : lag_(lag) {}
  /// The next point.
  void add(const std::array<double, 2>& v) {
    const std::size_t k = behind_.size();
    behind_.emplace_back();
    before_.emplace_back();
    for (std::size_t end = 0; end < 2; ++end) {
      behind_[k][end] = 2 * impedance * v[end] - arriving(end, k, false);
      before_[k][end] = k == 0 ? 0 : 2 * impedance * v[end] - arriving(end, k, true);
    }
  }
  double arriving(std::size_t end, std::size_t k, bool before) const {
    return k < lag_ ? 0 : (before ? before_ : behind_)[k - lag_][1 - end];
  }
  /// Of a function of the waves, over the last delay, by the trapezoidal rule of step h.
  double integral(double h, double (*function)(double)) const {
    double sum = 0;
    for (std::size_t k = behind_.size() - lag_; k < behind_.size(); ++k)
      for (std::size_t end = 0; end < 2; ++end)
        sum += h / 2 * (function(behind_[k - 1][end]) + function(before_[k][end]));
    return sum;
  }

 private:
  std::size_t lag_;
  Velocities behind_, before_;
};

/// The exact line between masses at rest, of which one is pushed by 1 N: m v' = push + c - Z v,
/// with linear pieces of c that are as short as needed.
Velocities exact_line(double stop, std::size_t steps_per_delay) {
  const double h = delay / static_cast<double>(steps_per_delay);
  const double fade = std::exp(-h * impedance / mass);
  Velocities v{{0, 0}};
  SentWaves waves(steps_per_delay);
  for (std::size_t k = 0; static_cast<double>(k) * h < stop - h / 2; ++k) {
    waves.add(v[k]);
    v.emplace_back();
    for (std::size_t end = 0; end < 2; ++end) {
      const double c = waves.arriving(end, k, false);
      const double b = (waves.arriving(end, k + 1, true) - c) / h / impedance;
      const double a = ((end == 0 ? 1 : 0) + c - mass * b) / impedance;
      v[k + 1][end] = a + b * h + (v[k][end] - a) * fade;
    }
  }
  return v;
}

Velocities velocities_of(System system, unsigned threads = 1) {
  system.results.variables = {"a.velocity", "b.velocity"};
  system.simulation.threads = threads;
  AllRows rows;
  const RunReport report = run(system, {}, &rows, Log());
  EXPECT_EQ(report.end.kind, RunEnd::Kind::completed);
  Velocities result;
  for (const auto& row : rows.rows) result.push_back({row[1], row[2]});
  return result;
}

/// Of masses at rest, of which one is pushed.
double error_of(System system) {
  system.components[0].set = {{"push", "1"}};
  const Velocities found = velocities_of(system), exact = exact_line(2, 1000);
  EXPECT_EQ(found.size(), 21u);
  double error = 0;
  for (std::size_t k = 0; k < found.size(); ++k)
    for (std::size_t end = 0; end < 2; ++end)
      error = std::max(error, std::abs(found[k][end] - exact[1000 * k][end]));
  return error;
}

// Waves are interpolated linearly between samples: the error is that of linear interpolation.
TEST(TlmLine, BetweenMassesThatKnowItIsOfSecondOrder) {
  const double coarse = error_of(two_masses(0.05, by_wave));
  const double fine = error_of(two_masses(0.025, by_wave));
  EXPECT_LT(fine, 1e-3);                            // a thousandth of the velocity
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.1);  // 0.1: the next term at H = D/2
}

// A force that is constant over a step is late by half a step, for which the line is corrected:
// stiffness and mass are right, and what is left is of first order.
TEST(TlmLine, WithConstantForcesIsOfFirstOrder) {
  const double coarse = error_of(two_masses(delay / 2, by_force));
  const double fine = error_of(two_masses(delay / 32, by_force));
  EXPECT_LT(fine, 1e-3);                                // a thousandth of the velocity
  EXPECT_NEAR(std::log2(coarse / fine) / 4, 1.0, 0.2);  // 0.2: which point has the largest error
}

// Momentum of the line: half the integral over the last delay of what both ends sent; its energy:
// that of the squares over 4 Z. The push of 1 N puts in t and the way of `a`.
TEST(TlmLine, KeepsMomentumAndMakesNoEnergy) {
  System system = two_masses(0.01, by_wave);
  system.components[0].set = {{"push", "1"}};
  system.simulation.step = 0.01;
  SentWaves waves(10);
  double t = 0, way = 0, last = 0;
  for (const auto& [a, b] : velocities_of(system)) {
    waves.add({a, b});
    way += 0.005 * (last + a);
    last = a;
    if (t > delay) {
      const double momentum = waves.integral(0.01, [](double w) { return w / 2; });
      const double energy = waves.integral(0.01, [](double w) { return w * w / (4 * impedance); });
      // 1e-4: trapezoidal rules with ten steps per delay.
      ASSERT_NEAR(momentum + mass * (a + b), t, 1e-4);
      ASSERT_NEAR(energy + mass * (a * a + b * b) / 2, way, 1e-4) << t;
    }
    t += 0.01;
  }
}

TEST(TlmLine, GivesTheSameBitsOnTwoThreads) {
  for (const auto part : {by_force, by_wave}) {
    const System system = two_masses(0.0125, part);
    EXPECT_EQ(velocities_of(system, 1), velocities_of(system, 2));
  }
}

System masses() { return two_masses(0.0125, by_force); }

TEST(TlmSession, StepsToThePointsWhereAllMeet) {
  Session session(masses());
  const Handle steps = session.find("a.steps");
  session.initialize();
  const StepEnd end = session.step();
  EXPECT_EQ(end.kind, StepEnd::Kind::reached);
  EXPECT_EQ(end.time, 0.1);
  EXPECT_EQ(session.time(), 0.1);
  EXPECT_EQ(session.get(steps), 8);  // own steps of 0.0125
  EXPECT_DOUBLE_EQ(session.step(0.13).time, 0.13);
  EXPECT_DOUBLE_EQ(session.step().time, 0.2);
  EXPECT_EQ(session.advance_to(2).time, 2);
  EXPECT_THAT(refusal_of([&] { session.step(); }), HasSubstr("is the stop time"));
}

// The own steps are others, so their errors are, too.
TEST(TlmSession, AdvancesToAnyTime) {
  const Velocities plain = velocities_of(masses());
  Session session(masses());
  const Handle a = session.find("a.velocity");
  session.initialize();
  for (const double t : {0.05, 0.1234, 0.5, 0.50001, 1.99})
    EXPECT_EQ(session.advance_to(t).time, t);
  session.advance_to(2);
  EXPECT_NEAR(session.get(a), plain.back()[0], 2e-3);  // a tenth of the error of the method
  EXPECT_EQ(session.finish().end.time, 2);
}

TEST(TlmSession, TakesValuesOfInputsAndTunableParameters) {
  Session session(masses());
  const Handle push = session.find("b.push"), gain = session.find("b.gain"),
               force = session.find("b.force"), v = session.find("b.velocity");
  session.initialize();
  EXPECT_THAT(refusal_of([&] { session.set(force, 1.0); }),
              HasSubstr("\"b.force\" cannot be set during the run: a line or a delayed signal"));
  session.advance_to(1);
  Session other(masses());
  const Handle same = other.find("b.velocity");
  other.initialize();
  other.advance_to(1);
  EXPECT_EQ(session.get(v), other.get(same));
  session.set(push, 2.0);
  session.set(gain, 3.0);
  session.step();
  other.step();
  // 6 N for 0.1 s; what the line gives back of it, at most Z v over that time, comes off.
  EXPECT_NEAR(session.get(v) - other.get(same), 0.6, 0.6 * 0.1);
  EXPECT_EQ(session.get(push), 2);
}

TEST(TlmSession, ObserversGetTheRowsOfAllPointsInOrder) {
  for (const unsigned threads : {1u, 2u}) {
    System system = masses();
    system.simulation.threads = threads;
    Session session(system);
    const Handle v = session.find("b.velocity");
    const auto rows = std::make_shared<Rows>();
    session.observe(rows, {&v, 1});
    session.initialize();
    std::vector<double> values{session.get(v)};
    while (session.time() < 2) {
      session.step();
      values.push_back(session.get(v));
    }
    session.finish();
    EXPECT_EQ(rows->values, values);
    ASSERT_EQ(rows->times.size(), 21u);
    for (std::size_t k = 0; k < 21; ++k) EXPECT_EQ(rows->times[k], 2 * static_cast<double>(k) / 20);
  }
}

TEST(TlmSession, RestoresItsStateBitForBit) {
  for (const auto part : {by_force, by_wave})
    for (const unsigned threads : {1u, 2u}) {
      System system = two_masses(0.0125, part);
      system.simulation.threads = threads;
      system.tlm[0].damping = 0.1;
      Session session(system);
      const Handle handles[] = {session.find("a.velocity"), session.find("b.velocity")};
      const auto rows = std::make_shared<AllRows>();
      session.observe(rows, handles);
      session.initialize();
      const SessionState start = session.save();
      session.advance_to(0.7);
      const SessionState state = session.save();
      const auto until = rows->rows;
      session.advance_to(2);
      const auto whole = rows->rows;
      session.restore(state);
      EXPECT_EQ(session.time(), 0.7);
      EXPECT_EQ(rows->rows, until);
      session.advance_to(2);
      EXPECT_EQ(rows->rows, whole);
      session.restore(start);
      session.advance_to(2);
      EXPECT_EQ(rows->rows, whole);
    }
}

/// Three masses in a row; the last one is far away, so it may run ahead.
System three_masses(double failure) {
  System system = masses();
  system.components.push_back(mass_part("c", mass, 0));
  system.components[1].ports.push_back(force_port("right", "push"));
  system.components[1].set.emplace_back("failure", std::to_string(failure));
  system.components[2].step = 0.05;
  system.tlm.push_back(line_between({"b", "right"}, {"c", "port"}, 0.4, impedance));
  return system;
}

TEST(TlmSession, StaysAtTheLastPointIfAComponentFails) {
  for (const unsigned threads : {1u, 2u}) {
    System system = three_masses(0.55);
    system.simulation.threads = threads;
    Session session(system);
    const Handle handles[] = {session.find("a.velocity"), session.find("b.velocity"),
                              session.find("c.velocity")};
    const auto rows = std::make_shared<AllRows>();
    session.observe(rows, handles);
    session.initialize();
    session.advance_to(0.5);
    std::vector<double> before;
    for (const Handle handle : handles) before.push_back(session.get(handle));
    const SessionState state = session.save();
    const Error error = tutti::testing::error_of([&] { session.advance_to(2); });
    EXPECT_THAT(error.what(), HasSubstr("component \"b\": step() failed: the mass is broken"));
    EXPECT_EQ(error.details().component, "b");
    EXPECT_NEAR(error.details().time.value_or(0), 0.55, 0.0126);  // its step
    EXPECT_EQ(session.time(), 0.5);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(session.get(handles[i]), before[i]);
    ASSERT_EQ(rows->rows.size(), 6u);
    EXPECT_EQ(rows->rows.back()[0], 0.5);
    EXPECT_THAT(refusal_of([&] { session.step(); }), HasSubstr("after a step that failed"));
    session.restore(state);
    EXPECT_EQ(session.advance_to(0.53).time, 0.53);
    EXPECT_EQ(session.finish().end.kind, RunEnd::Kind::completed);
  }
}

TEST(TlmSession, OfARunThatFailsHasItsRowsUpToTheLastCommonPoint) {
  for (const unsigned threads : {1u, 2u}) {
    System system = three_masses(1.25);
    system.simulation.threads = threads;
    AllRows rows, all;
    const RunReport report = run(system, {}, &rows, Log());
    EXPECT_EQ(report.end.kind, RunEnd::Kind::failed);
    EXPECT_EQ(report.end.error->details().component, "b");
    EXPECT_DOUBLE_EQ(report.end.time, 1.2);
    run(three_masses(1e9), {}, &all, Log());
    ASSERT_EQ(all.rows.size(), 21u);
    all.rows.resize(13);
    EXPECT_EQ(rows.rows, all.rows);
  }
}

// Which of them is reported does not depend on who is ahead: the earliest, and of several at one
// time the first one.
TEST(TlmSession, ReportsTheEarliestOfSeveralFailures) {
  struct Case {
    double a, b, c;
    const char* expected;
  };
  for (const Case& at :
       {Case{0.551, 9, 0.551, "a"}, Case{0.551, 0.551, 0.551, "a"}, Case{9, 0.551, 0.551, "b"},
        Case{0.551, 9, 0.501, "c"}, Case{0.551, 9, 0.901, "a"}, Case{0.601, 0.57, 9, "b"}})
    for (int repeated = 0; repeated < 20; ++repeated)
      for (const unsigned threads : {1u, 2u, 3u}) {
        System system = three_masses(at.b);
        system.components[0].set.emplace_back("failure", std::to_string(at.a));
        system.components[2].set.emplace_back("failure", std::to_string(at.c));
        system.simulation.threads = threads;
        const RunReport report = run(system, {}, nullptr, Log());
        ASSERT_EQ(report.end.kind, RunEnd::Kind::failed);
        ASSERT_EQ(report.end.error->details().component, at.expected)
            << at.a << " " << at.b << " " << at.c << ", " << threads << " threads";
      }
}

/// Fails once, in a step that leads beyond a certain time.
class FailsOnce final : public ComponentModel {
 public:
  FailsOnce(double at, std::shared_ptr<bool> failed) : at_(at), failed_(std::move(failed)) {
    input("u", u_);
  }
  void initialize(double) override {}
  void step(double t, double h) override {
    if (t + h > at_ && !std::exchange(*failed_, true)) throw std::runtime_error("not now");
  }
  bool can_roll_back() const override { return true; }

 private:
  double at_, u_ = 0;
  std::shared_ptr<bool> failed_;
};

// The left masses have taken the internal steps of their step when the component that follows them
// in it fails: what they were about to send is void.
TEST(TlmSession, RestoresWhatHadNotBeenSentWhenAStepFailed) {
  for (const bool sends_internal_steps : {true, false}) {
    System system = read_system(places::build_folder() / "examples/tlm_three_masses/system.toml");
    if (!sends_internal_steps)
      for (Component& component : system.components) component.as = FmuKind::co_simulation;
    system.connections.push_back({.from = {"left", "x"}, .to = {"watch", "u"}});
    const auto follow = [&](double fails_at) {
      const auto failed = std::make_shared<bool>(false);
      System watched = system;
      watched.components.push_back(class_part<FailsOnce>("watch", fails_at, failed));
      Session session(watched);
      const Handle left = session.find("left.v"), right = session.find("right.v");
      session.initialize();
      session.advance_to(0.12);
      const SessionState state = session.save();
      if (fails_at < 1) {
        EXPECT_THAT(refusal_of([&] { session.advance_to(0.14); }), HasSubstr("not now"));
        session.restore(state);
      }
      session.advance_to(0.16);
      EXPECT_EQ(*failed, fails_at < 1);
      return std::array{session.get(left), session.get(right)};
    };
    const auto plain = follow(9);
    EXPECT_EQ(follow(0.1301), plain) << sends_internal_steps;
    EXPECT_EQ(follow(0.1305), plain) << sends_internal_steps;
  }
}

/// A mass whose step at a certain time waits until somebody has done something.
struct Gate {
  std::atomic<bool> is_reached{false}, is_open{false};
};
class GatedMass final : public Mass {
 public:
  GatedMass(std::shared_ptr<Gate> gate, double at) : gate_(std::move(gate)), at_(at) {}
  void step(double t, double h) override {
    if (t >= at_ && !gate_->is_reached.exchange(true))
      while (!gate_->is_open) std::this_thread::yield();
    Mass::step(t, h);
  }

 private:
  std::shared_ptr<Gate> gate_;
  double at_;
};

TEST(TlmSession, GoesOnAfterAnInterruptionFromAnotherThread) {
  const Velocities plain = velocities_of(masses());
  for (const unsigned threads : {1u, 2u})
    for (const bool shows_steps : {true, false}) {
      System system = masses();
      system.simulation.threads = threads;
      const auto gate = std::make_shared<Gate>();
      system.components[0].model = [gate] { return std::make_unique<GatedMass>(gate, 0.62); };
      Session session(system);
      if (shows_steps) session.find("a.velocity");
      session.initialize();
      std::thread other([&] {
        while (!gate->is_reached) std::this_thread::yield();
        session.interrupt();
        gate->is_open = true;
      });
      const StepEnd end = session.advance_to(2);
      other.join();
      EXPECT_EQ(end.kind, StepEnd::Kind::interrupted);
      // The next point; one that was being reached by others may be behind it.
      EXPECT_GE(end.time, 0.7 - 1e-9);
      EXPECT_LE(end.time, 0.8 + 1e-9);
      EXPECT_EQ(session.time(), end.time);
      EXPECT_EQ(session.advance_to(2).kind, StepEnd::Kind::reached);
      EXPECT_EQ(session.get(session.find("a.velocity")), plain.back()[0]);
      EXPECT_EQ(session.get(session.find("b.velocity")), plain.back()[1]);
    }
}

/// y = t, and whoever likes may see how far it is.
class Clock final : public ComponentModel {
 public:
  explicit Clock(std::shared_ptr<std::atomic<double>> seen = {}) : seen_(std::move(seen)) {
    output("y", y_);
  }
  void initialize(double start) override { y_ = start; }
  void step(double t, double h) override {
    y_ = t + h;
    if (seen_) *seen_ = y_;
  }
  bool can_roll_back() const override { return true; }

 private:
  std::shared_ptr<std::atomic<double>> seen_;
  double y_ = 0;
};

/// Shows its input, and notes how far the source was ahead of it.
class Reader final : public ComponentModel {
 public:
  explicit Reader(std::shared_ptr<std::atomic<double>> source = {},
                  std::shared_ptr<std::atomic<double>> lead = {})
      : source_(std::move(source)), lead_(std::move(lead)) {
    input("u", u_);
    output("y", y_);
  }
  void initialize(double) override { y_ = u_; }
  void step(double t, double) override {
    y_ = u_;
    if (source_) *lead_ = std::max(lead_->load(), source_->load() - t);
  }
  bool can_roll_back() const override { return true; }

 private:
  std::shared_ptr<std::atomic<double>> source_, lead_;
  double u_ = 0, y_ = 0;
};

System delayed_clock(double by) {
  System system;
  system.components = {class_part<Clock>("clock"), class_part<Reader>("reader")};
  DelayedSignal signal;
  signal.from = {"clock", "y"};
  signal.to = {"reader", "u"};
  signal.delay = by;
  system.delays = {signal};
  system.simulation.step = 0.1;
  system.simulation.stop = 2;
  return system;
}

// A linear signal is its own interpolation, whatever the delay is. The reader has its input of the
// start of its step.
TEST(TlmSession, DelaysSignals) {
  for (const double by : {0.3, 0.05, 0.123456}) {
    System system = delayed_clock(by);
    system.delays[0].initial = -7;
    system.components[1].step = 0.025;
    Session session(system);
    const Handle y = session.find("reader.y"), u = session.find("reader.u");
    session.initialize();
    EXPECT_EQ(session.get(u), -7);
    while (session.time() < 2) {
      session.step();
      const double from = session.time() - 0.025 - by;
      const double expected = from > 1e-9 ? from : from < -1e-9 ? -7 : 0;
      EXPECT_NEAR(session.get(y), expected, 1e-14) << session.time();  // rounding
    }
  }
}

TEST(TlmSession, FillsDelayedSignalsWithTheirStart) {
  System system = delayed_clock(0.5);
  system.simulation.start = 10;
  system.simulation.stop = 12;
  Session session(system);
  const Handle y = session.find("reader.y");
  session.initialize();
  session.advance_to(10.4);
  EXPECT_EQ(session.get(y), 10);
}

// The reader does not hold the clock back, so the lead of 64 own steps does.
TEST(TlmSession, LetsNoSourceRunAheadWithoutBound) {
  for (const unsigned threads : {1u, 2u}) {
    System system = delayed_clock(0.01);
    const auto seen = std::make_shared<std::atomic<double>>(0);
    const auto lead = std::make_shared<std::atomic<double>>(0);
    system.components = {class_part<Clock>("clock", seen),
                         class_part<Reader>("reader", seen, lead)};
    for (Component& component : system.components) component.step = 0.001;
    system.simulation.threads = threads;
    run(system, {}, nullptr, Log());
    EXPECT_LE(*lead, 0.066);  // and the steps of both
    if (threads == 1) {
      EXPECT_GE(*lead, 0.03);  // it does run ahead
    }
  }
}

TEST(TlmSession, RecordsEveryThirdPointAndTheLastOne) {
  AllRows all;
  run(masses(), {}, &all, Log());
  for (const unsigned threads : {1u, 2u}) {
    System system = masses();
    system.results.interval = 0.3;
    system.simulation.threads = threads;
    AllRows rows;
    run(system, {}, &rows, Log());
    ASSERT_EQ(rows.rows.size(), 8u);
    for (std::size_t k = 0; k < 8; ++k) EXPECT_EQ(rows.rows[k], all.rows[std::min(3 * k, 20ul)]);
  }
}

// With TUTTI_TEST_HOME=worker, the session is in a worker: its values are those of a run here.
TEST(TlmSession, OfFmusDoesTheSameInAWorker) {
  System system = read_system(places::build_folder() / "examples/tlm_three_masses/wave.toml");
  AllRows rows;
  system.simulation.stop = 0.12;
  SystemRunOptions here;
  here.own_process = false;
  run(system, here, &rows, Log());
  system.simulation.threads = 2;
  Session session(system, placed());
  const Handle v = session.find("right.v");
  session.initialize();
  session.advance_to(0.1);
  EXPECT_THAT(refusal_of([&] { session.set(session.find("left.c"), 1.0); }),
              HasSubstr("a line or a delayed signal drives it"));
  session.advance_to(0.12);
  EXPECT_EQ(session.get(v), rows.rows.back()[3]);
}

}  // namespace
}  // namespace tutti::testing::tlm_session
