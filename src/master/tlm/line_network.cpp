// SPDX-License-Identifier: BSD-2-Clause
#include "master/tlm/line_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/infinity.hpp"
#include "master/stepping/controllers.hpp"
#include "system/line_start.hpp"

namespace tutti::master::tlm {
namespace {

using system::LinePlan;
using system::PlannedLine;
using system::PlannedPort;

std::vector<std::size_t> island_numbers(const LinePlan& plan) {
  std::size_t count = 0;
  for (const auto& island : plan.islands) count += island.size();
  std::vector<std::size_t> numbers(count);
  for (std::size_t i = 0; i < plan.islands.size(); ++i)
    for (const std::uint32_t c : plan.islands[i]) numbers[c] = i;
  return numbers;
}

/// Relative to the delay: one half lets neighbours differ by a step; constant efforts and
/// extrapolated slopes need short steps for stability where the inertia at the port is unknown.
double share_of_delay(const PlannedPort& port, TlmRules rules) {
  const bool is_explicit = port.input == PortInput::constant || port.input == PortInput::slope;
  return is_explicit && rules == TlmRules::tutti ? 1.0 / 8 : 1.0 / 2;
}

/// A constant effort acts half a step late. A line with this delay and impedance then has the
/// desired compliance and mass:
///   D' = (sqrt(H^2 + 4 D^2) - H)/2,  Z' = Z D/D',  H: the mean of both ends
struct EffectiveLine {
  double delay, scale;
};
EffectiveLine corrected(double delay, double mean_hold) {
  const double shorter = (std::sqrt(mean_hold * mean_hold + 4 * delay * delay) - mean_hold) / 2;
  return {shorter, delay / shorter};
}

bool divides_steps(const SimulationSettings& simulation) {
  return step_control_of(simulation.control).chooses_steps;
}

/// With adaptive steps, error control keeps the errors of constant efforts small.
bool is_corrected(const PlannedLine& line, const PlannedPort& port,
                  const SimulationSettings& simulation) {
  return port.input == PortInput::constant && simulation.tlm == TlmRules::tutti &&
         line.wave == WaveRule::automatic && !divides_steps(simulation);
}

EffectiveLine effective_line(const LinePlan& plan, const PlannedLine& line,
                             const SimulationSettings& simulation,
                             const std::array<double, 2>& steps) {
  double hold = 0;
  for (std::size_t i = 0; i < 2; ++i)
    if (is_corrected(line, plan.ports[line.ports[i]], simulation)) hold += steps[i] / 2;
  return corrected(line.delay, hold);
}

std::string port_name(const System& system, const PlannedPort& port) {
  const Component& component = system.components[port.component];
  return component.name + "." + component.ports[port.number].name;
}

}  // namespace

std::vector<double> island_steps(const System& system, const LinePlan& plan, double sync_step) {
  const std::vector<std::size_t> island_of = island_numbers(plan);
  const TlmRules rules = system.simulation.tlm;
  std::vector<double> longest(plan.islands.size(), sync_step), given(longest.size(), infinity);
  const auto limit = [&](std::size_t component, double step) {
    double& now = longest[island_of[component]];
    now = std::min(now, step);
  };
  for (const PlannedLine& line : plan.lines)
    for (const std::uint32_t p : line.ports)
      limit(plan.ports[p].component, share_of_delay(plan.ports[p], rules) * line.delay);
  for (const system::PlannedDelay& delay : plan.delays) limit(delay.to.component, delay.delay / 2);
  for (std::size_t c = 0; c < system.components.size(); ++c)
    if (system.components[c].step)
      given[island_of[c]] = std::min(given[island_of[c]], *system.components[c].step);
  for (std::size_t i = 0; i < longest.size(); ++i)
    if (given[i] < infinity) longest[i] = given[i];
  const auto fit = [&](double step) {
    return sync_step / std::max(1.0, std::ceil(sync_step / step * (1 - 1e-9)));
  };
  std::transform(longest.begin(), longest.end(), longest.begin(), fit);
  // Where a line is corrected for the constant effort at its other end, waves arrive earlier.
  for (const PlannedLine& line : plan.lines) {
    std::array<double, 2> steps{};
    for (std::size_t i = 0; i < 2; ++i)
      steps[i] = longest[island_of[plan.ports[line.ports[i]].component]];
    const double delay = effective_line(plan, line, system.simulation, steps).delay;
    for (const std::uint32_t p : line.ports)
      if (plan.ports[p].input != PortInput::constant) {
        double& step = longest[island_of[plan.ports[p].component]];
        if (step > delay * (1 + 1e-9)) step = fit(delay);
      }
  }
  return longest;
}

LineNetwork::LineNetwork(const Setup& setup)
    : ports_(setup.system->components.size()),
      ends_(setup.plan->ports.size()),
      longest_step_(*std::max_element(setup.steps.begin(), setup.steps.end())),
      log_(setup.log) {
  for (const PlannedLine& line : setup.plan->lines) add_line(setup, line);
  for (const system::PlannedDelay& delay : setup.plan->delays) add_delay(setup, delay);
  describe();
}

ComponentPorts& LineNetwork::ports_of(const Setup& setup, std::uint32_t component) {
  auto& ports = ports_[component];
  if (!ports) ports = std::make_unique<ComponentPorts>(setup.is_model_exchange[component]);
  return *ports;
}

void LineNetwork::add_line(const Setup& setup, const PlannedLine& planned) {
  const LinePlan& plan = *setup.plan;
  const TlmRules rules = setup.system->simulation.tlm;
  std::array<const PlannedPort*, 2> ports{};
  std::array<double, 2> steps{};
  for (std::size_t i = 0; i < 2; ++i) {
    ports[i] = &plan.ports[planned.ports[i]];
    steps[i] = setup.steps[ports[i]->component];
  }
  const EffectiveLine effective = effective_line(plan, planned, setup.system->simulation, steps);
  // Waves, what is carried, and the work and energy at the sender.
  const std::size_t columns = ports[0]->directions.size() + ports[0]->carried.size() + 2;
  std::array<WaveTable*, 2> sent{};
  for (std::size_t i = 0; i < 2; ++i) {
    // The slopes of states are known, and cubic polynomials with them are more accurate than lines.
    const bool has_slopes = setup.is_model_exchange[ports[i]->component] && planned.damping == 0 &&
                            rules == TlmRules::tutti;
    tables_.push_back(std::make_unique<WaveTable>(columns, 1e-9 * effective.delay,
                                                  has_slopes ? ports[i]->directions.size() : 0));
    sent[i] = tables_.back().get();
  }
  shortest_delay_ = std::min(shortest_delay_, effective.delay);
  Line& line = lines_.emplace_back();
  line.planned = &planned;
  line.steps = steps;
  line.name = port_name(*setup.system, *ports[0]) + " - " + port_name(*setup.system, *ports[1]);
  for (std::size_t i = 0; i < 2; ++i) {
    LineEndSetup end;
    end.port = ports[i];
    end.name = setup.system->components[ports[i]->component].ports[ports[i]->number].name;
    end.impedance = planned.impedance;
    end.scale = effective.scale;
    for (double& z : end.impedance) z *= effective.scale;
    end.delay = effective.delay;
    end.reflection = planned.reflection;
    end.damping = planned.damping;
    const PortInput input = ports[i]->input;
    end.exact_wave = planned.wave == WaveRule::exact ||
                     (planned.wave == WaveRule::automatic &&
                      (rules == TlmRules::omtlm || input == PortInput::slope));
    end.centres_carried = rules == TlmRules::tutti;
    if (rules == TlmRules::omtlm && (input == PortInput::coarse || input == PortInput::table))
      end.window = planned.delay;
    end.divides_steps = divides_steps(setup.system->simulation);
    end.arriving = sent[1 - i];
    end.sent = sent[i];
    end.findings = i == 0 ? &findings_ : nullptr;
    end.line = lines_.size() - 1;
    auto made = std::make_unique<LineEnd>(std::move(end));
    line.ends[i] = ends_[planned.ports[i]] = made.get();
    ports_of(setup, ports[i]->component).add(std::move(made));
  }
}

void LineNetwork::add_delay(const Setup& setup, const system::PlannedDelay& planned) {
  tables_.push_back(std::make_unique<WaveTable>(1, 1e-9 * planned.delay));
  WaveTable* const table = tables_.back().get();
  const double step = setup.steps[planned.from.component];
  SignalSource source;
  source.table = table;
  source.factor = planned.factor;
  source.offset = planned.offset;
  source.lead = planned.delay + std::max(planned.delay, 64 * step);
  ComponentPorts& from = ports_of(setup, planned.from.component);
  signals_.push_back({&planned, table, &from, from.sources().size()});
  from.add_source(planned.from, std::move(source));
  ports_of(setup, planned.to.component)
      .add_target(planned.to, {table, planned.delay, divides_steps(setup.system->simulation)});
}

void LineNetwork::start(double t) {
  std::vector<std::array<std::vector<double>, 2>> waves(lines_.size());
  for (std::size_t l = 0; l < lines_.size(); ++l)
    for (std::size_t i = 0; i < 2; ++i) {
      const PlannedLine& planned = *lines_[l].planned;
      waves[l][i] = lines_[l].ends[i]->start_waves(system::initial_effort(planned, i),
                                                   planned.initial_flow[i]);
    }
  for (std::size_t l = 0; l < lines_.size(); ++l)
    for (std::size_t i = 0; i < 2; ++i) lines_[l].ends[i]->fill(t, waves[l][i]);
  for (std::size_t l = 0; l < lines_.size(); ++l)
    for (std::size_t i = 0; i < 2; ++i) lines_[l].ends[i]->start(t, waves[l][1 - i]);
  for (const Signal& signal : signals_) {
    const SignalSource& source = signal.from->sources()[signal.source];
    const double value =
        signal.planned->initial.value_or(source.factor * *source.output + source.offset);
    signal.table->append(t, std::span(&value, 1));
    signal.table->publish(t);
    signal.table->note_reader(t - signal.planned->delay);
  }
  for (const auto& ports : ports_)
    if (ports) ports->start(t);
}

void LineNetwork::describe() const {
  for (const Line& line : lines_) {
    std::string text = fmt::format("line {}:", line.name);
    for (std::size_t i = 0; i < 2; ++i)
      text += fmt::format("{} input = \"{}\" in steps of {:.4g} s", i == 0 ? "" : " and",
                          to_string(line.ends[i]->port().input), line.steps[i]);
    if (line.ends[0]->scale() != 1)
      text += fmt::format(", impedance times {:.4g}, because efforts are constant over a step",
                          line.ends[0]->scale());
    log_.write({Severity::debug, "", "", text});
  }
}

void LineNetwork::report() {
  for (const auto& [line, finding] : findings_.take())
    log_.warning("", fmt::format("t = {:.6g} s: line {}: the coupling is unstable. Its numerical "
                                 "work is {:.2g} times the largest energy stored in the line. Try "
                                 "a smaller step of its components, another input method of "
                                 "its ports (input = \"equations\", \"callback\" or \"coarse\"), "
                                 "or damping",
                                 finding.time, lines_[line].name, finding.ratio));
}

std::unique_ptr<PortRows> LineNetwork::record(PortRows::Setup setup) {
  setup.nearness = 1e-9 * shortest_delay_;
  setup.longest_step = longest_step_;
  const std::vector<PortRows::Choice> choices = setup.choices;
  auto rows = std::make_unique<PortRows>(std::move(setup));
  for (std::size_t k = 0; k < choices.size(); ++k) {
    if (k > 0 && choices[k].port == choices[k - 1].port) continue;
    LineEnd& end = *ends_[choices[k].port];
    end.record_to(rows->add_port(end.directions().size()));
  }
  return rows;
}

void LineNetwork::complete() {
  for (LineEnd* const end : ends_) end->complete_last();
  report();
}

void LineNetwork::keep(Memory& memory) {
  for (const auto& table : tables_) memory(*table);
  for (const auto& ports : ports_)
    if (ports) memory(*ports);
}

std::size_t LineNetwork::sample_count() const {
  std::size_t count = 0;
  for (const auto& table : tables_) count += table->sample_count();
  return count;
}

}  // namespace tutti::master::tlm
