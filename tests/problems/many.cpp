// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

/// 2,000 scalar variables: y<i> = u<i> + i, i = 1...1000.
class Many final : public fmukit::Model {
 public:
  static constexpr std::size_t count = 1000;
  std::array<double, count> u{}, y{};

  static void describe(fmukit::Description<Many>& d) {
    d.text("2,000 variables").default_experiment({.start = 0, .stop = 1, .step = 0.01});
    for (std::size_t i = 0; i < count; ++i) {
      const std::string number = std::to_string(i + 1);
      d.input("u" + number, [i](Many& m) -> double& { return m.u[i]; });
      d.output("y" + number, [i](Many& m) -> double& {
         return m.y[i];
       }).depends_on({fmukit::Dependency("u" + number)});
    }
  }

  void outputs() override {
    for (std::size_t i = 0; i < count; ++i) y[i] = u[i] + static_cast<double>(i + 1);
  }
};

FMUKIT_EXPORT(Many)
