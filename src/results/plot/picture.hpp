// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/plot.hpp>

#include "results/plot/canvas.hpp"

namespace tutti::results {

/// The size that suits a figure, where none is given.
PictureSize natural_size(const Figure& figure, PictureSize wish);

/// @throws Error(usage) if the size leaves no room for the panels
void draw_picture(const Figure& figure, PictureSize size, Canvas& canvas);

}  // namespace tutti::results
