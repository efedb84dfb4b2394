// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <tutti/error.hpp>

#include "estimate.hpp"
#include "search_command.hpp"

namespace tutti::cli {

int optimize(SearchCommand command, Console& console) {
  auto [study, inputs] = open_study(command, console);
  if (!study.optimize)
    throw Error(ErrorCode::usage, "the study has no section [optimize]",
                {.file = study.file.string(),
                 .hint = study.estimate ? "It has [estimate]: use `tutti estimate`."
                                        : "Add [optimize] with an objective."});
  OptimizeSettings& settings = *study.optimize;
  apply_options(command, settings);
  if (!settings.results.empty()) protect_inputs(settings.results, inputs);
  console.open_log(inputs, {settings.results});
  prepare_search(command, console);
  const OptimizeReport report = run_optimize(study, command.control, console.log());
  console.finish();
  bool written = true;
  if (command.json)
    written = put_json(stdout, optimize_json(report) + "\n");
  else if (!console.is_quiet())
    written = print_text(stdout, report_text(report));
  written &= std::fflush(stdout) == 0;
  written &= write_found(report.search, study, settings.results, console);
  const int status = search_status(report.search, console);
  if (!written) return std::max(status, 1);
  return status == 0 && !report.is_feasible ? 1 : status;
}

}  // namespace tutti::cli
