// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

/// y = 1 + w u: the gain from u is an input, too.
class Product final : public fmukit::Model {
 public:
  double u = 0, w = 0, y = 1;

  static void describe(fmukit::Description<Product>& d) {
    d.text("A gain that is an input").default_experiment({.start = 0, .stop = 1, .step = 0.1});
    d.input("u", &Product::u);
    d.input("w", &Product::w);
    d.output("y", &Product::y).depends_on({"u", "w"});
  }
  void outputs() override { y = 1 + w * u; }
};

FMUKIT_EXPORT(Product)
