// SPDX-License-Identifier: BSD-2-Clause
#include <cmath>
#include <numbers>

#include "models/example_model.hpp"
#include "models/line_port.hpp"

/// As the figures assume.
constexpr double internal_step = 1e-5;
constexpr double in_the_line = 1;  ///< sign of the pressure: that of the line
/// An ideal gas, J/(kg K), and the density that it has in the line, kg/m3.
constexpr double gas_constant = 287, heat_ratio = 1.4, cp = 1004.5, density = 1.2;
constexpr double resistance = 2e4;  ///< Pa s/m3, of the pipe between volume and port
constexpr double ambient_pressure = 101325, supply_temperature = 433.15;
constexpr double mean_flow = 0.05;     ///< kg/s
constexpr double outlet_slope = 1e-6;  ///< kg/s of the outlet for each Pa above the ambience

/// The steady state of the mean flow.
constexpr double start_q = mean_flow / density;
constexpr double start_p_sink = ambient_pressure + mean_flow / outlet_slope;
constexpr double start_p_port = start_p_sink + resistance * start_q;
constexpr double start_p_source = start_p_port + resistance * start_q;

/// A volume of gas behind a pipe to the port of a line. The flow through the port,
///   q = (p - p_port)/resistance,
/// is positive into the line. With p_port = wave + impedance q the pressure of the port is known
/// only together with the flow; both are linear.
template <class Port>
class Volume : public fmukit::Model {
 public:
  Port port;
  double h_in = cp * supply_temperature, h_out = cp * supply_temperature;
  double q = 0, p_port = start_p_port;
  double p = 0, temperature = supply_temperature, dp = 0, dtemperature = 0;

  template <class M>
  static void describe_volume(fmukit::Description<M>& d) {
    d.default_experiment({.stop = 0.3, .step = 1.2e-4});
    d.internal_step(internal_step);
    d.unit("J/kg", {.m = 2, .s = -2});
    d.unit("K/s", {.s = -1, .K = 1});
    d.unit("Pa/s", {.kg = 1, .m = -1, .s = -3});
    d.unit("m3/s", {.m = 3, .s = -1});
    Port::describe(d, [](M& m) -> Port& { return m.port; }, {{"p_line"}, {"Pa"}, {""}});
    d.input("h_in", &M::h_in).text("specific enthalpy of what flows in").unit("J/kg");
    d.output("q", &M::q).text("volume flow into the line").unit("m3/s");
    d.output("p_port", &M::p_port).unit("Pa");
    d.output("h_out", &M::h_out).unit("J/kg").depends_on({"T"});
    d.output("p", &M::p).unit("Pa").depends_on({"p"});
    d.output("T", &M::temperature).unit("K").depends_on({"T"});
    d.local("der(p)", &M::dp).derivative_of("p").unit("Pa/s");
    d.local("der(T)", &M::dtemperature).derivative_of("T").unit("K/s");
  }
  void outputs() override {
    // effort = offset + slope * flow, from which the port's flow follows.
    const double start = step_start();
    const double offset = port.effort(0, in_the_line, 0, time, start);
    const double slope = port.effort(0, in_the_line, 1, time, start) - offset;
    q = (p - offset) / (resistance + slope);
    p_port = p - resistance * q;
    h_out = cp * temperature;
  }

 protected:
  /// Flow of mass and of mass times temperature into the volume, without those of the port.
  void balance(double volume, double mass, double mass_temperature) {
    outputs();
    const double through_port = density * q;
    mass -= through_port;
    mass_temperature -= through_port * (q > 0 ? temperature : h_in / cp);
    dp = heat_ratio * gas_constant / volume * mass_temperature;
    dtemperature = gas_constant * temperature / (p * volume) *
                   (heat_ratio * mass_temperature - temperature * mass);
  }
};

/// An oscillating flow of hot gas fills the volume.
template <class Port>
class SourceVolume final : public Volume<Port> {
 public:
  double volume = 2e-3, amplitude = 0.02, frequency = 20;
  SourceVolume() {
    this->q = start_q;
    this->p = start_p_source;
    this->port.set_start(0, start_p_port);
  }
  static void describe(fmukit::Description<SourceVolume>& d) {
    d.text("Gas that flows in");
    d.parameter("volume", &SourceVolume::volume).unit("m3").min(1e-9);
    d.unit("kg/s", {.kg = 1, .s = -1});
    d.parameter("amplitude", &SourceVolume::amplitude).unit("kg/s");
    d.parameter("frequency", &SourceVolume::frequency).unit("Hz");
    Volume<Port>::describe_volume(d);
  }
  void derivatives() override {
    const double phase = 2 * std::numbers::pi * frequency * this->time;
    const double mass = mean_flow + amplitude * std::sin(phase);
    this->balance(volume, mass, mass * supply_temperature);
  }
};

/// The volume empties into the ambience.
template <class Port>
class SinkVolume final : public Volume<Port> {
 public:
  double volume = 3e-3;
  SinkVolume() {
    this->q = -start_q;
    this->p = start_p_sink;
    this->port.set_start(0, start_p_port);
  }
  static void describe(fmukit::Description<SinkVolume>& d) {
    d.text("Gas that flows out");
    d.parameter("volume", &SinkVolume::volume).unit("m3").min(1e-9);
    Volume<Port>::describe_volume(d);
  }
  void derivatives() override {
    const double mass = -outlet_slope * (this->p - ambient_pressure);
    this->balance(volume, mass, mass * this->temperature);
  }
};

using Source = SourceVolume<EffortPort<1>>;
using SourceWave = SourceVolume<WavePort<1>>;
using SourceTable = SourceVolume<TablePort<1>>;
using Sink = SinkVolume<EffortPort<1>>;
using SinkWave = SinkVolume<WavePort<1>>;
using SinkTable = SinkVolume<TablePort<1>>;

EXAMPLE_MODEL(Source)
EXAMPLE_MODEL(SourceWave)
EXAMPLE_MODEL(SourceTable)
EXAMPLE_MODEL(Sink)
EXAMPLE_MODEL(SinkWave)
EXAMPLE_MODEL(SinkTable)
