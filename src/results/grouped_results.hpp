// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>
#include <tutti/results.hpp>

namespace tutti::results {

/// Whether a pattern (`*`, `?`, or the name of an array) matches a column.
bool selects(std::string_view pattern, std::string_view name);

/// Writes the variables of groups to files of their own, at every n-th point, and all others to
/// `file`. The two rows of an event are one point: a file has both or none of them.
/// @pre there is a group
std::unique_ptr<Observer> make_grouped_writer(const std::filesystem::path& file,
                                              const ResultOptions& options);

}  // namespace tutti::results
