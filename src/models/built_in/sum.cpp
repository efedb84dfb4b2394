// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "models/built_in/models.hpp"

namespace tutti::models {
namespace {

constexpr std::uint32_t most_inputs = 10'000;

class Sum final : public BuiltInModel {
 public:
  explicit Sum(const BuiltInTask& task)
      : inputs_(checked(task.settings.inputs)), weights_(inputs_.size(), 1) {
    const std::size_t count = inputs_.size();
    const std::string& unit = task.settings.unit;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i)
      input(names.emplace_back(fmt::format("u{}", i + 1)), inputs_[i],
            {.unit = unit, .description = "Input"});
    output("y", y_, {.unit = unit, .description = "Sum", .depends_on = std::move(names)});
    for (std::size_t i = 0; i < count; ++i)
      tunable(fmt::format("k{}", i + 1), weights_[i], fmt::format("Weight of u{}", i + 1));
  }
  void evaluate(const Moment& /*now*/) override {
    y_ = std::inner_product(inputs_.begin(), inputs_.end(), weights_.begin(), 0.0);
  }

 private:
  static std::size_t checked(std::size_t inputs) {
    if (inputs < 1 || inputs > most_inputs)
      throw Error(ErrorCode::usage,
                  fmt::format("inputs = {} must be between 1 and {}", inputs, most_inputs));
    return inputs;
  }

  std::vector<double> inputs_, weights_;
  double y_ = 0;
};

constexpr std::string_view sum_settings[] = {"inputs", "unit"};

}  // namespace

constinit const BuiltInEntry sum_entry = {.name = "sum",
                                          .summary = "Weighted sum of inputs",
                                          .equation = "y = k1 u1 + k2 u2 + ...",
                                          .settings = sum_settings,
                                          .make = make_built_in<Sum>};

}  // namespace tutti::models
