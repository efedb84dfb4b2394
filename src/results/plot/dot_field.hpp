// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tutti::results {

/// A field of dots, 2 x 4 of them in each character (Unicode braille patterns, U+2800).
class DotField {
 public:
  struct Brush {
    int color = 0;        ///< an SGR parameter
    bool dashed = false;  ///< gaps in the line
  };

  DotField(std::size_t columns, std::size_t rows)
      : columns_(columns), rows_(rows), dots_(columns * rows, 0), colors_(columns * rows, 0) {}
  std::ptrdiff_t width() const { return static_cast<std::ptrdiff_t>(columns_ * 2); }
  std::ptrdiff_t height() const { return static_cast<std::ptrdiff_t>(rows_ * 4); }

  void set(std::ptrdiff_t x, std::ptrdiff_t y, const Brush& brush);
  void line(std::ptrdiff_t x0, std::ptrdiff_t y0, std::ptrdiff_t x1, std::ptrdiff_t y1,
            const Brush& brush);
  /// One row of characters, without blanks at its end.
  std::string text_row(std::size_t row, bool color) const;

 private:
  std::size_t columns_, rows_;
  std::vector<unsigned char> dots_;
  std::vector<int> colors_;  // a character has one: that of the last dot
};

}  // namespace tutti::results
