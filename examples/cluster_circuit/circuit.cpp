// SPDX-License-Identifier: BSD-2-Clause
// A lamp behind a rectifier: source, diode, capacitor, filament.
#include <cmath>
#include <numbers>

#include "models/example_model.hpp"

/// Integrates the charging of the capacitor, with a time constant of 1 ms, to 1e-8.
constexpr double internal_step = 1e-5;

/// i = saturation (exp(u/thermal) - 1); beyond the limit it continues as a straight line, so that
/// no iterate overflows.
struct Diode {
  static constexpr double saturation = 1e-9, thermal = 0.05, limit = 40;  // A, V
  static double current(double u) {
    const double q = u / thermal;
    const double e = std::exp(std::fmin(q, limit));
    return saturation * (e * (1 + std::fmax(q - limit, 0)) - 1);
  }
  static double conductance(double u) {
    return saturation / thermal * std::exp(std::fmin(u / thermal, limit));
  }
};

struct Data {
  static constexpr double amplitude = 12, frequency = 50;      // V, Hz
  static constexpr double source = 0.5;                        // Ohm
  static constexpr double capacity = 2e-3;                     // F
  static constexpr double cold = 2, slope = 0.0045;            // Ohm, 1/K
  static constexpr double heat = 0.002, to_surrounding = 100;  // J/K, K/W

  static double voltage(double t) {
    return amplitude * std::sin(2 * std::numbers::pi * frequency * t);
  }
  static double resistance(double rise) { return cold * (1 + slope * rise); }
  static double warming(double v, double rise) {
    return (v * v / resistance(rise) - rise / to_surrounding) / heat;
  }
};

/// in i, out u
class Source final : public fmukit::Model {
 public:
  double i = 0, u = 0;
  static void describe(fmukit::Description<Source>& d) {
    d.text("Voltage source with a resistance").default_experiment({.stop = 0.5, .step = 1e-3});
    d.input("i", &Source::i).unit("A");
    d.output("u", &Source::u).unit("V").depends_on({"i", "time"});
  }
  void outputs() override { u = Data::voltage(time) - Data::source * i; }
  void partials(fmukit::Partials& p) override { p(u, i) = -Data::source; }
};

/// in the voltages of anode and cathode, out i
class Rectifier final : public fmukit::Model {
 public:
  double u = 0, v = 0, i = 0;
  static void describe(fmukit::Description<Rectifier>& d) {
    d.text("Diode").default_experiment({.stop = 0.5, .step = 1e-3});
    d.input("u", &Rectifier::u).unit("V");
    d.input("v", &Rectifier::v).unit("V");
    d.output("i", &Rectifier::i).unit("A").depends_on({"u", "v"});
  }
  void outputs() override { i = Diode::current(u - v); }
  void partials(fmukit::Partials& p) override {
    p(i, u) = Diode::conductance(u - v);
    p(i, v) = -Diode::conductance(u - v);
  }
};

/// in i and the resistance of the load, out v
class Capacitor final : public fmukit::Model {
 public:
  double i = 0, r = Data::cold, v = 0, dv = 0;
  static void describe(fmukit::Description<Capacitor>& d) {
    d.text("Capacitor with a load").default_experiment({.stop = 0.5, .step = 1e-3});
    d.internal_step(internal_step);
    d.input("i", &Capacitor::i).unit("A");
    d.input("r", &Capacitor::r).unit("Ohm").min(0.1);
    d.output("v", &Capacitor::v).unit("V").nominal(10).depends_on({"v"});
    d.local("der(v)", &Capacitor::dv).derivative_of("v").unit("V/s").depends_on({"v", "i", "r"});
  }
  void derivatives() override { dv = (i - v / r) / Data::capacity; }
  void partials(fmukit::Partials& p) override {
    p(v, v) = 1;
    p(dv, v) = -1 / (r * Data::capacity);
    p(dv, i) = 1 / Data::capacity;
    p(dv, r) = v / (r * r * Data::capacity);
  }
};

/// in v, out its resistance, which grows with the temperature
class Lamp final : public fmukit::Model {
 public:
  double v = 0, rise = 0, drise = 0, r = Data::cold;
  static void describe(fmukit::Description<Lamp>& d) {
    d.text("Filament of a lamp").default_experiment({.stop = 0.5, .step = 1e-3});
    d.internal_step(1e-4);
    d.input("v", &Lamp::v).unit("V");
    d.output("r", &Lamp::r).unit("Ohm").depends_on({"rise"});
    d.output("rise", &Lamp::rise)
        .text("of the temperature")
        .unit("K")
        .relative()
        .nominal(1000)
        .depends_on({"rise"});
    d.local("der(rise)", &Lamp::drise).derivative_of("rise").depends_on({"rise", "v"});
  }
  void derivatives() override {
    r = Data::resistance(rise);
    drise = Data::warming(v, rise);
  }
  void partials(fmukit::Partials& p) override {
    const double dr = Data::cold * Data::slope;
    p(r, rise) = dr;
    p(rise, rise) = 1;
    p(drise, v) = 2 * v / (r * Data::heat);
    p(drise, rise) = (-v * v / (r * r) * dr - 1 / Data::to_surrounding) / Data::heat;
  }
};

/// The whole, with the current of the diode by Newton's method.
class Reference final : public fmukit::Model {
 public:
  double i = 0, v = 0, dv = 0, rise = 0, drise = 0;
  static void describe(fmukit::Description<Reference>& d) {
    d.text("Lamp behind a rectifier, not taken apart")
        .default_experiment({.stop = 0.5, .step = 1e-3});
    d.internal_step(internal_step);
    d.output("capacitor.v", &Reference::v).unit("V").nominal(10);
    d.output("lamp.rise", &Reference::rise).unit("K").relative().nominal(1000);
    d.local("der(capacitor.v)", &Reference::dv).derivative_of("capacitor.v").unit("V/s");
    d.local("der(lamp.rise)", &Reference::drise).derivative_of("lamp.rise");
    d.local("i", &Reference::i).unit("A");
  }
  void derivatives() override {
    i = Diode::current(diode_voltage(Data::voltage(time) - v));
    dv = (i - v / Data::resistance(rise)) / Data::capacity;
    drise = Data::warming(v, rise);
  }

 private:
  /// u + source current(u) = e. The left side is convex and rises, so iterates that start above the
  /// solution fall to it.
  static double diode_voltage(double e) {
    double u =
        e <= 0 ? e
               : std::fmin(e, Diode::thermal * std::log1p(e / (Data::source * Diode::saturation)));
    for (int k = 0; k < 100; ++k) {
      const double change =
          (u + Data::source * Diode::current(u) - e) / (1 + Data::source * Diode::conductance(u));
      u -= change;
      if (std::abs(change) < 1e-15 * (1 + std::abs(u))) break;
    }
    return u;
  }
};

EXAMPLE_MODEL(Source)
EXAMPLE_MODEL(Rectifier)
EXAMPLE_MODEL(Capacitor)
EXAMPLE_MODEL(Lamp)
EXAMPLE_MODEL(Reference)
