// SPDX-License-Identifier: BSD-2-Clause
#include "results/plot/dot_field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace tutti::results {

void DotField::set(std::ptrdiff_t x, std::ptrdiff_t y, const Brush& brush) {
  if (x < 0 || y < 0 || x >= width() || y >= height()) return;
  if (brush.dashed && (x + y) % 6 >= 3) return;
  static constexpr unsigned char bits[4][2] = {
      {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
  const std::size_t cell =
      static_cast<std::size_t>(y / 4) * columns_ + static_cast<std::size_t>(x / 2);
  dots_[cell] |= bits[y % 4][x % 2];
  colors_[cell] = brush.color;
}

void DotField::line(std::ptrdiff_t x0, std::ptrdiff_t y0, std::ptrdiff_t x1, std::ptrdiff_t y1,
                    const Brush& brush) {
  const std::ptrdiff_t steps = std::max({std::abs(x1 - x0), std::abs(y1 - y0), std::ptrdiff_t{1}});
  for (std::ptrdiff_t i = 0; i <= steps; ++i)
    set(x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps, brush);
}

std::string DotField::text_row(std::size_t row, bool color) const {
  std::size_t end = columns_;
  while (end > 0 && dots_[row * columns_ + end - 1] == 0) --end;
  std::string text;
  int present = 0;
  for (std::size_t column = 0; column < end; ++column) {
    const unsigned char dots = dots_[row * columns_ + column];
    if (dots == 0) {  // a blank, so that lines can be searched
      text += ' ';
      continue;
    }
    const int wanted = colors_[row * columns_ + column];
    if (color && wanted != present) text += fmt::format("\x1b[{}m", wanted);
    present = wanted;
    text += '\xE2';  // UTF-8 of U+2800 + dots
    text += static_cast<char>(0xA0 | (dots >> 6));
    text += static_cast<char>(0x80 | (dots & 0x3F));
  }
  if (color && present != 0) text += "\x1b[0m";
  return text;
}

}  // namespace tutti::results
