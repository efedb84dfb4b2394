// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <string>
#include <tutti/linearize.hpp>
#include <vector>

#include "models/instance.hpp"
#include "models/linear_equations.hpp"
#include "session/prepared_system.hpp"

namespace tutti::session {

/// A component of a system that has reached the point.
struct ComponentPoint {
  const PreparedSystem& prepared;
  std::uint32_t component = 0;
  models::Instance& instance;
  double time = 0;
  bool is_start = false;  ///< after initialization, before the first step
  Experiment experiment;  ///< of the run: its start, stop and tolerance
  double step = 0;        ///< of the system
  models::LinearQuestion question;
  std::vector<double> used;  ///< inputs of the last step, with which the outputs were computed
  Log log;
  std::function<void(double t)> sign_of_life;  ///< in steps for a fit

  const std::string& name() const { return prepared.system().components[component].name; }
  const ModelDescription& description() const { return *prepared.models().descriptions[component]; }
  const models::StartValues& start() const { return prepared.start_values(component); }
  models::ValueSet make_set(const std::vector<models::RealElement>& elements) const;
};

struct ComponentModel {
  models::LinearEquations equations;
  std::string source;
  bool has_states = false;  ///< A, B and C are known
  /// Its outputs are functions of the inputs at the point, and can be evaluated with others.
  bool adjusts = false;
};

/// The values of some real scalars, read from the instance.
std::vector<double> read_reals(const ComponentPoint& point,
                               const std::vector<models::RealElement>& elements);

/// Some inputs of the question are tunable parameters.
bool has_parameters(const ComponentPoint& point);

/// Linearizes one component, by the best source that it has: see docs/linearize.md.
/// @throws Error(capability) if D is unknown or the component cannot be described by a finite
/// number of states; Error(numeric) for values that are not finite
ComponentModel linearize_component(const ComponentPoint& point);

}  // namespace tutti::session
