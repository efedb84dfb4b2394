// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "zoo/linear.hpp"
#include "zoo/smooth.hpp"
#include "zoo/switched.hpp"

/// All components of the zoo. Each is an FMU in four classes of ability, and in the references.
namespace zoo {

// Linear, by the numbers of states, inputs and outputs; D: with feed-through.
using Linear111 = Linear<1, 1, 1, false>;
using Linear111D = Linear<1, 1, 1, true>;
using Linear121 = Linear<1, 2, 1, false>;
using Linear211 = Linear<2, 1, 1, false>;
using Linear211D = Linear<2, 1, 1, true>;
using Linear222 = Linear<2, 2, 2, false>;
using Linear222D = Linear<2, 2, 2, true>;
using Gain1 = Gain<1>;
using Gain2 = Gain<2>;
using Activator = Brusselator<true>;
using Inhibitor = Brusselator<false>;

}  // namespace zoo

/// The list in CMakeLists.txt is the same.
// clang-format off
#define ZOO_MODELS(X)                                                                            \
  X(Linear111) X(Linear111D) X(Linear121) X(Linear211) X(Linear211D) X(Linear222) X(Linear222D) \
  X(Gain1) X(Gain2) X(Wave) X(Curve) X(Species) X(Convection) X(Duffing) X(VanDerPol)           \
  X(Activator) X(Inhibitor) X(Nerve) X(Phase) X(Sensor)                                         \
  X(Relay) X(Sampler) X(Ball) X(Counter) X(Logic) X(Heater)
// clang-format on
