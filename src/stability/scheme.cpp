// SPDX-License-Identifier: BSD-2-Clause
#include "stability/scheme.hpp"

#include <Eigen/LU>

#include "stability/dense.hpp"
#include "stability/step_response.hpp"

// Notation: H the step, the unit of time, so that nothing is divided by a short step. u y are
// inputs and outputs of all subsystems, ud udd yd ydd their derivatives times H and H^2; each is a
// matrix with a column for every unit vector of the state.
namespace tutti::stability {
namespace {

/// x(t + H) = phi x + g0 u + g1 ud + g2 udd, exactly, also where A is singular: the exponential of
///   [H A, H B, 0, 0; 0, 0, I, 0; 0, 0, 0, I; 0, 0, 0, 0]
struct Integrated {
  Dense phi, g0, g1, g2;
};

Integrated integrate(const Subsystem& part, double h) {
  const Eigen::Index n = index(part.states()), m = index(part.inputs());
  Dense all = Dense::Zero(n + 3 * m, n + 3 * m);
  all.topLeftCorner(n, n) = h * dense(part.a);
  all.block(0, n, n, m) = h * dense(part.b);
  all.block(n, n + m, 2 * m, 2 * m).setIdentity();
  Dense map = Dense::Identity(n + 3 * m, n + 3 * m);
  if (n > 0) map = exponential(all);
  return {map.topLeftCorner(n, n), map.block(0, n, n, m), map.block(0, n + m, n, m),
          map.block(0, n + 2 * m, n, m)};
}

/// A polynomial of all inputs over a step.
struct Signal {
  Dense u, ud, udd;
  Dense end() const { return u + ud + udd / 2; }
  Dense end_slope() const { return ud + udd; }
};

/// The state of the scheme between steps, in parts with one row per input or output.
struct Memory {
  std::vector<Dense> parts;
  Dense& operator[](std::size_t i) { return parts[i]; }
  const Dense& operator[](std::size_t i) const { return parts[i]; }
};

enum class Side : std::uint8_t { inputs, outputs };

/// The parts of a scheme's memory.
std::vector<Side> memory_of(const Scheme& scheme) {
  if (scheme.smooth && scheme.prediction == Prediction::linear_derivatives)
    return {Side::inputs, Side::inputs};
  if (scheme.smooth) return {Side::inputs, Side::inputs, Side::outputs};
  if (scheme.sequence == Sequence::predicted) return {};
  if (scheme.sequence == Sequence::solved) return {Side::outputs};
  return std::vector<Side>(static_cast<std::size_t>(order_of(scheme.prediction)) + 1,
                           Side::outputs);
}

class Runner {
 public:
  Runner(const CoupledSystem& system, const Scheme& scheme, double h)
      : system_(system),
        scheme_(scheme),
        l_(dense(system.l)),
        a_(h * diagonal(system, &Subsystem::a, system.states(), system.states())),
        b_(h * diagonal(system, &Subsystem::b, system.states(), system.inputs())),
        c_(diagonal(system, &Subsystem::c, system.outputs(), system.states())),
        d_(diagonal(system, &Subsystem::d, system.outputs(), system.inputs())) {
    for (const Subsystem& part : system.parts) integrated_.push_back(integrate(part, h));
  }

  Matrix map() {
    if (scheme_.corrected || scheme_.sequence == Sequence::solved ||
        scheme_.sequence == Sequence::predicted) {
      const Dense matrix = Dense::Identity(d_.rows(), d_.rows()) - d_ * l_;
      if (!Eigen::FullPivLU<Dense>(matrix).isInvertible()) return {};
      consistent_ = matrix.inverse();
    }
    split_unit_vectors();
    switch (scheme_.sequence) {
      case Sequence::parallel:
        scheme_.smooth ? step_smoothly() : step_in_parallel();
        break;
      case Sequence::sequential:
        step_in_sequence();
        break;
      case Sequence::solved:
        if (!step_solved()) return {};
        break;
      case Sequence::predicted:
        step_predicted();
        break;
    }
    return join();
  }

 private:
  void split_unit_vectors() {
    std::vector<Eigen::Index> rows;
    for (const Side side : memory_of(scheme_))
      rows.push_back(index(side == Side::inputs ? system_.inputs() : system_.outputs()));
    Eigen::Index size = index(system_.states());
    for (const Eigen::Index count : rows) size += count;
    const Dense unit = Dense::Identity(size, size);
    x_ = unit.topRows(index(system_.states()));
    Eigen::Index first = x_.rows();
    for (const Eigen::Index count : rows) {
      memory_.parts.emplace_back(unit.middleRows(first, count));
      first += count;
    }
    zero_ = Dense::Zero(index(system_.inputs()), size);
  }
  Matrix join() const {
    Dense all(x_.cols(), x_.cols());
    all.topRows(x_.rows()) = x_;
    Eigen::Index first = x_.rows();
    for (const Dense& part : memory_.parts) {
      all.middleRows(first, part.rows()) = part;
      first += part.rows();
    }
    return plain(all);
  }

  Signal predict() const {
    const Dense u = l_ * memory_[0];
    switch (scheme_.prediction) {
      case Prediction::linear_differences:
        return {u, u - l_ * memory_[1], zero_};
      case Prediction::linear_derivatives:
        return {u, l_ * memory_[1], zero_};
      case Prediction::quadratic_backward: {
        const Dense before = l_ * memory_[1];
        return {u, u - before, u - 2 * before + l_ * memory_[2]};
      }
      case Prediction::quadratic_differences: {
        const Dense before = l_ * memory_[1], first = l_ * memory_[2];
        return {u, (3 * u - 4 * before + first) / 2, u - 2 * before + first};
      }
      case Prediction::quadratic_derivatives:
        return {u, l_ * memory_[1], l_ * memory_[2]};
      default:
        return {u, zero_, zero_};
    }
  }

  void integrate_all(const Signal& signal) {
    Eigen::Index x = 0, u = 0;
    for (std::size_t i = 0; i < integrated_.size(); ++i) integrate_one(i, signal, x, u);
  }
  void integrate_one(std::size_t i, const Signal& signal, Eigen::Index& x, Eigen::Index& u) {
    const Integrated& part = integrated_[i];
    const Eigen::Index n = part.phi.rows(), m = part.g0.cols();
    const Dense next = part.phi * x_.middleRows(x, n) + part.g0 * signal.u.middleRows(u, m) +
                       part.g1 * signal.ud.middleRows(u, m) + part.g2 * signal.udd.middleRows(u, m);
    x_.middleRows(x, n) = next;
    x += n;
    u += m;
  }

  /// Outputs at the end of the step, and their derivatives.
  struct Outputs {
    Dense y, yd, ydd;
  };
  Outputs outputs(const Signal& signal) const {
    const Dense u = signal.end(), ud = signal.end_slope();
    const Dense xd = a_ * x_ + b_ * u;
    const Dense xdd = a_ * xd + b_ * ud;
    if (scheme_.corrected)
      return {consistent_ * (c_ * x_), consistent_ * (c_ * xd), consistent_ * (c_ * xdd)};
    return {c_ * x_ + d_ * u, c_ * xd + d_ * ud, c_ * xdd + d_ * signal.udd};
  }

  void step_in_parallel() {
    const Signal signal = predict();
    integrate_all(signal);
    remember(outputs(signal));
  }
  void remember(const Outputs& now) {
    const bool derivatives = scheme_.prediction == Prediction::linear_derivatives ||
                             scheme_.prediction == Prediction::quadratic_derivatives;
    for (std::size_t i = memory_.parts.size() - 1; i > 0; --i)
      memory_[i] = !derivatives ? memory_[i - 1] : i == 1 ? now.yd : now.ydd;
    memory_[0] = now.y;
  }

  /// The thesis' Algorithm 7, with the division by H that line 18 lacks.
  void step_smoothly() {
    const Signal signal{memory_[0], memory_[1], zero_};
    integrate_all(signal);
    const Outputs now = outputs(signal);
    const bool differences = scheme_.prediction != Prediction::linear_derivatives;
    const Dense yd = differences ? Dense(now.y - memory_[2]) : now.yd;
    const Dense reached = signal.end();
    memory_[0] = reached;
    memory_[1] = l_ * now.y - reached + l_ * yd;
    if (differences) memory_[2] = now.y;
  }

  /// Later subsystems use new outputs of earlier ones: constant, or as the line that leads to them.
  void step_in_sequence() {
    const bool hold = scheme_.prediction == Prediction::hold;
    const Dense old = memory_[0];
    const Dense slope = hold ? Dense(Dense::Zero(old.rows(), old.cols())) : Dense(old - memory_[1]);
    Dense y = old, yd = slope;  // known outputs over the step
    Dense next = old;
    Eigen::Index x = 0, u = 0, row = 0;
    for (std::size_t i = 0; i < integrated_.size(); ++i) {
      const Signal signal{l_ * y, l_ * yd, zero_};
      const Eigen::Index first_x = x, first_u = u;
      integrate_one(i, signal, x, u);
      const Eigen::Index count = index(system_.parts[i].outputs());
      next.middleRows(row, count) =
          dense(system_.parts[i].c) * x_.middleRows(first_x, x - first_x) +
          dense(system_.parts[i].d) * signal.end().middleRows(first_u, u - first_u);
      if (hold)
        y.middleRows(row, count) = next.middleRows(row, count);
      else
        yd.middleRows(row, count) = next.middleRows(row, count) - old.middleRows(row, count);
      row += count;
    }
    remember({next, {}, {}});
  }

  /// Hold: the inputs have the new values over the whole step. Linear: the line to the new values.
  bool step_solved() {
    const bool hold = scheme_.prediction == Prediction::hold;
    const Dense u = hold ? zero_ : Dense(l_ * memory_[0]);
    // x = (response to old values) + gain u_new
    integrate_all({u, hold ? zero_ : Dense(-u), zero_});
    const Dense fixed = x_;
    Dense gain = Dense::Zero(x_.rows(), index(system_.inputs()));
    Eigen::Index row = 0, column = 0;
    for (const Integrated& part : integrated_) {
      gain.block(row, column, part.g0.rows(), part.g0.cols()) = hold ? part.g0 : part.g1;
      row += part.g0.rows();
      column += part.g0.cols();
    }
    const Eigen::FullPivLU<Dense> solver(Dense::Identity(d_.rows(), d_.rows()) -
                                         (c_ * gain + d_) * l_);
    if (!solver.isInvertible()) return false;
    memory_[0] = solver.solve(c_ * fixed);
    x_ = fixed + gain * (l_ * memory_[0]);
    return true;
  }

  /// A step of InterfacePredictor with exact models and estimates. The unit of time is the step: x'
  /// = v.
  void step_predicted() {
    const bool lines = scheme_.prediction != Prediction::hold;
    const Dense to_outputs = consistent_ * c_;
    const Dense as_one = a_ + b_ * l_ * to_outputs;
    const Dense v = as_one * x_, added = step_response(as_one, 1).psi * v;
    const Dense changes = l_ * to_outputs * added;
    Eigen::Index x = 0, u = 0;
    for (const Subsystem& part : system_.parts) {
      const Eigen::Index n = index(part.states()), m = index(part.inputs());
      const StepResponse own = step_response(a_.block(x, x, n, n), 1);
      const Dense b = b_.block(x, u, n, m), jump = own.psi * b, line = own.psi2 * b;
      const Dense seen = dense(part.c) * own.psi;
      const LineEffect effect{jump, line, lines, seen};
      const Dense missing = added.middleRows(x, n) - own.psi * v.middleRows(x, n) -
                            (lines ? line : jump) * changes.middleRows(u, m);
      x_.middleRows(x, n) += added.middleRows(x, n) - missing +
                             effect.matrix() * fit_lines(effect, dense(part.d)) * missing;
      x += n;
      u += m;
    }
  }

  const CoupledSystem& system_;
  Scheme scheme_;
  Dense l_, a_, b_, c_, d_, consistent_;
  std::vector<Integrated> integrated_;
  Dense x_, zero_;
  Memory memory_;
};

}  // namespace

int order_of(Prediction prediction) {
  using enum Prediction;
  if (prediction == hold) return 0;
  return prediction == linear_differences || prediction == linear_derivatives ? 1 : 2;
}

Matrix step_map(const CoupledSystem& system, const Scheme& scheme, double h) {
  return Runner(system, scheme, h).map();
}

std::vector<std::size_t> row_owners(const CoupledSystem& system, const Scheme& scheme) {
  std::vector<std::size_t> owners;
  const auto add = [&](std::size_t (Subsystem::*count)() const) {
    for (std::size_t part = 0; part < system.parts.size(); ++part)
      owners.insert(owners.end(), (system.parts[part].*count)(), part);
  };
  add(&Subsystem::states);
  for (const Side side : memory_of(scheme))
    add(side == Side::inputs ? &Subsystem::inputs : &Subsystem::outputs);
  return owners;
}

Matrix sweep_map(const CoupledSystem& system, Sequence sequence, double h) {
  const Matrix map = step_map(system, {sequence, Prediction::hold, false, false}, h);
  const std::size_t first = system.states(), count = system.outputs();
  Matrix sweep(count, count);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < count; ++j) sweep(i, j) = map(first + i, first + j);
  return sweep;
}

}  // namespace tutti::stability
