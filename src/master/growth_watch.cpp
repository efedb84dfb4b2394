// SPDX-License-Identifier: BSD-2-Clause
#include "master/growth_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.hpp"

namespace tutti::master {
namespace {

constexpr double least_factor = 1.2;  // per step, between any two of the samples
constexpr double least_growth = 1e8;  // over all of them
constexpr std::size_t sample_count = 3;
constexpr std::uint64_t least_steps = 16;  // from the first to the last

}  // namespace

double GrowthWatch::Place::value() const {
  return *reinterpret_cast<const double*>(member->outputs().address(*output));
}

std::optional<double> GrowthWatch::look(std::uint64_t step) {
  double magnitude = 0;
  for (const Place& place : exchanged_) magnitude = std::max(magnitude, std::abs(place.value()));
  if (!samples_.empty() && samples_.back().step == step) return {};
  samples_.push_back({step, magnitude});
  if (samples_.size() > sample_count) samples_.erase(samples_.begin());
  if (samples_.size() < sample_count) return {};
  const auto factor = [](const Sample& from, const Sample& to) {
    return from.magnitude > 0 ? std::pow(to.magnitude / from.magnitude,
                                         1 / static_cast<double>(to.step - from.step))
                              : 0;
  };
  if (samples_.back().step - samples_.front().step < least_steps) return {};
  for (std::size_t i = 1; i < samples_.size(); ++i)
    if (!(factor(samples_[i - 1], samples_[i]) >= least_factor)) return {};
  if (samples_.back().magnitude < least_growth * samples_.front().magnitude) return {};
  return factor(samples_.front(), samples_.back());
}

bool GrowthWatch::contains(const models::Instance& instance) const {
  return std::any_of(exchanged_.begin(), exchanged_.end(),
                     [&](const Place& place) { return place.member == &instance; });
}

std::string GrowthWatch::names() const {
  std::vector<std::string> names;
  const models::Instance* last = nullptr;
  for (const Place& place : exchanged_)
    if (std::exchange(last, place.member) != place.member) names.push_back(place.member->name());
  return list_some(names);
}

}  // namespace tutti::master
