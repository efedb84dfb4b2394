// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fmt/format.h>

#include <span>
#include <string>
#include <vector>

#include "base/text.hpp"

namespace tutti::master {

/// Accuracy of a derivative by differences: a gain that is nearer to 1 is indistinguishable from 1.
inline constexpr double precision_of_gains = 1e-8;

/// "the loop a.y, b.y has gain 1: its values are not determined". @param name of an unknown
template <typename Name>
std::string describe_free_loop(std::span<const double> free_direction, const Name& name) {
  std::vector<std::string> free;
  for (std::size_t i = 0; i < free_direction.size(); ++i)
    if (free_direction[i] != 0) free.push_back(name(i));
  return fmt::format("the loop {} has gain 1: its values are not determined", list_some(free));
}

}  // namespace tutti::master
