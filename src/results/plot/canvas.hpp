// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "results/plot/pixel_line.hpp"

namespace tutti::results {

using Color = std::uint32_t;  ///< 0xRRGGBB

struct Pen {
  Color color = 0;
  double width = 1;
  bool dashed = false;
};

enum class Anchor { start, middle, end };

struct TextStyle {
  Color color = 0;
  double size = 11;
  Anchor anchor = Anchor::start;
  bool bold = false;
};

/// A sheet to draw on, with the origin at its upper left and a unit of one CSS pixel.
class Canvas {
 public:
  virtual ~Canvas() = default;
  virtual void line(const Polyline& points, const Pen& pen) = 0;
  /// Round dots, as wide as the pen.
  virtual void dots(const Polyline& centers, const Pen& pen) {
    for (const Point& center : centers) line({center}, pen);
  }
  /// y is that of the baseline.
  virtual void text(double x, double y, std::string_view text, const TextStyle& style) = 0;
  virtual double text_width(std::string_view text, const TextStyle& style) = 0;
  /// Names the group of everything that is drawn up to its end.
  virtual void begin_group(std::string_view /*name*/) {}
  virtual void end_group() {}
  /// Pixels of the output per unit.
  virtual double resolution() const { return 1; }
};

/// An SVG document.
class SvgCanvas final : public Canvas {
 public:
  SvgCanvas(double width, double height, std::string_view title);
  void line(const Polyline& points, const Pen& pen) override;
  void dots(const Polyline& centers, const Pen& pen) override;
  void text(double x, double y, std::string_view text, const TextStyle& style) override;
  double text_width(std::string_view text, const TextStyle& style) override;
  void begin_group(std::string_view name) override;
  void end_group() override;
  void area(const Polyline& outline, Color fill);
  std::string finish();

 private:
  std::string out_;
};

/// A picture of pixels, made by Cairo.
class PngCanvas final : public Canvas {
 public:
  /// @throws Error(file) if Cairo or a font is not installed
  PngCanvas(double width, double height, double scale);
  ~PngCanvas() override;
  void line(const Polyline& points, const Pen& pen) override;
  void text(double x, double y, std::string_view text, const TextStyle& style) override;
  double text_width(std::string_view text, const TextStyle& style) override;
  double resolution() const override { return scale_; }
  void write(const std::filesystem::path& file);

 private:
  struct Surface;
  double scale_;
  std::unique_ptr<Surface> surface_;
};

}  // namespace tutti::results
