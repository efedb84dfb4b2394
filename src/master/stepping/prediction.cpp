// SPDX-License-Identifier: BSD-2-Clause
#include "master/stepping/prediction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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

double lost_by_constant(const InputModel& model, double h) {
  if (!model.is_constant || model.order == 0) return 0;
  if (model.feeds_through) return 0.5;
  return 0.5 * std::min(1.0, model.rate * h / 6);
}

double Prediction::divided_difference(std::size_t connection, std::uint32_t order,
                                      double end) const {
  std::array<double, History::most + 1> column{};
  column[0] = y_[connection];
  for (std::size_t k = 0; k <= order; ++k) column[k + 1] = past_.value(k, connection);
  const auto time = [&](std::size_t k) { return k == 0 ? end : past_.time(k - 1); };
  for (std::size_t degree = 1; degree <= order + 1u; ++degree)
    for (std::size_t k = 0; k + degree <= order + 1u; ++k)
      column[k] = (column[k] - column[k + 1]) / (time(k) - time(k + degree));
  return column[0];
}

Prediction::Part Prediction::error_of(const SteppedSystem& system, std::size_t connection,
                                      InputModel model, double h) const {
  if (const auto missed = system.missed_prediction(connection, y_[connection])) return {*missed, 2};
  const double t = past_.time(0);
  const std::size_t points = past_.count();
  const double a = points > 1 ? t - past_.time(1) : 0, b = points > 2 ? t - past_.time(2) : 0;
  // With a shorter past an input is of a lower order, or nothing better can be told of it.
  model.order = std::min(model.order, static_cast<std::uint32_t>(points - 1));
  if (model.order < 2 && model.basis == InputModel::Basis::slopes)
    model.basis = InputModel::Basis::derivatives;
  const Part polynomial{std::abs(divided_difference(connection, model.order, t + h) *
                                 node_polynomial(model, h, a, b)),
                        model.order + 1.0};
  const double start = past_.value(0, connection), lost = lost_by_constant(model, h);
  const Part constant{lost == 0 ? 0 : lost * std::abs(y_[connection] - start),
                      lost < 0.5 ? 2.0 : 1.0};
  const Part missed{
      model.basis == InputModel::Basis::end ? system.missed(connection, start, y_[connection]) : 0,
      2};
  const Part& largest =
      std::max({polynomial, constant, missed},
               [](const Part& one, const Part& other) { return one.error < other.error; });
  return {polynomial.error + constant.error + missed.error, largest.power};
}

double Prediction::error(const SteppedSystem& system, double h) {
  const double smooth = error_of_signals(system, h);
  if (!system.has_switched()) return smooth;
  // Half the time of the step somebody did not know: as a signal that jumps by its own size.
  const double jump = 0.5 / std::max(rtol_, std::numeric_limits<double>::min());
  power_ = 1;
  return std::isnan(smooth) ? smooth : std::max(smooth, jump);
}

double Prediction::error_of_signals(const SteppedSystem& system, double h) {
  system.couplings(true, y_);
  if (y_.empty()) return 0;
  const auto models = system.input_models();
  double sum = 0, largest = -1;
  for (std::size_t i = 0; i < y_.size(); ++i) {
    const Part part = error_of(system, i, i < models.size() ? models[i] : InputModel{}, h);
    const double scaled =
        part.error == 0 ? 0
                        : part.error / (rtol_ * std::abs(y_[i]) + atol_);  // the weight may be 0
    sum += scaled * scaled;
    if (scaled > largest) {
      largest = scaled;
      power_ = part.power;
    }
  }
  return std::sqrt(sum / static_cast<double>(y_.size()));
}

}  // namespace tutti::master
