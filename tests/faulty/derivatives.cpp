// SPDX-License-Identifier: BSD-2-Clause
// Derivatives of inputs and outputs that are promised, but not there. FAULT, set in CMakeLists.txt,
// chooses which.
#include "plain.hpp"
#include "v2/slave.hpp"

#include <limits>

namespace {

enum class Fault { refuses_second_order, refuses_all, gives_nan };
constexpr Fault fault = Fault::FAULT;

/// x' = u
class Derivatives final : public fmukit::Model {
 public:
  double u = 0, x = 0, dx = 0;

  static void describe(fmukit::Description<Derivatives>& d) {
    d.text("Promises derivatives").default_experiment({.start = 0, .stop = 1, .step = 0.1});
    d.input("u", &Derivatives::u);
    d.output("x", &Derivatives::x).depends_on({});
    d.local("der(x)", &Derivatives::dx).derivative_of("x");
  }
  void derivatives() override { dx = u; }
};

namespace abi = fmi_abi::v2;

}  // namespace

FAULTY_API abi::Status fmi2SetRealInputDerivatives(abi::Component c,
                                                   const abi::ValueReference* references,
                                                   std::size_t count, const abi::Integer* orders,
                                                   const abi::Real* values) {
  using enum fmukit::Phase;
  return fmukit::v2::run(
      c, "fmi2SetRealInputDerivatives",
      fmukit::phases(instantiated, initialization, step, discarded), [&](fmukit::v2::Slave& slave) {
        for (std::size_t k = 0; k < count; ++k) {
          if (fault == Fault::refuses_all ||
              (fault == Fault::refuses_second_order && orders[k] != 1))
            return slave.fail("fmi2SetRealInputDerivatives", "the order is not supported");
          slave.set_input_derivative(references[k], orders[k], values[k]);
        }
        return fmukit::Status::ok;
      });
}
FAULTY_API abi::Status fmi2GetRealOutputDerivatives(abi::Component c,
                                                    const abi::ValueReference* references,
                                                    std::size_t count, const abi::Integer* orders,
                                                    abi::Real* values) {
  static_cast<fmukit::v2::Slave*>(c)->output_derivatives({references, count}, orders, values);
  if (fault == Fault::gives_nan)
    for (std::size_t k = 0; k < count; ++k) values[k] = std::numeric_limits<double>::quiet_NaN();
  return abi::ok;
}

FMUKIT_EXPORT(Derivatives)
