// SPDX-License-Identifier: BSD-2-Clause
#include "estimate.hpp"

#include <fmt/format.h>

#include <tutti/error.hpp>

#include "plot.hpp"
#include "search_command.hpp"

namespace tutti::cli {

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
  for (const std::filesystem::path& output : {settings.results, command.picture})
    if (!output.empty()) protect_inputs(output, inputs);
  console.open_log(inputs, {settings.results, command.picture});
  prepare_search(command, console);
  command.control.curves = !command.picture.empty();
  const EstimateReport report = run_estimate(study, command.control, console.log());
  console.finish();
  write_found(report.search, study, settings.results, console);
  if (!command.picture.empty() && !report.search.parameters.empty()) {
    write_picture(figure_of(report), {}, command.picture);
    console.note(fmt::format("plot in \"{}\"", command.picture.string()));
  }
  bool written = true;
  if (command.json)
    written = put_json(stdout, estimate_json(report) + "\n");
  else if (!console.is_quiet())
    written = print_text(stdout, report_text(report));
  const int status = search_status(report.search, console);
  return written && std::fflush(stdout) == 0 ? status : 1;
}

}  // namespace tutti::cli
