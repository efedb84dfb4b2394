// SPDX-License-Identifier: BSD-2-Clause
#include "master/tlm/component_ports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tutti/error.hpp>

#include "base/infinity.hpp"

namespace tutti::master::tlm {
namespace {

using system::Point;
using system::PortKind;

void add_once(std::vector<std::int32_t>& variables, std::int32_t variable) {
  const auto place = std::lower_bound(variables.begin(), variables.end(), variable);
  if (place == variables.end() || *place != variable) variables.insert(place, variable);
}

bool is_effort(const LineEnd& end) { return end.port().kind == PortKind::effort; }

}  // namespace

void ComponentPorts::add(std::unique_ptr<LineEnd> end) {
  const system::PlannedPort& port = end->port();
  if (end->acts_inside()) {
    for (const system::PortDirection& direction : port.directions)
      add_once(read_inside_, direction.flow.variable);
    for (const auto& [output, input] : port.carried) add_once(read_inside_, output.variable);
  }
  ends_.push_back(std::move(end));
}

void ComponentPorts::add_source(const Point& from, SignalSource source) {
  sources_.push_back(std::move(source));
  source_points_.push_back(from);
  if (is_model_exchange_) add_once(read_inside_, from.variable);
}

void ComponentPorts::add_target(const Point& to, SignalTarget target) {
  targets_.push_back(target);
  target_points_.push_back(to);
}

void ComponentPorts::bind(models::Instance& instance) {
  const auto continuous = instance.continuous_inputs();
  const models::ValueSet& outputs = instance.outputs();
  for (const auto& end : ends_) end->bind(instance);
  for (std::size_t k = 0; k < sources_.size(); ++k)
    sources_[k].output = outputs.double_of(source_points_[k].variable, source_points_[k].element);
  for (std::size_t k = 0; k < targets_.size(); ++k) {
    targets_[k].input =
        instance.inputs().double_of(target_points_[k].variable, target_points_[k].element);
    targets_[k].continuous = static_cast<std::size_t>(targets_[k].input - continuous.data());
    targets_[k].moves = !is_model_exchange_ && instance.follows_curves() &&
                        targets_[k].continuous < continuous.size();
  }
  bool has_feed_through = false;
  coupled_.clear();
  for (const auto& end : ends_) {
    if (!end->acts_inside() || !is_effort(*end)) continue;
    has_feed_through |= end->port().has_feed_through;
    for (LineEnd::Direction& direction : end->directions()) coupled_.push_back(&direction);
  }
  if (has_feed_through) solver_.resize(coupled_.size());
  ports_.resize(coupled_.size());
}

void ComponentPorts::read_from(const models::ValueSet& inside) {
  for (const auto& end : ends_) {
    end->read_from(inside);
    if (!end->acts_inside()) continue;
    for (std::size_t d = 0; d < end->directions().size(); ++d) {
      const auto place = std::lower_bound(read_inside_.begin(), read_inside_.end(),
                                          end->port().directions[d].flow.variable);
      end->directions()[d].read_number = static_cast<std::size_t>(place - read_inside_.begin());
    }
  }
  if (!is_model_exchange_) return;
  for (std::size_t k = 0; k < sources_.size(); ++k)
    sources_[k].inside = inside.double_of(source_points_[k].variable, source_points_[k].element);
}

void ComponentPorts::begin(double t, double h, std::vector<double>& slopes) {
  if (!has_started_) return;
  for (const auto& end : ends_) end->begin(t, h, slopes);
  for (SignalSource& source : sources_) source.drop_after(t);
  for (const SignalTarget& target : targets_) {
    const double now = target.at(t);
    *target.input = now;
    if (!target.moves) continue;
    if (slopes.size() <= target.continuous) slopes.resize(target.continuous + 1);
    slopes[target.continuous] = (target.at(t + h) - now) / h;
  }
}

/// The data of the law; the waves are those of the last arrive().
std::span<FeedThroughSolver::Port> ComponentPorts::law() {
  for (std::size_t i = 0; i < coupled_.size(); ++i) {
    const LineEnd::Direction& direction = *coupled_[i];
    ports_[i] = {direction.wave, direction.impedance, direction.flow(true), direction.effort};
  }
  return ports_;
}

void ComponentPorts::write_efforts() {
  for (std::size_t i = 0; i < coupled_.size(); ++i) coupled_[i]->apply(ports_[i].effort);
}

void ComponentPorts::apply(double t, bool before) {
  if (!has_started_) return;
  for (const auto& end : ends_) {
    if (!end->acts_inside()) continue;
    end->arrive(t, before);
    end->note_applied(t);
    for (LineEnd::Direction& direction : end->directions())
      if (!is_effort(*end))
        *direction.input = direction.to_input * direction.wave;
      else if (!has_feed_through())
        direction.apply(direction.wave + direction.impedance * direction.flow(true));
  }
  if (is_model_exchange_)
    for (const SignalTarget& target : targets_) *target.input = target.at(t, before);
  if (!has_feed_through()) return;
  solver_.solve(law());
  write_efforts();
}

bool ComponentPorts::correct() {
  if (!has_started_ || !has_feed_through()) return true;
  const bool holds = solver_.improve(law());
  if (!holds) write_efforts();
  return holds;
}

void ComponentPorts::accept(double t, bool inside, std::span<const double> slopes) {
  if (!has_started_) return;
  for (const auto& end : ends_) {
    for (LineEnd::Direction& direction : end->directions())
      direction.flow_slope = slopes.empty() || !direction.read_number
                                 ? std::numeric_limits<double>::quiet_NaN()
                                 : direction.to_flow * slopes[*direction.read_number];
    end->accept(t, inside && end->acts_inside());
  }
  for (SignalSource& source : sources_) source.accept(t, inside && is_model_exchange_);
}

double ComponentPorts::next_jump(double t) {
  if (!has_started_) return infinity;
  double next = infinity;
  for (const auto& end : ends_) next = std::min(next, end->next_jump(t));
  for (const SignalTarget& target : targets_)
    next = std::min(next, target.table->next_jump(t - target.delay) + target.delay);
  return next;
}

namespace {

/// How the flow of one direction follows the effort of another one, in terms of the line. Empty:
/// unknown.
std::optional<double> derivative(models::Instance& instance, const system::PortDirection& to,
                                 const LineEnd::Direction& flow, const system::PortDirection& by,
                                 LineEnd::Direction& effort) {
  double result = 0;
  const double seed = 1;
  if (by.input.element == 0 && to.flow.element == 0 &&
      instance.differentiate({&to.flow.variable, 1}, {&by.input.variable, 1}, {&seed, 1},
                             {&result, 1}))
    return flow.to_flow * result * effort.to_input;
  constexpr double part = 1e-4;
  const double start = *effort.input, before = *flow.output;
  *effort.input += part * std::max(1.0, std::abs(start));
  const double change = *effort.input - start;
  instance.set_some({&by.input.variable, 1});
  instance.get_some({&to.flow.variable, 1});
  const double after = *flow.output;
  *effort.input = start;
  instance.set_some({&by.input.variable, 1});
  instance.get_some({&to.flow.variable, 1});
  return flow.to_flow * (after - before) / change * effort.to_input;
}

}  // namespace

void ComponentPorts::probe(models::Instance& instance, const Log& log) {
  if (is_model_exchange_) return;
  for (const auto& end : ends_)
    if (is_effort(*end) && end->port().has_feed_through && !end->acts_inside())
      check_feed_through(instance, *end, log);
  if (has_feed_through()) learn_derivatives(instance);
}

/// For a port whose effort is constant over a step, or follows a slope.
void ComponentPorts::check_feed_through(models::Instance& instance, LineEnd& end, const Log& log) {
  for (std::size_t d = 0; d < end.directions().size(); ++d) {
    LineEnd::Direction& direction = end.directions()[d];
    const system::PortDirection& planned = end.port().directions[d];
    instance.get_some({&planned.flow.variable, 1});
    const auto own = derivative(instance, planned, direction, planned, direction);
    const double used = own ? std::abs(direction.impedance * *own) : 0;
    if (used < 1e-9) continue;
    const double factor = used / end.scale();  // relative to the line as specified
    const std::string what = fmt::format(
        "component \"{}\": the flow of port \"{}\" depends directly on its effort: impedance times "
        "derivative is {:.3g}",
        instance.name(), end.name(), factor);
    if (used >= 1)
      throw Error(
          ErrorCode::capability,
          what +
              ", and from 1 an effort that is constant over a step is unstable for every step size",
          {.component = instance.name(),
           .key = fmt::format("components.{}.ports.{}.input", instance.name(), end.name()),
           .hint = "Use the FMU for model exchange (as = \"me\"), an FMU that computes "
                   "effort = wave + impedance * flow itself, or a smaller impedance."});
    log.warning(instance.name(), what +
                                     ". Errors of an effort that is constant over a step are "
                                     "multiplied by this factor in each step; above 1 they grow");
  }
}

/// Derivatives of all flows that act inside steps, by all efforts there.
void ComponentPorts::learn_derivatives(models::Instance& instance) {
  std::vector<const system::PortDirection*> planned;
  for (const auto& end : ends_)
    if (end->acts_inside() && is_effort(*end))
      for (const system::PortDirection& direction : end->port().directions) {
        instance.get_some({&direction.flow.variable, 1});
        planned.push_back(&direction);
      }
  std::vector<double> learnt;
  for (std::size_t i = 0; i < coupled_.size(); ++i)
    for (std::size_t j = 0; j < coupled_.size(); ++j)
      learnt.push_back(
          derivative(instance, *planned[i], *coupled_[i], *planned[j], *coupled_[j]).value_or(0));
  solver_.set_derivatives(learnt);
}

void ComponentPorts::limit(Horizon& horizon) const {
  for (const auto& line : ends_) line->limit(horizon);
  for (const SignalTarget& target : targets_) {
    const double known = target.table->known_until() + target.delay;
    horizon.starts = std::min(horizon.starts, known);
    if (is_model_exchange_ || target.moves || target.divides_steps)
      horizon.ends = std::min(horizon.ends, known);
  }
  // A source must not run ahead without bound.
  for (const SignalSource& source : sources_)
    horizon.ends = std::min(horizon.ends, source.table->read_until() + source.lead);
}

void ComponentPorts::start(double t) {
  has_started_ = true;
  for (SignalSource& source : sources_) {
    source.accept(t, false);
    source.publish(t);
  }
  for (const SignalTarget& target : targets_) *target.input = target.at(t);
}

void ComponentPorts::publish(double t) {
  for (const auto& end : ends_) end->publish(t);
  for (SignalSource& source : sources_) source.publish(t);
  for (const SignalTarget& target : targets_) target.table->note_reader(t - target.delay);
  // Old samples cost little: they are removed occasionally.
  constexpr unsigned forgets_every = 4;
  if (++published_ % forgets_every != 0) return;
  for (const auto& end : ends_) end->forget_before(t);
  for (const SignalTarget& target : targets_) target.table->forget_before(t - target.delay);
}

void ComponentPorts::keep(Memory& memory) {
  if (memory.restores())
    for (SignalSource& source : sources_) source.pending.clear();
  for (const auto& end : ends_) memory(*end);
  for (const SignalTarget& target : targets_) memory(*target.input);
  memory(solver_);
}

}  // namespace tutti::master::tlm
