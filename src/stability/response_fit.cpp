// SPDX-License-Identifier: BSD-2-Clause
#include "stability/response_fit.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "base/infinity.hpp"
#include "stability/response_basis.hpp"

namespace tutti::stability {
namespace {

/// The weight of noise is at most a millionth, so that blocks that contain little else do not hide
/// the others.
constexpr double noise_weight = 1e6;
/// A pole that contributes less than this to every block is dropped.
constexpr double smallest_need = 1e-7;

/// Linear least squares over given poles.
class Fitter {
 public:
  explicit Fitter(const StepResponses& responses)
      : responses_(responses), pairs_(responses.inputs * responses.outputs) {
    const auto samples = index(responses.samples());
    weights_ = targets_ = Dense(samples, index(pairs_));
    double noise_squares = 0;
    for (std::size_t pair = 0; pair < pairs_; ++pair) {
      std::size_t s = 0;
      for (std::size_t k = 0; k < responses.blocks.size(); ++k) {
        const std::size_t count = responses.blocks[k].count;
        const double* const values = &responses.values[pair * responses.samples() + s];
        double largest = 0;
        for (std::size_t i = 0; i < count; ++i) largest = std::max(largest, std::abs(values[i]));
        const double noise = responses.noise[pair * responses.blocks.size() + k];
        const double scale = std::max({largest, noise_weight * noise, 1e-300});
        noise_squares += std::pow(noise / scale, 2) * static_cast<double>(count);
        for (std::size_t i = 0; i < count; ++i, ++s) {
          weights_(index(s), index(pair)) = 1 / scale;
          targets_(index(s), index(pair)) = values[i] / scale;
        }
      }
    }
    noise_ = std::sqrt(noise_squares / static_cast<double>(weights_.size()));
  }

  /// By pair (columns): D, then the coefficients of the states.
  struct Solution {
    Dense coefficients, residuals;
    double error = 0;
  };
  Solution solve(const std::vector<Factor>& factors) const {
    const Dense states = states_over(factors, responses_);
    Dense basis(states.rows(), states.cols() + 1);
    basis << Dense::Ones(states.rows(), 1), states;
    Solution solution;
    solution.coefficients = Dense(basis.cols(), targets_.cols());
    solution.residuals = Dense(targets_.rows(), targets_.cols());
    for (Eigen::Index pair = 0; pair < targets_.cols(); ++pair) {
      Dense weighted = weights_.col(pair).asDiagonal() * basis;
      Eigen::VectorXd scales = weighted.colwise().norm().cwiseMax(1e-300);
      weighted = weighted * scales.cwiseInverse().asDiagonal();
      Eigen::ColPivHouseholderQR<Dense> qr(weighted);
      qr.setThreshold(1e-13);
      const Eigen::VectorXd scaled = qr.solve(targets_.col(pair));
      solution.coefficients.col(pair) = scaled.cwiseQuotient(scales);
      solution.residuals.col(pair) = targets_.col(pair) - weighted * scaled;
    }
    solution.error = std::sqrt(solution.residuals.squaredNorm() /
                               static_cast<double>(solution.residuals.size()));
    if (!std::isfinite(solution.error)) solution.error = infinity;
    return solution;
  }
  double noise() const { return noise_; }
  const Dense& weights() const { return weights_; }

 private:
  const StepResponses& responses_;
  std::size_t pairs_;
  Dense weights_, targets_;
  double noise_ = 0;
};

std::vector<Complex> poles_of(const std::vector<Factor>& factors) {
  std::vector<Complex> poles;
  for (const Factor& factor : factors)
    for (const Complex pole : factor.poles()) poles.push_back(pole);
  return poles;
}

/// Drops poles one after the other, the least important first, as long as the fit does not suffer.
/// @param worth minimum improvement of the fit by a pole
std::vector<Complex> needed(const Fitter& fitter, std::vector<Complex> poles, double duration,
                            double worth) {
  double best = fitter.solve(factors_of(poles, duration)).error;
  while (!poles.empty()) {
    double least = infinity;
    std::size_t weakest = 0;
    for (std::size_t k = 0; k < poles.size(); ++k) {
      std::vector<Complex> others = poles;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
      const double without = fitter.solve(factors_of(others, duration)).error;
      if (without < least) least = without, weakest = k;
    }
    const double allowed = std::max({smallest_need, worth * best, 1.5 * fitter.noise()});
    if (least > allowed && poles.size() <= largest_order) break;
    poles.erase(poles.begin() + static_cast<std::ptrdiff_t>(weakest));
    best = std::min(best, least);
  }
  return poles;
}

/// Levenberg-Marquardt over sums and products, the coefficients being solved for each of them.
std::vector<Factor> refined(const Fitter& fitter, std::vector<Factor> factors, double duration) {
  std::vector<double*> parameters;
  std::vector<double> scales;
  for (Factor& factor : factors) {
    const double rate = factor.rate(duration);
    parameters.push_back(&factor.sum);
    scales.push_back(rate);
    if (!factor.second_order) continue;
    parameters.push_back(&factor.product);
    scales.push_back(rate * rate);
  }
  if (parameters.empty()) return factors;
  Fitter::Solution now = fitter.solve(factors);
  double damping = 1e-6;
  const Eigen::Index count = index(parameters.size());
  for (int round = 0; round < 12 && now.error > 1e-11; ++round) {
    Dense jacobian(now.residuals.size(), count);
    for (Eigen::Index k = 0; k < count; ++k) {
      const auto at = static_cast<std::size_t>(k);
      const double old = *parameters[at], by = 1e-6 * scales[at];
      *parameters[at] = old + by;
      const Dense moved = fitter.solve(factors).residuals;
      *parameters[at] = old;
      jacobian.col(k) = (moved - now.residuals).reshaped() / 1e-6;
    }
    const Dense normal = jacobian.transpose() * jacobian;
    const Eigen::VectorXd slope = jacobian.transpose() * now.residuals.reshaped();
    bool better = false;
    for (int attempt = 0; attempt < 5 && !better; ++attempt, damping *= 30) {
      Dense damped = normal;
      damped.diagonal() *= 1 + damping;
      damped.diagonal().array() += 1e-300;
      const Eigen::VectorXd change = damped.ldlt().solve(slope);
      if (!change.allFinite()) continue;
      std::vector<double> old;
      for (Eigen::Index k = 0; k < count; ++k) {
        const auto at = static_cast<std::size_t>(k);
        old.push_back(*parameters[at]);
        *parameters[at] -= std::clamp(change[k], -0.5, 0.5) * scales[at];
      }
      Fitter::Solution next = fitter.solve(factors);
      better = next.error < now.error;
      if (better) {
        const bool settled = next.error > 0.999 * now.error;
        now = std::move(next);
        damping = std::max(damping / 900, 1e-12);
        if (settled) return factors;
      } else {
        for (std::size_t k = 0; k < old.size(); ++k) *parameters[k] = old[k];
      }
    }
    if (!better) break;
  }
  return factors;
}

/// Adds real poles as long as that improves the fit considerably: a block may show too few poles
/// that are close to each other.
std::vector<Factor> extended(const Fitter& fitter, std::vector<Factor> factors,
                             const StepResponses& responses) {
  const double duration = responses.duration();
  double error = fitter.solve(factors).error;
  while (error > std::max(10 * smallest_need, 2 * fitter.noise())) {
    std::vector<Complex> best = poles_of(factors);
    if (best.size() >= largest_order) break;
    best.emplace_back(0);
    double least = 1e300;
    for (double rate = 0.3 / duration; rate < 3 / responses.blocks.front().step; rate *= 2) {
      std::vector<Complex> poles = best;
      poles.back() = -rate;
      const double now = fitter.solve(factors_of(poles, duration)).error;
      if (now < least) least = now, best = poles;
    }
    const std::vector<Factor> more = refined(fitter, factors_of(best, duration), duration);
    const double reached = fitter.solve(more).error;
    if (reached > 0.3 * error) break;
    factors = more;
    error = reached;
  }
  return factors;
}

/// Drops poles that the others can replace after another refinement.
std::vector<Factor> simplified(const Fitter& fitter, std::vector<Factor> factors, double duration,
                               double worth) {
  const double error = fitter.solve(factors).error;
  const double allowed = std::max({smallest_need, worth * error, 1.5 * fitter.noise()});
  for (bool found = true; found;) {
    found = false;
    const std::vector<Complex> poles = poles_of(factors);
    for (std::size_t k = 0; k < poles.size() && !found; ++k) {
      std::vector<Complex> others = poles;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
      std::vector<Factor> fewer = refined(fitter, factors_of(others, duration), duration);
      found = fitter.solve(fewer).error <= allowed;
      if (found) factors = std::move(fewer);
    }
  }
  return factors;
}

/// Moves poles that are too slow, or too little damped, to be resolved to 0, or to the imaginary
/// axis.
std::vector<Factor> rounded(const Fitter& fitter, std::vector<Factor> factors, double duration) {
  constexpr double slow = 0.01;
  const double allowed = std::max(1.05 * fitter.solve(factors).error, smallest_need);
  for (Factor& factor : factors)
    for (double* const value : {&factor.sum, &factor.product}) {
      const double old = *value;
      const double size = value == &factor.sum ? old * duration : old * duration * duration;
      if (std::abs(size) > slow || old == 0) continue;
      *value = 0;
      if (fitter.solve(factors).error > allowed) *value = old;
    }
  return factors;
}

}  // namespace

std::size_t StepResponses::samples() const {
  std::size_t count = 0;
  for (const SampleBlock& block : blocks) count += block.count;
  return count;
}

double StepResponses::duration() const {
  double sum = 0;
  for (const SampleBlock& block : blocks) sum += block.step * static_cast<double>(block.count);
  return sum;
}

StepResponses StepResponses::first(std::size_t block_count) const {
  StepResponses part{{blocks.begin(), blocks.begin() + static_cast<std::ptrdiff_t>(block_count)},
                     inputs,
                     outputs,
                     {},
                     {}};
  const std::size_t all = samples(), some = part.samples();
  for (std::size_t pair = 0; pair < inputs * outputs; ++pair) {
    for (std::size_t s = 0; s < some; ++s) part.values.push_back(values[pair * all + s]);
    for (std::size_t k = 0; k < block_count; ++k)
      part.noise.push_back(noise[pair * blocks.size() + k]);
  }
  return part;
}

std::optional<ResponseFit> fit_responses(const StepResponses& responses) {
  const double duration = responses.duration();
  const Fitter fitter(responses);
  std::vector<Factor> factors =
      factors_of(needed(fitter, find_poles(responses), duration, 1.1), duration);
  factors = refined(fitter, factors, duration);
  factors = extended(fitter, factors, responses);
  // If the error of the fit exceeds the noise, the responses are not quite linear: more poles would
  // fit the nonlinearity.
  const double missed = fitter.solve(factors).error;
  const bool is_linear = missed <= 10 * std::max(smallest_need, fitter.noise());
  factors = simplified(fitter, factors, duration, is_linear ? 1.1 : 5);
  factors = rounded(fitter, factors, duration);
  const Fitter::Solution solution = fitter.solve(factors);
  if (!(solution.error <= largest_error)) return std::nullopt;
  return realize(factors, solution.coefficients, responses, fitter.weights(),
                 std::max(1.3 * solution.error, smallest_need));
}

}  // namespace tutti::stability
