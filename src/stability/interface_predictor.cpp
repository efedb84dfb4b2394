// SPDX-License-Identifier: BSD-2-Clause
#include "stability/interface_predictor.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "stability/step_response.hpp"

// Notation: as in the header. z = (v; b) is the estimate of a component, P its covariance. Inputs
// are in units of their sources: factors are in B and D, and L only selects.
namespace tutti::stability {
namespace {

using Vector = Eigen::VectorXd;

// Variances of the filter, relative to the effect of a unit of the inputs in a step.
constexpr double of_unreached = 1e-6;  // of states that no input affects, relative to others
constexpr double of_outputs = 1e-8;    // outputs of components are nearly exact
constexpr double at_first = 1e6;       // initially unknown

constexpr std::size_t kept_steps = 8;  // sizes for which the matrices are kept
constexpr double singular_rcond = 1e-14;

}  // namespace

bool constants_suffice(const Subsystem& system) {
  constexpr double of_noise = 1e-3;  // in models that are fitted to steps
  if (system.states() == 0 || system.inputs() == 0) return system.states() == 0;
  Eigen::FullPivLU<Dense> effect;
  effect.setThreshold(of_noise);
  return effect.compute(dense(system.b)).rank() == index(system.states());
}

/// A component over steps of one size.
struct InterfacePredictor::Response {
  Dense phi, phi_b, g0;   ///< v from v, from jumps and (over h) from lines
  Dense psi, jump, line;  ///< increment of x: from v, jumps and lines
  Dense y_of_z;           ///< (C psi, h I)
  Dense y_of_jump, y_of_line;
  Dense fit;                ///< the jumps and changes of lines that have a given effect on x
  Dense noise;              ///< Q
  Vector noise_of_outputs;  ///< R

  void add_noise(const Dense& c_psi, double h);
};

void InterfacePredictor::Response::add_noise(const Dense& c_psi, double h) {
  const Eigen::Index n = c_psi.cols(), m = c_psi.rows();
  const auto raise = [](Vector& variances) {
    const double largest = variances.size() > 0 ? variances.maxCoeff() : 0;
    variances = variances.cwiseMax(largest > 0 ? of_unreached * largest : 1);
  };
  Vector q = g0.rowwise().squaredNorm();
  raise(q);
  // Model errors are assumed to cause changes of the same size.
  Vector changes = (c_psi * q.asDiagonal() * c_psi.transpose()).diagonal();
  raise(changes);
  noise_of_outputs = of_outputs * changes;
  noise = Dense::Zero(n + m, n + m);
  noise.diagonal() << q, changes / (h * h);
}

struct InterfacePredictor::Part {
  Dense a, b, c, d;
  std::vector<std::size_t> sources, outputs;
  Eigen::Index outside = 0;  ///< columns of b and d after those of the sources
  bool follows_lines = false, knows_slopes = false;
  Eigen::Index first_state = 0, first_input = 0;

  // Estimates, for a checkpoint.
  Vector z;
  Dense p;
  Vector ended;    ///< the inputs at the end of the last step, then those from outside
  Vector goes_to;  ///< those from outside at the end of the step
  bool is_fresh = true;

  // Of the present step.
  Vector slopes, missed, jumped;  ///< of inputs from outside
  Vector jump, change, residual, correction, y, innovation;
  Dense ph, s;

  Response respond(double h) const;
  void take_outside(std::span<const OutsideLine> lines, double h);
  Eigen::Index inside() const { return b.cols() - outside; }
};

/// All components over steps of one size.
struct InterfacePredictor::Step {
  double h = 0;
  bool is_regular = false;
  std::vector<Response> parts;
  Dense added;    ///< to the states, from (v; b; g) of all components
  Dense changes;  ///< of the outputs, from the same
};

struct InterfacePredictor::Data {
  std::vector<Part> parts;
  Eigen::Index size = 0, states = 0, inputs = 0;
  Dense a, b, c, d, l;
  Dense consistent;  ///< (I - D L)^-1
  bool is_regular = false;
  std::vector<Step> steps;  ///< most recently used first
  std::vector<InputLine> lines;
  Vector now, next, misses, w, added;
  Vector start;  ///< of the outputs: now, plus the direct effect of jumps of inputs from outside
  Vector shift;  ///< by which the last outputs were corrected

  void couple();
  Step& step_of(double h);
  Step make_step(double h) const;
  void take_outside(std::span<const OutsideLine> outside, double h);
  void choose_lines(Part& part, const Response& response);
};

InterfacePredictor::Response InterfacePredictor::Part::respond(double h) const {
  const StepResponse step = step_response(a, h);
  const Eigen::Index n = a.rows(), m = c.rows();
  Response part;
  part.phi = step.phi;
  part.phi_b = step.phi * b;
  part.psi = step.psi;
  part.jump = step.psi * b;
  part.line = step.psi2 * b;
  part.g0 = part.jump / h;
  part.y_of_z.resize(m, n + m);
  part.y_of_z.leftCols(n) = c * step.psi;
  part.y_of_z.rightCols(m) = h * Dense::Identity(m, m);
  part.y_of_jump = c * part.jump + d;
  part.y_of_line = c * part.line + d;
  part.fit = fit_lines(
      {part.jump.leftCols(inside()), part.line.leftCols(inside()), follows_lines, c * step.psi},
      d.leftCols(inside()));
  part.add_noise(part.y_of_z.leftCols(n), h);
  return part;
}

void InterfacePredictor::Part::take_outside(std::span<const OutsideLine> lines, double h) {
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const auto& [real, shown] = lines[k];
    const Eigen::Index i = index(k), column = inside() + i;
    if (is_fresh) ended[column] = real.start;
    slopes[i] = (real.end - real.start) / h;
    missed[i] = real.start - ended[column];  // by the component
    jumped[i] = is_fresh ? 0 : real.start - goes_to[i];
    goes_to[i] = real.end;
    jump[column] = shown.start - ended[column];
    change[column] = shown.end - shown.start;
  }
}

InterfacePredictor::InterfacePredictor(const InterfaceModel& model)
    : data_(std::make_unique<Data>()) {
  Data& data = *data_;
  data.size = index(model.size);
  for (const InterfaceModel::Part& from : model.parts) {
    Part& part = data.parts.emplace_back();
    part.a = dense(from.system.a);
    part.b = dense(from.system.b);
    part.c = dense(from.system.c);
    part.d = dense(from.system.d);
    for (std::size_t j = 0; j < from.inputs.size(); ++j) {
      part.b.col(index(j)) *= from.inputs[j].factor;
      part.d.col(index(j)) *= from.inputs[j].factor;
      part.sources.push_back(from.inputs[j].source);
    }
    part.outputs = from.outputs;
    part.outside = index(from.outside);
    part.follows_lines = from.follows_lines;
    part.knows_slopes = !from.slopes.empty();
    const Eigen::Index n = part.a.rows(), m = part.inside(), outputs = part.d.rows();
    part.z = Vector::Zero(n + outputs);
    std::ranges::copy(from.slopes, part.z.begin());
    part.p = Dense::Zero(part.z.size(), part.z.size());
    part.ended = part.jump = part.change = Vector::Zero(m + part.outside);
    part.slopes = part.missed = part.jumped = part.goes_to = Vector::Zero(part.outside);
    part.correction = Vector::Zero(2 * m);
    part.residual = Vector::Zero(n);
    part.y = part.innovation = Vector::Zero(outputs);
    part.first_state = data.states;
    part.first_input = data.inputs;
    data.states += n;
    data.inputs += m;
  }
  data.couple();
}

InterfacePredictor::~InterfacePredictor() = default;

void InterfacePredictor::Data::couple() {
  a = Dense::Zero(states, states);
  b = Dense::Zero(states, inputs);
  c = Dense::Zero(size, states);
  d = Dense::Zero(size, inputs);
  l = Dense::Zero(inputs, size);
  for (const Part& part : parts) {
    const Eigen::Index n = part.a.rows(), m = part.inside();
    a.block(part.first_state, part.first_state, n, n) = part.a;
    b.block(part.first_state, part.first_input, n, m) = part.b.leftCols(m);
    for (std::size_t i = 0; i < part.outputs.size(); ++i) {
      c.row(index(part.outputs[i])).segment(part.first_state, n) = part.c.row(index(i));
      d.row(index(part.outputs[i])).segment(part.first_input, m) = part.d.row(index(i)).head(m);
    }
    for (std::size_t k = 0; k < part.sources.size(); ++k)
      l(part.first_input + index(k), index(part.sources[k])) = 1;
  }
  const Eigen::PartialPivLU<Dense> solver(Dense::Identity(size, size) - d * l);
  is_regular = size == 0 || solver.rcond() > singular_rcond;
  if (is_regular) consistent = solver.inverse();
  now = next = start = shift = Vector::Zero(size);
  lines.resize(static_cast<std::size_t>(inputs));
  misses = Vector::Zero(inputs);
  w = Vector::Zero(2 * states + size);
  added = Vector::Zero(states);
}

InterfacePredictor::Step InterfacePredictor::Data::make_step(double h) const {
  Step step;
  step.h = h;
  for (const Part& part : parts) step.parts.push_back(part.respond(h));
  if (!is_regular) return step;
  // (v; b; g)' of all components, with constant b and g = E e', and the outputs.
  Dense to_outputs(size, 2 * states + size);
  to_outputs << consistent * c, consistent, Dense::Zero(size, states);
  Dense all = Dense::Zero(2 * states + size, 2 * states + size);
  all.topLeftCorner(states, states) = a;
  all.topRightCorner(states, states).setIdentity();
  all.topRows(states) += b * l * to_outputs;
  const Dense psi = step_response(all, h).psi;
  step.added = psi.topRows(states);
  step.changes = to_outputs * psi;
  step.is_regular = step.added.allFinite() && step.changes.allFinite();
  return step;
}

/// Steps that differ only by rounding use the same matrices.
InterfacePredictor::Step& InterfacePredictor::Data::step_of(double h) {
  const auto found = std::ranges::find_if(
      steps, [&](const Step& step) { return std::abs(step.h - h) <= 1e-9 * h; });
  if (found != steps.end()) {
    std::rotate(steps.begin(), found, found + 1);
    return steps.front();
  }
  if (steps.size() == kept_steps) steps.pop_back();
  return *steps.insert(steps.begin(), make_step(h));
}

void InterfacePredictor::Data::take_outside(std::span<const OutsideLine> outside, double h) {
  next.setZero();
  for (Part& part : parts) {
    part.take_outside(outside.first(static_cast<std::size_t>(part.outside)), h);
    outside = outside.subspan(static_cast<std::size_t>(part.outside));
    for (std::size_t i = 0; i < part.outputs.size(); ++i)
      next[index(part.outputs[i])] += part.d.row(index(i)).tail(part.outside).dot(part.jumped);
  }
  start = now;
  if (is_regular) start.noalias() += consistent * next;
}

/// The lines from the present values of the sources to the next ones, changed so that the states
/// get the given increments.
void InterfacePredictor::Data::choose_lines(Part& part, const Response& response) {
  const Eigen::Index n = part.a.rows(), m = part.inside();
  for (Eigen::Index k = 0; k < m; ++k) {
    const Eigen::Index source = index(part.sources[static_cast<std::size_t>(k)]);
    const double first = part.follows_lines ? start[source] : next[source];
    part.jump[k] = first - part.ended[k];
    part.change[k] = next[source] - first;
  }
  part.residual = added.segment(part.first_state, n);
  part.residual.noalias() -= response.psi * part.z.head(n);
  part.residual.noalias() -= response.jump * part.jump;
  part.residual.noalias() -= response.line * part.change;
  part.correction.noalias() = response.fit * part.residual;
  for (Eigen::Index k = 0; k < m; ++k) {
    const double at_end = part.correction[m + k];
    const double at_start = part.follows_lines ? part.correction[k] : at_end;
    part.jump[k] += at_start;
    part.change[k] += at_end - at_start;
    const double first = part.ended[k] + part.jump[k];
    lines[static_cast<std::size_t>(part.first_input + k)] = {first, first + part.change[k]};
  }
}

bool InterfacePredictor::predict(std::span<const double> now, double h, std::span<double> next,
                                 std::span<const OutsideLine> outside) {
  Data& data = *data_;
  const Step& step = data.step_of(h);
  if (!step.is_regular) return false;
  std::ranges::copy(now, data.now.begin());
  data.take_outside(outside, h);
  for (std::size_t i = 0; i < data.parts.size(); ++i) {
    Part& part = data.parts[i];
    for (std::size_t k = 0; k < part.sources.size(); ++k) {
      const double present = data.start[index(part.sources[k])];
      if (part.is_fresh) part.ended[index(k)] = present;
      data.misses[part.first_input + index(k)] = present - part.ended[index(k)];
    }
    if (part.is_fresh) part.p = (part.knows_slopes ? 1 : at_first) * step.parts[i].noise;
    part.is_fresh = false;
  }
  for (const Part& part : data.parts) {
    const Eigen::Index n = part.a.rows();
    data.w.segment(part.first_state, n) = part.z.head(n);
    data.w.segment(part.first_state, n).noalias() += part.b.rightCols(part.outside) * part.missed;
    data.w.segment(data.states + data.size + part.first_state, n).noalias() =
        part.b.rightCols(part.outside) * part.slopes;
    for (std::size_t i = 0; i < part.outputs.size(); ++i)
      data.w[data.states + index(part.outputs[i])] =
          part.z[n + index(i)] + part.d.row(index(i)).tail(part.outside).dot(part.slopes);
  }
  data.w.head(data.states).noalias() += data.b * data.misses;
  data.added.noalias() = step.added * data.w;
  data.next.noalias() = step.changes * data.w;
  data.next += data.start;
  if (!data.next.allFinite()) return false;
  for (std::size_t i = 0; i < data.parts.size(); ++i)
    data.choose_lines(data.parts[i], step.parts[i]);
  std::ranges::copy(data.next, next.begin());
  return true;
}

std::span<const InputLine> InterfacePredictor::lines() const { return data_->lines; }

void InterfacePredictor::correct(std::span<double> y) {
  Data& data = *data_;
  const Step& step = data.steps.front();
  for (std::size_t i = 0; i < data.parts.size(); ++i) {
    Part& part = data.parts[i];
    const Response& response = step.parts[i];
    const Eigen::Index n = part.a.rows();
    part.y.noalias() = response.y_of_z * part.z;
    part.y.noalias() += response.y_of_jump * part.jump;
    part.y.noalias() += response.y_of_line * part.change;
    for (std::size_t k = 0; k < part.outputs.size(); ++k) {
      const std::size_t output = part.outputs[k];
      part.innovation[index(k)] =
          y[output] - data.now[index(output)] + data.shift[index(output)] - part.y[index(k)];
    }
    if (!part.outputs.empty() && part.innovation.allFinite()) {
      part.ph.noalias() = part.p * response.y_of_z.transpose();
      part.s.noalias() = response.y_of_z * part.ph;
      part.s.diagonal() += response.noise_of_outputs;
      const Eigen::PartialPivLU<Dense> solver(part.s);
      part.z += part.ph * solver.solve(part.innovation);
      part.p -= part.ph * solver.solve(part.ph.transpose());
    }
    // To the end of the step.
    part.z.head(n) =
        (response.phi * part.z.head(n) + response.phi_b * part.jump + response.g0 * part.change)
            .eval();
    part.p.topRows(n) = (response.phi * part.p.topRows(n)).eval();
    part.p.leftCols(n) = (part.p.leftCols(n) * response.phi.transpose()).eval();
    part.p = (0.5 * (part.p + part.p.transpose())).eval() + response.noise;
    part.ended += part.jump + part.change;
    for (std::size_t k = 0; k < part.sources.size(); ++k)
      data.misses[part.first_input + index(k)] = y[part.sources[k]] - part.ended[index(k)];
  }
  data.next.noalias() = data.d * data.misses;
  for (const Part& part : data.parts)
    for (std::size_t i = 0; i < part.outputs.size() && part.outside > 0; ++i)
      data.next[index(part.outputs[i])] +=
          part.d.row(index(i)).tail(part.outside).dot(part.goes_to - part.ended.tail(part.outside));
  data.shift.noalias() = data.consistent * data.next;
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += data.shift[index(i)];
}

void InterfacePredictor::forget() {
  data_->shift.setZero();
  for (Part& part : data_->parts) {
    part.z.tail(part.d.rows()).setZero();
    part.knows_slopes = false;
    part.is_fresh = true;
  }
}

void InterfacePredictor::save(std::vector<double>& into) const {
  into.clear();
  const auto add = [&](const auto& values) {
    into.insert(into.end(), values.data(), values.data() + values.size());
  };
  add(data_->shift);
  for (const Part& part : data_->parts) {
    into.push_back(part.is_fresh ? 1 : 0);
    into.push_back(part.knows_slopes ? 1 : 0);
    add(part.z);
    add(part.p);
    add(part.ended);
    add(part.goes_to);
  }
}

void InterfacePredictor::restore(std::span<const double> from) {
  const auto take = [&](auto& values) {
    std::copy_n(from.begin(), values.size(), values.data());
    from = from.subspan(static_cast<std::size_t>(values.size()));
  };
  take(data_->shift);
  for (Part& part : data_->parts) {
    part.is_fresh = from[0] != 0;
    part.knows_slopes = from[1] != 0;
    from = from.subspan(2);
    take(part.z);
    take(part.p);
    take(part.ended);
    take(part.goes_to);
  }
}

}  // namespace tutti::stability
