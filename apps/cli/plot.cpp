// SPDX-License-Identifier: BSD-2-Clause
#include "plot.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <tutti/error.hpp>

#include "file_kind.hpp"

namespace tutti::cli {
namespace {

PictureSize parse_size(const std::string& text) {
  if (text.empty()) return {};
  PictureSize size;
  const char* const end = text.data() + text.size();
  const auto width = std::from_chars(text.data(), end, size.width);
  if (width.ec == std::errc() && width.ptr != end && (*width.ptr == 'x' || *width.ptr == 'X')) {
    const auto height = std::from_chars(width.ptr + 1, end, size.height);
    constexpr double least = 100, most = 20000;
    const auto sensible = [](double x) { return x >= least && x <= most; };
    if (height.ec == std::errc() && height.ptr == end && sensible(size.width) &&
        sensible(size.height))
      return size;
  }
  throw Error(ErrorCode::usage,
              fmt::format("--size \"{}\": expected WIDTHxHEIGHT from 100 to 20000, for example "
                          "--size 1200x800",
                          text));
}

void write_svg(const Figure& figure, PictureSize size, const std::filesystem::path& file) {
  std::ofstream out(file, std::ios::binary);
  out << draw_svg(figure, size);
  if (!out.flush()) throw Error(ErrorCode::file, fmt::format("cannot write \"{}\"", file.string()));
}

void tell_notes(const std::vector<std::string>& notes, Console& console) {
  for (const std::string& note : notes) console.note(note);
}

}  // namespace

bool is_picture(const std::filesystem::path& file) {
  return file.extension() == ".svg" || file.extension() == ".png";
}

void write_picture(const Figure& figure, PictureSize size, const std::filesystem::path& file) {
  if (!is_picture(file))
    throw Error(ErrorCode::usage,
                fmt::format("\"{}\": a plot is written as .svg or .png", file.string()));
  if (file.extension() == ".svg")
    write_svg(figure, size, file);
  else
    write_png(figure, size, file);
}

TextPlotOptions text_plot_options() {
  TextPlotOptions options;
  options.color = is_colored(stdout);
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40) {
    options.width = std::min<std::size_t>(size.ws_col - 1u, 120);
    if (size.ws_row > 0) options.height = std::clamp<std::size_t>(size.ws_row, 20, 44) - 6;
  }
  return options;
}

int plot(const PlotCommand& command, Console& console) {
  expect_kind("plot", FileKind::result, command.result);
  const std::vector<std::filesystem::path> inputs = {
      command.result, command.with, metadata_path(command.result), metadata_path(command.with)};
  protect_inputs(command.output, inputs);
  console.open_log(inputs, {command.output});
  const ResultTable result = read_results(command.result);
  std::optional<ResultTable> with;
  if (!command.with.empty()) with = read_results(command.with);
  tell_notes(result.notes, console);
  if (with) tell_notes(with->notes, console);

  FigureOptions options = command.figure;
  // With two results, their names are in the plot anyway.
  options.title = command.title.value_or(with ? "" : command.result.stem().string());
  const bool to_file = !command.output.empty();
  const TextPlotOptions screen = text_plot_options();
  if (!to_file) {
    options.apart = options.apart || !screen.color;
    constexpr std::size_t most_colored = 12, most_plain = 6;
    options.max_curves = screen.color ? most_colored : most_plain;
    if (!command.title) options.title.clear();
  }
  const Figure figure = make_figure(result, with ? &*with : nullptr, options);
  tell_notes(figure.notes, console);
  if (to_file) {
    write_picture(figure, parse_size(command.size), command.output);
    console.note(fmt::format("plot in \"{}\"", command.output.string()));
    return 0;
  }
  return put(stdout, draw_text(figure, screen)) && std::fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace tutti::cli
