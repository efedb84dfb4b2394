// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fmukit/model.hpp>

/// Makes a class one of the models of its source. The source is compiled once; each FMU adds a line
/// that exports one of them, see example_fmus() in CMakeLists.txt.
#define EXAMPLE_MODEL(Class)                                                      \
  const fmukit::ModelInfo& example_##Class() {                                    \
    static const fmukit::ModelInfo info = fmukit::make_model_info<Class>(#Class); \
    return info;                                                                  \
  }
