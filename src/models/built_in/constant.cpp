// SPDX-License-Identifier: BSD-2-Clause
#include "models/built_in/models.hpp"

namespace tutti::models {
namespace {

template <class Value>
class Constant final : public BuiltInModel {
 public:
  explicit Constant(const BuiltInTask& task) {
    const std::string& unit = task.settings.unit;
    output("y", y_, {.unit = unit, .description = "The value", .depends_on = no_inputs()});
    tunable("value", value_, "The value", unit);
  }
  void evaluate(const Moment& /*now*/) override { y_ = value_; }
  std::uint32_t derivative_order() const override { return std::is_same_v<Value, double> ? 2 : 0; }

 private:
  Value value_{}, y_{};
};

std::unique_ptr<BuiltInModel> make(const BuiltInTask& task) {
  switch (task.settings.data_type) {
    case ConstantType::real:
      return make_built_in<Constant<double>>(task);
    case ConstantType::integer:
      return make_built_in<Constant<std::int32_t>>(task);
    case ConstantType::boolean:
      return make_built_in<Constant<bool>>(task);
    case ConstantType::string:
      return make_built_in<Constant<std::string>>(task);
  }
  return nullptr;
}

constexpr std::string_view constant_settings[] = {"data-type", "unit"};

}  // namespace

constinit const BuiltInEntry constant_entry = {.name = "constant",
                                               .summary = "A value that does not change",
                                               .equation = "y = value",
                                               .settings = constant_settings,
                                               .make = make};

}  // namespace tutti::models
