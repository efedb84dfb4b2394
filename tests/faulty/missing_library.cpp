// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

extern "C" double not_shipped_function(double x);

/// y = u, by a function of a library that is not in the archive.
class MissingLibrary final : public fmukit::Model {
 public:
  double u = 1, y = 0;

  static void describe(fmukit::Description<MissingLibrary>& d) {
    d.text("Needs a library that is not there")
        .default_experiment({.start = 0, .stop = 1, .step = 0.1});
    d.input("u", &MissingLibrary::u);
    d.output("y", &MissingLibrary::y).depends_on({"u"});
  }
  void outputs() override { y = not_shipped_function(u); }
};

FMUKIT_EXPORT(MissingLibrary)
