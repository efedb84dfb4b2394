// SPDX-License-Identifier: BSD-2-Clause
// Systems of lines and delayed signals at random: they never stand still, and threads do not change
// what is computed.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <future>
#include <iostream>
#include <random>
#include <tutti/system_run.hpp>

#include "api/masses.hpp"

namespace tutti::testing::tlm_graphs {
namespace {

/// v' = sum of forces - v, which is exact for forces that are constant over a step. Lines act on it
/// by forces, by waves that are constant, or by waves with slopes (then their impedance is known,
/// and the force is that of the wave in the middle of the step).
class Node final : public ComponentModel {
 public:
  Node(std::size_t ports, std::size_t signals, double start)
      : forces_(ports), slopes_(ports), impedances_(ports), signals_(signals), velocity_(start) {
    for (std::size_t i = 0; i < ports; ++i) {
      input("force" + std::to_string(i), forces_[i]);
      input("slope" + std::to_string(i), slopes_[i]);
      parameter("impedance" + std::to_string(i), impedances_[i]);
    }
    for (std::size_t i = 0; i < signals; ++i) input("u" + std::to_string(i), signals_[i]);
    output("velocity", velocity_, {.depends_on = std::vector<std::string>{}});
  }
  void initialize(double) override {}
  void step(double, double h) override {
    shortest_ = std::min(shortest_, h);
    longest_ = std::max(longest_, h);
    double force = 0;
    for (std::size_t i = 0; i < forces_.size(); ++i) {
      const double wave = forces_[i] + h / 2 * slopes_[i];
      force += impedances_[i] > 0 ? -wave - impedances_[i] * velocity_ : wave;
    }
    for (const double signal : signals_) force += 0.1 * signal;
    velocity_ = force + (velocity_ - force) * std::exp(-h);
    // A step of a rounding error would be a second sample at the same time.
    if (shortest_ < 1e-6 * longest_) throw std::runtime_error("a step has no length");
  }

 private:
  std::vector<double> forces_, slopes_, impedances_, signals_;
  double velocity_, shortest_ = 1, longest_ = 0;
};

class RandomSystem {
 public:
  explicit RandomSystem(unsigned seed) : random_(seed) {}

  System make() {
    const std::size_t count = whole(2, 8);
    ports_.resize(count);
    signals_.resize(count);
    shortest_.assign(count, 1);
    switch (whole(0, 2)) {
      case 0:  // a chain or a ring, of lines or one way
        for (std::size_t i = 1; i < count; ++i) join(i - 1, i);
        if (count > 2 && whole(0, 1) == 0) join(count - 1, 0);
        break;
      case 1:  // one way only
        for (std::size_t i = 1; i < count; ++i) add_signal(i - 1, i);
        if (whole(0, 1) == 0) add_signal(count - 1, 0);
        break;
      default:
        for (std::size_t n = whole(1, 2 * count); n-- > 0;) {
          const std::size_t from = whole(0, count - 1);
          join(from, (from + whole(1, count - 1)) % count);
        }
    }
    SimulationSettings& simulation = system_.simulation;
    simulation.step =
        is_even_ ? 1e-4 * static_cast<double>(whole(1, 200)) : logarithmic(1e-4, 2e-2);
    for (std::size_t i = 0; i < count; ++i) add_component(i);
    simulation.stop =
        *simulation.step * (whole(0, 3) > 0 ? static_cast<double>(whole(1, 6)) : uniform(0.3, 6));
    if (whole(0, 4) == 0) {
      simulation.start = uniform(-10, 1e4);
      simulation.stop = *simulation.start + *simulation.stop;
    }
    return std::move(system_);
  }

 private:
  std::size_t whole(std::size_t from, std::size_t to) {
    return std::uniform_int_distribution<std::size_t>(from, to)(random_);
  }
  double uniform(double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(random_);
  }
  double logarithmic(double from, double to) {
    return std::exp(uniform(std::log(from), std::log(to)));
  }
  double delay() {
    const double chosen = logarithmic(1e-4, 1e-2);
    return is_even_ ? std::round(chosen * 1e4) * 1e-4 : chosen;
  }
  static std::string name(std::size_t node) { return "n" + std::to_string(node); }

  void join(std::size_t a, std::size_t b) { whole(0, 2) > 0 ? add_line(a, b) : add_signal(a, b); }
  void add_line(std::size_t a, std::size_t b) {
    TlmLine line = line_between(add_port(a), add_port(b), delay(), logarithmic(1e-2, 1));
    if (whole(0, 3) == 0) line.damping = 0.2;
    for (const std::size_t node : {a, b}) shortest_[node] = std::min(shortest_[node], *line.delay);
    system_.tlm.push_back(std::move(line));
  }
  PortName add_port(std::size_t node) {
    const std::string n = std::to_string(ports_[node].size());
    Port port = force_port("p" + n, "force" + n);
    if (const std::size_t kind = whole(0, 2); kind > 0) {
      port.effort.clear();
      port.wave.value = {"force" + n};
      port.wave.impedance = {"impedance" + n};
      if (kind == 2) port.wave.slope = {"slope" + n};
    }
    ports_[node].push_back(port);
    return {name(node), port.name};
  }
  void add_signal(std::size_t a, std::size_t b) {
    DelayedSignal signal;
    signal.from = {name(a), "velocity"};
    signal.to = {name(b), "u" + std::to_string(signals_[b]++)};
    signal.delay = delay();
    shortest_[b] = std::min(shortest_[b], signal.delay);
    system_.delays.push_back(std::move(signal));
  }
  void add_component(std::size_t node) {
    Component part =
        class_part<Node>(name(node), ports_[node].size(), signals_[node], uniform(-1, 1));
    part.ports = ports_[node];
    // An integer fraction of the step of the system, at most as long as what arrives is delayed.
    if (whole(0, 3) > 0) {
      const double longest = shortest_[node] * (whole(0, 2) == 0 ? 1 : uniform(0.1, 1));
      const double step = *system_.simulation.step;
      part.step = step / std::ceil(step / std::min(longest, 1e-2) * (1 - 1e-9));
    }
    system_.components.push_back(std::move(part));
  }

  std::mt19937 random_;
  bool is_even_ = whole(0, 1) == 0;       ///< delays are whole numbers of a time that steps divide
  std::vector<std::vector<Port>> ports_;  ///< by node
  std::vector<std::size_t> signals_;
  std::vector<double> shortest_;  ///< delay of what arrives
  System system_;
};

std::vector<std::vector<double>> rows_of(System system, unsigned threads) {
  system.simulation.threads = threads;
  AllRows rows;
  const RunReport report = run(system, {}, &rows, Log());
  EXPECT_EQ(report.end.kind, RunEnd::Kind::completed)
      << (report.end.error ? report.end.error->what() : "");
  return rows.rows;
}

// No deadlock: no island waits for another one that waits for it. A run takes milliseconds; one
// that takes minutes stands still.
TEST(TlmGraphs, OfAllKindsRunToTheirEndWithTheSameBitsOnOneAndTwoThreads) {
  constexpr unsigned graphs = 1000;
  constexpr auto longest = std::chrono::minutes(2);
  std::atomic<unsigned> done{0};
  std::future<void> all = std::async(std::launch::async, [&] {
    for (unsigned seed = 1; seed <= graphs; ++seed) {
      SCOPED_TRACE("graph " + std::to_string(seed));
      const System system = RandomSystem(seed).make();
      const auto one = rows_of(system, 1), two = rows_of(system, 2);
      EXPECT_GE(one.size(), 2u);
      EXPECT_EQ(one, two);
      done = seed;
      if (::testing::Test::HasFailure()) return;
    }
  });
  for (unsigned before = 0; all.wait_for(longest) != std::future_status::ready; before = done)
    if (done == before) {
      std::cerr << "graph " << done + 1 << " stands still\n";
      std::abort();  // its threads never end
    }
  all.get();
}

}  // namespace
}  // namespace tutti::testing::tlm_graphs
