// SPDX-License-Identifier: BSD-2-Clause
#include "zoo_best.hpp"

#include <cmath>
#include <cstdio>

namespace zoo {
namespace {

constexpr std::uint64_t maximum_calls = 2'000'000;

struct Way {
  const char* name;
  std::vector<std::string> set;  ///< in [simulation]
};
const std::vector<Way> ways = {
    {"jacobi", {"method=jacobi"}},
    {"jacobi, order 1", {"method=jacobi", "inputs.order=1"}},
    {"jacobi, order 2", {"method=jacobi", "inputs.order=2"}},
    {"jacobi, order 1, corrected", {"method=jacobi", "inputs.order=1", "inputs.correct=linear"}},
    {"jacobi, order 2, corrected", {"method=jacobi", "inputs.order=2", "inputs.correct=linear"}},
    {"gauss-seidel", {"method=gauss-seidel"}},
    {"gauss-seidel, linear", {"method=gauss-seidel", "inputs.inside=linear"}},
    {"gauss-seidel, order 1", {"method=gauss-seidel", "inputs.order=1"}},
    {"gauss-seidel, order 2", {"method=gauss-seidel", "inputs.order=2"}},
    {"gauss-seidel, order 2, corrected",
     {"method=gauss-seidel", "inputs.order=2", "inputs.correct=linear"}},
    {"newton", {"method=newton"}},
    {"newton, linear", {"method=newton", "inputs.inside=linear"}},
    {"newton, order 2", {"method=newton", "inputs.order=2"}},
    {"broyden, order 2", {"method=broyden", "inputs.order=2"}},
    {"iterated, linear", {"method=iterated", "inputs.inside=linear"}},
    {"iterated, order 2", {"method=iterated", "inputs.order=2"}},
};

}  // namespace

const Run& Best::run(const Key& key) {
  const auto found = runs_.find(key);
  if (found != runs_.end()) return found->second;
  char step[64];
  std::snprintf(step, sizeof step, "simulation.step=%.17g",
                std::ldexp(system_.span, -key.halvings));
  // The iteration tolerance must not limit the error.
  std::vector<std::string> settings = {step, "simulation.tolerance.abs=1e-9",
                                       "simulation.tolerance.rel=1e-9"};
  for (const std::string& setting : ways[key.way].set) settings.push_back("simulation." + setting);
  return runs_[key] = runner_.run(system_, reference_, ability_, settings, key.shift, 20);
}

std::optional<Best::Found> Best::cheapest(double error, double shift) {
  std::optional<Found> best;
  for (std::size_t way = 0; way < ways.size(); ++way) {
    double last = 0;  // error of the previous run
    for (int halvings = 3; halvings < 21; ++halvings) {
      const std::uint64_t fewest = system_.parts.size() << halvings;
      if (fewest > maximum_calls || (best && fewest >= best->calls)) break;
      const Run& one = run({way, halvings, shift});
      if (one.status == 2 || one.was_stopped || one.calls > maximum_calls) break;
      if (one.status == 0 && one.error <= error) {
        if (!best || one.calls < best->calls) best = Found{ways[way].name, one.calls};
        break;
      }
      // If errors stagnate, shorter steps do not help.
      if (one.status == 0 && last > 0 && one.error > 0.9 * last && one.error < 1e-2) break;
      last = one.status == 0 ? one.error : 0;
    }
  }
  return best;
}

}  // namespace zoo
