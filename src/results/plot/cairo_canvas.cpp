// SPDX-License-Identifier: BSD-2-Clause
#include <cairo.h>
#include <fmt/format.h>

#include <cmath>
#include <tutti/error.hpp>

#include "base/file_error.hpp"
#include "base/private_library.hpp"
#include "results/plot/canvas.hpp"

namespace tutti::results {
namespace {

/// The functions of Cairo that are used. The library is opened privately when a picture is drawn:
/// it loads forty others, which must not affect FMUs or the start of the program.
struct Library {
  PrivateLibrary file{"libcairo.so.2", "libcairo2", "Cairo 1.16", "draw a PNG", "write an SVG"};
  decltype(&cairo_image_surface_create) image_surface_create =
      file.find("cairo_image_surface_create");
  decltype(&cairo_surface_status) surface_status = file.find("cairo_surface_status");
  decltype(&cairo_surface_destroy) surface_destroy = file.find("cairo_surface_destroy");
  decltype(&cairo_surface_write_to_png) surface_write_to_png =
      file.find("cairo_surface_write_to_png");
  decltype(&cairo_status_to_string) status_to_string = file.find("cairo_status_to_string");
  decltype(&cairo_create) create = file.find("cairo_create");
  decltype(&cairo_destroy) destroy = file.find("cairo_destroy");
  decltype(&cairo_scale) scale = file.find("cairo_scale");
  decltype(&cairo_set_source_rgb) set_source_rgb = file.find("cairo_set_source_rgb");
  decltype(&cairo_paint) paint = file.find("cairo_paint");
  decltype(&cairo_set_line_width) set_line_width = file.find("cairo_set_line_width");
  decltype(&cairo_set_line_join) set_line_join = file.find("cairo_set_line_join");
  decltype(&cairo_set_line_cap) set_line_cap = file.find("cairo_set_line_cap");
  decltype(&cairo_set_dash) set_dash = file.find("cairo_set_dash");
  decltype(&cairo_move_to) move_to = file.find("cairo_move_to");
  decltype(&cairo_line_to) line_to = file.find("cairo_line_to");
  decltype(&cairo_stroke) stroke = file.find("cairo_stroke");
  decltype(&cairo_select_font_face) select_font_face = file.find("cairo_select_font_face");
  decltype(&cairo_set_font_size) set_font_size = file.find("cairo_set_font_size");
  decltype(&cairo_text_extents) text_extents = file.find("cairo_text_extents");
  decltype(&cairo_show_text) show_text = file.find("cairo_show_text");
  decltype(&cairo_font_options_create) font_options_create = file.find("cairo_font_options_create");
  decltype(&cairo_font_options_set_hint_metrics) font_options_set_hint_metrics =
      file.find("cairo_font_options_set_hint_metrics");
  decltype(&cairo_font_options_destroy) font_options_destroy =
      file.find("cairo_font_options_destroy");
  decltype(&cairo_set_font_options) set_font_options = file.find("cairo_set_font_options");
};

const Library& library() {
  static const Library loaded;
  return loaded;
}

}  // namespace

struct PngCanvas::Surface {
  cairo_surface_t* image = nullptr;
  cairo_t* context = nullptr;

  Surface() = default;
  ~Surface() {
    if (context != nullptr) library().destroy(context);
    if (image != nullptr) library().surface_destroy(image);
  }
  Surface(const Surface&) = delete;
  Surface& operator=(const Surface&) = delete;

  void color(Color c) const {
    const auto part = [c](int shift) { return static_cast<double>((c >> shift) & 0xFF) / 255; };
    library().set_source_rgb(context, part(16), part(8), part(0));
  }
  double set_font(std::string_view text, const TextStyle& style) const {
    library().select_font_face(context, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                               style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    // The usual sans serif of Linux, DejaVu, is wider than the one for which sizes are chosen.
    library().set_font_size(context, style.size * 0.93);
    cairo_text_extents_t extents;
    library().text_extents(context, std::string(text).c_str(), &extents);
    return extents.x_advance;
  }
};

PngCanvas::PngCanvas(double width, double height, double scale)
    : scale_(scale), surface_(std::make_unique<Surface>()) {
  const Library& cairo = library();
  surface_->image =
      cairo.image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(std::lround(width * scale)),
                                 static_cast<int>(std::lround(height * scale)));
  const cairo_status_t status = cairo.surface_status(surface_->image);
  if (status != CAIRO_STATUS_SUCCESS)
    throw Error(ErrorCode::file,
                fmt::format("cannot draw a picture of {:g} x {:g} pixels: {}", width * scale,
                            height * scale, cairo.status_to_string(status)));
  surface_->context = cairo.create(surface_->image);
  cairo.scale(surface_->context, scale, scale);
  surface_->color(0xFFFFFF);
  cairo.paint(surface_->context);
  cairo_font_options_t* options = cairo.font_options_create();
  cairo.font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo.set_font_options(surface_->context, options);
  cairo.font_options_destroy(options);
  if (text_width("0", {}) <= 0)
    throw Error(ErrorCode::file,
                "cannot write text into a PNG: no font is installed. Install the package "
                "fonts-dejavu-core, or write an SVG.");
}

PngCanvas::~PngCanvas() = default;

void PngCanvas::line(const Polyline& points, const Pen& pen) {
  const Library& cairo = library();
  cairo_t* context = surface_->context;
  if (points.empty()) return;
  surface_->color(pen.color);
  cairo.set_line_width(context, pen.width);
  cairo.set_line_join(context, CAIRO_LINE_JOIN_ROUND);
  cairo.set_line_cap(context, pen.dashed ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_ROUND);
  constexpr double dashes[] = {6, 4};
  cairo.set_dash(context, dashes, pen.dashed ? 2 : 0, 0);
  cairo.move_to(context, points.front().x, points.front().y);
  for (const Point& point : points) cairo.line_to(context, point.x, point.y);
  cairo.stroke(context);
}

void PngCanvas::text(double x, double y, std::string_view text, const TextStyle& style) {
  const Library& cairo = library();
  const double width = surface_->set_font(text, style);
  surface_->color(style.color);
  const double shift = style.anchor == Anchor::start ? 0 : style.anchor == Anchor::end ? 1 : 0.5;
  cairo.move_to(surface_->context, x - shift * width, y);
  cairo.show_text(surface_->context, std::string(text).c_str());
}

double PngCanvas::text_width(std::string_view text, const TextStyle& style) {
  return surface_->set_font(text, style);
}

void PngCanvas::write(const std::filesystem::path& file) {
  const cairo_status_t status = library().surface_write_to_png(surface_->image, file.c_str());
  if (status != CAIRO_STATUS_SUCCESS)
    throw write_error(file, {}, library().status_to_string(status));
}

}  // namespace tutti::results
