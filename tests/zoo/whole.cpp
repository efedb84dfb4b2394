// SPDX-License-Identifier: BSD-2-Clause
#include "zoo/whole.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

#include "core/access.hpp"
#include "zoo/models.hpp"

namespace zoo {
namespace {

const fmukit::ModelInfo& info_of(const std::string& model) {
#define ZOO_ROW(Class) {#Class, fmukit::make_model_info<Class>(#Class)},
  static const std::map<std::string, fmukit::ModelInfo> all = {ZOO_MODELS(ZOO_ROW)};
#undef ZOO_ROW
  const auto found = all.find(model);
  if (found == all.end()) throw std::logic_error("the zoo has no model " + model);
  return found->second;
}

std::string element_of(const fmukit::VariableInfo& v, std::string name, std::size_t k) {
  if (!v.shape.empty()) name.append("[").append(std::to_string(k + 1)).append("]");
  return name;
}

}  // namespace

double Whole::Value::get() const {
  return fmukit::with_type(type, [this]<class T>(T*) -> double {
    if constexpr (std::is_arithmetic_v<T>) return static_cast<double>(*static_cast<T*>(place));
    throw std::logic_error("not a number");
  });
}

void Whole::Value::set(double value) const {
  fmukit::with_type(type, [&]<class T>(T*) {
    if constexpr (std::is_arithmetic_v<T>) *static_cast<T*>(place) = static_cast<T>(value);
  });
}

Whole::Whole(const System& system) : system_(system) {
  using fmukit::Causality;
  for (const Part& part : system.parts) {
    Member member{&info_of(part.model), info_of(part.model).create()};
    for (const auto& [variable, value] : part.set) find(member, variable).set(value);
    for (const fmukit::VariableInfo& v : member.info->variables) {
      const auto place = [&](std::size_t k) {
        return const_cast<double*>(fmukit::element<double>(*member.model, v, k));
      };
      for (std::size_t k = 0; k < v.count; ++k) {
        if (v.event_indicator) indicators_.push_back(place(k));
        if (v.derivative_of.empty()) continue;
        derivatives_.push_back(place(k));
        states_.push_back(
            static_cast<double*>(find(member, element_of(v, v.derivative_of, k)).place));
      }
      if (v.causality != Causality::output) continue;
      for (std::size_t k = 0; k < v.count; ++k) {
        const std::string name = element_of(v, v.name, k);
        outputs_.push_back(find(member, name));
        names.push_back(part.name + "." + name);
      }
    }
    members_.push_back(std::move(member));
  }
  if (size() > max_states) throw std::logic_error(system.name + " has too many states");
  for (const Wire& wire : system.wires)
    links_.push_back({find(wire.from), find(wire.to), wire.factor, wire.offset});
  for (const Table& table : system.tables)
    drivers_.push_back({static_cast<double*>(find(table.to).place), &table, 0});
  for (Member& member : members_) member.model->initialize();
}

Whole::Value Whole::find(const std::string& part_and_variable) const {
  const std::size_t dot = part_and_variable.find('.');
  for (std::size_t i = 0; i < members_.size(); ++i)
    if (system_.parts[i].name == part_and_variable.substr(0, dot))
      return find(members_[i], part_and_variable.substr(dot + 1));
  throw std::logic_error(system_.name + " has no " + part_and_variable);
}

/// `x`, `x[2]` or `A[1,2]`.
Whole::Value Whole::find(const Member& member, const std::string& variable) const {
  const std::size_t bracket = variable.find('[');
  for (const fmukit::VariableInfo& v : member.info->variables) {
    if (v.name != variable.substr(0, bracket)) continue;
    std::size_t index = 0;
    if (bracket != std::string::npos) {
      std::size_t used = bracket + 1;
      for (const fmukit::Dimension& d : v.shape) {
        std::size_t length = 0;
        index = index * d.size + std::stoul(variable.substr(used), &length) - 1;
        used += length + 1;
      }
    }
    return fmukit::with_type(v.type, [&]<class T>(T*) {
      return Value{const_cast<T*>(fmukit::element<T>(*member.model, v, index)), v.type};
    });
  }
  throw std::logic_error("there is no variable " + variable);
}

void Whole::states(double* x) const {
  for (std::size_t i = 0; i < size(); ++i) x[i] = *states_[i];
}

void Whole::outputs(double* values) const {
  for (const Value& output : outputs_) *values++ = output.get();
}

void Whole::evaluate(double t, const double* x, double* dx) {
  t_ = t;
  for (std::size_t i = 0; i < size(); ++i) *states_[i] = x[i];
  for (const Driver& driver : drivers_) {
    const auto& rows = driver.table->rows;
    const auto& [t0, u0] = rows[driver.row];
    const auto& [t1, u1] = rows[std::min(driver.row + 1, rows.size() - 1)];
    *driver.to = t1 > t0 ? u0 + (u1 - u0) * (t - t0) / (t1 - t0) : u0;
  }
  connect();
  for (std::size_t i = 0; dx && i < size(); ++i) dx[i] = *derivatives_[i];
}

void Whole::compute() {
  for (Member& member : members_) {
    member.model->time = t_;
    member.model->derivatives();
    member.model->outputs();
  }
}

/// True if something changed.
bool Whole::pass_on() {
  bool changed = false;
  for (const Link& link : links_) {
    const double value = link.factor * link.from.get() + link.offset;
    changed = changed || value != link.to.get();
    link.to.set(value);
  }
  return changed;
}

/// Without loops, values are where they belong after as many rounds as the longest chain.
void Whole::connect() {
  for (std::size_t round = 0; !has_loop_ && round < links_.size() + 2; ++round) {
    compute();
    if (!pass_on()) return;
  }
  has_loop_ = true;
  solve_loops();
}

/// Newton's method on u = L y(u), with differences.
void Whole::solve_loops() {
  const std::size_t n = links_.size();
  const auto residual = [this](double* r) {
    compute();
    for (const Link& link : links_)
      *r++ = link.factor * link.from.get() + link.offset - link.to.get();
  };
  std::array<double, max_links> r{}, moved{};
  double last = INFINITY;
  for (int round = 0; round < 50; ++round) {
    residual(r.data());
    if (round % 5 == 0 && (round > 0 || !loop_known_)) {
      for (std::size_t k = 0; k < n; ++k) {
        const double u = links_[k].to.get(), e = 1e-6 * std::max(1.0, std::abs(u));
        links_[k].to.set(u + e);
        residual(moved.data());
        links_[k].to.set(u);
        for (std::size_t i = 0; i < n; ++i) loop_.at(i, k) = -(moved[i] - r[i]) / e;
      }
      loop_.factor(n);
      loop_known_ = true;
    }
    loop_.solve(r.data());
    double change = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double u = links_[i].to.get();
      links_[i].to.set(u + r[i]);
      change = std::max(change, std::abs(r[i]) / (1 + std::abs(u)));
    }
    if (change < 1e-15 || (change < 1e-13 && change >= last / 2)) return compute();
    last = change;
  }
  throw std::runtime_error(system_.name +
                           ": the loop has no solution at t = " + std::to_string(t_));
}

std::vector<bool> Whole::signs() const {
  std::vector<bool> result;
  for (const double* z : indicators_) result.push_back(*z > 0);
  return result;
}

void Whole::update(double t, double* x) {
  for (Driver& driver : drivers_) {
    const auto& rows = driver.table->rows;
    while (driver.row + 1 < rows.size() && rows[driver.row + 1].first <= t) ++driver.row;
  }
  std::vector<double> before(names.size()), after(names.size());
  for (int round = 0; round < 100; ++round) {
    evaluate(t, x, nullptr);
    outputs(before.data());
    for (Member& member : members_) {
      fmukit::EventInfo event;
      member.model->update_discrete_states(event);
      member.next_event = event.next_time;
    }
    states(x);
    evaluate(t, x, nullptr);
    outputs(after.data());
    bool changed = false;  // beyond the rounding of a loop that was solved twice
    for (std::size_t k = 0; k < names.size(); ++k)
      changed = changed || std::abs(after[k] - before[k]) > 1e-11 * (1 + std::abs(before[k]));
    if (!changed) return;
  }
  throw std::runtime_error(system_.name + ": events without end");
}

double Whole::next_time(double t) const {
  double next = std::numeric_limits<double>::infinity();
  for (const Member& member : members_)
    if (member.next_event > t) next = std::min(next, member.next_event);
  for (const Driver& driver : drivers_)
    if (driver.row + 1 < driver.table->rows.size())
      next = std::min(next, driver.table->rows[driver.row + 1].first);
  return next;
}

}  // namespace zoo
