// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fmt/format.h>

#include <tutti/simulation.hpp>

#include "base/text.hpp"

/// Common parts of the texts about a run.
namespace tutti::api {

/// `FMI 2.0`, `3 components`.
inline std::string model_kind(const RunStatistics& s) {
  return s.version ? fmt::format("FMI {}", to_string(*s.version))
                   : counted(s.component_count, "component");
}

/// `0.012 s`, `2 min 5 s`, `3 h 20 min`.
inline std::string duration_text(double seconds) {
  constexpr double minute = 60, hour = 3600;
  if (seconds < 10) return fmt::format("{:.2g} s", seconds);
  if (seconds < 2 * minute) return fmt::format("{:.0f} s", seconds);
  const auto whole = static_cast<std::uint64_t>(seconds);
  if (seconds < hour) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

}  // namespace tutti::api
