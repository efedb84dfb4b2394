// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tutti/log.hpp>
#include <tutti/system.hpp>
#include <vector>

#include "system/names.hpp"

/// Configuration files of the EAS master (C. Clauß, M. Arnold, T. Schierz, J. Bastian: Master zur
/// Simulatorkopplung via FMI; K. Petridis, C. Clauß: Test of Basic Co-Simulation Algorithms Using
/// FMI).

namespace tutti::formats::eas {

struct Simulator {
  std::string path;
  Place place;
};

/// One end of a coupling variable: `val sim dir type ref`.
struct Edge {
  std::uint32_t value = 0, simulator = 0;
  bool is_output = false;
  char type = 'r';        ///< r, i, b or s
  std::string reference;  ///< a value reference, or the name of a variable
  Place place, reference_place;
};

struct Number {
  double value = 0;
  Place place;
};

/// The content of the file, checked as far as possible without the FMUs.
struct Configuration {
  std::map<std::string, Number, std::less<>> scalars;  ///< by keyword in lower case
  std::vector<Simulator> simulators;
  std::vector<Edge> edges;
  struct Priority {
    std::uint32_t priority = 0;
    Place place;
  };
  std::vector<std::optional<Priority>> priorities;  ///< by simulator; empty: not given
  struct Cycle {
    bool is_cycle = false;
    Place place;
  };
  std::map<std::uint32_t, Cycle> cycles;  ///< by priority
  bool has_cycles = false;
  std::uint32_t value_count = 0;

  std::optional<double> scalar(std::string_view keyword) const;
  const Place& place_of(std::string_view keyword) const;
};

/// @throws Error(usage) with all errors, each with file:line:column
Configuration parse(std::string_view text, const std::string& file);

/// Whether a text starts like such a file.
bool recognizes(std::string_view begin);

/// The cycles of the graph become cycles of the system that call their components in the order of
/// their numbers. Priorities and cycles of the file are compared with the graph.
/// @pre the components of the system are the simulators of the file
void add_order(const Configuration& file, System& system, const Log& log,
               system::Problems& problems);

}  // namespace tutti::formats::eas
