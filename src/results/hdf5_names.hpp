// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <tutti/results.hpp>
#include <unordered_set>
#include <vector>

namespace tutti::results::hdf5 {

/// The names of the datasets of columns: those of the columns, where HDF5 can have them. A slash,
/// which separates groups there, becomes a bar; names that exist already get a number. The
/// attribute `name` has the original then.
inline std::vector<std::string> dataset_names(std::span<const Column> columns) {
  std::unordered_set<std::string> used = {"time"};
  std::vector<std::string> names;
  names.reserve(columns.size());
  for (const Column& column : columns) {
    std::string plain = column.name;
    std::ranges::replace(plain, '/', '|');
    if (plain.empty() || plain == ".") plain = "_";
    std::string name = plain;
    for (int k = 2; !used.insert(name).second; ++k) name = plain + "_" + std::to_string(k);
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace tutti::results::hdf5
