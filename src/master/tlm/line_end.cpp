// SPDX-License-Identifier: BSD-2-Clause
#include "master/tlm/line_end.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/infinity.hpp"

namespace tutti::master::tlm {
namespace {

using system::Point;
using system::PortKind;

template <class Set>
auto* place_in(Set& set, const Point& point) {
  return set.double_of(point.variable, point.element);
}

std::optional<std::size_t> number_among(std::span<double> continuous, const double* place) {
  const std::ptrdiff_t index = place - continuous.data();
  if (index < 0 || static_cast<std::size_t>(index) >= continuous.size()) return {};
  return static_cast<std::size_t>(index);
}

}  // namespace

LineEnd::Method LineEnd::method_of(const LineEndSetup& setup) {
  using enum PortInput;
  const PortInput input = setup.port->input;
  return {input, setup.port->kind, input == callback || input == equations,
          setup.exact_wave || (input != constant && input != constant_wave),
          input == slope || input == coarse};
}

LineEnd::LineEnd(LineEndSetup setup)
    : setup_(std::move(setup)),
      method_(method_of(setup_)),
      now_(setup_.arriving->columns()),
      ahead_(now_.size()),
      rows_(1 + per_direction * setup_.port->directions.size() + setup_.port->carried.size()),
      work_(setup_.delay),
      filter_(setup_.damping, setup_.delay, setup_.port->directions.size(), nearness()) {
  const system::PlannedPort& port = *setup_.port;
  for (std::size_t d = 0; d < port.directions.size(); ++d) {
    const system::PortDirection& planned = port.directions[d];
    Direction& direction = directions_.emplace_back();
    direction.impedance = setup_.impedance[d];
    if (direction.impedance > 0) direction.quarter = 1 / (4 * direction.impedance);
    // A wave has the sign of the FMU's own effort: e = c + Z f in terms of that.
    const double sign = port.kind == PortKind::effort ? port.sign : setup_.reflection * port.sign;
    direction.to_input = sign / planned.effort_unit;
    direction.to_flow = port.flow_sign * planned.flow_unit;
  }
  carried_.resize(port.carried.size());
}

void LineEnd::bind(models::Instance& instance) {
  const system::PlannedPort& port = *setup_.port;
  const auto continuous = instance.continuous_inputs();
  for (std::size_t d = 0; d < directions_.size(); ++d) {
    const system::PortDirection& planned = port.directions[d];
    Direction& direction = directions_[d];
    direction.input = place_in(instance.inputs(), planned.input);
    direction.output = place_in(instance.outputs(), planned.flow);
    if (planned.slope) direction.slope_input = place_in(instance.inputs(), *planned.slope);
    direction.continuous = number_among(continuous, direction.input);
  }
  for (std::size_t k = 0; k < carried_.size(); ++k) {
    carried_[k].output = place_in(instance.outputs(), port.carried[k].first);
    carried_[k].input = place_in(instance.inputs(), port.carried[k].second);
  }
  if (port.kind == PortKind::table) {
    nodes_.times = place_in(instance.inputs(), *port.times);
    nodes_.at.resize(static_cast<std::size_t>(port.table_size));
  }
}

void LineEnd::read_from(const models::ValueSet& inside) {
  const system::PlannedPort& port = *setup_.port;
  if (!method_.acts_inside) return;
  for (std::size_t d = 0; d < directions_.size(); ++d)
    directions_[d].inside = place_in(inside, port.directions[d].flow);
  for (std::size_t k = 0; k < carried_.size(); ++k)
    carried_[k].inside = place_in(inside, port.carried[k].first);
}

void LineEnd::limit(Horizon& horizon) const {
  const double known = setup_.arriving->known_until() + setup_.delay;
  horizon.starts = std::min(horizon.starts, known - setup_.window);
  if (method_.needs_end || setup_.divides_steps) horizon.ends = std::min(horizon.ends, known);
}

std::vector<double> LineEnd::start_waves(std::span<const double> effort,
                                         std::span<const double> flow) const {
  std::vector<double> waves;
  for (std::size_t d = 0; d < directions_.size(); ++d) {
    const Direction& direction = directions_[d];
    const double f = flow.empty() ? direction.flow(false) : flow[d];
    const double z_f = direction.impedance * f;
    const double given = *direction.input / direction.to_input;
    const double e = !effort.empty()                    ? effort[d]
                     : method_.kind == PortKind::effort ? given
                     : method_.kind == PortKind::wave   ? given + z_f
                                                        : 0;
    waves.push_back(e + z_f);
  }
  return waves;
}

void LineEnd::fill(double t, std::span<const double> waves) {
  double* to = std::copy(waves.begin(), waves.end(), setup_.sent->append(t));
  for (const Carried& carried : carried_) *to++ = *carried.output;
  *to++ = 0;  // work and energy
  *to++ = 0;
  filter_.fill(t, waves);
  setup_.sent->publish(t);
}

void LineEnd::start(double t, std::span<const double> of_peer) {
  for (std::size_t d = 0; d < directions_.size(); ++d) {
    Direction& direction = directions_[d];
    direction.wave = setup_.reflection * of_peer[d];
    direction.wave_slope = direction.effort_slope = 0;
    const double f = direction.flow(false), e = direction.wave + direction.impedance * f;
    direction.effort = e;
    if (method_.kind == PortKind::effort)
      *direction.input = direction.to_input * e;
    else if (method_.kind == PortKind::wave)
      *direction.input = direction.to_input * direction.wave;
    direction.start_flow = f;
  }
  step_start_ = t;
  applied_at_ = t;
  accept(t, false);
  publish(t);
}

/// First waves, then carried quantities, then work and energy.
void LineEnd::read_arriving(double t, std::vector<double>& values, bool before) {
  setup_.arriving->read(t - setup_.delay, values, before);
  for (std::size_t d = 0; d < directions_.size(); ++d) values[d] *= setup_.reflection;
}

void LineEnd::arrive(double t, bool before) {
  read_arriving(t, now_, before);
  arrived_before_ = before;
  for (std::size_t d = 0; d < directions_.size(); ++d) directions_[d].wave = now_[d];
  for (std::size_t k = 0; k < carried_.size(); ++k)
    *carried_[k].input = now_[directions_.size() + k];
  step_start_ = t;
}

void LineEnd::begin(double t, double h, std::vector<double>& slopes) {
  rows_.drop_after(until(t));
  arrive(t);
  applied_at_ = t;
  if (is_late_) complete_late();
  if (method_.input == PortInput::constant) {
    for (Direction& direction : directions_)
      direction.apply(direction.wave + direction.impedance * direction.flow(false));
    return;
  }
  if (!carried_.empty() && setup_.centres_carried && method_.needs_end) {
    read_arriving(t + h / 2, ahead_);
    for (std::size_t k = 0; k < carried_.size(); ++k)
      *carried_[k].input = ahead_[directions_.size() + k];
  }
  const double window = setup_.window > 0 ? setup_.window : h;
  if (method_.moves) read_arriving(t + window, ahead_, true);
  if (method_.input == PortInput::table) write_table(t, window);
  for (std::size_t d = 0; d < directions_.size(); ++d) {
    Direction& direction = directions_[d];
    if (method_.moves) direction.wave_slope = (ahead_[d] - now_[d]) / window;
    if (method_.input == PortInput::slope) find_effort_slope(direction, t);
    if (method_.kind == PortKind::wave)
      *direction.input = direction.to_input * direction.wave;
    else if (method_.input == PortInput::slope ||
             method_.input == PortInput::callback)  // until it requests inputs
      direction.apply(direction.wave + direction.impedance * direction.flow(false));
    if (method_.moves) give_slope(direction, slopes);
  }
}

/// That of the wave is known, that of the flow is unchanged.
void LineEnd::find_effort_slope(Direction& direction, double t) const {
  const double f = direction.flow(false);
  direction.effort_slope = direction.wave_slope;
  if (past_.is_known && t > past_.time)
    direction.effort_slope += direction.impedance * (f - direction.past_flow) / (t - past_.time);
  direction.start_flow = f;
}

void LineEnd::give_slope(const Direction& direction, std::vector<double>& slopes) const {
  const double slope =
      direction.to_input *
      (method_.input == PortInput::slope ? direction.effort_slope : direction.wave_slope);
  if (direction.slope_input != nullptr) {
    *direction.slope_input = slope;
  } else if (slope != 0 && direction.continuous) {
    if (slopes.size() <= *direction.continuous) slopes.resize(*direction.continuous + 1);
    slopes[*direction.continuous] = slope;
  }
}

/// The samples of the sender inside the step and both ends; the remaining nodes halve the longest
/// intervals. If there are more samples than nodes, the nodes are equidistant.
void LineEnd::write_table(double t, double h) {
  std::vector<double>& nodes = nodes_.at;
  const std::size_t size = nodes.size();
  nodes[0] = t - setup_.delay;
  const std::size_t between = setup_.arriving->sample_times(t - setup_.delay, t + h - setup_.delay,
                                                            std::span(nodes).subspan(1, size - 2));
  if (between > size - 2 || setup_.window > 0) {
    for (std::size_t i = 0; i < size; ++i)
      nodes[i] = t - setup_.delay + h * static_cast<double>(i) / static_cast<double>(size - 1);
  } else {
    std::size_t count = between + 2;
    nodes[count - 1] = t + h - setup_.delay;
    for (; count < size; ++count) {
      std::size_t longest = 1;
      for (std::size_t i = 2; i < count; ++i)
        if (nodes[i] - nodes[i - 1] > (nodes[longest] - nodes[longest - 1]) * (1 + 1e-9))
          longest = i;
      const double middle = (nodes[longest - 1] + nodes[longest]) / 2;
      std::copy_backward(nodes.begin() + static_cast<std::ptrdiff_t>(longest),
                         nodes.begin() + static_cast<std::ptrdiff_t>(count),
                         nodes.begin() + static_cast<std::ptrdiff_t>(count) + 1);
      nodes[longest] = middle;
    }
  }
  for (std::size_t i = 0; i < size; ++i) {
    nodes_.times[i] = nodes[i] + setup_.delay;
    setup_.arriving->read(nodes[i], std::span(now_).first(directions_.size()));
    for (std::size_t d = 0; d < directions_.size(); ++d)
      directions_[d].input[i] = directions_[d].to_input * setup_.reflection * now_[d];
  }
}

/// The effort that acts in the FMU at t, when its flow is f.
double LineEnd::applied_effort(const Direction& direction, double t, double f) const {
  switch (method_.input) {
    case PortInput::constant:
    case PortInput::callback:
    case PortInput::slope:
      if (method_.kind == PortKind::effort)
        return direction.effort + (t - step_start_) * direction.effort_slope;
      [[fallthrough]];
    default:
      return direction.wave + (t - step_start_) * direction.wave_slope + direction.impedance * f;
  }
}

void LineEnd::accept(double t, bool inside) {
  // An FMU that requests its inputs has received the exact wave, if it requested them here.
  const bool applied_here = method_.acts_inside && applied_at_ >= t - nearness();
  const bool asked = applied_here || method_.input == PortInput::table;
  const bool reads = !applied_here && method_.needs_end;
  if (reads) read_arriving(t, now_);
  double* to = rows_.next().data();
  *to++ = t;
  const double* c = now_.data();
  for (const Direction& direction : directions_) {
    const double f = direction.flow(inside), z_f = direction.impedance * f;
    const double arriving = applied_here ? direction.wave : *c++;
    const double applied = asked ? arriving + z_f : applied_effort(direction, t, f);
    to[0] = setup_.exact_wave ? arriving + 2 * z_f : applied + z_f;
    to[1] = arriving;
    to[2] = applied;
    // At the start of the step, as exact as possible.
    to[3] = !asked && method_.kind == PortKind::effort ? direction.effort : applied;
    to[4] = f;
    to[5] = std::numeric_limits<double>::quiet_NaN();
    to[6] = direction.flow_slope;
    to += per_direction;
  }
  for (const Carried& carried : carried_) *to++ = inside ? *carried.inside : *carried.output;
  if (applied_here && setup_.sent->slope_count() > 0) find_wave_slopes(t, rows_.last());
  rows_.add();
}

/// w' = c' + 2 Z f', where all flows have slopes.
void LineEnd::find_wave_slopes(double t, std::span<double> row) {
  const auto is_unknown = [](const Direction& d) { return std::isnan(d.flow_slope); };
  if (std::any_of(directions_.begin(), directions_.end(), is_unknown)) return;
  const std::span<double> slopes = std::span(ahead_).first(directions_.size());
  setup_.arriving->read_slopes(t - setup_.delay, slopes, arrived_before_);
  for (std::size_t d = 0; d < directions_.size(); ++d)
    row[1 + per_direction * d + 5] =
        setup_.reflection * slopes[d] + 2 * directions_[d].impedance * directions_[d].flow_slope;
}

/// Times up to this one count as t.
double LineEnd::until(double t) const {
  return t + nearness() + 8 * std::numeric_limits<double>::epsilon() * std::abs(t);
}

void LineEnd::publish(double t) {
  rows_.drop_after(until(t));
  if (rows_.empty()) return setup_.sent->publish(t);  // the last row is valid
  const std::size_t size = rows_.last().size();
  for (std::span<const double> rest = rows_.before_last(); !rest.empty();
       rest = rest.subspan(size)) {
    complete(rest.first(size));
    send(rest.first(size));
  }
  is_late_ = !method_.needs_end;  // what arrives here is known only when the next step starts
  if (method_.needs_end) complete(rows_.last());
  send(rows_.last());
  if (method_.input == PortInput::slope) {
    // A jump does not show the slope that follows.
    past_ = {step_start_, !rows_.ends_with_jump() && t > step_start_};
    for (Direction& direction : directions_) direction.past_flow = direction.start_flow;
  }
  rows_.clear();
  setup_.sent->publish(t);
}

void LineEnd::send(std::span<const double> row) {
  const double t = row[0];
  double* to = setup_.sent->append(t);
  const std::span<double> waves(to, directions_.size());
  for (std::size_t d = 0; d < directions_.size(); ++d) *to++ = row[1 + per_direction * d];
  filter_.apply(t, waves);
  to = std::copy(row.end() - static_cast<std::ptrdiff_t>(carried_.size()), row.end(), to);
  *to++ = work_.work();
  *to++ = work_.energy();
  for (std::size_t d = 0; d < setup_.sent->slope_count(); ++d)
    *to++ = row[1 + per_direction * d + 5];
}

/// What arrives now belongs to the last row sent.
void LineEnd::complete_late() {
  is_late_ = false;
  for (std::size_t d = 0; d < directions_.size(); ++d)
    rows_.last()[1 + per_direction * d + 1] = now_[d];
  complete(rows_.last());
}

void LineEnd::complete_last() {
  const double t = rows_.last()[0];
  if (!is_late_ || t > setup_.arriving->known_until() + setup_.delay) return;
  read_arriving(t, now_);
  complete_late();
}

void LineEnd::complete(std::span<const double> row) {
  const double t = row[0];
  const double* values = row.data() + 1;
  for (std::size_t d = 0; d < directions_.size(); ++d, values += per_direction)
    work_.add(t, d,
              {values[0], values[1], values[2], values[3], values[4], directions_[d].quarter});
  work_.end_sample(t);
  if (recorded_ != nullptr) record(row);
  if (setup_.findings == nullptr) return;
  if (const auto finding = work_.judge(t, peer_work(), peer_energy())) [[unlikely]]
    setup_.findings->add(setup_.line, *finding);
}

/// The effort is that of the law, e = c + Z f, whichever effort acted in the FMU.
void LineEnd::record(std::span<const double> row) {
  sample_.assign(1, row[0]);
  for (std::size_t d = 0; d < directions_.size(); ++d) {
    const double* const values = row.data() + 1 + per_direction * d;
    const double z = directions_[d].impedance;
    const double w = values[0], c = values[1], f = values[4];
    const double w_slope = values[5], f_slope = values[6], c_slope = w_slope - 2 * z * f_slope;
    sample_.insert(sample_.end(),
                   {c + z * f, f, c, w, c_slope + z * f_slope, f_slope, c_slope, w_slope});
  }
  recorded_->add(sample_);
}

void LineEnd::keep(Memory& memory) {
  for (Direction& d : directions_) {
    memory(*d.input, d.wave, d.wave_slope, d.effort, d.effort_slope, d.start_flow, d.past_flow);
    if (d.slope_input != nullptr) memory(*d.slope_input);
  }
  for (Carried& carried : carried_) memory(*carried.input);
  if (memory.restores()) rows_.clear();
  memory(step_start_, past_.time, past_.is_known, applied_at_, is_late_, rows_.last(), work_);
  memory(filter_);
}

}  // namespace tutti::master::tlm
