// SPDX-License-Identifier: BSD-2-Clause
#include "master/stepping/prediction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tutti::master {

NodePolynomial nodes_of(const InputModel& model, double h, double a, double b) {
  switch (model.basis) {
    case InputModel::Basis::end:  // where it is right
      if (model.order == 0) return {-h / 2, 0, 1};
      if (model.order == 1) return {-h * h / 6, 0, h};     // s (s - h)
      return {-h * h * (h / 12 + a / 6), 0, h * (h + a)};  // (s + a) s (s - h)
    case InputModel::Basis::derivatives: {                 // s^(q + 1)
      const double end = std::pow(h, model.order + 1);
      return {end / (model.order + 2), end, (model.order + 1) * end / h};
    }
    case InputModel::Basis::slopes:  // s^3 + 3/2 a s^2
      return {h * h * (h / 4 + a / 2), h * h * (h + 1.5 * a), 3 * h * (h + a)};
    default:
      if (model.order == 0) return {h / 2, h, 1};
      if (model.order == 1) return {h * (h / 3 + a / 2), h * (h + a), 2 * h + a};
      return {h * (h * h / 4 + (a + b) * h / 3 + a * b / 2), h * (h + a) * (h + b),
              (h + a) * (h + b) + h * (2 * h + a + b)};
  }
}

double node_polynomial(const InputModel& model, double h, double a, double b) {
  const NodePolynomial w = nodes_of(model, h, a, b);
  const bool at_end = model.feeds_through && model.basis != InputModel::Basis::end;
  return std::abs(at_end ? w.end : w.mean);
}

void Prediction::begin(const SteppedSystem& system, double t) {
  system.couplings(true, y_);
  past_.push(t, y_);
}

namespace {

double lost_of_line(const InputModel& model, double h) {
  return 0.5 * std::min(1.0, model.rate * h / 6);
}

}  // namespace

double lost_by_constant(const InputModel& model, double h) {
  if (!model.is_constant || model.order == 0) return 0;
  return model.feeds_through ? 0.5 : lost_of_line(model, h);
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

InputModel Prediction::as_known(InputModel model) const {
  model.order = std::min(model.order, static_cast<std::uint32_t>(past_.count() - 1));
  if (model.order < 2 && model.basis == InputModel::Basis::slopes)
    model.basis = InputModel::Basis::derivatives;
  return model;
}

Prediction::Part Prediction::error_of(const CoupledInputs& inputs, std::size_t connection,
                                      InputModel model, double h) const {
  const double change = std::abs(y_[connection] - past_.value(0, connection));
  if (const auto missed = inputs.missed_prediction(connection, y_[connection])) {
    const bool loses = model.is_constant && std::isfinite(model.rate);
    return {std::abs(*missed) + (loses ? lost_of_line(model, h) * change : 0), 2};
  }
  const double t = past_.time(0);
  const std::size_t points = past_.count();
  const double a = points > 1 ? t - past_.time(1) : 0, b = points > 2 ? t - past_.time(2) : 0;
  model = as_known(model);
  const Part polynomial{std::abs(divided_difference(connection, model.order, t + h) *
                                 node_polynomial(model, h, a, b)),
                        model.order + 1.0};
  const double start = past_.value(0, connection), lost = lost_by_constant(model, h);
  const Part constant{lost == 0 ? 0 : lost * change, lost < 0.5 ? 2.0 : 1.0};
  Part missed{0, 2};
  if (model.basis == InputModel::Basis::end)
    if (const auto given = inputs.given(connection))
      missed.error = (std::abs(given->start - start) + std::abs(given->at(h) - y_[connection])) / 2;
  const Part& largest =
      std::max({polynomial, constant, missed},
               [](const Part& one, const Part& other) { return one.error < other.error; });
  return {polynomial.error + constant.error + missed.error, largest.power};
}

StepSignal Prediction::signal_of(std::size_t connection, double h) const {
  const double end = past_.time(0) + h;
  const double first = divided_difference(connection, 0, end);
  StepSignal u{past_.value(0, connection) + h / 2 * first, y_[connection], first};
  for (std::uint32_t order = 1; order < past_.count(); ++order) {
    // Newton's polynomial: the next term vanishes at the points included so far.
    const double a = past_.time(0) - past_.time(1);
    const NodePolynomial w = nodes_of({order, InputModel::Basis::end}, h, a, 0);
    const double d = divided_difference(connection, order, end);
    u.mean += d * w.mean;
    u.slope += d * w.slope;
  }
  return u;
}

InputRecord Prediction::record_of(const CoupledInputs& inputs, std::size_t connection,
                                  InputModel model, double h) const {
  InputRecord record;
  const StepSignal u = signal_of(connection, h);
  const auto curve = inputs.given(connection);
  const auto missed = inputs.missed_prediction(connection, y_[connection]);
  if (curve && curve->constant)
    record.given = {*curve->constant, *curve->constant, 0};
  else if (curve)
    record.given = {curve->start + h / 2 * (curve->slope + h / 3 * curve->curvature), curve->at(h),
                    curve->slope + h * curve->curvature};
  StepSignal& error = record.error;
  if (missed) {
    error = {*missed / 2, *missed, *missed / h};
    record.is_predicted = true;
    return record;
  }
  if (curve && past_.count() > model.order) {
    error = {record.given.mean - u.mean, record.given.end - u.end, record.given.slope - u.slope};
  } else {
    // The past is too short for a better estimate than the input.
    const double a = past_.count() > 1 ? past_.time(0) - past_.time(1) : 0;
    const InputModel known = as_known(model);
    const NodePolynomial w = nodes_of(known, h, a, 0);
    const double d = divided_difference(connection, known.order, past_.time(0) + h);
    error = {-d * w.mean, -d * w.end, -d * w.slope};
    if (!curve) record.given = {u.mean + error.mean, u.end + error.end, u.slope + error.slope};
  }
  if (model.feeds_through) record.of_outputs = error.end;
  return record;
}

double Prediction::error(SteppedSystem& system, double h) {
  const double smooth = error_of_signals(system, h);
  if (!system.coupled_inputs().has_switched()) return smooth;
  // The change was unknown for half the step on average: as a signal that jumps by its own size.
  const double jump = 0.5 / std::max(rtol_, std::numeric_limits<double>::min());
  power_ = 1;
  return std::isnan(smooth) ? smooth : std::max(smooth, jump);
}

/// Weighted errors include the actual signal, too: derivatives from FMUs are not exact, and the
/// middle of a parabola is not its mean. Components much faster than the step see its end.
double Prediction::measured_error(std::size_t connection, const InputModel& model, double h) const {
  constexpr double fast = 6;
  const StepSignal& error = inputs_[connection].error;
  return std::max(std::abs(error.mean), model.rate * h > fast ? std::abs(error.end) : 0.0);
}

/// Errors of inputs that only affect corrected outputs count little, but not zero: results must
/// resolve such inputs, too.
constexpr double of_corrected = 0.03;

double Prediction::error_of_signals(SteppedSystem& system, double h) {
  system.couplings(true, y_);
  if (y_.empty()) return 0;
  const CoupledInputs& inputs = system.coupled_inputs();
  const bool notes = inputs.are_noted();
  if (notes) inputs_.resize(y_.size());
  const auto models = inputs.models();
  const auto weights = inputs.weights();
  double sum = 0, largest = -1;
  for (std::size_t i = 0; i < y_.size(); ++i) {
    const InputModel model = i < models.size() ? models[i] : InputModel{};
    Part part = error_of(inputs, i, model, h);
    if (notes) inputs_[i] = record_of(inputs, i, model, h);
    if (i < weights.size()) part.error = std::max(part.error, measured_error(i, model, h));
    double scaled =
        part.error == 0 ? 0 : part.error / (rtol_ * std::abs(y_[i]) + atol_);  // which may be 0
    if (i < weights.size()) scaled *= weights[i];
    if (const auto doubt = inputs.doubt(i)) scaled = std::max(of_corrected * scaled, *doubt);
    sum += scaled * scaled;
    if (scaled > largest) {
      largest = scaled;
      power_ = part.power;
    }
  }
  return std::sqrt(sum / static_cast<double>(y_.size()));
}

}  // namespace tutti::master
