// SPDX-License-Identifier: BSD-2-Clause
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "stability/response_basis.hpp"

namespace tutti::stability {
namespace {

/// The differences from sample to sample in one block, by pair of input and output, each over its
/// largest one: sums of exponentials without a constant.
struct Differences {
  std::vector<Eigen::VectorXd> rows;
  double noise = 0;  ///< of these
};

Differences differences_in(const StepResponses& all, std::size_t block) {
  std::size_t first = 0;
  for (std::size_t k = 0; k < block; ++k) first += all.blocks[k].count;
  const std::size_t last = first + all.blocks[block].count;
  // The previous block ends where this one starts; the value before the first step is unknown.
  if (first > 0) --first;
  Differences found;
  for (std::size_t pair = 0; pair < all.inputs * all.outputs; ++pair) {
    const double* const values = &all.values[pair * all.samples()];
    Eigen::VectorXd row(index(last - first - 1));
    for (std::size_t s = first; s + 1 < last; ++s)
      row[index(s - first)] = values[s + 1] - values[s];
    const double largest = row.cwiseAbs().maxCoeff();
    const double noise = 1.5 * all.noise[pair * all.blocks.size() + block];
    if (!(largest > 5 * noise)) continue;
    found.rows.emplace_back(row / largest);
    found.noise = std::max(found.noise, noise / largest);
  }
  return found;
}

/// The z of sums of z^k in all rows.
std::vector<Complex> shift_eigenvalues(const Differences& differences) {
  if (differences.rows.empty()) return {};
  const Eigen::Index count = differences.rows.front().size(), height = (2 * count + 2) / 3,
                     width = count - height + 1;
  Dense hankel(height, width * index(differences.rows.size()));
  for (std::size_t r = 0; r < differences.rows.size(); ++r)
    for (Eigen::Index k = 0; k < width; ++k)
      hankel.col(index(r) * width + k) = differences.rows[r].segment(k, height);
  const Eigen::JacobiSVD<Dense> svd(hankel, Eigen::ComputeThinU);
  const auto& sizes = svd.singularValues();
  const double of_noise =
      2 * differences.noise *
      (std::sqrt(static_cast<double>(height)) + std::sqrt(static_cast<double>(hankel.cols())));
  const double threshold = std::max(1e-10 * sizes[0], of_noise);
  Eigen::Index rank = 0;
  constexpr Eigen::Index most = 6;
  while (rank < std::min({most, height - 1, sizes.size()}) && sizes[rank] > threshold) ++rank;
  if (rank == 0) return {};
  const Dense u = svd.matrixU().leftCols(rank);
  const Dense shift = u.topRows(height - 1).colPivHouseholderQr().solve(u.bottomRows(height - 1));
  return eigenvalues(plain(shift));
}

/// A candidate, and how well its block resolves it.
struct Candidate {
  Complex pole;
  double misfit = 0;  ///< |log of (its change over a sample, relative to the best visible change)|
  std::size_t block = 0;
};

std::vector<Candidate> candidates_in(const StepResponses& responses, std::size_t block) {
  const auto& [step, count] = responses.blocks[block];
  const bool is_last = block + 1 == responses.blocks.size();
  std::vector<Candidate> found;
  for (const Complex z : shift_eigenvalues(differences_in(responses, block))) {
    if (z.imag() < 0 || std::abs(z) < 1e-3 || std::abs(z) > 1e3) continue;
    if (z.real() < 0 && z.imag() <= 1e-6 * std::abs(z)) continue;  // impossible for a real system
    const Complex turn = std::log(z);
    const double size = std::abs(turn);
    // Over the whole block it must turn or change visibly, and not decay immediately.
    if (size * static_cast<double>(count) < 0.2 && !is_last) continue;
    if (turn.real() < -3 && block > 0) continue;
    // A response that grew this much would hide everything else.
    if (turn.real() / step * responses.duration() > 25) continue;
    constexpr double best = 0.3;
    const Complex pole = turn / step;
    found.push_back({z.imag() <= 1e-9 * std::abs(z) ? Complex(pole.real()) : pole,
                     std::abs(std::log(std::max(size, 1e-12) / best)), block});
  }
  return found;
}

}  // namespace

std::vector<Complex> find_poles(const StepResponses& responses) {
  std::vector<Candidate> kept;
  for (std::size_t block = 0; block < responses.blocks.size(); ++block) {
    const std::size_t before = kept.size();
    std::vector<bool> met(before);
    for (const Candidate& candidate : candidates_in(responses, block)) {
      // Known from a finer block, possibly less accurately, or this is an alias of it.
      const double step = responses.blocks[block].step;
      const auto is_near = [&](const Candidate& other) {
        return std::abs(candidate.pole - other.pole) <= 0.15 * std::abs(other.pole);
      };
      const auto is_alias = [&](const Candidate& other) {
        const Complex z = std::exp(candidate.pole * step), known = std::exp(other.pole * step);
        return std::abs(other.pole.imag()) * step > 0.5 &&
               std::abs(Complex(z.real(), std::abs(z.imag())) -
                        Complex(known.real(), std::abs(known.imag()))) < 0.1;
      };
      std::size_t k = 0;
      while (k < before && (met[k] || !(is_near(kept[k]) || is_alias(kept[k])))) ++k;
      if (k == before) {
        kept.push_back(candidate);
        continue;
      }
      met[k] = true;
      if (is_near(kept[k]) && candidate.misfit < kept[k].misfit) kept[k] = candidate;
    }
  }
  std::vector<Complex> poles;
  for (const Candidate& candidate : kept) poles.push_back(candidate.pole);
  // Too slow to be distinguished from an integrator.
  const double slowest = 0.01 / responses.duration();
  if (std::ranges::none_of(poles, [&](Complex pole) { return std::abs(pole) < slowest; }))
    poles.emplace_back(0);
  return poles;
}

}  // namespace tutti::stability
