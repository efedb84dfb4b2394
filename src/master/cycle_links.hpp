// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "master/coupled_parts.hpp"
#include "master/input_curves.hpp"
#include "master/wiring.hpp"
#include "models/instance.hpp"

namespace tutti::master {

/// A component of a cycle.
struct CycleMember {
  std::uint32_t component;
  models::Instance* instance;
  std::vector<Wiring::Wire> inside;       ///< into this member, from members
  InputCurves* curves = nullptr;          ///< null: inputs are constant over the step
  const ComponentModel* model = nullptr;  ///< null: no model
};

/// The connections inside a cycle as lists of indices, made once.
struct CycleLinks {
  /// An unknown: a real output of a member...
  struct Source {
    struct Place {
      const std::byte* at;
      bool is_single;
      double read() const {
        return is_single ? static_cast<double>(*reinterpret_cast<const float*>(at))
                         : *reinterpret_cast<const double*>(at);
      }
    } place;
    std::size_t member;
    std::size_t uses;  ///< number of connections: an output that feeds two inputs counts twice
    const models::Scalar* scalar;
    bool is_coarse = false;  ///< the output or an input that it feeds is of single precision
  };
  /// ...and an input that it feeds.
  struct Use {
    std::size_t source;
    models::ValueSet* to_set;
    const models::Scalar* to;
    double factor, offset;
    std::optional<std::size_t> curve;  ///< index among the continuous inputs
  };
  /// A value of another type from one member to another; it belongs to the iterate.
  struct Other {
    Wiring::Wire wire;
    Cell cell{};
    std::string text;
  };

  explicit CycleLinks(std::span<const CycleMember> members);

  std::vector<Source> sources;
  std::vector<std::vector<Use>> uses;             ///< by member
  std::vector<std::vector<std::size_t>> outputs;  ///< sources, by member
  std::vector<Other> others;
  std::vector<std::vector<std::size_t>> others_to, others_from;  ///< by member
  std::vector<std::vector<std::size_t>> readers;                 ///< members, by source
  std::vector<std::vector<std::size_t>> column_groups;  ///< sources without a common reader

 private:
  /// Indices of members and sources in their lists.
  struct Places {
    std::unordered_map<const models::ValueSet*, std::size_t> members;
    std::unordered_map<const std::byte*, std::size_t> sources;
  };
  void add_wire(const Wiring::Wire& wire, std::size_t to, Places& places);
  void group_columns(std::size_t member_count);
};

}  // namespace tutti::master
