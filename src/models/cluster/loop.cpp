// SPDX-License-Identifier: BSD-2-Clause
#include "models/cluster/loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/step_outcome.hpp"
#include "base/text.hpp"

namespace tutti::models {
namespace {

constexpr double loop_tolerance = 1e-12;  // of a change, against value and nominal value
constexpr double loop_rounding = 1e-9;    // where rounding errors are larger than that
constexpr double slow_convergence = 0.3;  // ratio of successive changes that wants a new Jacobian
constexpr double rounding_errors = 4;     // of values, in a residual that is zero otherwise
constexpr int maximum_loop_steps = 50;
constexpr int maximum_loop_halvings = 12;
constexpr int maximum_loop_passes = 100;  // until values of other types settle
constexpr double loop_increment = 1e-7;

}  // namespace

ClusterLoop::ClusterLoop(Members members, std::vector<MemberValues*> reads,
                         std::vector<MemberValues*> writes, const Wiring& wiring,
                         std::vector<std::size_t> wires, std::vector<Input> inputs)
    : members_(members),
      reads_(std::move(reads)),
      writes_(std::move(writes)),
      wiring_(wiring),
      wires_(std::move(wires)),
      inputs_(std::move(inputs)) {
  for (MemberValues* const read : reads_) {
    const auto scalars = read->values.scalars();
    for (std::size_t i = 0; i < scalars.size(); ++i) {
      const bool is_double = scalars[i].type == Type::float64;
      if (!is_double && scalars[i].type != Type::float32) {
        others_.emplace_back(read, i);
        continue;
      }
      unknowns_.push_back({read, i, is_double ? read->double_index(scalars[i]) : 0, is_double});
      scale_.push_back(read->nominal(i));
    }
  }
  z_.resize(unknowns_.size());
  accepted_ = residual_ = change_ = residual_tangent_ = z_;
  known_others_.resize(others_.size());
}

std::string ClusterLoop::name(std::size_t unknown) const {
  const auto& [read, scalar, index, is_double] = unknowns_[unknown];
  return fmt::format("{}.{}", members_[read->member]->name(), read->values.scalars()[scalar].name);
}

void ClusterLoop::add_points(std::vector<system::Point>& points) const {
  for (const auto& [read, index, double_index, is_double] : unknowns_) {
    const Scalar& scalar = read->values.scalars()[index];
    points.push_back({static_cast<std::uint32_t>(read->member), scalar.variable, scalar.element});
  }
}

void ClusterLoop::write_unknowns() {
  for (std::size_t k = 0; k < unknowns_.size(); ++k)
    unknowns_[k].read->values.write_real(unknowns_[k].read->values.scalars()[unknowns_[k].scalar],
                                         z_[k]);
}

void ClusterLoop::read_outputs() {
  for (MemberValues* const read : reads_) read->values.get_from(*members_[read->member]);
}

void ClusterLoop::start() {
  read_outputs();
  for (std::size_t k = 0; k < unknowns_.size(); ++k)
    z_[k] = unknowns_[k]
                .read->values.read(unknowns_[k].read->values.scalars()[unknowns_[k].scalar])
                .real;
  accept();
}

void ClusterLoop::pass() {
  for (std::size_t w = 0; w < writes_.size(); ++w) {
    wiring_.gather(wires_[w]);
    writes_[w]->values.set_to(*members_[writes_[w]->member]);
  }
  read_outputs();
  is_fresh_ = false;
}

void ClusterLoop::pass_in_turn() {
  for (std::size_t w = 0; w < writes_.size(); ++w) {
    wiring_.gather(wires_[w]);
    writes_[w]->values.set_to(*members_[writes_[w]->member]);
    for (MemberValues* const read : reads_)
      if (read->member == writes_[w]->member) read->values.get_from(*members_[read->member]);
  }
}

void ClusterLoop::evaluate() {
  write_unknowns();
  pass();
  for (std::size_t k = 0; k < unknowns_.size(); ++k) {
    const auto& [read, scalar, index, is_double] = unknowns_[k];
    residual_[k] = read->values.read(read->values.scalars()[scalar]).real - z_[k];
    if (!std::isfinite(residual_[k])) refuse();
  }
}

void ClusterLoop::solve() {
  // After a rollback, values of other types are still those of the discarded steps.
  if (std::exchange(is_restored_, false) && !others_.empty()) read_outputs();
  z_ = accepted_;
  for (int i = 0; i < maximum_loop_passes; ++i) {
    if (!solve_reals()) refuse();
    if (others_settled()) return;
  }
  refuse();
}

bool ClusterLoop::others_settled() {
  bool settled = true;
  for (std::size_t i = 0; i < others_.size(); ++i) {
    const ValueSet& values = others_[i].first->values;
    std::string now = values.written(values.scalars()[others_[i].second]);
    settled &= now == known_others_[i];
    known_others_[i] = std::move(now);
  }
  return settled;
}

bool ClusterLoop::is_rounded() const {
  for (std::size_t k = 0; k < residual_.size(); ++k) {
    const double unit = unknowns_[k].is_double
                            ? std::numeric_limits<double>::epsilon()
                            : static_cast<double>(std::numeric_limits<float>::epsilon());
    if (!(std::abs(residual_[k]) <= rounding_errors * unit * std::abs(z_[k]))) return false;
  }
  return true;
}

bool ClusterLoop::solve_reals() {
  if (unknowns_.empty()) {
    pass_in_turn();
    return true;
  }
  const auto norm = [&] {
    double sum = 0;
    for (std::size_t k = 0; k < residual_.size(); ++k) sum += std::pow(residual_[k] / scale_[k], 2);
    return std::sqrt(sum);
  };
  const auto measure = [&](std::span<const double> change) {
    double worst = 0;
    for (std::size_t k = 0; k < change.size(); ++k)
      worst = std::max(worst, std::abs(change[k]) / (scale_[k] + std::abs(z_[k])));
    return worst;
  };
  evaluate();
  double last = 0;  // the size of the last change
  std::vector<double> start;
  for (int step = 0; step < maximum_loop_steps; ++step) {
    if (is_rounded()) return true;
    bool is_new = false;
    const auto renew = [&] {
      if (!is_fresh_) compute_jacobian();
      is_new = true;
    };
    if (!system_) renew();
    system_->solve(residual_, change_);
    double size = measure(change_);
    const bool is_slow =
        step > 0 && !(size <= slow_convergence * last) && !(size <= loop_tolerance);
    if (!is_new && (is_slow || !std::isfinite(size))) {
      renew();
      system_->solve(residual_, change_);
      size = measure(change_);
    }
    if (!std::isfinite(size)) {
      system_.reset();  // it is of no use elsewhere either
      return false;
    }
    if (size <= loop_tolerance) return true;
    // No more digits can be had: the residual itself is rounded.
    if (is_new && step > 0 && size <= loop_rounding && size > 0.5 * last && last > 0) return true;
    const double before = norm();
    start = z_;
    double factor = 1;
    for (int halving = 0;; ++halving, factor /= 2) {
      for (std::size_t k = 0; k < z_.size(); ++k) z_[k] = start[k] + factor * change_[k];
      bool possible = true;
      try {
        evaluate();
      } catch (const Discarded&) {
        possible = false;
      }
      if (possible && (norm() < before || size <= loop_rounding)) break;
      if (halving == 0 && !is_new) {  // an old Jacobian: try again with the one of this point
        z_ = start;
        evaluate();
        compute_jacobian();
        system_->solve(residual_, change_);
        size = measure(change_);
        if (!std::isfinite(size)) return false;
        is_new = true;
        halving = -1;
        factor = 2;
        continue;
      }
      if (halving == maximum_loop_halvings) return false;
    }
    last = size;
  }
  return false;
}

void ClusterLoop::compute_jacobian() {
  system_.reset();
  is_fresh_ = false;
  entries_.clear();
  for (std::size_t k = 0; k < unknowns_.size(); ++k) entries_.push_back({k, k, 1});
  // The unknowns of a member, by its read.
  std::vector<double> before, after;
  for (const Input& input : inputs_) {
    if (input.unknown == no_unknown) continue;
    MemberValues& write = *writes_[input.write];
    fmi::ModelExchange& member = *members_[write.member];
    const Scalar& scalar = write.values.scalars()[input.scalar];
    const auto add = [&](std::size_t k, double slope) {
      if (slope != 0) entries_.push_back({k, input.unknown, -slope * input.factor});
    };
    const bool by_derivatives =
        member.capabilities().provides_directional_derivatives && scalar.type == Type::float64;
    if (by_derivatives) {
      MemberTangent tangent(member);
      tangent.start({});
      const std::size_t index = write.double_index(scalar);
      std::vector<double> seed(write.tangent.size());
      seed[index] = scalar.negated ? -1 : 1;
      tangent.add(write.references, seed);
      for (MemberValues* const read : reads_) {
        if (read->member != write.member) continue;
        tangent.outputs(read->references, read->tangent);
        for (std::size_t k = 0; k < unknowns_.size(); ++k)
          if (unknowns_[k].read == read && unknowns_[k].is_double)
            add(k, read->tangent[unknowns_[k].index] *
                       (read->values.scalars()[unknowns_[k].scalar].negated ? -1 : 1));
      }
      continue;
    }
    const double value = write.values.read(scalar).real;
    const double part = scalar.type == Type::float64 ? loop_increment : 3e-4;
    const double by = part * std::max(write.nominal(input.scalar), std::abs(value));
    const auto values_of = [&](std::vector<double>& into) {
      into.clear();
      for (const Unknown& unknown : unknowns_) {
        if (unknown.read->member != write.member) {
          into.push_back(0);
          continue;
        }
        into.push_back(
            unknown.read->values.read(unknown.read->values.scalars()[unknown.scalar]).real);
      }
    };
    const auto read_member = [&] {
      write.values.set_to(member);
      for (MemberValues* const read : reads_)
        if (read->member == write.member) read->values.get_from(member);
    };
    values_of(before);
    write.values.write_real(scalar, value + by);
    read_member();
    values_of(after);
    write.values.write_real(scalar, value);
    read_member();
    for (std::size_t k = 0; k < unknowns_.size(); ++k) add(k, (after[k] - before[k]) / by);
  }
  make_system();
  is_fresh_ = true;
}

void ClusterLoop::make_system() {
  system_ = std::make_unique<solvers::LinearSystem>(unknowns_.size(), entries_);
}

void ClusterLoop::refuse() const {
  std::vector<std::string> values;
  for (std::size_t k = 0; k < unknowns_.size(); ++k)
    values.push_back(fmt::format("{} = {:.6g}", name(k), z_[k]));
  for (const auto& [read, scalar] : others_)
    values.push_back(fmt::format("{}.{} = {}", members_[read->member]->name(),
                                 read->values.scalars()[scalar].name,
                                 read->values.written(read->values.scalars()[scalar])));
  throw Discarded(Error(ErrorCode::numeric,
                        fmt::format("no solution of the algebraic loop between the members was "
                                    "found; the last iterate was {}",
                                    list_some(values))));
}

void ClusterLoop::pass_on(std::span<MemberTangent> tangents, std::span<const double> dz) {
  for (MemberValues* const write : writes_) std::ranges::fill(write->tangent, 0.0);
  for (const Input& input : inputs_) {
    MemberValues& write = *writes_[input.write];
    const Scalar& scalar = write.values.scalars()[input.scalar];
    if (input.unknown == no_unknown || scalar.type != Type::float64) continue;
    write.tangent[write.double_index(scalar)] =
        input.factor * dz[input.unknown] * (scalar.negated ? -1 : 1);
  }
  for (MemberValues* const write : writes_)
    tangents[write->member].add(write->references, write->tangent);
}

void ClusterLoop::differentiate(std::span<MemberTangent> tangents) {
  if (!is_fresh_) compute_jacobian();
  std::vector<double> right(unknowns_.size()), dz(unknowns_.size());
  for (MemberValues* const read : reads_)
    tangents[read->member].outputs(read->references, read->tangent);
  const auto sign = [&](std::size_t k) {
    return unknowns_[k].read->values.scalars()[unknowns_[k].scalar].negated ? -1 : 1;
  };
  for (std::size_t k = 0; k < unknowns_.size(); ++k)
    right[k] =
        unknowns_[k].is_double ? sign(k) * unknowns_[k].read->tangent[unknowns_[k].index] : 0;
  system_->solve(right, dz);
  for (std::size_t k = 0; k < unknowns_.size(); ++k)
    if (unknowns_[k].is_double) unknowns_[k].read->tangent[unknowns_[k].index] = sign(k) * dz[k];
  pass_on(tangents, dz);
}

void ClusterLoop::differentiate_residual(std::span<MemberTangent> tangents,
                                         std::span<const double> dz) {
  pass_on(tangents, dz);
  std::vector<double> slopes;
  for (MemberValues* const read : reads_) {
    slopes.resize(read->tangent.size());
    tangents[read->member].outputs(read->references, slopes);
    for (std::size_t k = 0; k < unknowns_.size(); ++k) {
      const Unknown& unknown = unknowns_[k];
      if (unknown.read != read || !unknown.is_double) continue;
      const int sign = read->values.scalars()[unknown.scalar].negated ? -1 : 1;
      residual_tangent_[k] = sign * slopes[unknown.index] - dz[k];
      read->tangent[unknown.index] = sign * dz[k];
    }
  }
}

void ClusterLoop::save(std::vector<double>& into) const {
  into.insert(into.end(), accepted_.begin(), accepted_.end());
  into.insert(into.end(), z_.begin(), z_.end());
  into.push_back(system_ ? static_cast<double>(entries_.size()) : -1);
  if (!system_) return;
  for (const solvers::Entry& entry : entries_) {
    into.push_back(static_cast<double>(entry.row));
    into.push_back(static_cast<double>(entry.column));
    into.push_back(entry.value);
  }
}

std::span<const double> ClusterLoop::restore(std::span<const double> from) {
  const auto take = [&](std::vector<double>& into) {
    std::ranges::copy(from.first(into.size()), into.begin());
    from = from.subspan(into.size());
  };
  take(accepted_);
  take(z_);
  const double count = from.front();
  from = from.subspan(1);
  entries_.clear();
  system_.reset();
  is_fresh_ = false;
  is_restored_ = true;
  if (count < 0) return from;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i, from = from.subspan(3))
    entries_.push_back(
        {static_cast<std::size_t>(from[0]), static_cast<std::size_t>(from[1]), from[2]});
  make_system();
  return from;
}

}  // namespace tutti::models
