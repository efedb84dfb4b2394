// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <clocale>
#include <new>
#include <tutti/error.hpp>
#include <tutti/version.hpp>
#include <tutti/worker.hpp>

#include "complete.hpp"
#include "console.hpp"
#include "options.hpp"

namespace {

using tutti::cli::Console;

constexpr int refused = 2;

/// In the order of --help.
constexpr void (*commands[])(tutti::cli::CommandLine&) = {
    tutti::cli::add_info,      tutti::cli::add_check,      tutti::cli::add_simulate,
    tutti::cli::add_compare,   tutti::cli::add_plot,       tutti::cli::add_new,
    tutti::cli::add_run,       tutti::cli::add_graph,      tutti::cli::add_advise,
    tutti::cli::add_linearize, tutti::cli::add_steady,     tutti::cli::add_sweep,
    tutti::cli::add_merge,     tutti::cli::add_estimate,   tutti::cli::add_optimize,
    tutti::cli::add_convert,   tutti::cli::add_solvers,    tutti::cli::add_explain,
    tutti::cli::add_examples,  tutti::cli::add_completion, tutti::cli::add_help,
};

void complain(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  const bool named = !app.get_subcommands().empty();
  const std::string asked =
      named ? fmt::format(" {}", app.get_subcommands().front()->get_name()) : "";
  const bool unknown = !named && argc > 1 && argv[1][0] != '-';
  tutti::cli::put_message(
      tutti::Severity::error,
      fmt::format("{}\nRun `tutti{} --help` for the available options.",
                  unknown ? fmt::format("there is no command \"{}\"", argv[1]) : error.what(),
                  asked));
}

}  // namespace

int main(int argc, char** argv) {
  if (tutti::is_worker(argc, argv)) return tutti::serve_worker(argc, argv);
  std::setlocale(LC_ALL, "C");
  tutti::cli::prepare_process();
  CLI::App app("tutti: couple simulation models that come as FMUs and run them together");
  app.set_version_flag("--version", [] {
    return fmt::format("tutti {}\nwith {}", tutti::version(), tutti::library_versions());
  });
  app.require_subcommand(1);
  Console::Options console_options;
  tutti::cli::Action chosen;
  tutti::cli::CommandLine line{app, console_options, chosen};
  for (const auto add : commands) add(line);

  if (argc > 1 && argv[1] == tutti::cli::complete_command) {
    tutti::cli::put(stdout, tutti::cli::complete(app, argc, argv));
    return 0;
  }

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    complain(app, error, argc, argv);
    return refused;
  }

  try {
    Console console(console_options);
    try {
      const tutti::cli::RunningCommand running;
      return chosen(console);
    } catch (const tutti::Error& error) {
      console.finish();
      console.error(error);
      return error.code() == tutti::ErrorCode::interrupted ? 130 : refused;
    }
  } catch (const std::bad_alloc&) {
    tutti::cli::put_message(tutti::Severity::error,
                            "there is not enough memory. Record fewer variables, close other "
                            "programs, or raise the limit (ulimit -v).");
    return refused;
  } catch (const std::exception& error) {
    tutti::cli::put_message(tutti::Severity::error, error.what());
    return refused;
  }
}
