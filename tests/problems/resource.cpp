// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

#include <cstdio>
#include <stdexcept>

/// The output is the code of the first letter of resources/y.txt.
class Resource final : public fmukit::Model {
 public:
  int y = 0;

  static void describe(fmukit::Description<Resource>& d) {
    d.text("Reads a file of the archive").default_experiment({.start = 0, .stop = 1, .step = 0.1});
    d.output("y", &Resource::y).depends_on({});
  }

  void initialize() override {
    const std::string path = resource_path() + "/y.txt";
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (!file) throw std::runtime_error("cannot read " + path);
    y = std::fgetc(file);
    std::fclose(file);
  }
};

FMUKIT_EXPORT(Resource)
