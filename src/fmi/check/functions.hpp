// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <tutti/model_description.hpp>

namespace tutti::fmi {

/// Functions of the C interface that are needed in the same cases.
struct InterfaceFunctions {
  enum Kinds : std::uint8_t { model_exchange = 1, co_simulation = 2, scheduled = 4, all = 7 };
  std::string_view names;    ///< as in the standard (in FMI 1.0 without the prefix), with blanks
  std::uint8_t kinds = all;  ///< the interfaces that have them
  bool rarely = false;       ///< not needed in an FMU that makes no use of them
  bool Capabilities::*capability = nullptr;  ///< needed only where this flag is set; null: always
  std::optional<Type> type = {};             ///< needed only where there is a variable of it
};

/// Every function that a shared library of this version exports, by the standard: FMI 2.0, section
/// 2.3, and FMI 3.0, section 2.5, want also those of capabilities that the FMU does not have.
std::span<const InterfaceFunctions> interface_functions(FmiVersion version);

}  // namespace tutti::fmi
