// SPDX-License-Identifier: BSD-2-Clause
#include "master/stepping/prediction.hpp"

#include <algorithm>
#include <cmath>

namespace tutti::master {

using InputModel = SteppedSystem::InputModel;

double node_polynomial(const InputModel& model, double h, double a, double b) {
  const bool at_end = model.feeds_through;
  switch (model.basis) {
    case InputModel::Basis::end:  // where it is right
      if (model.order == 0) return h / 2;
      if (model.order == 1) return h * h / 6;  // s (h - s)
      return h * h * (h / 12 + a / 6);         // (s + a) s (h - s)
    case InputModel::Basis::derivatives:       // s^(q + 1)
      return std::pow(h, model.order + 1) / (at_end ? 1 : model.order + 2);
    case InputModel::Basis::slopes:  // s^3 + 3/2 a s^2
      return at_end ? h * h * (h + 1.5 * a) : h * h * (h / 4 + a / 2);
    default:
      if (model.order == 0) return at_end ? h : h / 2;
      if (model.order == 1) return at_end ? h * (h + a) : h * (h / 3 + a / 2);
      return at_end ? h * (h + a) * (h + b) : h * (h * h / 4 + (a + b) * h / 3 + a * b / 2);
  }
}

void Prediction::begin(const SteppedSystem& system, double t) {
  system.couplings(true, y_);
  past_.push(t, y_);
}

double Prediction::error(const SteppedSystem& system, double h) {
  system.couplings(true, y_);
  if (y_.empty()) return 0;
  const auto models = system.input_models();
  const double t = past_.time(0), end = t + h;
  const std::size_t points = past_.count();
  const double a = points > 1 ? t - past_.time(1) : 0, b = points > 2 ? t - past_.time(2) : 0;
  double sum = 0;
  power_ = History::most;
  for (std::size_t i = 0; i < y_.size(); ++i) {
    InputModel model = i < models.size() ? models[i] : InputModel{};
    // With a shorter past an input is of a lower order, or nothing better can be told of it.
    model.order = std::min(model.order, static_cast<std::uint32_t>(points - 1));
    if (model.order < 2 && model.basis == InputModel::Basis::slopes)
      model.basis = InputModel::Basis::derivatives;
    power_ = std::min(power_, model.order + 1.0);
    // Newton's divided differences: d[k] of the end and the k points before.
    std::array<double, History::most + 1> column{};
    column[0] = y_[i];
    for (std::size_t k = 0; k <= model.order; ++k) column[k + 1] = past_.value(k, i);
    const auto time = [&](std::size_t k) { return k == 0 ? end : past_.time(k - 1); };
    for (std::size_t degree = 1; degree <= model.order + 1u; ++degree)
      for (std::size_t k = 0; k + degree <= model.order + 1u; ++k)
        column[k] = (column[k] - column[k + 1]) / (time(k) - time(k + degree));
    const double error = column[0] * node_polynomial(model, h, a, b);
    if (error == 0) continue;  // also where the weight is 0
    const double scaled = error / (rtol_ * std::abs(y_[i]) + atol_);
    sum += scaled * scaled;
  }
  return std::sqrt(sum / static_cast<double>(y_.size()));
}

}  // namespace tutti::master
