// SPDX-License-Identifier: BSD-2-Clause
#include "models/feed_through.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tutti::models {
namespace {

// Of a difference quotient, against value and nominal value: about the root of the rounding error.
constexpr double of_doubles = 1e-7, of_singles = 3e-4;

double increment_of(const Variable& variable, double value) {
  const auto& nominal = variable.attributes.nominal;
  const double scale = nominal && *nominal != 0 ? std::abs(*nominal) : 1;
  return (variable.type == Type::float32 ? of_singles : of_doubles) *
         std::max(scale, std::abs(value));
}

}  // namespace

void FeedThrough::differentiate(fmi::FmuInstance& fmu, ValueSet& inputs, ValueSet& outputs,
                                const Question& question, bool discrete_too) {
  const auto& [unknowns, knowns, seed, sensitivity] = question;
  std::ranges::fill(sensitivity, 0.0);
  // What the FMU has: others may have written to the inputs of the instance since.
  inputs.get_from(fmu);
  present_.clear();
  double by = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < knowns.size(); ++j) {
    present_.push_back(inputs.read(inputs.scalars()[j]).real);
    const Variable& known = fmu.description().variables[static_cast<std::size_t>(knowns[j])];
    if (seed[j] != 0) by = std::min(by, increment_of(known, present_[j]) / std::abs(seed[j]));
  }
  if (!std::isfinite(by)) return;  // nothing is to move

  const auto read_with = [&](double distance) {
    for (std::size_t j = 0; j < knowns.size(); ++j)
      inputs.write_real(inputs.scalars()[j], present_[j] + distance * seed[j]);
    if (discrete_too)
      inputs.set_to(fmu);
    else
      inputs.set_continuous_to(fmu);
    outputs.get_from(fmu);
  };
  const auto attempt = [&](double distance) {
    try {
      read_with(distance);
      return true;
    } catch (const Discarded&) {
      return false;
    }
  };
  // At the edge of what the FMU can compute, the other side may do. If none does, nothing is known,
  // and the inputs are taken not to matter.
  const bool possible = attempt(by) || attempt(by = -by);
  if (possible)
    for (std::size_t i = 0; i < unknowns.size(); ++i)
      sensitivity[i] = outputs.read(outputs.scalars()[i]).real;
  read_with(0);
  if (possible)
    for (std::size_t i = 0; i < unknowns.size(); ++i)
      sensitivity[i] = (sensitivity[i] - outputs.read(outputs.scalars()[i]).real) / by;
}

}  // namespace tutti::models
