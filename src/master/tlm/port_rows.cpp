// SPDX-License-Identifier: BSD-2-Clause
#include "master/tlm/port_rows.hpp"

#include <algorithm>
#include <cmath>

#include "base/infinity.hpp"
#include "master/tlm/hermite.hpp"

namespace tutti::master::tlm {
namespace {

constexpr std::size_t maximum_numbers = 1 << 20;  // buffered; 8 MB

}  // namespace

void PortSamples::add(std::span<const double> sample) {
  const std::lock_guard lock(mutex_);
  added_.insert(added_.end(), sample.begin(), sample.end());
  last_ = sample[0];
}

PortSamples& PortRows::add_port(std::size_t directions) {
  return *ports_.emplace_back(std::make_unique<PortSamples>(directions, setup_.times.start()));
}

double PortRows::known_until() const {
  double known = infinity;
  for (const auto& port : ports_) known = std::min(known, port->last_.load());
  return known;
}

void PortRows::take() {
  std::size_t count = 0;
  for (const auto& port : ports_) {
    const std::lock_guard lock(port->mutex_);
    port->taken_.insert(port->taken_.end(), port->added_.begin(), port->added_.end());
    port->added_.clear();
    count += port->taken_.size();
  }
  is_full_ = count > maximum_numbers;
}

/// infinity: no more rows, as far as known.
double PortRows::next_time() const {
  if (!setup_.every_sample)
    return row_ <= setup_.times.step_count() ? setup_.times.point(row_) : infinity;
  double next = infinity;
  for (const auto& port : ports_)
    if (port->next_ < port->size()) next = std::min(next, *port->at(port->next_));
  return next;
}

void PortRows::deliver(bool is_end) {
  const double known = known_until();
  take();
  const auto is_empty = [](const auto& port) { return port->size() == 0; };
  if (std::any_of(ports_.begin(), ports_.end(), is_empty)) return;
  // A later sample at the same time may come: it is a jump.
  const double until = is_end ? known + setup_.nearness : known - setup_.nearness;
  for (double t = next_time(); is_end ? t <= until : t < until; t = next_time()) {
    bool jumps = false;
    for (const auto& port : ports_) {
      int here = 0;
      for (; port->next_ < port->size(); ++port->next_) {
        const double time = *port->at(port->next_);
        if (time > t + setup_.nearness) break;
        here += time >= t - setup_.nearness ? 1 : 0;
      }
      jumps |= here > 1;
    }
    if (jumps && setup_.every_sample) write_row(t, true);
    write_row(t, false);
    ++row_;
  }
  forget();
}

/// Keeps the last sample up to the last row, and those at its time.
void PortRows::forget() {
  for (const auto& port : ports_) {
    std::size_t unused = 0;
    while (unused + 1 < port->next_ &&
           *port->at(unused + 1) < *port->at(port->next_ - 1) - setup_.nearness)
      ++unused;
    const auto first = port->taken_.begin();
    port->taken_.erase(first, first + static_cast<std::ptrdiff_t>(unused * port->stride_));
    port->next_ -= unused;
  }
}

void PortRows::write_row(double t, bool before) {
  values_.clear();
  std::size_t port = 0;
  for (std::size_t k = 0; k < setup_.choices.size(); ++k) {
    const Choice& choice = setup_.choices[k];
    if (k > 0 && choice.port != setup_.choices[k - 1].port) ++port;
    const std::size_t column = 1 + PortSamples::per_direction * choice.direction +
                               static_cast<std::size_t>(choice.quantity);
    values_.push_back(value_at(*ports_[port], column, t, before));
  }
  setup_.sink(t, values_);
}

double PortRows::value_at(PortSamples& port, std::size_t column, double t, bool before) const {
  std::size_t k = port.next_ - 1;  // the last one up to t
  if (*port.at(k) >= t - setup_.nearness || k + 1 == port.size()) {
    while (before && k > 0 && *port.at(k - 1) >= t - setup_.nearness) --k;
    return port.at(k)[column];
  }
  const double *const from = port.at(k), *const to = port.at(k + 1);
  const double h = *to - *from, s = (t - *from) / h;
  const double from_slope = from[column + port_quantities], to_slope = to[column + port_quantities];
  if (std::isnan(from_slope) || std::isnan(to_slope))
    return from[column] + s * (to[column] - from[column]);
  return Hermite(from[column], to[column], from_slope, to_slope, h).value(s);
}

}  // namespace tutti::master::tlm
