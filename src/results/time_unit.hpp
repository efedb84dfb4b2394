// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/result_table.hpp>

namespace tutti::results {

/// The table with its times in another unit. A note says so, or that a unit is not known and the
/// times are taken as they are.
ResultTable with_time_in(ResultTable table, const std::string& unit);

}  // namespace tutti::results
