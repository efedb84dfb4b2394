// SPDX-License-Identifier: BSD-2-Clause
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "stability/response_basis.hpp"

namespace tutti::stability {
namespace {

struct Realization {
  Dense a, b, c, d;
};

/// By input (columns of b), the states over the samples (rows).
std::vector<Dense> states_of(const Dense& a, const Dense& b, const StepResponses& like) {
  const Eigen::Index n = a.rows(), m = b.cols();
  std::vector<Dense> all(static_cast<std::size_t>(m), Dense(index(like.samples()), n));
  Dense x = Dense::Zero(n + m, m), joint = Dense::Zero(n + m, n + m);
  x.bottomRows(m).setIdentity();
  joint.topLeftCorner(n, n) = a;
  joint.topRightCorner(n, m) = b;
  Eigen::Index row = 0;
  for (const SampleBlock& block : like.blocks) {
    const Dense map = exponential(block.step * joint);
    for (std::size_t s = 0; s < block.count; ++s, ++row) {
      x = map * x;
      for (Eigen::Index j = 0; j < m; ++j)
        all[static_cast<std::size_t>(j)].row(row) = x.col(j).head(n).transpose();
    }
  }
  return all;
}

/// Least squares with columns of any size.
Eigen::VectorXd least_squares(Dense matrix, const Eigen::VectorXd& right) {
  const Eigen::VectorXd scales = matrix.colwise().norm().cwiseMax(1e-300);
  matrix = matrix * scales.cwiseInverse().asDiagonal();
  Eigen::ColPivHouseholderQR<Dense> qr(matrix);
  qr.setThreshold(1e-13);
  return qr.solve(right).cwiseQuotient(scales);
}

/// All responses together, of one system.
class Joint {
 public:
  Joint(const StepResponses& responses, const Dense& weights)
      : responses_(responses),
        weights_(weights),
        samples_(index(responses.samples())),
        m_(index(responses.inputs)),
        p_(index(responses.outputs)),
        targets_(Eigen::Map<const Dense>(responses.values.data(), samples_, m_ * p_)) {}

  /// Fits C and D with fixed states.
  void fit_outputs(Realization& system) const {
    const Eigen::Index n = system.a.rows();
    const std::vector<Dense> states = states_of(system.a, system.b, responses_);
    for (Eigen::Index i = 0; i < p_; ++i) {
      Dense matrix = Dense::Zero(m_ * samples_, n + m_);
      Eigen::VectorXd right(m_ * samples_);
      for (Eigen::Index j = 0; j < m_; ++j) {
        const Eigen::VectorXd weight = weights_.col(j * p_ + i);
        matrix.block(j * samples_, 0, samples_, n) =
            weight.asDiagonal() * states[static_cast<std::size_t>(j)];
        matrix.block(j * samples_, n + j, samples_, 1) = weight;
        right.segment(j * samples_, samples_) = weight.cwiseProduct(targets_.col(j * p_ + i));
      }
      const Eigen::VectorXd solution = least_squares(std::move(matrix), right);
      system.c.row(i) = solution.head(n).transpose();
      system.d.row(i) = solution.tail(m_).transpose();
    }
  }
  /// Fits B and D with fixed C.
  void fit_inputs(Realization& system) const {
    const Eigen::Index n = system.a.rows();
    const std::vector<Dense> states = states_of(system.a, Dense::Identity(n, n), responses_);
    for (Eigen::Index j = 0; j < m_; ++j) {
      Dense matrix = Dense::Zero(p_ * samples_, n + p_);
      Eigen::VectorXd right(p_ * samples_);
      for (Eigen::Index i = 0; i < p_; ++i) {
        const Eigen::VectorXd weight = weights_.col(j * p_ + i);
        for (Eigen::Index k = 0; k < n; ++k)
          matrix.block(i * samples_, k, samples_, 1) = weight.cwiseProduct(
              states[static_cast<std::size_t>(k)] * system.c.row(i).transpose());
        matrix.block(i * samples_, n + i, samples_, 1) = weight;
        right.segment(i * samples_, samples_) = weight.cwiseProduct(targets_.col(j * p_ + i));
      }
      const Eigen::VectorXd solution = least_squares(std::move(matrix), right);
      system.b.col(j) = solution.head(n);
      system.d.col(j) = solution.tail(p_);
    }
  }
  double error_of(const Realization& system) const {
    const std::vector<Dense> states = states_of(system.a, system.b, responses_);
    double squares = 0;
    for (Eigen::Index j = 0; j < m_; ++j)
      for (Eigen::Index i = 0; i < p_; ++i) {
        const Eigen::VectorXd missed =
            states[static_cast<std::size_t>(j)] * system.c.row(i).transpose() +
            Eigen::VectorXd::Constant(samples_, system.d(i, j)) - targets_.col(j * p_ + i);
        squares += missed.cwiseProduct(weights_.col(j * p_ + i)).squaredNorm();
      }
    const double error = std::sqrt(squares / static_cast<double>(samples_ * m_ * p_));
    return std::isfinite(error) ? error : 1e300;
  }

 private:
  const StepResponses& responses_;
  const Dense& weights_;
  Eigen::Index samples_, m_, p_;
  Dense targets_;
};

/// Factors of similar rates, all of them for each input, in directions sorted by their effect on
/// the outputs.
struct Group {
  Dense a, b, c;  ///< a copy of each factor for each input
  Dense left, right;
  Eigen::Index most = 0;  ///< directions with an effect

  Realization first(Eigen::Index count) const {
    const Dense to = left.topRows(count), from = right.leftCols(count);
    return {to * a * from, to * b, c * from, {}};
  }
};

/// A factor and, by output (rows) and copy of its states, its effect.
struct Contribution {
  Factor factor;
  Dense c;
};

/// Balanced over a few samples: the singular vectors of the Hankel matrix of the impulse responses.
Group group_of(std::span<const Contribution> members, const StepResponses& responses) {
  const double duration = responses.duration();
  const Eigen::Index m = index(responses.inputs), p = index(responses.outputs);
  Eigen::Index size = 0;
  double rate = 0;
  for (const Contribution& member : members) {
    size += member.c.cols();
    rate = std::max(rate, member.factor.rate(duration));
  }
  Group group;
  group.a = Dense::Zero(size, size);
  group.b = Dense::Zero(size, m);
  group.c = Dense(p, size);
  Eigen::Index at = 0;
  for (const auto& [factor, c] : members) {
    const Eigen::Index n = index(factor.order());
    group.c.middleCols(at, c.cols()) = c;
    for (Eigen::Index j = 0; j < m; ++j, at += n) {
      group.a.block(at, at, n, n) = factor.a(duration);
      group.b.block(at, j, n, 1) = factor.b(duration);
    }
  }
  // Outputs of equal weight.
  const Eigen::VectorXd rows =
      group.c.rowwise().norm().unaryExpr([](double v) { return v > 0 ? 1 / v : 0; });
  constexpr Eigen::Index terms = 8;
  const Dense step = exponential(0.3 / rate * group.a);
  Dense observed(terms * p, size), reached(size, terms * m);
  observed.topRows(p) = rows.asDiagonal() * group.c;
  reached.leftCols(m) = group.b / rate;
  for (Eigen::Index k = 1; k < terms; ++k) {
    observed.middleRows(k * p, p) = observed.middleRows((k - 1) * p, p) * step;
    reached.middleCols(k * m, m) = step * reached.middleCols((k - 1) * m, m);
  }
  const Eigen::JacobiSVD<Dense> svd(observed * reached, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const auto& sizes = svd.singularValues();
  while (group.most < std::min(sizes.size(), size) && sizes[group.most] > 1e-13 * sizes[0])
    ++group.most;
  const Eigen::VectorXd roots = sizes.head(group.most).cwiseSqrt().cwiseInverse();
  group.left = roots.asDiagonal() * svd.matrixU().leftCols(group.most).transpose() * observed;
  group.right = reached * svd.matrixV().leftCols(group.most) * roots.asDiagonal();
  return group;
}

std::vector<Group> groups_of(std::vector<Contribution> all, const StepResponses& responses) {
  const double duration = responses.duration();
  const auto rate = [&](const Contribution& one) {
    return std::max(one.factor.rate(duration), 3 / duration);
  };
  std::ranges::sort(all,
                    [&](const auto& one, const auto& other) { return rate(one) < rate(other); });
  std::vector<Group> groups;
  constexpr double similar = 10;
  for (auto first = all.begin(); first != all.end();) {
    const auto end = std::find_if(
        first, all.end(), [&](const auto& one) { return rate(one) > similar * rate(*first); });
    groups.push_back(group_of(std::span(first, end), responses));
    first = end;
  }
  return groups;
}

/// Some directions of each group as one system, fitted to all responses.
Realization joined(const std::vector<Group>& groups, const std::vector<Eigen::Index>& counts,
                   const StepResponses& responses, const Joint& joint) {
  Eigen::Index n = 0;
  for (const Eigen::Index count : counts) n += count;
  const Eigen::Index m = index(responses.inputs), p = index(responses.outputs);
  Realization all{Dense::Zero(n, n), Dense(n, m), Dense(p, n), Dense::Zero(p, m)};
  Eigen::Index at = 0;
  for (std::size_t k = 0; k < groups.size(); ++k) {
    const Realization part = groups[k].first(counts[k]);
    all.a.block(at, at, counts[k], counts[k]) = part.a;
    all.b.middleRows(at, counts[k]) = part.b;
    all.c.middleCols(at, counts[k]) = part.c;
    at += counts[k];
  }
  joint.fit_outputs(all);
  for (int round = 0; round < 3 && m > 1 && p > 1; ++round) {
    joint.fit_inputs(all);
    joint.fit_outputs(all);
  }
  return all;
}

/// Each factor once, for all inputs: sufficient for systems without equal poles. Starts from the
/// input with the largest effect on each factor.
Realization single_copies(std::span<const Contribution> all, const StepResponses& responses,
                          const Joint& joint, double allowed) {
  const double duration = responses.duration();
  const Eigen::Index m = index(responses.inputs), p = index(responses.outputs);
  Eigen::Index size = 0;
  for (const Contribution& one : all) size += index(one.factor.order());
  Realization system{Dense::Zero(size, size), Dense::Zero(size, m), Dense(p, size),
                     Dense::Zero(p, m)};
  Eigen::Index at = 0;
  for (const auto& [factor, c] : all) {
    const Eigen::Index n = index(factor.order());
    Eigen::Index strongest = 0;
    for (Eigen::Index j = 1; j < m; ++j)
      if (c.middleCols(j * n, n).norm() > c.middleCols(strongest * n, n).norm()) strongest = j;
    system.a.block(at, at, n, n) = factor.a(duration);
    system.b.block(at, strongest, n, 1) = factor.b(duration);
    system.c.middleCols(at, n) = c.middleCols(strongest * n, n);
    at += n;
  }
  if (m == 1) joint.fit_outputs(system);
  for (int round = 0; round < 20 && m > 1 && joint.error_of(system) > allowed; ++round) {
    joint.fit_inputs(system);
    joint.fit_outputs(system);
  }
  return system;
}

/// The directions of groups of factors that are needed.
Realization some_directions(std::vector<Contribution> contributions, const StepResponses& responses,
                            const Joint& joint, double allowed) {
  const std::vector<Group> groups = groups_of(std::move(contributions), responses);
  std::vector<Eigen::Index> counts;
  for (const Group& group : groups) counts.push_back(group.most);
  Realization best = joined(groups, counts, responses, joint);
  for (std::size_t k = 0; k < groups.size(); ++k)
    for (Eigen::Index fewer = 1; fewer < groups[k].most; ++fewer) {
      std::vector<Eigen::Index> some = counts;
      some[k] = fewer;
      Realization candidate = joined(groups, some, responses, joint);
      if (joint.error_of(candidate) > allowed) continue;
      counts = some;
      best = std::move(candidate);
      break;
    }
  return best;
}

}  // namespace

ResponseFit realize(const std::vector<Factor>& factors, const Dense& coefficients,
                    const StepResponses& responses, const Dense& weights, double allowed) {
  const Eigen::Index m = index(responses.inputs), p = index(responses.outputs);
  const Joint joint(responses, weights);
  std::vector<Contribution> contributions;
  Eigen::Index first = 1;  // after D
  for (const Factor& factor : factors) {
    const Eigen::Index n = index(factor.order());
    Dense c(p, n * m);
    for (Eigen::Index j = 0; j < m; ++j)
      for (Eigen::Index i = 0; i < p; ++i)
        c.block(i, j * n, 1, n) = coefficients.block(first, j * p + i, n, 1).transpose();
    first += n;
    contributions.push_back({factor, std::move(c)});
  }
  Realization best = single_copies(contributions, responses, joint, allowed);
  constexpr double enough = 1e-4;
  if (joint.error_of(best) > std::max(2 * allowed, enough))
    best = some_directions(std::move(contributions), responses, joint, allowed);
  ResponseFit fit{{plain(best.a), plain(best.b), plain(best.c), {}}, joint.error_of(best)};
  // D below the error of the fit at the first samples is set to 0.
  for (Eigen::Index j = 0; j < m; ++j)
    for (Eigen::Index i = 0; i < p; ++i)
      if (std::abs(best.d(i, j)) * weights(0, j * p + i) < 10 * std::max(fit.error, 1e-9))
        best.d(i, j) = 0;
  fit.system.d = plain(best.d);
  return fit;
}

}  // namespace tutti::stability
