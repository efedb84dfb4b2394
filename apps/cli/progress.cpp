// SPDX-License-Identifier: BSD-2-Clause
#include "progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace tutti::cli {
namespace {

constexpr double shortest_window = 5;  // s
constexpr double of_all = 0.25;        // of the run so far
constexpr double points_in_window = 64;
constexpr double least_known = 0.5;  // s of observation

}  // namespace

void RunSpeed::add(const Point& point) {
  if (!points_.empty() && point.fraction < points_.back().fraction) points_.clear();
  if (points_.empty()) {
    points_.assign(2, point);
    return;
  }
  points_.back() = point;
  const double window = std::max(shortest_window, of_all * point.wall);
  while (points_.size() > 2 && point.wall - points_[1].wall >= window) points_.pop_front();
  if (point.wall - points_[points_.size() - 2].wall >= window / points_in_window)
    points_.push_back(point);
}

std::optional<double> RunSpeed::speed() const {
  const double wall = last().wall - points_.front().wall;
  if (wall < least_known) return {};
  return (last().time - points_.front().time) / wall;
}

std::optional<double> RunSpeed::remaining() const {
  const double wall = last().wall - points_.front().wall;
  const double done = last().fraction - points_.front().fraction;
  if (wall < least_known || !(done > 0)) return {};
  return (1 - last().fraction) / done * wall;
}

std::string duration_text(double seconds) {
  constexpr double minute = 60, hour = 60 * minute, day = 24 * hour, longest = 1000 * day;
  if (!(seconds < longest)) return "over 1000 d";
  if (seconds < 2 * minute) return fmt::format("{:.0f} s", seconds);
  const auto whole = static_cast<long>(seconds);
  if (seconds < hour) return fmt::format("{} min {} s", whole / 60, whole % 60);
  if (seconds < 2 * day) return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
  return fmt::format("{} d {} h", whole / 86400, whole / 3600 % 24);
}

namespace {

/// The parts that fit, and a bar in the rest.
std::string line_of(double fraction, std::span<const std::string> parts, std::size_t width) {
  constexpr std::size_t widest_bar = 40, least_bar = 10;
  std::string text;
  for (const std::string& part : parts)
    if (text.size() + part.size() <= width) text += part;
  const std::size_t room = width - std::min(width, text.size());
  if (room < least_bar + 3) return text;
  const std::size_t bar = std::min(widest_bar, room - 3);
  const auto done = static_cast<std::size_t>(fraction * static_cast<double>(bar));
  return fmt::format("[{}{}] {}", std::string(done, '='), std::string(bar - done, ' '), text);
}

std::string percent_text(double fraction) {
  return fmt::format("{:3.0f} %", std::floor(100 * fraction));
}
std::string remaining_text(const RunSpeed& run) {
  const std::optional<double> remaining = run.remaining();
  return remaining ? fmt::format("  {} left", duration_text(*remaining)) : "";
}

}  // namespace

std::string progress_line(const RunSpeed& run, std::size_t width) {
  const double fraction = std::clamp(run.last().fraction, 0.0, 1.0);
  const std::optional<double> speed = run.speed();
  const std::array parts = {percent_text(fraction), remaining_text(run),
                            fmt::format("  t = {:.6g} s", run.last().time),
                            speed ? fmt::format("  {:.2g} x real time", *speed) : std::string()};
  return line_of(fraction, parts, width);
}

std::string progress_line_of_runs(const RunSpeed& runs, std::uint64_t all, std::size_t width) {
  const double fraction = std::clamp(runs.last().fraction, 0.0, 1.0);
  const std::optional<double> speed = runs.speed();
  const std::array parts = {percent_text(fraction), remaining_text(runs),
                            fmt::format("  {:.0f} of {} runs", runs.last().time, all),
                            speed ? fmt::format("  {:.3g} runs/s", *speed) : std::string()};
  return line_of(fraction, parts, width);
}

}  // namespace tutti::cli
