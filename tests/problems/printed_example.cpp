// SPDX-License-Identifier: BSD-2-Clause
// A model of the examples in an FMU for a file printed in a paper; PRINTED_MODEL chooses it.
#include <fmukit/model.hpp>

const fmukit::ModelInfo& PRINTED_MODEL();
const fmukit::ModelInfo& fmukit::exported_model() { return PRINTED_MODEL(); }
