// SPDX-License-Identifier: BSD-2-Clause
#include <cairo.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <cmath>
#include <tutti/error.hpp>

#include "base/file_error.hpp"
#include "results/plot/canvas.hpp"

namespace tutti::results {
namespace {

/// The functions of Cairo that we use. The library is opened privately where a picture is drawn: it
/// brings forty others, which neither an FMU nor the start of the program should meet.
struct Library {
  decltype(&cairo_image_surface_create) image_surface_create;
  decltype(&cairo_surface_status) surface_status;
  decltype(&cairo_surface_destroy) surface_destroy;
  decltype(&cairo_surface_write_to_png) surface_write_to_png;
  decltype(&cairo_status_to_string) status_to_string;
  decltype(&cairo_create) create;
  decltype(&cairo_destroy) destroy;
  decltype(&cairo_scale) scale;
  decltype(&cairo_set_source_rgb) set_source_rgb;
  decltype(&cairo_paint) paint;
  decltype(&cairo_set_line_width) set_line_width;
  decltype(&cairo_set_line_join) set_line_join;
  decltype(&cairo_set_line_cap) set_line_cap;
  decltype(&cairo_set_dash) set_dash;
  decltype(&cairo_move_to) move_to;
  decltype(&cairo_line_to) line_to;
  decltype(&cairo_stroke) stroke;
  decltype(&cairo_select_font_face) select_font_face;
  decltype(&cairo_set_font_size) set_font_size;
  decltype(&cairo_text_extents) text_extents;
  decltype(&cairo_show_text) show_text;
  decltype(&cairo_font_options_create) font_options_create;
  decltype(&cairo_font_options_set_hint_metrics) font_options_set_hint_metrics;
  decltype(&cairo_font_options_destroy) font_options_destroy;
  decltype(&cairo_set_font_options) set_font_options;
};

constexpr const char* library_name = "libcairo.so.2";

Library load() {
  void* handle = dlopen(library_name, RTLD_LOCAL | RTLD_LAZY);
  if (handle == nullptr) {
    const char* reason = dlerror();
    throw Error(ErrorCode::file,
                fmt::format("cannot draw a PNG: {} is missing ({}). Install the package libcairo2, "
                            "or write an SVG.",
                            library_name, reason != nullptr ? reason : "no reason given"));
  }
  const auto bind = [handle](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(handle, name));
    if (function == nullptr)
      throw Error(ErrorCode::file, fmt::format("{} has no function \"{}\". Install Cairo 1.16 or "
                                               "newer (package libcairo2).",
                                               library_name, name));
  };
  Library cairo{};
  bind(cairo.image_surface_create, "cairo_image_surface_create");
  bind(cairo.surface_status, "cairo_surface_status");
  bind(cairo.surface_destroy, "cairo_surface_destroy");
  bind(cairo.surface_write_to_png, "cairo_surface_write_to_png");
  bind(cairo.status_to_string, "cairo_status_to_string");
  bind(cairo.create, "cairo_create");
  bind(cairo.destroy, "cairo_destroy");
  bind(cairo.scale, "cairo_scale");
  bind(cairo.set_source_rgb, "cairo_set_source_rgb");
  bind(cairo.paint, "cairo_paint");
  bind(cairo.set_line_width, "cairo_set_line_width");
  bind(cairo.set_line_join, "cairo_set_line_join");
  bind(cairo.set_line_cap, "cairo_set_line_cap");
  bind(cairo.set_dash, "cairo_set_dash");
  bind(cairo.move_to, "cairo_move_to");
  bind(cairo.line_to, "cairo_line_to");
  bind(cairo.stroke, "cairo_stroke");
  bind(cairo.select_font_face, "cairo_select_font_face");
  bind(cairo.set_font_size, "cairo_set_font_size");
  bind(cairo.text_extents, "cairo_text_extents");
  bind(cairo.show_text, "cairo_show_text");
  bind(cairo.font_options_create, "cairo_font_options_create");
  bind(cairo.font_options_set_hint_metrics, "cairo_font_options_set_hint_metrics");
  bind(cairo.font_options_destroy, "cairo_font_options_destroy");
  bind(cairo.set_font_options, "cairo_set_font_options");
  return cairo;
}

const Library& library() {
  static const Library loaded = load();
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
    // The usual sans serif of Linux, DejaVu, is wider than the one that sizes are thought for.
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
    throw file_error(
        file, ErrorCode::file,
        fmt::format("cannot write \"{}\": {}", file.string(), library().status_to_string(status)));
}

}  // namespace tutti::results
