// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "results/plot/canvas.hpp"

namespace tutti::results {
namespace {

void append_escaped(std::string& out, std::string_view text) {
  constexpr std::pair<char, std::string_view> entities[] = {
      {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};
  for (const char c : text) {
    const auto* const entity =
        std::ranges::find_if(entities, [c](const auto& pair) { return pair.first == c; });
    if (entity != std::end(entities))
      out += entity->second;
    else  // XML 1.0 has no form for control characters.
      out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
}

/// Hundredths of a pixel, without trailing zeros.
void append_coordinate(std::string& out, double value) {
  const auto hundredths = std::llround(value * 100);
  fmt::format_to(std::back_inserter(out), "{}", static_cast<double>(hundredths) / 100);
}

/// The beginning of an element: a path through the points.
void append_path(std::string& out, const Polyline& points) {
  out += "<path d=\"M";
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i > 0) out += ' ';
    append_coordinate(out, points[i].x);
    out += ',';
    append_coordinate(out, points[i].y);
  }
}

/// Widths of the characters from ' ' to '~' in thousandths of the font size: Helvetica, and Arial
/// and Liberation Sans, which are made to the same measure.
constexpr std::array<int, 95> widths = {
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333,  278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,  611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278,  556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,  500, 334, 260, 334, 584};

}  // namespace

SvgCanvas::SvgCanvas(double width, double height, std::string_view title) {
  out_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" "
      "viewBox=\"0 0 {0:g} {1:g}\" role=\"img\" "
      "font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\">\n",
      width, height);
  out_ += "<title>";
  append_escaped(out_, title);
  out_ += "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
}

void SvgCanvas::line(const Polyline& points, const Pen& pen) {
  if (points.empty()) return;
  append_path(out_, points);
  if (points.size() == 1) out_ += "h0";  // with round ends: a dot
  fmt::format_to(std::back_inserter(out_),
                 "\" fill=\"none\" stroke=\"#{:06x}\" stroke-width=\"{:g}\"", pen.color, pen.width);
  if (pen.dashed) out_ += " stroke-dasharray=\"6 4\"";
  out_ += " stroke-linejoin=\"round\" stroke-linecap=\"";
  out_ += pen.dashed ? "butt\"/>\n" : "round\"/>\n";
}

/// One path, whose parts have no length: with round ends they are dots.
void SvgCanvas::dots(const Polyline& centers, const Pen& pen) {
  if (centers.empty()) return;
  out_ += "<path d=\"";
  for (const Point& center : centers) {
    out_ += 'M';
    append_coordinate(out_, center.x);
    out_ += ',';
    append_coordinate(out_, center.y);
    out_ += "h0";
  }
  fmt::format_to(std::back_inserter(out_),
                 "\" fill=\"none\" stroke=\"#{:06x}\" stroke-width=\"{:g}\" "
                 "stroke-linecap=\"round\"/>\n",
                 pen.color, pen.width);
}

void SvgCanvas::area(const Polyline& outline, Color fill) {
  if (outline.empty()) return;
  append_path(out_, outline);
  fmt::format_to(std::back_inserter(out_), "Z\" fill=\"#{:06x}\"/>\n", fill);
}

void SvgCanvas::text(double x, double y, std::string_view text, const TextStyle& style) {
  out_ += "<text x=\"";
  append_coordinate(out_, x);
  out_ += "\" y=\"";
  append_coordinate(out_, y);
  fmt::format_to(std::back_inserter(out_), "\" font-size=\"{:g}\" fill=\"#{:06x}\"", style.size,
                 style.color);
  if (style.anchor == Anchor::middle) out_ += " text-anchor=\"middle\"";
  if (style.anchor == Anchor::end) out_ += " text-anchor=\"end\"";
  if (style.bold) out_ += " font-weight=\"bold\"";
  out_ += '>';
  append_escaped(out_, text);
  out_ += "</text>\n";
}

double SvgCanvas::text_width(std::string_view text, const TextStyle& style) {
  double thousandths = 0;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code >= ' ' && code <= '~')
      thousandths += widths[code - std::size_t{' '}];
    else if ((code & 0xC0) != 0x80)  // the first byte of a character
      thousandths += 556;
  }
  constexpr double reserve = 1.08;  // the viewer may have another font only
  return thousandths / 1000 * style.size * reserve * (style.bold ? 1.08 : 1);
}

void SvgCanvas::begin_group(std::string_view name) {
  out_ += "<g><title>";
  append_escaped(out_, name);
  out_ += "</title>\n";
}

void SvgCanvas::end_group() { out_ += "</g>\n"; }

std::string SvgCanvas::finish() { return out_ + "</svg>\n"; }

}  // namespace tutti::results
