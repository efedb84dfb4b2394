// SPDX-License-Identifier: BSD-2-Clause
#include "advise.hpp"

#include <fmt/format.h>

#include <tutti/error.hpp>
#include <tutti/system_file.hpp>

#include "file_kind.hpp"
#include "plot.hpp"
#include "system_inputs.hpp"

namespace tutti::cli {
namespace {

std::string drawn(const Advice& advice) {
  const TextPlotOptions screen = text_plot_options();
  return draw_text(advice_figure(advice, !screen.color), screen);
}

}  // namespace

int advise(AdviseCommand command, Console& console) {
  expect_kind("advise", FileKind::system, command.system);
  const bool draws_here = command.picture == "-";
  const bool draws_file = !command.picture.empty() && !draws_here;
  if (draws_file && !is_picture(command.picture))
    throw Error(ErrorCode::usage,
                fmt::format("--plot \"{}\": a plot is written as .svg or .png, or - draws it in "
                            "the terminal",
                            command.picture.string()));
  prepare_opening(command.options.open);
  command.options.stop_request = &interrupted();
  System system = read_system(command.system, command.options.open, console.log());
  for (const std::string& assignment : command.set) assign(system, assignment, console.log());
  const auto inputs = system_inputs(command.system, system);
  if (draws_file) protect_inputs(command.picture, inputs);
  console.open_log(inputs, {command.picture});
  const Advice advice = tutti::advise(system, command.options, console.log());
  console.finish();
  if (draws_file) {
    write_picture(advice_figure(advice, false), {}, command.picture);
    console.note(fmt::format("plot in \"{}\"", command.picture.string()));
  }
  bool written =
      command.json ? put(stdout, advice_json(advice)) : print_text(stdout, advice_text(advice));
  if (draws_here && !command.json) written &= put(stdout, '\n' + drawn(advice));
  return written && std::fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace tutti::cli
