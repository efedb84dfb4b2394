// SPDX-License-Identifier: BSD-2-Clause
#include "options_shared.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "plot.hpp"

namespace tutti::cli {
namespace {

template <typename Predicate>
CLI::Validator number_check(const Predicate& is_fine, const std::string& what) {
  return CLI::Validator(
      [is_fine, what](std::string& text) -> std::string {
        char* end = nullptr;
        const double number = std::strtod(text.c_str(), &end);
        const bool whole = !text.empty() && *end == '\0' && std::isfinite(number);
        return whole && is_fine(number) ? "" : fmt::format("\"{}\" is not {}", text, what);
      },
      "");
}

/// A limit has no sign: as an unsigned number, -1 would be no limit.
const CLI::Validator unsigned_number(
    [](std::string& text) -> std::string {
      const bool begins_well = !text.empty() && text.front() >= '0' && text.front() <= '9';
      return begins_well ? "" : fmt::format("\"{}\" is not a non-negative number", text);
    },
    "");

void add_limit(CLI::App& app, const std::string& name, std::uint64_t& value,
               const std::string& text, const std::string& standard) {
  app.add_option(name, value, text)
      ->transform(CLI::AsSizeValue(false))
      ->transform(unsigned_number)  // validators run in reverse order
      ->default_str(standard);
}

}  // namespace

const CLI::Validator& number_from_zero() {
  static const CLI::Validator check =
      number_check([](double x) { return x >= 0; }, "a non-negative number");
  return check;
}

const CLI::Validator& positive_number() {
  static const CLI::Validator check =
      number_check([](double x) { return x > 0; }, "a positive number");
  return check;
}

void add_archive_options(CLI::App& app, ArchiveLimits& limits) {
  add_limit(app, "--max-unpacked", limits.total_bytes,
            "Reject an FMU that unpacks to more bytes than this", "8 GiB");
  add_limit(app, "--max-ratio", limits.ratio,
            "Reject an FMU with a large file of a higher compression ratio than this", "250");
  add_limit(app, "--max-description", limits.description_bytes,
            "Reject an FMU whose modelDescription.xml has more bytes than this", "512 MiB");
  add_limit(app, "--max-elements", limits.description_elements,
            "Reject an FMU whose modelDescription.xml has more XML elements than this",
            "3 million");
}

void add_structure_option(CLI::App& app, FmuOptions& open) {
  app.add_option("--structure", open.structure,
                 "Read this description of a package (.ssp) with several [SystemStructure.ssd]");
}

void add_compile_options(CLI::App& app, CompileOptions& compile) {
  app.add_flag("--compile", compile.allowed,
               "Compile the sources of an FMU without a binary for this machine (with $CC or cc)");
  app.add_option("--compile-timeout", compile.timeout,
                 "Maximum seconds of a compiler run; 0: no limit")
      ->check(number_from_zero())
      ->capture_default_str();
}

void add_diagnose_option(CLI::App& app, DiagnosisRequest& diagnosis,
                         const std::string& positional) {
  app.add_option_function<std::string>(
         "--diagnose",
         [&app, &diagnosis, positional](const std::string& text) {
           diagnosis.wanted = true;
           const std::filesystem::path file = text;
           if (text.empty()) return;
           CLI::Option* const other = app.get_option_no_throw(positional);
           if (is_picture(file) || other == nullptr || other->count() > 0) {
             diagnosis.picture = file;
             return;
           }
           other->add_result(text);
           other->run_callback();
         },
         "Print which states limit the solver's steps; draw them over time to FILE.svg or FILE.png")
      ->expected(0, 1)
      ->type_name("[FILE]");
}

void add_console_options(CLI::App& app, Console::Options& console) {
  app.add_flag("-q,--quiet", console.quiet, "Show errors only, and no summary");
  app.add_flag("-v,--verbose", console.verbose, "Show every message, and statistics of runs");
  app.add_option("--log-file", console.log_file, "Write every message to this file");
  add_color_option(app, console);
}

void add_color_option(CLI::App& app, Console::Options& console) {
  add_choice<ColorChoice>(app, "--color", console.color,
                          "Use colours: auto (unless NO_COLOR is set), always or never [auto]",
                          {{"auto", ColorChoice::automatic},
                           {"always", ColorChoice::always},
                           {"never", ColorChoice::never}});
}

void add_statistics_option(CLI::App& app, bool& statistics) {
  app.add_flag("--statistics", statistics,
               "Print a table of steps, calls and times after the summary");
}

void add_monolithic(CLI::App& app, std::vector<std::string>& set) {
  app.add_flag_callback(
      "--monolithic", [&set] { set.emplace_back("simulation.monolithic=true"); },
      "Solve connected model-exchange FMUs together, as one system of equations");
}

void add_start_from(CLI::App& app, std::filesystem::path& file) {
  app.add_option("--start-from", file,
                 "Set the values of a TOML file, as `tutti steady` writes it; --set follows")
      ->type_name("FILE");
}

void add_assignments(CLI::App& app, std::vector<std::string>& set, const std::string& text) {
  app.add_option("--set", set, text)->allow_extra_args(false);
}

}  // namespace tutti::cli
