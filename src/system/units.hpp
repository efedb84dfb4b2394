// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/model_description.hpp>

namespace tutti::system {

/// How a value in the unit of one variable becomes one in the unit of another.
struct UnitConversion {
  enum class Kind {
    none,     ///< the same unit, or none is known
    linear,   ///< to = factor * from + offset
    unclear,  ///< different names, and it is not said what they mean
    clash     ///< of another quantity
  };
  Kind kind = Kind::none;
  double factor = 1, offset = 0;
};

/// By the base units that the two model descriptions give (FMI 2.0, 2.2.2; FMI 3.0, 2.4.4). A
/// relative quantity, as a difference of temperatures, has no offset.
UnitConversion convert_units(const ModelDescription& from_model, const Variable& from,
                             const ModelDescription& to_model, const Variable& to);

}  // namespace tutti::system
