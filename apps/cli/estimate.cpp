// SPDX-License-Identifier: BSD-2-Clause
#include "estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tutti/error.hpp>

#include "plot.hpp"
#include "search_command.hpp"
#include "system_inputs.hpp"

namespace tutti::cli {
namespace {

/// False if it cannot be drawn.
bool draw_fit(const EstimateReport& report, const std::filesystem::path& picture,
              Console& console) {
  if (picture.empty() || report.search.parameters.empty()) return true;
  try {
    write_picture(figure_of(report), {}, picture);
    console.note(fmt::format("plot in \"{}\"", picture.string()));
    return true;
  } catch (const Error& error) {
    console.error(error);
    return false;
  }
}

}  // namespace

int estimate(SearchCommand command, Console& console) {
  if (!command.picture.empty() && !is_picture(command.picture))
    throw Error(ErrorCode::usage, fmt::format("--plot \"{}\": a plot is written as .svg or .png",
                                              command.picture.string()));
  auto [study, inputs] = open_study(command, console);
  if (!study.estimate)
    throw Error(ErrorCode::usage, "the study has no section [estimate]",
                {.file = study.file.string(),
                 .hint = study.optimize ? "It has [optimize]: use `tutti optimize`."
                                        : "Add [estimate] and [[experiments]]."});
  EstimateSettings& settings = *study.estimate;
  apply_options(command, settings);
  protect_files({settings.results, command.picture}, inputs);
  console.open_log(inputs, {settings.results, command.picture});
  prepare_search(command, console);
  command.control.curves = !command.picture.empty();
  const EstimateReport report = run_estimate(study, command.control, console.log());
  console.finish();
  bool written = true;
  if (command.json)
    written = put_json(stdout, estimate_json(report) + "\n");
  else if (!console.is_quiet())
    written = print_text(stdout, report_text(report));
  written &= std::fflush(stdout) == 0;
  written &= write_found(report.search, study, settings.results, console);
  written &= draw_fit(report, command.picture, console);
  const int status = search_status(report.search, console);
  return written ? status : std::max(status, 1);
}

}  // namespace tutti::cli
