// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/log.hpp>
#include <tutti/system_run.hpp>

#include "master/island.hpp"
#include "session/component_models.hpp"

namespace tutti::session {

/// Errors of steps add up to something like the tolerance, if each is this part of it.
constexpr double of_steps = 0.3;

bool is_automatic(const System& system);

/// What method = "auto" stands for.
struct AutomaticCoupling {
  System system;                        ///< as if somebody had chosen all that
  std::string text;                     ///< for people
  std::vector<master::Coupling> safer;  ///< what to turn to if it fails
  std::vector<double> rates;            ///< see master::CoupledParts
  std::vector<bool> are_static;         ///< the same
  KnownModels models;                   ///< the same
};

/// Takes the advice of advise() for each cycle that has no method of its own, with error-controlled
/// steps to simulation.tolerance, and tells what it took and why.
/// @pre is_automatic(system). @throws Error as advise() does
AutomaticCoupling choose_coupling(const System& system, const SystemRunOptions& options,
                                  const Log& log);

}  // namespace tutti::session
