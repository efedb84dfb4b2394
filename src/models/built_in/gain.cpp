// SPDX-License-Identifier: BSD-2-Clause
#include "models/built_in/models.hpp"

namespace tutti::models {
namespace {

class Gain final : public BuiltInModel {
 public:
  explicit Gain(const BuiltInTask& task) {
    input("u", u_, {.description = "Input"});
    output("y", y_,
           {.unit = task.settings.unit,
            .description = "Output",
            .depends_on = std::vector<std::string>{"u"}});
    tunable("k", k_, "Factor");
    tunable("offset", offset_, "Added to the product", task.settings.unit);
  }
  void evaluate(const Moment& /*now*/) override { y_ = k_ * u_ + offset_; }

 private:
  double u_ = 0, y_ = 0, k_ = 1, offset_ = 0;
};

constexpr std::string_view gain_settings[] = {"unit"};

}  // namespace

constinit const BuiltInEntry gain_entry = {.name = "gain",
                                           .summary = "A factor and an offset",
                                           .equation = "y = k u + offset",
                                           .settings = gain_settings,
                                           .make = make_built_in<Gain>};

}  // namespace tutti::models
