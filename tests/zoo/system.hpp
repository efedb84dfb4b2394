// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

/// The systems of the zoo as data. The runs make FMUs of them, the references equations.
namespace zoo {

struct Part {
  std::string name, model;
  std::vector<std::pair<std::string, double>> set;  ///< parameters and start values
};

/// to = factor * from + offset, both as "part.variable".
struct Wire {
  std::string from, to;
  double factor = 1, offset = 0;
};

/// What drives an input: straight lines between rows; two rows of the same time are a jump.
struct Table {
  std::string to;  ///< "part.variable"
  std::vector<std::pair<double, double>> rows;
};

struct System {
  std::string name;
  double span = 10;  ///< s, from 0
  std::vector<Part> parts;
  std::vector<Wire> wires;
  std::vector<Table> tables = {};
  /// Ratio of the fastest rate of the whole system, or of a part alone, to the slow motion.
  double stiffness = 1;
  bool has_events = false;  ///< or jumps as sharp as events, whose times an error shifts
};

/// All of them, in the order of the tables.
const std::vector<System>& systems();

}  // namespace zoo
