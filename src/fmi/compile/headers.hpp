// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <string_view>

namespace tutti::fmi {

/// A C header of the FMI standard's interface, written by us: an FMU need not bring them (FMI 3.0,
/// section 2.4.10: they are the importer's).
struct StandardHeader {
  std::string_view name;
  std::string_view text;
};

/// Those in the folder headers/, compiled in.
std::span<const StandardHeader> standard_headers();

}  // namespace tutti::fmi
