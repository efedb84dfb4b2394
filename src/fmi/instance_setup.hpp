// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <memory>
#include <tutti/log.hpp>

#include "fmi/instance.hpp"
#include "fmi/library.hpp"

namespace tutti::fmi {

/// What a new instance gets from its FMU.
struct InstanceSetup {
  std::shared_ptr<const void> fmu;  ///< kept alive: it owns all of the following
  const ModelDescription* description = nullptr;
  const Capabilities* capabilities = nullptr;
  Library* library = nullptr;
  std::filesystem::path folder;
  Log log;
};

}  // namespace tutti::fmi
