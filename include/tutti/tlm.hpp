// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <tutti/words.hpp>
#include <vector>

/// Couplings over physical delays (transmission line modelling). A line between two ports of
/// components is an ideal lossless line of delay D and characteristic impedance Z: it adds a
/// stiffness Z/D and a mass Z D, and lets both components step asynchronously.
/// docs/algorithms/tlm.md has the equations.
namespace tutti {

/// A place in a file, for messages; line 0: none.
struct Place {
  std::string file;
  std::uint32_t line = 0, column = 0;
};

struct Endpoint {
  std::string component, variable;
  bool operator==(const Endpoint&) const = default;
};

enum class PortDomain : std::uint8_t {
  translational,
  rotational,
  planar,
  electric,
  hydraulic,
  thermofluid
};
constexpr WordList<6> list_words(PortDomain) {
  return {"translational", "rotational", "planar", "electric", "hydraulic", "thermofluid"};
}

/// The form in which the FMU of a port receives effort or wave for a communication step.
enum class PortInput : std::uint8_t {
  automatic,
  constant,       ///< the effort, constant over the step
  slope,          ///< the effort at the start of the step and its slope
  constant_wave,  ///< the wave at the start of the step
  coarse,         ///< the wave at the start of the step and its slope
  table,          ///< the wave as a table over the step
  callback,       ///< inside the step (FMI 3.0 intermediate update)
  equations       ///< in the right-hand side of a model-exchange FMU
};
constexpr WordList<8> list_words(PortInput) {
  return {"auto", "constant", "slope", "constant-wave", "coarse", "table", "callback", "equations"};
}

/// A quantity that the medium of a line carries, such as specific enthalpy: each end sends its
/// value and receives that of the other end, delayed.
struct CarriedQuantity {
  std::string out, in;
  bool operator==(const CarriedQuantity&) const = default;
};

/// Inputs of an FMU that computes effort = wave + impedance * flow itself: by direction.
struct WaveInputs {
  std::vector<std::string> value;
  std::vector<std::string> slope;      ///< of each wave over the step; may be empty
  std::vector<std::string> impedance;  ///< inputs or parameters
  std::vector<std::string> table;      ///< arrays: the wave at several times...
  std::string times;                   ///< ...in this array
  bool operator==(const WaveInputs&) const = default;
};

/// Variables of a component that form one physical interface: effort and flow. Lists have one name
/// for each direction: one, or x, y and angle of a planar port.
struct Port {
  std::string name;
  PortDomain domain = PortDomain::translational;
  std::string terminal;             ///< FMI 3.0: source of omitted roles
  std::vector<std::string> effort;  ///< inputs: force, torque, voltage, pressure
  /// Outputs: velocities in a direction that both ends share; or currents and volume flows out of
  /// the component.
  std::vector<std::string> flow;
  std::vector<std::string> state;  ///< outputs: positions, angles; for information only
  /// The FMU's effort is sign times the force of the line on the component, or times the pressure
  /// or voltage in the line.
  double sign = 1;
  double flow_sign = 1;  ///< the flow is that of the FMU times this
  PortInput input = PortInput::automatic;
  WaveInputs wave;                     ///< instead of `effort`
  std::vector<CarriedQuantity> carry;  ///< thermofluid
  std::optional<double> density;       ///< kg/m3: the FMU's flow is a mass flow
  Place place;
};

/// A port of a component.
struct PortName {
  std::string component, port;
  bool operator==(const PortName&) const = default;
};

/// Computation of the outgoing wave: from the effort that acted in the FMU, or from the delayed
/// wave, independent of the input of the FMU.
enum class WaveRule : std::uint8_t { automatic, exact, consistent };
constexpr WordList<3> list_words(WaveRule) { return {"auto", "exact", "consistent"}; }

/// A transmission line between two ports. Of delay, impedance, stiffness and mass two are given:
/// stiffness = impedance / delay, mass = impedance * delay.
struct TlmLine {
  std::vector<PortName> between;  ///< two
  std::optional<double> delay, impedance, stiffness, mass;
  std::optional<double> rotational_impedance;  ///< planar; 0 leaves the angle free
  double damping = 0;           ///< at least 0, below 1: c(t) = (1-a) w(t-D) + a c(t-1.5 D)
  bool keep_stiffness = false;  ///< the impedance compensates the stiffness lost by damping
  /// At the start; the effort is in the line, by direction. None: those of the FMUs.
  std::vector<double> initial_effort;
  std::vector<double> initial_flow;  ///< of the first port by direction, then of the second
  WaveRule wave = WaveRule::automatic;
  Place place;
};

/// A delayed signal: to(t) = from(t - delay).
struct DelayedSignal {
  Endpoint from, to;
  double delay = 0;
  std::optional<double> initial;  ///< until the delay has passed; the value of `from` at the start
  Place place;
};

/// The rules for lines; omtlm: those of OMTLMSimulator in 2017.
enum class TlmRules : std::uint8_t { tutti, omtlm };
constexpr WordList<2> list_words(TlmRules) { return {"tutti", "omtlm"}; }

}  // namespace tutti
