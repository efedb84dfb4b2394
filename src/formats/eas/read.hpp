// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "formats/registry.hpp"

namespace tutti::formats::eas {

/// A system from a configuration file of the EAS master. The model descriptions of its FMUs are
/// read, because the file may name variables by value references. @throws Error
System read(const std::filesystem::path& file, const Surroundings& surroundings);

}  // namespace tutti::formats::eas
