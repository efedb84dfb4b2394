// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <tutti/system.hpp>

#include "models/component_kinds.hpp"

namespace tutti::models {

/// What a component that is a C++ class declares, in the form of an FMU that could do the same.
/// @throws Error(usage) without the name of the component, if that makes no sense
std::shared_ptr<const ModelDescription> describe_class(const Component& component);

std::unique_ptr<Instance> make_class_model(const InstanceTask& task);

}  // namespace tutti::models
