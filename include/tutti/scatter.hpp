// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <tutti/export.hpp>
#include <tutti/plot.hpp>
#include <vector>

namespace tutti {

/// One quantity of many runs: an axis of a scatter matrix.
struct ScatterAxis {
  std::string name, unit;
  bool log = false;
  std::vector<double> values = {};  ///< by run; those that are not finite are not drawn
};

/// Each quantity in `rows` over each in `columns`, as points.
struct ScatterMatrix {
  std::string title;
  std::vector<ScatterAxis> columns, rows;
};

/// In CSS pixels.
TUTTI_API std::string draw_svg(const ScatterMatrix& matrix, PictureSize size);
/// In pixels. @throws Error(file) if it cannot be written or Cairo is not installed
TUTTI_API void write_png(const ScatterMatrix& matrix, PictureSize size,
                         const std::filesystem::path& file);

}  // namespace tutti
