// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string>
#include <tutti/plot.hpp>

#include "console.hpp"

namespace tutti::cli {

/// `tutti plot`, as parsed.
struct PlotCommand {
  std::filesystem::path result, with, output;  ///< with, output: may be empty
  FigureOptions figure;
  std::optional<std::string> title;  ///< not given: the name of the result
  std::string size;                  ///< WxH
};

int plot(const PlotCommand& command, Console& console);

/// By its name: .svg or .png.
bool is_picture(const std::filesystem::path& file);
/// @throws Error if it cannot be written, or has another extension
void write_picture(const Figure& figure, PictureSize size, const std::filesystem::path& file);

/// Options for the terminal.
TextPlotOptions text_plot_options();

}  // namespace tutti::cli
