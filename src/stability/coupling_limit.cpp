// SPDX-License-Identifier: BSD-2-Clause
#include "stability/coupling_limit.hpp"

#include <Eigen/SparseCore>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <random>

#include "base/infinity.hpp"
#include "stability/dense.hpp"

namespace tutti::stability {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Members = std::vector<Eigen::Index>;
// Below, classes would save nothing, and roots of computed zeros are less accurate.
constexpr Eigen::Index small_size = 100;

LoopSpectrum exactly(std::vector<Complex> values) {
  const double radius = values.empty() ? 0 : std::abs(values.front());
  return {std::move(values), radius, false};
}

/// By input or output, the component.
std::vector<std::size_t> owners(const CoupledSystem& system,
                                std::size_t (Subsystem::*count)() const) {
  std::vector<std::size_t> all;
  for (std::size_t part = 0; part < system.parts.size(); ++part)
    all.insert(all.end(), (system.parts[part].*count)(), part);
  return all;
}

/// By component, its first input or output.
std::vector<std::size_t> firsts(const CoupledSystem& system,
                                std::size_t (Subsystem::*count)() const) {
  std::vector<std::size_t> all;
  std::size_t next = 0;
  for (const Subsystem& part : system.parts) {
    all.push_back(next);
    next += (part.*count)();
  }
  return all;
}

Sparse sparse_loop_gain(const CoupledSystem& system) {
  const auto owner = owners(system, &Subsystem::inputs);
  const auto first_input = firsts(system, &Subsystem::inputs);
  const auto first_output = firsts(system, &Subsystem::outputs);
  std::vector<Eigen::Triplet<double>> entries;
  for (const auto& [input, output, factor] : system.l.entries) {
    const std::size_t part = owner[input];
    const Matrix& d = system.parts[part].d;
    for (std::size_t i = 0; i < d.rows; ++i)
      if (const double value = d(i, input - first_input[part]); value != 0)
        entries.emplace_back(index(first_output[part] + i), index(output), value * factor);
  }
  Sparse gain(index(system.outputs()), index(system.outputs()));
  gain.setFromTriplets(entries.begin(), entries.end());
  return gain;
}

/// The rows of a map in classes, such that it leads from each class to the next only, and from the
/// last to the first, which is the smallest. Empty: there is no cycle. E. V. Denardo, Periods of
/// connected networks and powers of nonnegative matrices, Math. Oper. Res. 2 (1977): the
/// differences of depths in any search tree have the period as their divisor.
std::vector<Members> cyclic_classes(const Sparse& map) {
  constexpr Eigen::Index unseen = -1;
  std::vector<Eigen::Index> depth(static_cast<std::size_t>(map.rows()), unseen), queue{0};
  const auto at = [&](Eigen::Index i) -> Eigen::Index& {
    return depth[static_cast<std::size_t>(i)];
  };
  at(0) = 0;
  for (std::size_t next = 0; next < queue.size(); ++next)
    for (Sparse::InnerIterator to(map, queue[next]); to; ++to)
      if (at(to.row()) == unseen) {
        at(to.row()) = at(queue[next]) + 1;
        queue.push_back(to.row());
      }
  Eigen::Index period = queue.size() == depth.size() ? 0 : 1;  // not one loop: one class
  for (const Eigen::Index from : queue)
    for (Sparse::InnerIterator to(map, from); to; ++to)
      period = std::gcd(period, at(from) + 1 - at(to.row()));
  std::vector<Members> classes(static_cast<std::size_t>(period));
  for (Eigen::Index i = 0; i < map.rows() && period > 0; ++i)
    classes[static_cast<std::size_t>(period == 1 ? 0 : at(i) % period)].push_back(i);
  std::rotate(classes.begin(),
              std::ranges::min_element(
                  classes, [](const auto& a, const auto& b) { return a.size() < b.size(); }),
              classes.end());
  return classes;
}

/// From the first class once around to itself. The matrix has to be multiplied by exp(exponent):
/// the product of thousands of gains may overflow.
struct Round {
  Dense matrix;
  double exponent = 0;
};
Round go_round(const Sparse& map, const std::vector<Members>& classes) {
  std::vector<Eigen::Index> place(static_cast<std::size_t>(map.rows()));  // in its class
  for (const Members& members : classes)
    for (std::size_t i = 0; i < members.size(); ++i)
      place[static_cast<std::size_t>(members[i])] = index(i);
  const Eigen::Index size = index(classes.front().size());
  RowMajor block = RowMajor::Identity(size, size);
  double exponent = 0;
  for (std::size_t k = 0; k < classes.size(); ++k) {
    RowMajor next = RowMajor::Zero(index(classes[(k + 1) % classes.size()].size()), size);
    for (std::size_t i = 0; i < classes[k].size(); ++i)
      for (Sparse::InnerIterator to(map, classes[k][i]); to; ++to)
        next.row(place[static_cast<std::size_t>(to.row())]) += to.value() * block.row(index(i));
    const double largest = next.cwiseAbs().maxCoeff();
    if (largest > 0) {
      next /= largest;
      exponent += std::log(largest);
    }
    block = std::move(next);
  }
  return {block, exponent};
}

/// The eigenvalues of the whole map from those of one round.
std::vector<Complex> roots_of_round(const Round& round, std::size_t period, std::size_t count) {
  std::vector<Complex> values;
  const auto p = static_cast<double>(period);
  for (const Complex value : eigenvalues(plain(round.matrix))) {
    const double magnitude = std::exp((std::log(std::abs(value)) + round.exponent) / p);
    for (std::size_t k = 0; k < period; ++k)
      values.push_back(std::polar(
          magnitude, (std::arg(value) + 2 * std::numbers::pi * static_cast<double>(k)) / p));
  }
  values.resize(count);  // the others are 0
  return values;
}

using Vector = Eigen::VectorXd;

/// The asymptotic growth factor of a map (power iteration): after a first half of the products, in
/// which smaller eigenvalues decay, the mean over the second. Several eigenvalues of the same
/// magnitude make lengths oscillate, which the number of products averages out.
LoopSpectrum estimate(const std::function<Vector(const Vector&)>& map, Vector vector,
                      std::size_t cost, std::size_t period) {
  const std::size_t wanted = std::clamp<std::size_t>(200'000'000 / (cost + 1), 50, 1000);
  const std::size_t half = (wanted / period + 1) * period;
  double exponent = 0;
  for (std::size_t i = 0; i < 2 * half; ++i) {
    vector = map(vector);
    const double length = vector.norm();
    if (length == 0) return {{}, 0, true};
    if (!std::isfinite(length)) return {{}, infinity, true};
    vector /= length;
    if (i >= half) exponent += std::log(length);
  }
  return {{}, std::exp(exponent / static_cast<double>(half)), true};
}

/// A generic, reproducible vector.
Vector arbitrary(Eigen::Index size, const Members& members) {
  std::minstd_rand generator(1);
  Vector vector = Vector::Zero(size);
  for (const Eigen::Index i : members)
    vector[i] = 2 * static_cast<double>(generator()) / static_cast<double>(generator.max()) - 1;
  return vector;
}

/// One pass over the components, in sequence.
class Sweep {
 public:
  explicit Sweep(const CoupledSystem& system)
      : system_(system),
        owner_(owners(system, &Subsystem::outputs)),
        reader_(owners(system, &Subsystem::inputs)) {}

  /// Outputs that are read before they are computed.
  Members early() const {
    std::vector<bool> is_early(owner_.size());
    for (const auto& [input, output, factor] : system_.l.entries)
      if (reader_[input] <= owner_[output]) is_early[output] = true;
    Members all;
    for (std::size_t i = 0; i < is_early.size(); ++i)
      if (is_early[i]) all.push_back(index(i));
    return all;
  }
  RowMajor operator()(const RowMajor& old) const {
    RowMajor y = RowMajor::Zero(old.rows(), old.cols());
    Eigen::Index first = 0;
    std::size_t input = 0;
    auto link = system_.l.entries.begin();
    for (std::size_t part = 0; part < system_.parts.size(); ++part) {
      const Matrix& d = system_.parts[part].d;
      RowMajor u = RowMajor::Zero(index(d.columns), old.cols());
      for (; link != system_.l.entries.end() && reader_[link->row] == part; ++link)
        u.row(index(link->row - input)) +=
            link->value * (owner_[link->column] < part ? y : old).row(index(link->column));
      y.middleRows(first, index(d.rows)) =
          Eigen::Map<const RowMajor>(d.values.data(), index(d.rows), index(d.columns)) * u;
      first += index(d.rows);
      input += d.columns;
    }
    return y;
  }

 private:
  const CoupledSystem& system_;
  std::vector<std::size_t> owner_, reader_;
};

bool is_consistent(const Scheme& scheme) {
  return scheme.corrected || scheme.sequence == Sequence::solved;
}

}  // namespace

LoopSpectrum gain_spectrum(const CoupledSystem& system) {
  const Sparse gain = sparse_loop_gain(system);
  if (gain.rows() <= small_size) return exactly(eigenvalues(plain(Dense(gain))));
  const auto count = static_cast<std::size_t>(gain.rows());
  const std::vector<Members> classes = cyclic_classes(gain);
  if (classes.empty()) return exactly(std::vector<Complex>(count));
  if (classes.front().size() <= largest_exact_loop)
    return exactly(roots_of_round(go_round(gain, classes), classes.size(), count));
  return estimate([&](const Vector& y) -> Vector { return gain * y; },
                  arbitrary(gain.rows(), classes.front()),
                  static_cast<std::size_t>(gain.nonZeros()), classes.size());
}

LoopSpectrum sweep_spectrum(const CoupledSystem& system) {
  const Sweep sweep(system);
  const Members early = sweep.early();
  const std::size_t outputs = system.outputs();
  if (early.size() > largest_exact_loop) {
    std::size_t cost = system.l.entries.size();
    for (const Subsystem& part : system.parts) cost += part.d.values.size();
    return estimate([&](const Vector& y) -> Vector { return sweep(y); },
                    arbitrary(index(outputs), early), cost, 1);
  }
  RowMajor unit = RowMajor::Zero(index(outputs), index(early.size()));
  for (std::size_t k = 0; k < early.size(); ++k) unit(early[k], index(k)) = 1;
  std::vector<Complex> values = eigenvalues(plain(Dense(sweep(unit)(early, Eigen::all))));
  values.resize(outputs);  // the others are 0
  return exactly(std::move(values));
}

std::vector<Complex> limit_roots(const Scheme& scheme, Complex mu) {
  if (is_consistent(scheme)) return {0};
  if (scheme.smooth || scheme.prediction == Prediction::linear_differences) {
    const Complex root = std::sqrt(mu * mu - mu);
    return {mu + root, mu - root};
  }
  switch (scheme.prediction) {
    case Prediction::quadratic_backward:
      return roots_of_monic(std::array{-0.5 * mu, 2.0 * mu, -2.5 * mu});
    case Prediction::quadratic_differences:
      return roots_of_monic(std::array{-mu, 3.0 * mu, -3.0 * mu});
    default:
      return {mu};
  }
}

double limit_radius(const Scheme& scheme, std::span<const Complex> eigenvalues) {
  double radius = 0;
  for (const Complex mu : eigenvalues) {
    if (!std::isfinite(std::abs(mu))) return is_consistent(scheme) ? 0 : infinity;
    for (const Complex root : limit_roots(scheme, mu)) radius = std::max(radius, std::abs(root));
  }
  return radius;
}

LoopSpectra find_spectra(const CoupledSystem& system) {
  return {gain_spectrum(system), sweep_spectrum(system)};
}

double limit_radius(const Scheme& scheme, const LoopSpectrum& spectrum) {
  const std::array worst = {Complex(-spectrum.radius)};
  return spectrum.is_estimated ? limit_radius(scheme, worst)
                               : limit_radius(scheme, spectrum.values);
}

double limit_radius(const Scheme& scheme, const CoupledSystem& system) {
  return limit_radius(scheme, find_spectra(system).of(scheme));
}

CouplingVerdict judge(double radius, double margin) {
  if (radius < 1 - margin) return CouplingVerdict::stable;
  return radius <= 1 + margin ? CouplingVerdict::marginal : CouplingVerdict::unstable;
}

}  // namespace tutti::stability
