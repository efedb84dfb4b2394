// SPDX-License-Identifier: BSD-2-Clause
#include "stability/identification.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "stability/dense.hpp"
#include "stability/response_fit.hpp"

namespace tutti::stability {
namespace {

constexpr std::size_t block_size = 14;
constexpr double block_ratio = 10;
/// Perturbations of the inputs, relative to their sizes, tried until the response is linear enough.
constexpr double relative_moves[] = {1e-3, 1e-5, 3e-2};
/// Even parts of a response up to this fraction are accepted.
constexpr double good_even_part = 3e-3;

std::vector<SampleBlock> make_blocks(const IdentificationOptions& options) {
  if (options.only_step) {
    const double count = std::floor(options.duration / *options.only_step);
    return {{*options.only_step, static_cast<std::size_t>(std::clamp(count, 0.0, 100.0))}};
  }
  const double decades = std::log10(options.duration / (block_size * options.shortest_step));
  const auto count = static_cast<std::size_t>(std::clamp(1 + std::ceil(decades), 1.0, 11.0));
  std::vector<SampleBlock> blocks(count);
  double step = 1, sum = 0;
  for (SampleBlock& block : blocks) {
    block = {step, block_size};
    sum += step * block_size;
    step *= block_ratio;
  }
  for (SampleBlock& block : blocks) block.step *= options.duration / sum;
  return blocks;
}

std::vector<double> steps_of(const std::vector<SampleBlock>& blocks) {
  std::vector<double> steps;
  for (const SampleBlock& block : blocks) steps.insert(steps.end(), block.count, block.step);
  return steps;
}

/// Runs the experiments and stores their responses.
class Experiments {
 public:
  Experiments(Plant& plant, const IdentificationOptions& options)
      : plant_(plant), options_(options), start_(plant.start()) {}

  /// The run without perturbation determines the length of the others. False: it is too short.
  bool run_base() {
    for (responses_.blocks = make_blocks(options_); !responses_.blocks.empty();) {
      base_ = run(steps_of(responses_.blocks), no_moves());
      const std::size_t taken = base_.size() / std::max<std::size_t>(start_.size(), 1);
      if (options_.only_step) {
        responses_.blocks.front().count = taken;
        return taken >= block_size;
      }
      const std::size_t complete = taken / block_size;
      if (complete > 0) {
        responses_.blocks.resize(complete);
        return responses_.duration() >= options_.least_duration;
      }
      // The shortest steps failed: they may be too short.
      responses_.blocks.erase(responses_.blocks.begin());
    }
    return false;
  }
  /// False: a run ended early.
  bool run_inputs() {
    responses_.inputs = options_.input_sizes.size();
    responses_.outputs = start_.size();
    for (std::size_t j = 0; j < responses_.inputs; ++j) {
      std::optional<Response> best;
      for (const double part : relative_moves) {
        if (best && !affordable(2)) break;
        std::optional<Response> response = respond(j, part * options_.input_sizes[j]);
        if (response && (!best || response->even_part < best->even_part)) best = response;
        if (best && best->even_part <= good_even_part) break;
      }
      if (!best) return false;
      responses_.values.insert(responses_.values.end(), best->values.begin(), best->values.end());
      responses_.noise.insert(responses_.noise.end(), best->noise.begin(), best->noise.end());
      moves_.push_back(best->move);
    }
    return true;
  }
  /// All inputs together, up and down, in steps of other lengths. False: it ended early.
  bool run_check() {
    constexpr double ratio = 1.5;
    double step = 2 * responses_.blocks.front().step, left = responses_.duration();
    if (options_.only_step)
      check_steps_.assign(responses_.blocks.front().count, *options_.only_step);
    else
      for (; step < left; step *= ratio) {
        check_steps_.push_back(step);
        left -= step;
      }
    for (std::size_t j = 0; j < moves_.size(); ++j)
      check_moves_.push_back((j % 2 == 0 ? 0.7 : -0.5) * moves_[j]);
    check_ = run(check_steps_, check_moves_, reverse_every);
    const std::vector<double> base = run(check_steps_, no_moves());
    if (check_.size() != base.size() || base.size() != check_steps_.size() * start_.size())
      return false;
    for (std::size_t k = 0; k < base.size(); ++k) check_[k] -= base[k];
    return true;
  }
  bool affordable(std::size_t runs) const {
    return taken_ + runs * responses_.samples() <= options_.most_steps;
  }
  const StepResponses& responses() const { return responses_; }
  std::size_t taken() const { return taken_; }

  /// Of the run that was not used for the fit, up to a time.
  double error_of(const Subsystem& system, double until) const;
  std::vector<double> drift_of(const Subsystem& system, const StepResponses& fitted) const;

 private:
  static constexpr std::size_t reverse_every = 11;
  struct Response {
    std::vector<double> values, noise;
    double move = 0;
    double even_part = 0;  ///< over the odd one
  };

  std::vector<double> no_moves() const {
    return std::vector<double>(options_.input_sizes.size(), 0);
  }
  std::vector<double> run(const std::vector<double>& steps, const std::vector<double>& moves,
                          std::size_t reverse = 0) {
    std::vector<double> values = plant_.run(steps, moves, reverse);
    taken_ += steps.size();
    return values;
  }
  std::optional<Response> respond(std::size_t input, double move);

  Plant& plant_;
  const IdentificationOptions& options_;
  std::vector<double> start_;
  StepResponses responses_;
  std::vector<double> base_, moves_, check_, check_steps_, check_moves_;
  std::size_t taken_ = 0;
};

std::optional<Experiments::Response> Experiments::respond(std::size_t input, double move) {
  // Rounding errors, of outputs and of the terms that they are the differences of: an output that
  // follows an input u with the gain k has a term k u, even if the output is small.
  constexpr double of_outputs = 3e-16, of_terms = 1.5e-15;
  const double relative_move = move / options_.input_sizes[input];
  std::vector<double> moves = no_moves();
  const std::vector<double> steps = steps_of(responses_.blocks);
  moves[input] = move;
  const std::vector<double> above = run(steps, moves);
  moves[input] = -move;
  const std::vector<double> below = run(steps, moves);
  const std::size_t outputs = start_.size();
  if (above.size() != steps.size() * outputs || below.size() != above.size()) return std::nullopt;
  Response response;
  response.move = move;
  for (std::size_t i = 0; i < outputs; ++i) {
    std::size_t s = 0;
    double odd = 0, even = 0, largest = 0;
    for (const SampleBlock& block : responses_.blocks) {
      double squares = 0;
      for (std::size_t k = 0; k < block.count; ++k, ++s) {
        const std::size_t at = s * outputs + i;
        const double up = above[at] - base_[at], down = base_[at] - below[at];
        response.values.push_back((above[at] - below[at]) / (2 * move));
        odd = std::max(odd, std::abs(up + down));
        even = std::max(even, std::abs(up - down));
        squares += (up - down) * (up - down);
        largest = std::max(largest, std::abs(base_[at]));
      }
      const double rounding = of_outputs * (largest + odd) + of_terms * odd / relative_move;
      response.noise.push_back(
          std::max(0.5 * std::sqrt(squares / static_cast<double>(block.count)), rounding) / move);
    }
    // Outputs that do not follow this input contain only noise.
    if (odd > 1e-12 * largest) response.even_part = std::max(response.even_part, even / odd);
  }
  const auto is_finite = [](double value) { return std::isfinite(value); };
  if (!std::ranges::all_of(response.values, is_finite)) return std::nullopt;
  return response;
}

double Experiments::error_of(const Subsystem& system, double until) const {
  const Eigen::Index n = index(system.states()), m = index(system.inputs());
  const Dense d = dense(system.d), c = dense(system.c);
  Dense joint = Dense::Zero(n + m, n + m);
  joint.topLeftCorner(n, n) = dense(system.a);
  joint.topRightCorner(n, m) = dense(system.b);
  Eigen::VectorXd x = Eigen::VectorXd::Zero(n + m);
  x.tail(m) = Eigen::Map<const Eigen::VectorXd>(check_moves_.data(), m);
  const std::size_t outputs = start_.size();
  std::vector<Eigen::VectorXd> missed;
  double time = 0;
  for (std::size_t s = 0; s < check_steps_.size(); ++s) {
    time += check_steps_[s];
    if (time > until * (1 + 1e-9)) break;
    if (s > 0 && s % reverse_every == 0) x.tail(m) *= -1;
    x = exponential(check_steps_[s] * joint) * x;
    const Eigen::VectorXd y = c * x.head(n) + d * x.tail(m);
    missed.emplace_back(y -
                        Eigen::Map<const Eigen::VectorXd>(&check_[s * outputs], index(outputs)));
  }
  double worst = 0;
  for (std::size_t i = 0; i < outputs; ++i) {
    double noise = 0, squares = 0;
    for (std::size_t j = 0; j < moves_.size(); ++j)
      for (std::size_t k = 0; k < responses_.blocks.size(); ++k)
        noise = std::max(
            noise, responses_.noise[(j * outputs + i) * responses_.blocks.size() + k] * moves_[j]);
    for (std::size_t s = 0; s < missed.size(); ++s) {
      double size = std::max(1000 * noise, 1e-300);
      constexpr std::size_t around = 5;
      for (std::size_t k = s < around ? 0 : s - around; k < std::min(s + around, missed.size());
           ++k)
        size = std::max(size, std::abs(check_[k * outputs + i]));
      squares += std::pow(missed[s][index(i)] / size, 2);
    }
    const double error =
        std::sqrt(squares / static_cast<double>(std::max<std::size_t>(missed.size(), 1)));
    worst = std::max(worst, std::isfinite(error) ? error : 1e300);
  }
  return worst;
}

/// The x' at the start that best explains the outputs without perturbation.
std::vector<double> Experiments::drift_of(const Subsystem& system,
                                          const StepResponses& fitted) const {
  const Eigen::Index n = index(system.states());
  const std::size_t outputs = start_.size(), samples = fitted.samples();
  if (n == 0) return {};
  Dense joint = Dense::Zero(2 * n, 2 * n);
  joint.topLeftCorner(n, n) = dense(system.a);
  joint.topRightCorner(n, n).setIdentity();
  Dense x = Dense::Zero(2 * n, n);
  x.bottomRows(n).setIdentity();
  Dense basis(index(samples * outputs), n);
  Eigen::VectorXd wanted(basis.rows());
  Eigen::Index row = 0;
  std::size_t s = 0;
  for (const SampleBlock& block : fitted.blocks) {
    const Dense map = exponential(block.step * joint);
    const std::size_t end = s + block.count;
    Eigen::VectorXd scale = Eigen::VectorXd::Constant(index(outputs), 1e-300);
    for (std::size_t i = 0; i < outputs; ++i) {
      for (std::size_t k = s; k < end; ++k)
        scale[index(i)] = std::max(scale[index(i)], std::abs(base_[k * outputs + i] - start_[i]));
      scale[index(i)] = std::max(scale[index(i)], 1e-13 * std::abs(start_[i]));
    }
    for (; s < end; ++s) {
      x = map * x;
      const Dense y = dense(system.c) * x.topRows(n);
      for (std::size_t i = 0; i < outputs; ++i, ++row) {
        basis.row(row) = y.row(index(i)) / scale[index(i)];
        wanted[row] = (base_[s * outputs + i] - start_[i]) / scale[index(i)];
      }
    }
  }
  const Eigen::VectorXd scales = basis.colwise().norm().cwiseMax(1e-300);
  Eigen::ColPivHouseholderQR<Dense> qr(basis * scales.cwiseInverse().asDiagonal());
  qr.setThreshold(1e-10);
  const Eigen::VectorXd drift = qr.solve(wanted).cwiseQuotient(scales);
  if (!drift.allFinite()) return std::vector<double>(system.states(), 0);
  return {drift.begin(), drift.end()};
}

}  // namespace

Identification identify(Plant& plant, const IdentificationOptions& options) {
  Identification result;
  const auto without = [&](std::string why) {
    result.note = std::move(why);
    return result;
  };
  Experiments experiments(plant, options);
  if (!experiments.run_base()) return without("it does not take the steps that a fit needs");
  if (!experiments.affordable(2 * options.input_sizes.size()))
    return without(
        fmt::format("{} inputs are too many to perturb each of them", options.input_sizes.size()));
  const bool complete = experiments.run_inputs() && experiments.run_check();
  result.steps = experiments.taken();
  if (!complete) return without("it does not take the same steps with slightly perturbed inputs");
  const StepResponses& all = experiments.responses();
  for (std::size_t blocks = all.blocks.size(); blocks > 0; --blocks) {
    const StepResponses some = all.first(blocks);
    result.duration = some.duration();
    if (result.duration < options.least_duration) break;
    const std::optional<ResponseFit> fit = fit_responses(some);
    if (!fit) continue;
    result.error = experiments.error_of(fit->system, result.duration);
    if (result.error > largest_error) continue;
    result.system = fit->system;
    result.first = Matrix(all.outputs, all.inputs);
    for (std::size_t j = 0; j < all.inputs; ++j)
      for (std::size_t i = 0; i < all.outputs; ++i)
        result.first(i, j) = all.values[(j * all.outputs + i) * all.samples()];
    result.drift = experiments.drift_of(fit->system, some);
    return result;
  }
  return without("no linear system fits its small steps");
}

}  // namespace tutti::stability
