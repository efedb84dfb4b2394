// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string_view>
#include <tutti/fmu.hpp>

namespace tutti::fmi {

/// Refuses an XML text that would cost its parser and us too much: too many elements, attributes or
/// lines, too deep, or with too long a value. Looks at the text once, with no memory of its own;
/// what is not well-formed is left to the parser.
/// @throws Error (description) with file:line
void check_xml_cost(std::string_view text, std::string_view file, const ArchiveLimits& limits);

}  // namespace tutti::fmi
