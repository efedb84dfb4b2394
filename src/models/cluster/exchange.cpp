// SPDX-License-Identifier: BSD-2-Clause
#include "models/cluster/exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "models/cluster/call_order.hpp"
#include "system/evaluation_order.hpp"

namespace tutti::models {

using system::EvaluationBlock;
using Node = system::Graph::Node;

/// Makes the steps from the blocks of the evaluation order. Inputs are set as late as possible:
/// many blocks then cost a member one call.
class ClusterExchange::Builder {
 public:
  Builder(ClusterExchange& exchange, const Setup& setup) : x_(exchange), s_(setup) {
    for (const system::Link& link : s_.plan.links)
      links_to_[{link.to.component, link.to.variable}].push_back(&link);
  }

  void build() {
    pending_.resize(s_.cluster.size());
    for (const EvaluationBlock& block : order()) {
      switch (block.kind) {
        case EvaluationBlock::Kind::set:
          for (const Node node : block.variables)
            pending_[point(node).component].insert(point(node).variable);
          break;
        case EvaluationBlock::Kind::get:
          add_get(block.variables);
          break;
        case EvaluationBlock::Kind::solve:
          add_loop(block.variables);
          break;
      }
    }
    for (std::size_t m = 0; m < pending_.size(); ++m) flush(m);
    connect();
    find_last_reads();
  }

 private:
  std::vector<EvaluationBlock> order() const {
    if (!s_.is_continuous) return system::evaluation_order(s_.plan.variables, s_.dependencies);
    CoupledModels models{s_.plan.variables, s_.dependencies, {}};
    std::vector<system::StateNames> states;
    for (const auto& description : s_.cluster.descriptions) states.emplace_back(*description);
    for (Node node = 0; node < s_.plan.variables.size(); ++node)
      models.is_state.push_back(s_.plan.variables[node].is_output &&
                                states[point(node).component](point(node).variable) >= 0);
    return order_of_calls(models);
  }

  struct LoopParts {
    std::vector<std::size_t> reads, writes;
  };

  const system::Point& point(Node node) const { return s_.plan.coupled[node]; }

  void flush(std::size_t member) {
    if (pending_[member].empty()) return;
    x_.steps_.push_back({Kind::write, add_write(member, pending_[member])});
    pending_[member].clear();
  }

  std::size_t add_write(std::size_t member, const std::set<std::int32_t>& variables) {
    const std::vector<std::int32_t> list(variables.begin(), variables.end());
    x_.writes_.push_back(std::make_unique<MemberValues>(member, *s_.cluster.descriptions[member],
                                                        list, s_.cluster.structures[member]));
    return x_.writes_.size() - 1;
  }

  /// @param nodes of the block: of arrays, perhaps only some elements
  std::size_t add_read(std::size_t member, const std::set<std::int32_t>& variables,
                       std::span<const Node> nodes) {
    const std::vector<std::int32_t> list(variables.begin(), variables.end());
    x_.reads_.push_back(std::make_unique<MemberValues>(member, *s_.cluster.descriptions[member],
                                                       list, s_.cluster.structures[member]));
    for (const Node node : nodes)
      if (s_.plan.variables[node].is_output && point(node).component == member)
        read_of_[point(node)] = x_.reads_.size() - 1;
    return x_.reads_.size() - 1;
  }

  void add_get(std::span<const Node> nodes) {
    std::map<std::size_t, std::set<std::int32_t>> by_member;
    for (const Node node : nodes) by_member[point(node).component].insert(point(node).variable);
    for (const auto& [member, variables] : by_member) {
      flush(member);
      x_.steps_.push_back({Kind::read, add_read(member, variables, nodes)});
    }
  }

  void add_loop(std::span<const Node> nodes) {
    std::map<std::size_t, std::set<std::int32_t>> in, out;
    for (const Node node : nodes)
      (s_.plan.variables[node].is_output ? out : in)[point(node).component].insert(
          point(node).variable);
    std::set<std::size_t> members;
    for (const auto& [member, variables] : in) members.insert(member);
    for (const auto& [member, variables] : out) members.insert(member);
    for (const std::size_t member : members) flush(member);
    LoopParts& parts = loops_.emplace_back();
    for (const auto& [member, variables] : in) parts.writes.push_back(add_write(member, variables));
    for (const auto& [member, variables] : out)
      parts.reads.push_back(add_read(member, variables, nodes));
    x_.members_of_loop_.emplace_back(members.begin(), members.end());
    x_.steps_.push_back({Kind::solve, loops_.size() - 1});
  }

  /// All reads and writes are there, and stay where they are.
  void connect() {
    place_values();
    for (std::size_t w = 0; w < x_.writes_.size(); ++w) add_wires(w);
    x_.wiring_ = std::make_unique<Wiring>(x_.wires_);
    for (LoopParts& parts : loops_) make_loop(parts);
  }

  void place_values() {
    std::vector<MemberValues*> all;
    for (const auto& [kind, index] : x_.steps_)
      if (kind != Kind::solve)
        all.push_back((kind == Kind::read ? x_.reads_ : x_.writes_)[index].get());
    for (const LoopParts& parts : loops_) {
      for (const std::size_t w : parts.writes) all.push_back(x_.writes_[w].get());
      for (const std::size_t r : parts.reads) all.push_back(x_.reads_[r].get());
    }
    std::size_t count = 0;
    for (const MemberValues* const values : all) count += values->values.word_count();
    x_.words_.resize(count);
    std::uint64_t* place = x_.words_.data();
    for (MemberValues* const values : all) {
      values->values.move_words_to(place);
      place += values->values.word_count();
    }
  }

  void find_last_reads() {
    std::vector<bool> is_over(s_.cluster.size());  // by member: a later step calls it
    x_.is_last_.resize(x_.steps_.size());
    for (std::size_t s = x_.steps_.size(); s-- > 0;) {
      const auto& [kind, index] = x_.steps_[s];
      if (kind == Kind::solve) {
        for (const std::size_t member : x_.members_of_loop_[index]) is_over[member] = true;
        continue;
      }
      const auto& values = kind == Kind::read ? x_.reads_[index] : x_.writes_[index];
      x_.is_last_[s] = kind == Kind::read && !is_over[values->member];
      is_over[values->member] = true;
    }
  }

  void add_wires(std::size_t w) {
    MemberValues& write = *x_.writes_[w];
    std::vector<Wiring::Wire>& wires = x_.wires_.emplace_back();
    std::vector<std::size_t>& sources = x_.sources_.emplace_back();
    for (const std::int32_t variable : write.values.variables()) {
      for (const system::Link* const link :
           links_to_.at({static_cast<std::uint32_t>(write.member), variable})) {
        const auto from = read_of_.find(link->from);
        if (from == read_of_.end()) continue;
        MemberValues& read = *x_.reads_[from->second];
        const auto index = [](std::int32_t i) { return static_cast<std::size_t>(i); };
        wires.push_back({.from_set = &read.values,
                         .from = &scalar_at(read.values, link->from),
                         .to_set = &write.values,
                         .to = &scalar_at(write.values, link->to),
                         .factor = link->factor,
                         .offset = link->offset,
                         .map = link->map < 0 ? nullptr : &s_.plan.maps[index(link->map)],
                         .check = link->check < 0 ? nullptr : &s_.plan.checks[index(link->check)],
                         .connection = static_cast<std::int32_t>(link->connection),
                         .from_component = link->from.component});
        sources.push_back(from->second);
      }
    }
    x_.is_partial_.push_back(wires.size() < write.values.scalars().size());
  }

  void make_loop(const LoopParts& parts) {
    std::vector<MemberValues*> reads, writes;
    std::map<const Scalar*, std::size_t> unknown_of;
    for (const std::size_t r : parts.reads) {
      reads.push_back(x_.reads_[r].get());
      for (const Scalar& scalar : reads.back()->values.scalars())
        if (scalar.type == Type::float64 || scalar.type == Type::float32)
          unknown_of.emplace(&scalar, unknown_of.size());
    }
    std::vector<ClusterLoop::Input> inputs;
    for (std::size_t k = 0; k < parts.writes.size(); ++k) {
      const std::size_t w = parts.writes[k];
      writes.push_back(x_.writes_[w].get());
      for (const Wiring::Wire& wire : x_.wires_[w]) {
        const auto unknown = unknown_of.find(wire.from);
        const bool is_real = wire.to->type == Type::float64 || wire.to->type == Type::float32;
        inputs.push_back(
            {k, static_cast<std::size_t>(wire.to - writes.back()->values.scalars().data()),
             unknown == unknown_of.end() || !is_real ? ClusterLoop::no_unknown : unknown->second,
             wire.factor});
      }
    }
    x_.loops_.push_back(std::make_unique<ClusterLoop>(s_.members, std::move(reads),
                                                      std::move(writes), *x_.wiring_, parts.writes,
                                                      std::move(inputs)));
    x_.writes_of_loop_.push_back(parts.writes);
    x_.unknown_count_ += x_.loops_.back()->size();
  }

  ClusterExchange& x_;
  const Setup& s_;
  std::map<std::pair<std::uint32_t, std::int32_t>, std::vector<const system::Link*>> links_to_;
  std::map<system::Point, std::size_t> read_of_;
  std::vector<std::set<std::int32_t>> pending_;  ///< by member: inputs that are to be set
  std::vector<LoopParts> loops_;
};

ClusterExchange::ClusterExchange(const Setup& setup)
    : cluster_(setup.cluster), members_(setup.members) {
  Builder(*this, setup).build();
  for (const auto& write : writes_) before_.push_back(write->values);
}

void ClusterExchange::prepare_partial(std::size_t w) {
  // What no connection in here drives stays as it is.
  if (is_partial_[w]) writes_[w]->values.get_from(*members_[writes_[w]->member]);
}

void ClusterExchange::write(std::size_t w) {
  MemberValues& to = *writes_[w];
  prepare_partial(w);
  wiring_->gather(w);
  to.values.set_to(*members_[to.member]);
}

void ClusterExchange::solve(std::size_t l) {
  for (const std::size_t w : writes_of_loop_[l]) prepare_partial(w);
  if (algebraic_)
    loops_[l]->evaluate();
  else
    loops_[l]->solve();
}

void ClusterExchange::use_states(const std::map<std::int32_t, std::size_t>& state_of) {
  copies_.clear();
  for (const auto& read : reads_) {
    auto& copies = copies_.emplace_back();
    for (const Scalar& scalar : read->values.scalars()) {
      const auto state =
          state_of.find(cluster_.whole(static_cast<std::uint32_t>(read->member), scalar.variable));
      if (state == state_of.end() || scalar.type != Type::float64 || scalar.negated) {
        copies.clear();
        break;
      }
      copies.push_back({reinterpret_cast<double*>(read->values.address(scalar)),
                        read->double_index(scalar),
                        state->second + static_cast<std::size_t>(scalar.element)});
    }
  }
}

void ClusterExchange::perform(const Step& step, std::span<const double> x) {
  const auto& [kind, index] = step;
  switch (kind) {
    case Kind::read:
      if (!x.empty() && !copies_.empty() && !copies_[index].empty())
        for (const StateCopy& copy : copies_[index]) *copy.to = x[copy.state];
      else
        reads_[index]->values.get_from(*members_[reads_[index]->member]);
      break;
    case Kind::write:
      write(index);
      break;
    case Kind::solve:
      solve(index);
      break;
  }
}

void ClusterExchange::run(std::span<const double> x) {
  for (const Step& step : steps_) perform(step, x);
}

bool ClusterExchange::run_and_compare() {
  ValueSet::Values values;
  for (std::size_t w = 0; w < writes_.size(); ++w) {
    writes_[w]->values.save(values);
    before_[w].restore(values);
  }
  run();
  changed_.clear();
  for (std::size_t w = 0; w < writes_.size(); ++w)
    for (const std::size_t scalar : writes_[w]->changes_since(before_[w]))
      changed_.push_back(fmt::format("{}.{}", members_[writes_[w]->member]->name(),
                                     writes_[w]->values.scalars()[scalar].name));
  return !changed_.empty();
}

void ClusterExchange::run_first(const BeforeReading& before,
                                const std::function<bool(std::size_t)>& waits) {
  for (const auto& [kind, index] : steps_) {
    switch (kind) {
      case Kind::read:
        before(reads_[index]->member);
        reads_[index]->values.get_from(*members_[reads_[index]->member]);
        break;
      case Kind::write:
        write(index);
        break;
      case Kind::solve: {
        const auto& members = members_of_loop_[index];
        const bool must_wait = std::ranges::any_of(members, waits);
        for (const std::size_t member : members) before(member);
        for (const std::size_t w : writes_of_loop_[index]) prepare_partial(w);
        loops_[index]->start();
        if (must_wait)
          loops_[index]->pass();
        else
          loops_[index]->solve();
        break;
      }
    }
  }
}

void ClusterExchange::accept() {
  for (const auto& loop : loops_) loop->accept();
}

void ClusterExchange::forget_derivatives() {
  for (const auto& loop : loops_) loop->forget_derivatives();
}

namespace {

/// Calls action(loop, the part of the loop in `values`).
template <class Loops, class Values, class Action>
void for_parts(const Loops& loops, Values values, const Action& action) {
  for (const auto& loop : loops) {
    action(*loop, values.first(loop->size()));
    values = values.subspan(loop->size());
  }
}

}  // namespace

void ClusterExchange::get_unknowns(std::span<double> z) const {
  for_parts(loops_, z, [](const ClusterLoop& loop, std::span<double> part) {
    std::ranges::copy(loop.unknowns(), part.begin());
  });
}

void ClusterExchange::set_unknowns(std::span<const double> z) {
  for_parts(loops_, z,
            [](ClusterLoop& loop, std::span<const double> part) { loop.set_unknowns(part); });
}

void ClusterExchange::get_residuals(std::span<double> r) const {
  for_parts(loops_, r, [](const ClusterLoop& loop, std::span<double> part) {
    std::ranges::copy(loop.residual(), part.begin());
  });
}

void ClusterExchange::get_unknown_nominals(std::span<double> nominals) const {
  for_parts(loops_, nominals, [](const ClusterLoop& loop, std::span<double> part) {
    for (std::size_t k = 0; k < part.size(); ++k) part[k] = loop.nominal(k);
  });
}

std::string ClusterExchange::unknown_name(std::size_t unknown) const {
  for (const auto& loop : loops_) {
    if (unknown < loop->size()) return loop->name(unknown);
    unknown -= loop->size();
  }
  return {};
}

void ClusterExchange::require_doubles() const {
  for (const auto& loop : loops_)
    for (std::size_t k = 0; k < loop->size(); ++k)
      if (!loop->is_double(k))
        throw Error(ErrorCode::capability,
                    fmt::format("loops = \"dae\" needs loops of type Float64; \"{}\" is of type "
                                "Float32",
                                loop->name(k)),
                    {.key = "clusters.loops", .hint = "Use %key% = \"newton\"."});
}

std::vector<system::Point> ClusterExchange::unknown_points() const {
  std::vector<system::Point> points;
  for (const auto& loop : loops_) loop->add_points(points);
  return points;
}

void ClusterExchange::start_from(const ClusterExchange& other) {
  if (unknown_count_ == 0 || other.unknown_count_ == 0) return;
  std::vector<double> theirs(other.unknown_count_), z(unknown_count_);
  other.get_unknowns(theirs);
  get_unknowns(z);
  const auto from = other.unknown_points(), to = unknown_points();
  std::map<system::Point, double> values;
  for (std::size_t k = 0; k < from.size(); ++k) values[from[k]] = theirs[k];
  for (std::size_t k = 0; k < to.size(); ++k)
    if (const auto found = values.find(to[k]); found != values.end()) z[k] = found->second;
  set_unknowns(z);
  accept();
}

void ClusterExchange::gather_tangent(std::size_t w) {
  MemberValues& to = *writes_[w];
  std::ranges::fill(to.tangent, 0.0);
  for (std::size_t k = 0; k < wires_[w].size(); ++k) {
    const Wiring::Wire& wire = wires_[w][k];
    if (wire.from->type != Type::float64 || wire.to->type != Type::float64) continue;
    const MemberValues& from = *reads_[sources_[w][k]];
    const int sign = wire.from->negated != wire.to->negated ? -1 : 1;
    to.tangent[to.double_index(*wire.to)] =
        sign * wire.factor * from.tangent[from.double_index(*wire.from)];
  }
}

void ClusterExchange::differentiate(std::span<MemberTangent> tangents, std::span<const double> dx,
                                    std::span<const double> dz) {
  std::vector<std::size_t> first(loops_.size() + 1);
  for (std::size_t l = 0; l < loops_.size(); ++l) first[l + 1] = first[l] + loops_[l]->size();
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    const auto& [kind, index] = steps_[s];
    switch (kind) {
      case Kind::read: {
        MemberValues& read = *reads_[index];
        if (!dx.empty() && !copies_.empty() && !copies_[index].empty())
          for (const StateCopy& copy : copies_[index]) read.tangent[copy.index] = dx[copy.state];
        else if (!dx.empty() && is_last_[s])
          tangents[read.member].last_outputs(read.references, read.tangent);
        else
          tangents[read.member].outputs(read.references, read.tangent);
        break;
      }
      case Kind::write:
        gather_tangent(index);
        tangents[writes_[index]->member].add(writes_[index]->references, writes_[index]->tangent);
        break;
      case Kind::solve:
        if (algebraic_)
          loops_[index]->differentiate_residual(tangents,
                                                dz.subspan(first[index], loops_[index]->size()));
        else
          loops_[index]->differentiate(tangents);
        break;
    }
  }
}

void ClusterExchange::get_residual_tangent(std::span<double> dr) const {
  for_parts(loops_, dr, [](const ClusterLoop& loop, std::span<double> part) {
    std::ranges::copy(loop.residual_tangent(), part.begin());
  });
}

void ClusterExchange::save(std::vector<double>& into) const {
  for (const auto& loop : loops_) loop->save(into);
}

std::span<const double> ClusterExchange::restore(std::span<const double> from) {
  for (const auto& loop : loops_) from = loop->restore(from);
  return from;
}

}  // namespace tutti::models
