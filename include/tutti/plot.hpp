// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <tutti/export.hpp>
#include <tutti/result_table.hpp>
#include <vector>

namespace tutti {

struct FigureOptions {
  std::vector<std::string> variables = {};   ///< patterns; empty: the first `max_curves` columns
  std::optional<double> from = {}, to = {};  ///< of the time; default: all of it
  std::string title = {};                    ///< empty: none
  bool log_x = false, log_y = false;
  bool apart = false;  ///< a panel for every variable
  std::size_t max_curves =
      16;  ///< maximum number of curves without named variables; others are noted
};

/// A line over time.
struct FigureCurve {
  std::string name;
  bool discrete = false;  ///< drawn as steps
  bool second = false;    ///< of the other result: dashed
  bool dots = false;      ///< a mark at each value, not joined
  std::size_t color = 0;  ///< index within the panel; a variable has one in both results
  std::vector<double> times, values;
};

/// Curves over one axis: of the same unit, and of similar magnitude.
struct FigurePanel {
  std::string unit;
  std::vector<FigureCurve> curves;
  double low = 0, high = 0;  ///< of the values (log_y: of the positive ones)
  bool is_switch = false;    ///< discrete, with few integer values: needs little height
};

/// The content of a plot, in any output format.
struct Figure {
  std::string title;
  std::string time_name = "time", time_unit = "s";
  std::string first_name, second_name;  ///< files; second empty: there is one only
  double from = 0, to = 0;
  bool log_x = false, log_y = false;
  std::vector<FigurePanel> panels;
  std::vector<std::string> notes;  ///< omitted data, with reasons
};

/// @param with an overlay: its columns of the same names; may be null
/// @throws Error(usage) if there is no data
TUTTI_API Figure make_figure(const ResultTable& results, const ResultTable* with,
                             const FigureOptions& options);

struct PictureSize {
  double width = 0, height = 0;  ///< 0: chosen for the figure
};
/// In CSS pixels.
TUTTI_API std::string draw_svg(const Figure& figure, PictureSize size);
/// In pixels. Above 800, a wider picture only has a higher resolution; default: 1600.
/// @throws Error(file) if it cannot be written or Cairo is not installed
TUTTI_API void write_png(const Figure& figure, PictureSize size, const std::filesystem::path& file);

struct TextPlotOptions {
  std::size_t width = 78;   ///< in characters, with the axis
  std::size_t height = 20;  ///< of all panels together
  bool color = false;
};
/// Drawn with characters (braille patterns).
/// @pre without color, no panel has two curves of the same result: see FigureOptions::apart
TUTTI_API std::string draw_text(const Figure& figure, const TextPlotOptions& options);

}  // namespace tutti
