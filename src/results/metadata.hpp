// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/result_table.hpp>

namespace tutti::results {

/// Takes what `<name>.meta.json` says of the columns, if there is such a file; one that cannot be
/// understood is left aside with a note.
void apply_metadata(const std::filesystem::path& result_file, ResultTable& table);
/// `<name>.meta.json` of results that are about to be replaced.
void remove_metadata(const std::filesystem::path& result_file);

}  // namespace tutti::results
