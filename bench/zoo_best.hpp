// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "zoo/run.hpp"

namespace zoo {

/// The fixed-step method that needs the fewest calls for an error, with the steps span/2^k.
class Best {
 public:
  struct Found {
    std::string way;
    std::uint64_t calls = 0;
  };
  Best(const Runner& runner, const System& system, const Reference& reference, Ability ability)
      : runner_(runner), system_(system), reference_(reference), ability_(ability) {}

  /// Nothing: none reaches it with 2e6 calls. `shift`: accepted shift of event times.
  std::optional<Found> cheapest(double error, double shift);

 private:
  struct Key {
    std::size_t way;
    int halvings;
    double shift;
    auto operator<=>(const Key&) const = default;
  };
  const Run& run(const Key& key);

  const Runner& runner_;
  const System& system_;
  const Reference& reference_;
  Ability ability_;
  std::map<Key, Run> runs_;
};

}  // namespace zoo
