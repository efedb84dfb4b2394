// SPDX-License-Identifier: BSD-2-Clause
#include "formats/osp/rates.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tutti::formats::osp {
namespace {

constexpr std::uint64_t most = 1'000'000'000;  // so that the product of two of them fits

}  // namespace

std::uint64_t decimation_of(double step, double base) {
  constexpr double rounding = 1e-9;  // 0.3 / 0.1 is below 3
  const double factor = std::floor(step / base * (1 + rounding));
  return static_cast<std::uint64_t>(std::clamp(factor, 1.0, static_cast<double>(most)));
}

Rates choose_rates(std::span<const std::uint64_t> decimations,
                   std::span<const std::pair<std::size_t, std::size_t>> links) {
  Rates rates;
  std::uint64_t system = 0;
  for (const auto& [from, to] : links)
    system = std::gcd(system, std::lcm(decimations[from], decimations[to]));
  if (links.empty()) {  // no transfers: all simulators synchronize where all have finished
    system = 1;
    for (const std::uint64_t d : decimations) system = system > most ? system : std::lcm(system, d);
    if (system > most) system = 1;
  }
  rates.system = system;
  for (std::size_t i = 0; i < decimations.size(); ++i) {
    const bool divides = system % decimations[i] == 0;
    rates.of.push_back(divides ? decimations[i] : system);
    if (!divides) rates.shortened.push_back(i);
  }
  return rates;
}

}  // namespace tutti::formats::osp
