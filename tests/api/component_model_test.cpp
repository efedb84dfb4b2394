// SPDX-License-Identifier: BSD-2-Clause
// C++ classes as components, as a user of the library writes them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <sstream>
#include <tutti/component_model.hpp>
#include <tutti/results.hpp>
#include <tutti/session.hpp>
#include <tutti/system_check.hpp>
#include <tutti/system_file.hpp>
#include <tutti/system_run.hpp>

#include "api/systems.hpp"
#include "docs/examples/pi_controller.hpp"
#include "support/places.hpp"

namespace tutti::testing::component_model {
namespace {

using ::testing::HasSubstr;

/// x' = u, y = x: exact, as inputs are constant over a step.
class Integrator : public ComponentModel {
 public:
  Integrator() {
    input("u", u_);
    output("y", y_, {.depends_on = std::vector<std::string>{}, .has_start = true});
  }
  void initialize(double) override {}
  void step(double, double h) override { y_ += h * u_; }

 protected:
  double u_ = 0, y_ = 1;
};

class RepeatableIntegrator : public Integrator {
  bool can_roll_back() const override { return true; }
};

/// All types, and what is written of them.
class Everything final : public ComponentModel {
 public:
  Everything() {
    parameter("gain", gain_, {.variability = Variability::tunable});
    parameter("name", name_);
    input("count", count_);
    input("on", on_);
    input("x", x_);
    output("twice", twice_);
    output("off", off_);
    output("text", text_);
    output("z", z_, {.unit = "m", .description = "x times the gain"});
    local("steps", steps_);
  }
  void initialize(double) override { compute(); }
  void step(double, double) override {
    ++steps_;
    compute();
  }

 private:
  void compute() {
    twice_ = 2 * count_;
    off_ = !on_;
    text_ = name_ + (on_ ? " is on" : " is off");
    z_ = gain_ * static_cast<double>(x_);
  }
  double gain_ = 3, z_ = 0;
  float x_ = 0;
  std::int32_t count_ = 0, twice_ = 0;
  bool on_ = false, off_ = false;
  std::string name_ = "it", text_;
  std::uint64_t steps_ = 0;
};

Component fmu_component(const std::string& name, const std::string& model) {
  Component made;
  made.name = name;
  made.fmu = places::fmu_folder() / "2.0" / (model + ".fmu");
  return made;
}

template <class Model>
Component class_component(const std::string& name) {
  Component made;
  made.name = name;
  made.model = [] { return std::make_unique<Model>(); };
  return made;
}

/// x' = v of a component that is given, v' = -x of an FMU.
System half_oscillator(const Component& position) {
  System system;
  system.components = {position, fmu_component("speed", "Feedback")};
  system.components[1].set = {{"a", "0"}, {"x", "0"}};
  system.connections = {{.from = {"speed", "y"}, .to = {"position", "u"}},
                        {.from = {"position", "y"}, .to = {"speed", "u"}, .factor = -1}};
  system.simulation.step = 0.01;
  system.simulation.stop = 1;
  return system;
}

System oscillator_of_fmus() {
  Component position = fmu_component("position", "Feedback");
  position.set = {{"a", "0"}, {"x", "1"}};
  return half_oscillator(position);
}

/// Keeps the columns it gets, which are all floats here.
class Table final : public Observer {
 public:
  void begin(std::span<const Column> columns) override {
    for (const Column& column : columns) names_.push_back(column.name);
  }
  void row(const Row& row) override {
    ++rows;
    last_.clear();
    for (const Cell& cell : row.cells) last_.push_back(cell.real);
  }
  bool rewind(std::uint64_t) override { return false; }
  void finish() override {}
  double last(const std::string& name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    EXPECT_NE(found, names_.end()) << name;
    return last_.at(static_cast<std::size_t>(found - names_.begin()));
  }
  std::size_t rows = 0;

 private:
  std::vector<std::string> names_;
  std::vector<double> last_;
};

Table results_of(const System& system, RunReport* report = nullptr) {
  Table table;
  const RunReport ended = run(system, {}, &table, Log());
  if (report != nullptr) *report = ended;
  return table;
}

template <class Model>
std::string refusal_of_class() {
  System system;
  system.components = {class_component<Model>("wrong")};
  system.simulation.stop = 1;
  return refusal_of([&] { Session session(system); });
}

// Both integrate a constant over each step, so only rounding errors tell them apart.
TEST(ComponentModel, IsCoupledLikeAnFmu) {
  for (const char* method : {"gauss-seidel", "jacobi"}) {
    System ours = half_oscillator(class_component<Integrator>("position"));
    System fmus = oscillator_of_fmus();
    ours.simulation.methods = fmus.simulation.methods = {method};
    const Table a = results_of(ours), b = results_of(fmus);
    ASSERT_EQ(a.rows, 101u);
    EXPECT_NEAR(a.last("position.y"), b.last("position.y"), 1e-12);
    EXPECT_NEAR(a.last("speed.y"), b.last("speed.y"), 1e-12);
  }
}

// 1e-9: the iterations end within their tolerance, which is reached in one Newton step here.
TEST(ComponentModel, RepeatsItsStepsInIterations) {
  System ours = half_oscillator(class_component<RepeatableIntegrator>("position"));
  System fmus = oscillator_of_fmus();
  ours.simulation.methods = fmus.simulation.methods = {"newton"};
  RunReport report;
  const Table a = results_of(ours, &report), b = results_of(fmus);
  EXPECT_NEAR(a.last("position.y"), b.last("position.y"), 1e-9);
  ASSERT_EQ(report.statistics.components.size(), 2u);
  EXPECT_GT(report.statistics.components[0].set_state, 0u);
}

TEST(ComponentModel, ThatCannotRollBackIsRefusedWhereStepsAreRepeated) {
  System system = half_oscillator(class_component<Integrator>("position"));
  system.simulation.methods = {"newton"};
  const std::string refusal = refusal_of([&] { Session session(system); });
  EXPECT_THAT(refusal, HasSubstr("component \"position\" (C++ class): method \"newton\" repeats"));
  EXPECT_THAT(refusal, HasSubstr("can_roll_back() is false"));
}

TEST(ComponentModel, IsSteppedByErrorControl) {
  System ours = half_oscillator(class_component<RepeatableIntegrator>("position"));
  ours.simulation.control.name = "richardson";
  ours.simulation.control.rtol = ours.simulation.control.atol = 1e-5;
  EXPECT_NEAR(results_of(ours).last("position.y"), std::cos(1.0), 1e-2);
}

TEST(ComponentModel, TakesPartInWhatAutoChooses) {
  System system = half_oscillator(class_component<RepeatableIntegrator>("position"));
  system.simulation.methods = {"auto"};
  RunReport report;
  const Table table = results_of(system, &report);
  EXPECT_EQ(report.end.kind, RunEnd::Kind::completed);
  EXPECT_NEAR(table.last("position.y"), std::cos(1.0), 0.05);
}

TEST(ComponentModel, HoldsTheStateOfASession) {
  Session session(half_oscillator(class_component<RepeatableIntegrator>("position")));
  const Handle y = session.find("position.y");
  session.initialize();
  session.advance_to(0.5);
  const double at_half = session.get(y);
  const SessionState half = session.save();
  session.advance_to(1);
  const double first = session.get(y);
  session.restore(half);
  EXPECT_EQ(session.get(y), at_half);
  session.advance_to(1);
  EXPECT_EQ(session.get(y), first);  // bit for bit
}

TEST(ComponentModel, WhoseStateCannotBeSavedIsNamed) {
  Session session(half_oscillator(class_component<Integrator>("position")));
  session.initialize();
  EXPECT_THAT(refusal_of([&] { session.save(); }), HasSubstr("position cannot save"));
}

TEST(ComponentModel, HasVariablesOfAllTypes) {
  System system;
  system.components = {class_component<Everything>("e")};
  system.components[0].set = {{"name", "lamp"}, {"count", "21"}, {"x", "0.5"}};
  system.simulation.stop = 1;
  system.simulation.step = 0.1;
  Session session(system);
  const Handle z = session.find("e.z"), steps = session.find("e.steps");
  EXPECT_EQ(session.info(z).unit, "m");
  EXPECT_EQ(session.info(session.find("e.twice")).type, Type::int32);
  EXPECT_EQ(session.info(steps).type, Type::uint64);
  session.initialize();
  EXPECT_EQ(session.get(z), 1.5);
  EXPECT_EQ(std::get<std::int64_t>(session.value(session.find("e.twice"))), 42);
  EXPECT_EQ(std::get<std::string>(session.value(session.find("e.text"))), "lamp is off");
  session.set(session.find("e.gain"), 4.0);
  session.set(session.find("e.on"), true);
  session.step();
  EXPECT_EQ(session.get(z), 2);
  EXPECT_EQ(session.get(steps), 1);
  EXPECT_EQ(std::get<std::string>(session.value(session.find("e.text"))), "lamp is on");
  EXPECT_FALSE(std::get<bool>(session.value(session.find("e.off"))));
  EXPECT_THAT(refusal_of([&] { session.set(session.find("e.name"), std::string("x")); }),
              HasSubstr("e.name"));
}

/// y = k u + b at once.
class Line final : public ComponentModel {
 public:
  Line() {
    parameter("k", k_);
    parameter("b", b_);
    input("u", u_);
    output("y", y_);
  }
  void initialize(double) override { y_ = k_ * u_ + b_; }
  void step(double, double) override { y_ = k_ * u_ + b_; }
  bool can_roll_back() const override { return true; }

 private:
  double k_ = 0.5, b_ = 1, u_ = 0, y_ = 0;
};

// y = 0.5 z + 1, z = -2 y: y = 0.5, z = -1.
TEST(ComponentModel, IsPartOfAlgebraicLoops) {
  System system;
  system.components = {class_component<Line>("line"), fmu_component("gain", "Gain")};
  system.components[1].set = {{"k", "-2"}, {"b", "0"}};
  system.connections = {{.from = {"line", "y"}, .to = {"gain", "u"}},
                        {.from = {"gain", "y"}, .to = {"line", "u"}}};
  system.simulation.methods = {"newton"};
  system.simulation.step = 0.1;
  system.simulation.stop = 1;
  Session session(system);
  const Handle y = session.find("line.y");
  session.initialize();
  EXPECT_NEAR(session.get(y), 0.5, 1e-9);
  session.advance_to(1);
  EXPECT_NEAR(session.get(y), 0.5, 1e-5);  // tolerance.abs = 1e-6
}

class Failing final : public ComponentModel {
 public:
  Failing() { output("y", y_); }
  void initialize(double) override {}
  void step(double t, double) override {
    if (t > 0.45) throw std::runtime_error("the sensor is broken");
  }

 private:
  double y_ = 0;
};

System failing_system() {
  System system;
  system.components = {class_component<Failing>("sensor"), fmu_component("other", "Feedback")};
  system.simulation.step = 0.1;
  system.simulation.stop = 1;
  return system;
}

TEST(ComponentModel, ThatThrowsIsNamedWithItsTime) {
  Session session(failing_system());
  session.initialize();
  try {
    session.advance_to(1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("component \"sensor\": step() failed: the sensor is broken"));
    EXPECT_EQ(error.details().component, "sensor");
    EXPECT_NEAR(error.details().time.value_or(0), 0.5, 1e-12);
  }
  EXPECT_NEAR(session.time(), 0.5, 1e-12);
  RunReport report;
  const Table table = results_of(failing_system(), &report);
  EXPECT_EQ(report.end.kind, RunEnd::Kind::failed);
  EXPECT_THAT(report.end.error->what(), HasSubstr("the sensor is broken"));
  EXPECT_EQ(table.rows, 6u);  // what was before it is there
}

class Counter final : public ComponentModel {
 public:
  explicit Counter(int& calls) : calls_(calls) { output("y", y_); }
  void initialize(double) override {}
  void step(double, double) override { y_ = ++calls_; }

 private:
  int& calls_;
  double y_ = 0;
};

TEST(ComponentModel, RunsInTheProcessOfTheCaller) {
  int calls = 0;
  System system;
  system.components.emplace_back();
  system.components[0].name = "counter";
  system.components[0].model = [&] { return std::make_unique<Counter>(calls); };
  system.simulation.step = 0.1;
  system.simulation.stop = 1;
  const SystemRunOptions options;
  EXPECT_TRUE(options.own_process);
  EXPECT_EQ(run(system, options, nullptr, Log()).end.kind, RunEnd::Kind::completed);
  EXPECT_EQ(calls, 10);
  system.components[0].step = 0.05;  // two of its steps for one of the system
  run(system, options, nullptr, Log());
  EXPECT_EQ(calls, 30);
}

class Twice : public Integrator {
 public:
  Twice() { local("y", y_); }
};
class Nameless : public Integrator {
 public:
  Nameless() { output("", y_); }
};
class DependsOnNothingKnown : public Integrator {
 public:
  DependsOnNothingKnown() { output("z", z_, {.depends_on = {{"v"}}}); }

 private:
  double z_ = 0;
};
class DependsOnItself : public Integrator {
 public:
  DependsOnItself() { output("z", z_, {.depends_on = {{"y"}}}); }

 private:
  double z_ = 0;
};
class ContinuousCount : public Integrator {
 public:
  ContinuousCount() { input("n", n_, {.variability = Variability::continuous}); }

 private:
  std::int32_t n_ = 0;
};
class ContinuousParameter : public Integrator {
 public:
  ContinuousParameter() { parameter("p", p_, {.variability = Variability::continuous}); }

 private:
  double p_ = 0;
};
class NeverConstructed : public Integrator {
 public:
  NeverConstructed() { throw std::runtime_error("no such device"); }
};

TEST(ComponentModel, IsRefusedWhereItsDeclarationsMakeNoSense) {
  EXPECT_THAT(refusal_of_class<Twice>(),
              HasSubstr("component \"wrong\": variable \"y\": it is declared twice"));
  EXPECT_THAT(refusal_of_class<Nameless>(), HasSubstr("variable 3 has no name"));
  EXPECT_THAT(refusal_of_class<DependsOnNothingKnown>(),
              HasSubstr("variable \"z\": depends_on names \"v\", which is not declared"));
  EXPECT_THAT(refusal_of_class<DependsOnItself>(),
              HasSubstr("depends_on names \"y\", which is not an input"));
  EXPECT_THAT(refusal_of_class<ContinuousCount>(),
              HasSubstr("variable \"n\": Int32 is not a type of continuous variables"));
  EXPECT_THAT(refusal_of_class<ContinuousParameter>(),
              HasSubstr("variable \"p\": a parameter is fixed or tunable, not continuous"));
  EXPECT_THAT(refusal_of_class<NeverConstructed>(),
              HasSubstr("the C++ class cannot be constructed: no such device"));
}

TEST(ComponentModel, IsRefusedWhereThereIsNoObjectOrAnFmuToo) {
  System system = half_oscillator(class_component<Integrator>("position"));
  system.components[0].fmu = "x.fmu";
  EXPECT_THAT(refusal_of([&] { Session session(system); }),
              HasSubstr("it is both an FMU (x.fmu) and a C++ class"));
  system.components[0].fmu.clear();
  system.components[0].model = [] { return std::unique_ptr<ComponentModel>(); };
  EXPECT_THAT(refusal_of([&] { Session session(system); }), HasSubstr("returned no object"));
  system.components[0] = class_component<Integrator>("position");
  system.components[0].as = FmuKind::model_exchange;
  EXPECT_THAT(refusal_of([&] { Session session(system); }),
              HasSubstr("component \"position\" (C++ class) has no model-exchange interface"));
  system.components[0].as = FmuKind::automatic;
  system.components[0].set = {{"z", "1"}};
  EXPECT_THAT(refusal_of([&] { Session session(system); }),
              HasSubstr("there is no variable \"z\""));
}

TEST(ComponentModel, CannotBeWrittenToSystemFiles) {
  const System system = half_oscillator(class_component<Integrator>("position"));
  for (const char* file : {"s.toml", "s.ssp"})
    EXPECT_THAT(
        refusal_of([&] { write_system(system, std::filesystem::temp_directory_path() / file); }),
        HasSubstr("component \"position\" is a C++ class, which system files cannot contain"));
}

TEST(ComponentModel, IsCheckedAndShownWithTheSystem) {
  const System system = half_oscillator(class_component<Integrator>("position"));
  const SystemReport report = check_system(system, {});
  EXPECT_TRUE(report.errors.empty());
  EXPECT_EQ(report.cycles, 1u);
}

std::string text_of_file(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// x' = -x + u with u = kp (w - x) + ki s, s' = w - x: at rest x = w and s = w / ki.
TEST(ComponentModel, OfTheDocumentationControlsAPlant) {
  System system;
  system.components = {class_component<PiController>("controller"),
                       fmu_component("plant", "Feedback")};
  system.components[0].set = {{"kp", "2"}, {"ki", "1.5"}, {"w", "1"}};
  system.components[1].set = {{"x", "0"}};
  system.connections = {{.from = {"controller", "u"}, .to = {"plant", "u"}},
                        {.from = {"plant", "y"}, .to = {"controller", "y"}}};
  system.simulation.step = 0.01;
  system.simulation.stop = 40;
  Session session(system);
  const Handle y = session.find("plant.y"), w = session.find("controller.w");
  session.initialize();
  session.advance_to(20);
  EXPECT_NEAR(session.get(y), 1, 1e-4);  // the slowest rate is 0.63/s
  session.set(w, 2.0);
  session.advance_to(40);
  EXPECT_NEAR(session.get(y), 2, 1e-4);
}

TEST(ComponentModel, OfTheDocumentationIsThatOfThePage) {
  const std::filesystem::path docs = places::source_folder() / "docs";
  EXPECT_THAT(text_of_file(docs / "extend.md"),
              HasSubstr(text_of_file(docs / "examples/pi_controller.hpp")));
}

}  // namespace
}  // namespace tutti::testing::component_model
