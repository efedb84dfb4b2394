// SPDX-License-Identifier: BSD-2-Clause
#include "models/cs_curves.hpp"

#include <algorithm>
#include <utility>

#include "system/dependencies.hpp"

namespace tutti::models {

void CsCurves::prepare(const ModelDescription& description, std::uint32_t highest_order,
                       fmi::CoSimulationOptions& options) {
  const auto moving = inputs_.continuous_doubles();
  are_used_ = !moving.empty() && highest_order > 0 &&
              system::follows_inputs(description, inputs_.variables());
  if (!are_used_) return;
  const auto references = inputs_.continuous_references();
  if (description.version != FmiVersion::v3) {
    for (std::int32_t order = 1; order <= static_cast<std::int32_t>(highest_order); ++order) {
      derivatives_.references.insert(derivatives_.references.end(), references.begin(),
                                     references.end());
      derivatives_.orders.insert(derivatives_.orders.end(), moving.size(), order);
    }
    find_negated();
    return;
  }
  by_intermediate_update_ = true;
  options.intermediate_variables.assign(references.begin(), references.end());
  options.intermediate_update = [this](fmi::CoSimulation& instance,
                                       const fmi::IntermediateMoment& moment) {
    asked_ |= moment.set_requested;
    if (moment.set_requested && !slopes_.empty()) set_inside(instance, moment.time);
    return std::optional<double>();
  };
}

void CsCurves::find_negated() {
  const auto moving = inputs_.continuous_doubles();
  for (const Scalar& scalar : inputs_.scalars()) {
    if (!scalar.negated || scalar.type != Type::float64) continue;
    const auto index = static_cast<std::size_t>(
        reinterpret_cast<const double*>(inputs_.address(scalar)) - moving.data());
    if (index < moving.size()) derivatives_.negated.push_back(index);
  }
}

void CsCurves::set(std::span<const double> slopes, std::span<const double> curvatures) {
  slopes_.assign(slopes.begin(), slopes.end());
  curvatures_.assign(curvatures.begin(), curvatures.end());
}

void CsCurves::begin_step(double t) {
  begin_ = t;
  if (are_followed()) return;
  slopes_.clear();
  curvatures_.clear();
}

void CsCurves::begin_parts() {
  const auto start = inputs_.continuous_doubles();
  parts_from_ = begin_;
  moved_.assign(start.begin(), start.end());
  start_slopes_ = slopes_;
}

void CsCurves::begin_part(double t) {
  const auto start = inputs_.continuous_doubles();
  const double s = t - parts_from_;
  for (std::size_t i = 0; i < slopes_.size(); ++i) {
    start[i] = moved_[i] + s * (start_slopes_[i] + s / 2 * curvature(i));
    slopes_[i] = start_slopes_[i] + s * curvature(i);
  }
  begin_ = t;
}

// An FMU that did not request inputs had the values of the start for the whole step; this happens
// only once.
bool CsCurves::note_whether_asked() {
  if (!by_intermediate_update_) return false;
  if (std::exchange(asked_, false)) {
    asks_ = Asks::yes;
  } else if (asks_ == Asks::unknown && !slopes_.empty()) {
    asks_ = Asks::no;
    return !std::exchange(reported_, true);
  }
  return false;
}

void CsCurves::set_inside(fmi::CoSimulation& instance, double t) {
  const auto start = inputs_.continuous_doubles();
  inside_.assign(start.begin(), start.end());
  const double s = t - begin_;
  for (std::size_t i = 0; i < slopes_.size(); ++i)
    inside_[i] += s * (slopes_[i] + s / 2 * curvature(i));
  instance.set(Type::float64, inputs_.continuous_references(), inside_.data(), inside_.size());
}

// Input derivatives stay in effect until the FMU gets others.
CsCurves::InputDerivatives CsCurves::next_derivatives() {
  if (!slopes_.empty()) slopes_.resize(inputs_.continuous_doubles().size());
  const std::size_t count = slopes_.size() + curvatures_.size();
  const std::size_t size = std::max(count, derivatives_.count);
  derivatives_.values = slopes_;
  derivatives_.values.insert(derivatives_.values.end(), curvatures_.begin(), curvatures_.end());
  for (const std::size_t i : derivatives_.negated)
    for (std::size_t k = i; k < count; k += slopes_.size())
      derivatives_.values[k] = -derivatives_.values[k];
  derivatives_.values.resize(size);
  derivatives_.count = count;
  return {std::span(derivatives_.references).first(size),
          std::span(derivatives_.orders).first(size), derivatives_.values};
}

}  // namespace tutti::models
