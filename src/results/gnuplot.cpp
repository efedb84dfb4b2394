// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <tutti/error.hpp>

#include "base/text.hpp"
#include "base/whole_file.hpp"
#include "results/result_format.hpp"

namespace tutti {
namespace {

/// Between single quotes only the quote is special.
std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : printable(text)) out += c == '\'' ? std::string("''") : std::string(1, c);
  return out + "'";
}

/// Columns of the same unit share a plot.
struct Panel {
  std::string unit;
  std::vector<std::size_t> columns;
};

std::vector<Panel> panels_of(std::span<const Column> columns) {
  std::vector<Panel> panels;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (is_text(columns[c].type)) continue;
    const auto found = std::ranges::find(panels, columns[c].unit, &Panel::unit);
    if (found != panels.end())
      found->columns.push_back(c);
    else
      panels.push_back({columns[c].unit, {c}});
  }
  return panels;
}

}  // namespace

std::filesystem::path gnuplot_path(const std::filesystem::path& result_file) {
  std::filesystem::path file = result_file;
  if (results::result_format_of(file).gnuplot_separator == nullptr)
    throw Error(ErrorCode::usage, fmt::format("gnuplot cannot read \"{}\"", file.string()),
                {.key = "results.gnuplot", .hint = "Write a CSV file."});
  return file.replace_extension(".gnuplot");
}

std::string gnuplot_text(const std::filesystem::path& result_file,
                         std::span<const Column> columns) {
  const std::vector<Panel> panels = panels_of(columns);
  std::string out = fmt::format(
      "# In this folder: gnuplot -p {}\n"
      "set datafile separator {}\n"
      "set key noenhanced outside right\nset grid\nset xlabel 'time [s]'\n",
      printable(gnuplot_path(result_file.filename()).string()),
      results::result_format_of(result_file).gnuplot_separator);
  if (panels.size() > 1) out += fmt::format("set multiplot layout {},1\n", panels.size());
  for (const Panel& panel : panels) {
    out += panel.unit.empty() ? "unset ylabel\n"
                              : fmt::format("set ylabel {} noenhanced\n", in_quotes(panel.unit));
    const char* before = "plot ";
    for (const std::size_t c : panel.columns) {
      out += fmt::format("{}{} skip 1 using 1:{} with {} title {}", before,
                         in_quotes(result_file.filename().string()), c + 2,
                         columns[c].discrete ? "steps" : "lines", in_quotes(columns[c].name));
      before = ", \\\n     ";
    }
    out += '\n';
  }
  if (panels.size() > 1) out += "unset multiplot\n";
  return out;
}

void write_gnuplot(const std::filesystem::path& result_file, std::span<const Column> columns) {
  write_whole_file(gnuplot_path(result_file), gnuplot_text(result_file, columns));
}

}  // namespace tutti
