// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

enum class Mode { off = 1, heating };

/// A heated room, C T' = P - (T - T_out) / R, with a switch that has hysteresis: on below
/// set - band, off above set + band. Units with offsets, an enumeration, a tunable and a calculated
/// parameter.
class Thermostat final : public fmukit::Model {
 public:
  double T = 293.15, dT = 0, T_out = 273.15, P = 0;
  double C = 1e5, R = 0.01, P_max = 5000, tau = 0, set = 293.15, band = 1;
  double z_on = 0, z_off = 0;
  Mode mode = Mode::off;

  static void describe(fmukit::Description<Thermostat>& d) {
    using M = Thermostat;
    d.text("A room with a heater that is switched on and off")
        .author("the Tutti contributors")
        .version("1")
        .license("BSD-2-Clause")
        .default_experiment({.start = 0, .stop = 3600, .tolerance = 1e-6, .step = 10});
    d.internal_step(5);
    d.unit("K", {.K = 1}, {{"degC", 1, -273.15}, {"degF", 1.8, -459.67}});
    d.unit("J/K", {.kg = 1, .m = 2, .s = -2, .K = -1});
    d.unit("K/W", {.kg = -1, .m = -2, .s = 3, .K = 1});
    d.enumeration<Mode>("Mode", {{Mode::off, "off"}, {Mode::heating, "heating"}});
    d.output("T", &M::T).text("room").unit("K").display_unit("degC").nominal(300).depends_on({"T"});
    d.local("der(T)", &M::dT).derivative_of("T").unit("K/s");
    d.input("T_out", &M::T_out).text("outside").unit("K").display_unit("degC").min(200).max(400);
    d.output("P", &M::P).text("heater").unit("W").discrete().depends_on({"P_max"});
    d.output("mode", &M::mode).exact();
    d.parameter("C", &M::C).text("heat capacity").unit("J/K").min(1);
    d.parameter("R", &M::R).text("resistance of the walls").unit("K/W").min(1e-6);
    d.parameter("P_max", &M::P_max).unit("W").min(0);
    d.parameter("set", &M::set).text("set point").unit("K").display_unit("degC").tunable();
    d.parameter("band", &M::band).unit("K").display_unit("degC").relative().tunable();
    d.calculated_parameter("tau", &M::tau)
        .text("time constant R C")
        .unit("s")
        .initially_depends_on({"R", "C"});
    d.local("z_on", &M::z_on).unit("K").event_indicator();
    d.local("z_off", &M::z_off).unit("K").event_indicator();
  }

  void initialize() override { tau = R * C; }
  void derivatives() override {
    P = mode == Mode::heating ? P_max : 0;
    dT = (P - (T - T_out) / R) / C;
  }
  void outputs() override {
    z_on = T - (set - band);
    z_off = (set + band) - T;
  }
  void update_discrete_states(fmukit::EventInfo&) override {
    if (T <= set - band) mode = Mode::heating;
    if (T >= set + band) mode = Mode::off;
  }
};

FMUKIT_EXPORT(Thermostat)
