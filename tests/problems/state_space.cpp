// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

#include <algorithm>

/// x' = A x + B u, y = C x + D u with n states, m inputs and r outputs, all of them structural
/// parameters. STATE_SPACE_BARE: it cannot be copied, so the FMU has neither states to save nor
/// directional derivatives.
class StateSpace final : public fmukit::Model {
 public:
  std::uint64_t m = 3, n = 3, r = 3;
  std::vector<double> A{1, 0, 0, 0, 1, 0, 0, 0, 1}, B = A, C = A, D = A;
  std::vector<double> x0{0, 0, 0}, u{1, 2, 3}, y{0, 0, 0}, x{0, 0, 0}, dx{0, 0, 0};

#ifdef STATE_SPACE_BARE
  StateSpace() = default;
  StateSpace(const StateSpace&) = delete;
  StateSpace& operator=(const StateSpace&) = delete;
#endif

  static void describe(fmukit::Description<StateSpace>& d) {
    using S = StateSpace;
    d.text("A linear system of any size").default_experiment({.start = 0, .stop = 10, .step = 1});
    d.internal_step(0.01);
    d.structural_parameter("m", &S::m).text("number of inputs").tunable();
    d.structural_parameter("n", &S::n).text("number of states").tunable();
    d.structural_parameter("r", &S::r).text("number of outputs").tunable();
    d.parameter("A", &S::A).text("from states to derivatives").size({"n", "n"}).tunable();
    d.parameter("B", &S::B).text("from inputs to derivatives").size({"n", "m"}).tunable();
    d.parameter("C", &S::C).text("from states to outputs").size({"r", "n"}).tunable();
    d.parameter("D", &S::D).text("from inputs to outputs").size({"r", "m"}).tunable();
    d.parameter("x0", &S::x0).text("states at the start").size({"n"});
    d.input("u", &S::u).size({"m"});
    d.output("y", &S::y).size({"r"}).depends_on({"x", "u", "C", "D"});
    d.local("x", &S::x).size({"n"}).calculated();
    d.local("der(x)", &S::dx).size({"n"}).derivative_of("x").depends_on({"x", "u", "A", "B"});
  }

  /// New elements are zero: a matrix that no longer has its old shape has lost its meaning.
  void structure_changed() override {
    for (std::vector<double>* v : {&A, &B, &C, &D, &x0, &u, &x}) std::fill(v->begin(), v->end(), 0);
  }
  void initialize() override { x = x0; }
  void derivatives() override { multiply(A, B, dx); }
  void outputs() override { multiply(C, D, y); }

 private:
  /// result = P x + Q u
  void multiply(const std::vector<double>& P, const std::vector<double>& Q,
                std::vector<double>& result) const {
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i] = 0;
      for (std::size_t k = 0; k < x.size(); ++k) result[i] += P[i * x.size() + k] * x[k];
      for (std::size_t k = 0; k < u.size(); ++k) result[i] += Q[i * u.size() + k] * u[k];
    }
  }
};

FMUKIT_EXPORT(StateSpace)
