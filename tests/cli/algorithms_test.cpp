// SPDX-License-Identifier: BSD-2-Clause
// What docs/algorithms says of the methods, held against the systems of docs/examples.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/command.hpp"
#include "support/places.hpp"

namespace tutti::testing {
namespace {

class Algorithms : public ::testing::Test {
 protected:
  Algorithms() {
    namespace fs = std::filesystem;
    fs::create_directory(place_.path() / "build");
    fs::create_directory_symlink(tutti::places::fmu_folder(), place_.path() / "build/fmus");
    for (const char* system : {"oscillator.toml", "feedback.toml"})
      fs::copy(tutti::places::source_folder() / "docs/examples" / system, place_.path());
  }
  /// Runs a system of docs/examples with settings; the last row of the results, by column.
  std::map<std::string, double> run(const std::string& system,
                                    const std::vector<std::string>& settings) {
    std::vector<std::string> arguments = {"run", system, "-o", "r.csv", "--json"};
    for (const std::string& setting : settings) {
      arguments.emplace_back("--set");
      arguments.push_back(setting);
    }
    answer_ = place_.tutti(arguments);
    EXPECT_EQ(answer_.status, 0) << answer_.err;
    std::map<std::string, double> last;
    if (answer_.status != 0) return last;
    const auto rows = csv_rows(place_.read("r.csv"));
    for (std::size_t i = 0; i < rows[0].size(); ++i) last[rows[0][i]] = std::stod(rows.back()[i]);
    return last;
  }
  /// p + i v of the oscillator at t = 10, after n steps.
  std::complex<double> oscillator(const std::string& method, int n,
                                  std::vector<std::string> settings = {}) {
    settings.push_back("simulation.method=" + method);
    settings.push_back(fmt::format("simulation.step={}", 10.0 / n));
    settings.emplace_back("simulation.tolerance=1e-12");
    const auto last = run("oscillator.toml", settings);
    return last.empty() ? 0 : std::complex(last.at("position.x"), last.at("velocity.x"));
  }
  double calls_per_step() const {
    const auto statistics = nlohmann::json::parse(answer_.out)["statistics"];
    return statistics["calls"]["doStep"].get<double>() / statistics["steps"].get<double>();
  }

  Workplace place_;
  Answer answer_;
};

constexpr std::complex<double> imaginary(0, 1);
constexpr double rounding = 1e-10;  // of 100 steps, with iterations to 1e-12

// z = p + i v solves z' = -i z. Explicit Euler: z := (1 - i h) z.
TEST_F(Algorithms, JacobiWithHeldInputsIsExplicitEuler) {
  EXPECT_LT(std::abs(oscillator("jacobi", 100) - std::pow(1.0 - 0.1 * imaginary, 100)), rounding);
}

// p := p + h v, v := v - h p: p^2 + v^2 + h p v is kept.
TEST_F(Algorithms, GaussSeidelWithHeldInputsIsSymplecticEuler) {
  const auto z = oscillator("gauss-seidel", 100);
  EXPECT_NEAR(std::norm(z) + 0.1 * z.real() * z.imag(), 1, rounding);
}

// Implicit Euler: z := z / (1 + i h).
TEST_F(Algorithms, EveryIterationWithHeldInputsIsImplicitEuler) {
  for (const char* method : {"iterated", "newton", "broyden", "anderson"})
    EXPECT_LT(std::abs(oscillator(method, 100) - std::pow(1.0 + 0.1 * imaginary, -100)), rounding)
        << method;
}

// The trapezoidal rule: z := z (1 - i h/2)/(1 + i h/2).
TEST_F(Algorithms, EveryIterationWithLinearInputsIsTheTrapezoidalRule) {
  const auto exact = std::pow((1.0 - 0.05 * imaginary) / (1.0 + 0.05 * imaginary), 100);
  const std::string linear = "simulation.inputs.inside=linear";
  for (const char* method : {"iterated", "newton", "broyden", "anderson"})
    EXPECT_LT(std::abs(oscillator(method, 100, {linear}) - exact), rounding) << method;
  EXPECT_LT(std::abs(oscillator("iterated", 100, {linear, "simulation.sweeps=jacobi"}) - exact),
            rounding);
}

// The error is C h + O(h^2): at h = 1/80 its order is 1 within 0.1.
TEST_F(Algorithms, AreOfFirstOrderWithHeldInputs) {
  const auto error = [&](const char* method, int n) {
    return std::abs(oscillator(method, n).real() - std::cos(10.0));
  };
  for (const char* method : {"jacobi", "gauss-seidel", "newton"})
    EXPECT_NEAR(std::log2(error(method, 400) / error(method, 800)), 1, 0.1) << method;
}

// Extrapolated inputs in one pass, and parabolas to an iterate: the error is C h^p + O(h^(p+1)), at
// h = 1/80 its order is p within 0.1.
TEST_F(Algorithms, AreOfHigherOrderWithInputsOfHigherOrder) {
  const auto observed = [&](const char* method, const char* order) {
    const auto error = [&](int n) {
      return std::abs(oscillator(method, n, {order}).real() - std::cos(10.0));
    };
    return std::log2(error(400) / error(800));
  };
  for (const char* method : {"jacobi", "gauss-seidel", "newton"})
    EXPECT_NEAR(observed(method, "simulation.inputs.order=1"), 2, 0.1) << method;
  for (const char* method : {"iterated", "newton", "broyden", "anderson"})
    EXPECT_NEAR(observed(method, "simulation.inputs.order=2"), 3, 0.1) << method;
}

// The loop has the gain -60 there; the figures are passes of two components, and for newton and
// broyden two passes more in the first of 100 steps.
TEST_F(Algorithms, NeedAsManyCallsAsTheTableSays) {
  const std::map<std::string, double> calls = {
      {"newton", 4.02}, {"broyden", 4.02}, {"anderson", 8.02}};
  for (const auto& [method, expected] : calls) {
    run("feedback.toml", {"feedback.k=-20", "simulation.method=" + method});
    EXPECT_EQ(calls_per_step(), expected) << method;
  }
  run("feedback.toml",
      {"feedback.k=-20", "simulation.method=iterated", "simulation.relaxation=aitken"});
  EXPECT_EQ(calls_per_step(), 6);
}

}  // namespace
}  // namespace tutti::testing
