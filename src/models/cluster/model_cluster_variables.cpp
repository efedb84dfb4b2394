// SPDX-License-Identifier: BSD-2-Clause
// The variables of a cluster are those of its members.
#include <algorithm>

#include "base/number_type.hpp"
#include "models/cluster/model_cluster.hpp"

namespace tutti::models {
namespace {

std::size_t storage_of(Type type) {
  if (type == Type::boolean || type == Type::clock) return sizeof(bool);
  if (type == Type::enumeration) return sizeof(std::int64_t);
  return with_number_type(type, []<class Number>(Number) { return sizeof(Number); });
}

}  // namespace

template <class Action>
void ModelCluster::for_members(References references, const Action& action) {
  std::size_t first_value = 0;
  for (std::size_t i = 0; i < references.size();) {
    const std::uint32_t member = origins_[references[i]].member;
    const std::size_t first = i;
    std::size_t values = 0;
    part_.clear();
    for (; i < references.size() && origins_[references[i]].member == member; ++i) {
      part_.push_back(member_references_[references[i]]);
      values += value_counts_[references[i]];
    }
    action(member, references.subspan(first, i - first), first_value, values);
    first_value += values;
  }
}

void ModelCluster::get(Type type, References references, void* values, std::size_t /*count*/) {
  propagate();
  const std::size_t size = storage_of(type);
  for_members(references, [&](std::size_t m, References, std::size_t first, std::size_t count) {
    members_[m]->get(type, part_, static_cast<std::byte*>(values) + first * size, count);
  });
}

bool ModelCluster::may_set(ValueReference reference) const {
  const auto& [m, variable] = origins_[reference];
  return mode_ != Mode::continuous_time || cluster_->descriptions[m]->version == FmiVersion::v1 ||
         moves_inside(*cluster_->descriptions[m], variable);
}

void ModelCluster::set(Type type, References references, const void* values,
                       std::size_t /*count*/) {
  const std::size_t size = storage_of(type);
  const auto* const bytes = static_cast<const std::byte*>(values);
  for_members(references,
              [&](std::size_t m, References wholes, std::size_t first, std::size_t count) {
                // In continuous-time mode, what is not continuous keeps its value until the next
                // event.
                if (std::ranges::all_of(wholes, [&](ValueReference r) { return may_set(r); })) {
                  members_[m]->set(type, part_, bytes + first * size, count);
                  return;
                }
                std::size_t value = first;
                for (const ValueReference whole : wholes) {
                  if (may_set(whole))
                    members_[m]->set(type, {&member_references_[whole], 1}, bytes + value * size,
                                     value_counts_[whole]);
                  value += value_counts_[whole];
                }
              });
  touch();
}

void ModelCluster::get_strings(References references, std::span<std::string> values) {
  propagate();
  for_members(references, [&](std::size_t m, References, std::size_t first, std::size_t count) {
    members_[m]->get_strings(part_, values.subspan(first, count));
  });
}

void ModelCluster::set_strings(References references, std::span<const std::string> values) {
  if (mode_ == Mode::continuous_time) return;
  for_members(references, [&](std::size_t m, References, std::size_t first, std::size_t count) {
    members_[m]->set_strings(part_, values.subspan(first, count));
  });
  touch();
}

void ModelCluster::get_binaries(References references,
                                std::span<std::vector<std::uint8_t>> values) {
  propagate();
  for_members(references, [&](std::size_t m, References, std::size_t first, std::size_t count) {
    members_[m]->get_binaries(part_, values.subspan(first, count));
  });
}

void ModelCluster::set_binaries(References references,
                                std::span<const std::vector<std::uint8_t>> values) {
  if (mode_ == Mode::continuous_time) return;
  for_members(references, [&](std::size_t m, References, std::size_t first, std::size_t count) {
    members_[m]->set_binaries(part_, values.subspan(first, count));
  });
  touch();
}

void ModelCluster::directional_derivative(References unknowns, References knowns,
                                          std::span<const double> seed,
                                          std::span<double> sensitivity) {
  propagate();
  std::vector<double> dx(first_state_.back());
  std::vector<std::size_t> inputs;  // in `knowns`
  std::vector<std::size_t> first_seed;
  std::size_t next = 0;
  for (std::size_t k = 0; k < knowns.size(); ++k) {
    first_seed.push_back(next);
    const std::size_t count = value_counts_[knowns[k]];
    if (const auto state = state_of_.find(knowns[k]); state != state_of_.end())
      std::ranges::copy(seed.subspan(next, count),
                        dx.begin() + static_cast<std::ptrdiff_t>(state->second));
    else
      inputs.push_back(k);
    next += count;
  }
  start_tangents(dx);
  for (const std::size_t k : inputs)
    tangents_[origins_[knowns[k]].member].add(
        {&member_references_[knowns[k]], 1}, seed.subspan(first_seed[k], value_counts_[knowns[k]]));
  {
    const SolvedLoops solved(*this);
    present().differentiate(tangents_, {}, {});
  }
  for_members(unknowns, [&](std::size_t m, References, std::size_t first, std::size_t count) {
    tangents_[m].outputs(part_, sensitivity.subspan(first, count));
  });
}

}  // namespace tutti::models
