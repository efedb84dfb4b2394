// SPDX-License-Identifier: BSD-2-Clause
#include <array>
#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

#include "models/example_model.hpp"

/// Algebraic models for the graphs of initialization: y_j = b + sum of k_ij u_i over the
/// feed-through that the model has. Nothing else is said of them than which output depends on which
/// input.
struct Edge {
  std::size_t input, output;
  double factor = 1;
};

std::string numbered(const char* letter, std::size_t number) {
  std::string name = letter;
  return name += std::to_string(number);
}

template <class Shape>
class Through : public fmukit::Model {
 public:
  double offset = 0;
  std::array<double, Shape::inputs> u{};
  std::array<double, Shape::outputs> y{};

  static void describe(fmukit::Description<Through>& d) {
    d.text("Outputs that depend on some inputs").default_experiment({.stop = 1, .step = 0.1});
    d.parameter("b", &Through::offset);
    for (std::size_t i = 0; i < Shape::inputs; ++i)
      d.input(numbered("u", i + 1), [i](Through& m) -> double& { return m.u[i]; });
    for (std::size_t j = 0; j < Shape::outputs; ++j) {
      std::vector<fmukit::Dependency> knowns;
      for (const Edge& edge : Shape::edges)
        if (edge.output == j + 1) knowns.emplace_back(numbered("u", edge.input));
      d.output(numbered("y", j + 1), [j](Through& m) -> double& {
         return m.y[j];
       }).depends_on(knowns);
    }
  }
  void outputs() override {
    y.fill(offset);
    for (const Edge& edge : Shape::edges) y[edge.output - 1] += edge.factor * u[edge.input - 1];
  }
};

/// y1 <- u2, y2 <- u1
struct CrossShape {
  static constexpr std::size_t inputs = 2, outputs = 2;
  static constexpr Edge edges[] = {{2, 1}, {1, 2}};
};
/// y1 = u1/2 + u2, y2 = u1
struct MixedShape {
  static constexpr std::size_t inputs = 2, outputs = 2;
  static constexpr Edge edges[] = {{1, 1, 0.5}, {2, 1}, {1, 2}};
};
/// y = u
struct OneShape {
  static constexpr std::size_t inputs = 1, outputs = 1;
  static constexpr Edge edges[] = {{1, 1}};
};
/// y1 = b does not depend on u1 and u2: a place where values go, or come from.
struct SinkShape {
  static constexpr std::size_t inputs = 2, outputs = 1;
  static constexpr std::array<Edge, 0> edges{};
};
/// The five models of the academic case.
struct Academic1Shape {
  static constexpr std::size_t inputs = 3, outputs = 4;
  static constexpr Edge edges[] = {{1, 1}, {1, 2}, {2, 3}, {3, 4}};
};
struct Academic2Shape {
  static constexpr std::size_t inputs = 2, outputs = 2;
  static constexpr Edge edges[] = {{1, 1}, {2, 2}};
};
struct Academic3Shape {
  static constexpr std::size_t inputs = 2, outputs = 1;
  static constexpr Edge edges[] = {{1, 1, 0.5}};
};
struct Academic4Shape {
  static constexpr std::size_t inputs = 2, outputs = 1;
  static constexpr Edge edges[] = {{2, 1}};
};
struct Academic5Shape {
  static constexpr std::size_t inputs = 3, outputs = 2;
  static constexpr Edge edges[] = {{1, 1}, {3, 2}};
};

/// What the variables of a system are, for ever.
struct Named {
  const char* name;
  double value;
};
template <class List>
class Values : public fmukit::Model {
 public:
  std::array<double, std::size(List::values)> value{};

  static void describe(fmukit::Description<Values>& d) {
    d.text("The solution");
    for (std::size_t i = 0; i < std::size(List::values); ++i)
      d.output(List::values[i].name, [i](Values& m) -> double& { return m.value[i]; });
  }
  void outputs() override {
    for (std::size_t i = 0; i < value.size(); ++i) value[i] = List::values[i].value;
  }
};
struct LoopList {
  static constexpr Named values[] = {{"m1.y1", 2}, {"m1.y2", 1}, {"m2.y1", 2},
                                     {"m2.y2", 2}, {"m3.y1", 2}, {"m3.y2", 2}};
};
struct GroupingList {
  static constexpr Named values[] = {{"m1.y1", 3}, {"m2.y1", 3}, {"m2.y2", 3}};
};
struct WaitingList {
  static constexpr Named values[] = {{"m1.y1", 1}, {"m2.y1", 1}, {"m2.y2", 2}, {"m3.y1", 2}};
};
struct AcademicList {
  static constexpr Named values[] = {{"m1.y1", 1}, {"m1.y2", 1}, {"m1.y3", 1}, {"m1.y4", 1},
                                     {"m2.y1", 1}, {"m2.y2", 1}, {"m3.y1", 2}, {"m4.y1", 1},
                                     {"m5.y1", 1}, {"m5.y2", 2}};
};

using Cross = Through<CrossShape>;
using Mixed = Through<MixedShape>;
using One = Through<OneShape>;
using Sink = Through<SinkShape>;
using Academic1 = Through<Academic1Shape>;
using Academic2 = Through<Academic2Shape>;
using Academic3 = Through<Academic3Shape>;
using Academic4 = Through<Academic4Shape>;
using Academic5 = Through<Academic5Shape>;
using LoopValues = Values<LoopList>;
using GroupingValues = Values<GroupingList>;
using WaitingValues = Values<WaitingList>;
using AcademicValues = Values<AcademicList>;

EXAMPLE_MODEL(Cross)
EXAMPLE_MODEL(Mixed)
EXAMPLE_MODEL(One)
EXAMPLE_MODEL(Sink)
EXAMPLE_MODEL(Academic1)
EXAMPLE_MODEL(Academic2)
EXAMPLE_MODEL(Academic3)
EXAMPLE_MODEL(Academic4)
EXAMPLE_MODEL(Academic5)
EXAMPLE_MODEL(LoopValues)
EXAMPLE_MODEL(GroupingValues)
EXAMPLE_MODEL(WaitingValues)
EXAMPLE_MODEL(AcademicValues)
