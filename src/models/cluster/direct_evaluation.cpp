// SPDX-License-Identifier: BSD-2-Clause
#include "models/cluster/direct_evaluation.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "fmi/instance_setup.hpp"

namespace tutti::models {

using fmi::DirectFunctions;

/// Turns the steps of an exchange into calls.
class DirectEvaluation::Builder {
 public:
  Builder(DirectEvaluation& evaluation, std::span<const std::size_t> first_state)
      : e_(evaluation),
        x_(evaluation.exchange_),
        first_state_(first_state),
        counts_(e_.members_.size()),
        is_placed_(e_.members_.size()) {
    for (const auto& member : e_.members_) functions_.push_back(member->direct_functions());
  }

  void build() {
    find_direct_steps();
    find_last_steps();
    for (std::size_t s = 0; s < x_.steps_.size(); ++s) {
      for (const std::size_t member : members_of(s)) place(member);
      add_step(s);
      for (const std::size_t member : last_of_[s]) add_derivatives(member);
    }
    for (std::size_t m = 0; m < functions_.size(); ++m) {
      place(m);
      if (!has_steps_[m]) add_derivatives(m);
      e_.members_[m]->follow_direct_evaluations({.evaluations = &e_.evaluations_,
                                                 .derivatives = &e_.derivatives_,
                                                 .time = &e_.time_,
                                                 .sets = counts_[m].sets,
                                                 .gets = counts_[m].gets});
      e_.corrupted_.push_back(functions_[m].corrupted);
    }
    std::ranges::sort(e_.corrupted_);
    const auto twice = std::ranges::unique(e_.corrupted_);
    e_.corrupted_.erase(twice.begin(), twice.end());
  }

 private:
  using StepKind = ClusterExchange::Kind;

  /// More do not fit into memory.
  static std::uint32_t narrow(std::size_t number) { return static_cast<std::uint32_t>(number); }

  bool are_states(std::size_t read) const {
    return !x_.copies_.empty() && !x_.copies_[read].empty();
  }

  /// The one block of doubles of a set; nothing: there are others.
  static std::optional<fmi::Batch> only_doubles(MemberValues& values) {
    const auto batches = values.values.batches();
    if (!values.values.is_plain() || batches.size() != 1 || batches[0].type != Type::float64)
      return {};
    return batches[0];
  }

  bool is_direct(const ClusterExchange::Step& step) const {
    switch (step.kind) {
      case StepKind::read: {
        MemberValues& read = *x_.reads_[step.index];
        return are_states(step.index) ||
               (functions_[read.member].get != nullptr && only_doubles(read));
      }
      case StepKind::write: {
        MemberValues& write = *x_.writes_[step.index];
        const auto is_double = [](const Wiring::Wire& wire) {
          return wire.from->type == Type::float64 && wire.to->type == Type::float64;
        };
        return functions_[write.member].set != nullptr && !x_.is_partial_[step.index] &&
               only_doubles(write) && std::ranges::all_of(x_.wires_[step.index], is_double);
      }
      case StepKind::solve:
        break;
    }
    return false;
  }

  void find_direct_steps() {
    last_of_.resize(x_.steps_.size());
    has_steps_.resize(functions_.size());
    for (const ClusterExchange::Step& step : x_.steps_) is_direct_.push_back(is_direct(step));
    all_direct_ = std::ranges::find(is_direct_, false) == is_direct_.end();
  }

  /// The members that a step calls.
  std::vector<std::size_t> members_of(std::size_t s) const {
    const auto& [kind, index] = x_.steps_[s];
    switch (kind) {
      case StepKind::read:
        if (are_states(index)) return {};
        return {x_.reads_[index]->member};
      case StepKind::write:
        return {x_.writes_[index]->member};
      case StepKind::solve:
        break;
    }
    return x_.members_of_loop_[index];
  }

  /// The derivatives of a member are read after the last step that calls it.
  void find_last_steps() {
    for (std::size_t s = x_.steps_.size(); s-- > 0;)
      for (const std::size_t member : members_of(s)) {
        if (has_steps_[member]) continue;
        last_of_[s].push_back(member);
        has_steps_[member] = true;
      }
  }

  std::size_t state_count(std::size_t member) const {
    return first_state_[member + 1] - first_state_[member];
  }

  /// Members of the same FMU have the same functions.
  std::uint32_t number_of(const Likeness& likeness) {
    const auto [begin, end] = numbers_.equal_range(likeness.function);
    for (auto known = begin; known != end; ++known) {
      const Likeness& other = e_.likenesses_[known->second];
      if (other.kind == likeness.kind && other.value_count == likeness.value_count &&
          std::ranges::equal(other.references, likeness.references))
        return known->second;
    }
    const std::uint32_t number = narrow(e_.likenesses_.size());
    e_.likenesses_.push_back(likeness);
    numbers_.emplace(likeness.function, number);
    return number;
  }

  Call& add(std::size_t member, const Likeness& likeness) {
    Call& call = e_.calls_.emplace_back();
    call.likeness = number_of(likeness);
    call.member = narrow(member);
    call.component = functions_[member].component;
    call.first = narrow(first_state_[member]);
    return call;
  }
  /// The same for variables.
  Call& add(Kind kind, MemberValues& of, DirectFunctions::Address function) {
    const auto doubles = only_doubles(of);
    Call& call = add(of.member, {kind, function, doubles->references, doubles->value_count});
    call.values = static_cast<double*>(doubles->values);
    return call;
  }

  /// Time and states.
  void place(std::size_t member) {
    if (is_placed_[member]) return;
    is_placed_[member] = true;
    add(member, {Kind::set_time, functions_[member].set_time, {}, 0});
    if (const std::size_t count = state_count(member); count > 0)
      add(member, {Kind::set_states, functions_[member].set_states, {}, count});
  }

  void add_derivatives(std::size_t member) {
    if (const std::size_t count = state_count(member); count > 0)
      add(member, {Kind::derivatives, functions_[member].derivatives, {}, count});
  }

  void add_step(std::size_t s) {
    const auto& [kind, index] = x_.steps_[s];
    const bool needs_no_call = kind == StepKind::read && are_states(index);
    if (needs_no_call && all_direct_) return;  // moves take the states from where they are
    if (needs_no_call || !is_direct_[s]) {
      Call& call = e_.calls_.emplace_back();
      call.likeness = number_of({Kind::step, nullptr, {}, 0});
      call.member = narrow(s);
    } else if (kind == StepKind::read) {
      MemberValues& read = *x_.reads_[index];
      const DirectFunctions& functions = functions_[read.member];
      const bool is_v3 = functions.version == DirectFunctions::Version::fmi3;
      add(is_v3 ? Kind::get3 : Kind::get, read, functions.get);
      ++counts_[read.member].gets;
    } else {
      MemberValues& write = *x_.writes_[index];
      const DirectFunctions& functions = functions_[write.member];
      const bool is_v3 = functions.version == DirectFunctions::Version::fmi3;
      add_moves(add(is_v3 ? Kind::set3 : Kind::set, write, functions.set), index);
      ++counts_[write.member].sets;
    }
  }

  void add_moves(Call& call, std::size_t write) {
    call.first = narrow(e_.moves_.size());
    for (std::size_t k = 0; k < x_.wires_[write].size(); ++k) {
      const Wiring::Wire& wire = x_.wires_[write][k];
      const std::size_t read = x_.sources_[write][k];
      Move move{.from = wire.from_double(),
                .to = reinterpret_cast<double*>(wire.to_set->address(*wire.to)),
                .state = 0,
                .scale = 0};
      if (are_states(read)) {
        const auto copy =
            std::ranges::find(x_.copies_[read], move.from, &ClusterExchange::StateCopy::to);
        move.from = nullptr;
        move.state = narrow(copy->state);
      }
      if (wire.factor != 1 || wire.offset != 0) {
        e_.scales_.push_back({wire.factor, wire.offset});
        move.scale = narrow(e_.scales_.size());
      }
      e_.moves_.push_back(move);
    }
    call.move_count = narrow(e_.moves_.size()) - call.first;
  }

  struct Counts {
    std::uint32_t sets = 0, gets = 0;
  };

  DirectEvaluation& e_;
  const ClusterExchange& x_;
  std::span<const std::size_t> first_state_;
  std::vector<DirectFunctions> functions_;         ///< by member
  std::vector<Counts> counts_;                     ///< by member
  std::vector<bool> is_placed_, has_steps_;        ///< by member
  std::vector<bool> is_direct_;                    ///< by step
  std::vector<std::vector<std::size_t>> last_of_;  ///< by step: members that need no other after it
  bool all_direct_ = false;
  std::unordered_multimap<DirectFunctions::Address, std::uint32_t> numbers_;  ///< of likenesses
};

DirectEvaluation::DirectEvaluation(ClusterExchange& exchange, Members members,
                                   std::span<const std::size_t> first_state, const double& time)
    : exchange_(exchange), members_(members), time_(time) {
  Builder(*this, first_state).build();
}

DirectEvaluation::~DirectEvaluation() {
  for (const auto& member : members_) member->follow_direct_evaluations({});
}

namespace {

template <class F, class... Arguments>
int call_directly(DirectFunctions::Address function, void* component, Arguments... arguments) {
  return reinterpret_cast<F*>(function)(component, arguments...);
}

}  // namespace

inline void DirectEvaluation::move(const Call& call, const double* x) const {
  const Move* const first = moves_.data() + call.first;
  for (const Move* move = first; move != first + call.move_count; ++move) {
    const double value = move->from == nullptr ? x[move->state] : *move->from;
    if (move->scale == 0) [[likely]] {
      *move->to = value;
    } else {
      const auto& [factor, offset] = scales_[move->scale - 1];
      *move->to = factor * value + offset;
    }
  }
}

int DirectEvaluation::run_calls(const Call*& call, const Point& point, double* dx) {
  using Functions = DirectFunctions;
  const Call* const end = calls_.data() + calls_.size();
  const Likeness* const likenesses = likenesses_.data();
  const double* const x = point.x.data();
  const Call* c = call;
  int result = 0;
  try {
    for (; c != end; ++c) {
      const Likeness& like = likenesses[c->likeness];
      const ValueReference* const references = like.references.data();
      const std::size_t count = like.references.size();
      void* const of = c->component;
      const double* const inputs = c->values;
      switch (like.kind) {
        case Kind::set_time:
          if (!point.time_is_new) continue;
          result = call_directly<Functions::SetTime>(like.function, of, point.t);
          break;
        case Kind::set_states:
          if (!point.states_are_new) continue;
          result = call_directly<Functions::SetStates>(like.function, of, x + c->first,
                                                       like.value_count);
          break;
        case Kind::set:
          move(*c, x);
          result = call_directly<Functions::Set>(like.function, of, references, count, inputs);
          break;
        case Kind::set3:
          move(*c, x);
          result = call_directly<Functions::Set3>(like.function, of, references, count, inputs,
                                                  like.value_count);
          break;
        case Kind::get:
          result = call_directly<Functions::Get>(like.function, of, references, count, c->values);
          break;
        case Kind::get3:
          result = call_directly<Functions::Get3>(like.function, of, references, count, c->values,
                                                  like.value_count);
          break;
        case Kind::derivatives:
          if (dx == nullptr) continue;
          result = call_directly<Functions::GetDerivatives>(like.function, of, dx + c->first,
                                                            like.value_count);
          break;
        case Kind::step:
          call = c;
          return fmi::status::ok;
      }
      if (result != fmi::status::ok) [[unlikely]]
        break;
    }
  } catch (...) {  // FMUs written in C++ may let an exception escape, which FMI does not allow
    thrown_ = std::current_exception();
    result = fmi::status::fatal;
  }
  call = c;
  return result;
}

bool DirectEvaluation::run(const Point& point, std::span<double> dx) {
  if (is_corrupted()) return false;
  const Call* call = calls_.data();
  const Call* const end = call + calls_.size();
  try {
    for (;; ++call) {
      const int result = run_calls(call, point, dx.empty() ? nullptr : dx.data());
      if (call == end) break;
      if (kind_of(*call) == Kind::step)
        exchange_.perform(exchange_.steps_[call->member], point.x);
      else
        judge(*call, result);
    }
  } catch (...) {
    if (!float_control_.holds_exactly()) float_control_.restore();
    count_calls(call, !dx.empty());
    throw;
  }
  ++evaluations_;
  if (!dx.empty()) ++derivatives_;
  if (float_control_.holds(evaluations_)) [[likely]]
    return true;
  float_control_.restore();
  return false;
}

bool DirectEvaluation::is_corrupted() const {
  return std::ranges::any_of(
      corrupted_, [](const auto* flag) { return flag->load(std::memory_order_relaxed); });
}

namespace {

DirectFunctions::Call call_of(DirectEvaluation::Kind kind) {
  using Kind = DirectEvaluation::Kind;
  switch (kind) {
    case Kind::set_time:
      return DirectFunctions::Call::set_time;
    case Kind::set_states:
      return DirectFunctions::Call::set_states;
    case Kind::set:
    case Kind::set3:
      return DirectFunctions::Call::set;
    case Kind::get:
    case Kind::get3:
      return DirectFunctions::Call::get;
    default:
      return DirectFunctions::Call::derivatives;
  }
}

}  // namespace

void DirectEvaluation::judge(const Call& call, int result) {
  members_[call.member]->judge_direct_call(call_of(kind_of(call)), result,
                                           std::exchange(thrown_, nullptr));
}

/// Up to and including the one that failed: the evaluation is not counted.
void DirectEvaluation::count_calls(const Call* failed, bool with_derivatives) {
  for (const Call* call = calls_.data(); call <= failed; ++call) {
    const Kind kind = kind_of(*call);
    if (kind == Kind::step || (kind == Kind::derivatives && !with_derivatives)) continue;
    members_[call->member]->count_direct_call(call_of(kind));
  }
}

}  // namespace tutti::models
