// SPDX-License-Identifier: BSD-2-Clause
#include "compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <tutti/error.hpp>

#include "file_kind.hpp"
#include "text_table.hpp"

namespace tutti::cli {
namespace {

std::string list(const std::vector<std::string>& names) {
  constexpr std::size_t most = 10;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", names[i]);
  if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
  return text;
}

std::vector<ColumnPair> pairs_of(const std::vector<std::string>& map) {
  std::vector<ColumnPair> pairs;
  for (const std::string& text : map) {
    const std::size_t sign = text.find('=');
    if (sign == text.npos || sign == 0 || sign + 1 == text.size())
      throw Error(ErrorCode::usage,
                  fmt::format("--map \"{}\": expected A=B, a column of the result and one of the "
                              "reference",
                              text));
    pairs.push_back({text.substr(0, sign), text.substr(sign + 1)});
  }
  return pairs;
}

std::string shown_name(const VariableDifference& variable) {
  return variable.result_name.empty() ? variable.name
                                      : variable.result_name + " = " + variable.name;
}

std::string measure_text(double value) { return fmt::format("{:.3g}", value); }

std::string verdict(const CompareCommand& command, const Comparison& c) {
  const CompareOptions& options = command.options;
  const char* measure =
      options.measure == CompareOptions::Measure::rms ? "normalised RMS" : "normalised maximum";
  std::string text =
      fmt::format("{} of {} variables beyond the tolerance {:g} ({}), t = {:.6g} to {:.6g}\n",
                  c.beyond, c.variables.size(), options.tolerance, measure, c.from, c.to);
  if (!options.common && !c.missing.empty())
    text += "The result lacks columns of the reference (--common ignores them).\n";
  if (!options.common && !c.covers_time)
    text += "The result lacks a part of the reference's time (--common ignores it).\n";
  return text;
}

}  // namespace

std::string comparison_text(const CompareCommand& command, const Comparison& c) {
  constexpr std::size_t usual = 20;
  std::string text;
  TextTable table({{"variable", 40},
                   {"", 6},
                   {"rms", 10},
                   {"largest", 10},
                   {"at t", 14},
                   {"result", 16},
                   {"reference", 40}});
  const std::size_t shown = command.all ? c.variables.size() : std::min(usual, c.variables.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const VariableDifference& v = c.variables[i];
    const bool measured = v.problem.empty();
    const bool differs = !measured || v.largest > 0;  // else the place has no meaning
    table.add({shown_name(v), v.beyond ? "beyond" : "", measured ? measure_text(v.rms) : "-",
               measured ? measure_text(v.largest) : "-",
               differs ? fmt::format("{:.6g}", v.time) : "", differs ? v.result : "",
               !measured ? fmt::format("{} ({})", v.reference, v.problem)
               : differs ? v.reference
                         : ""});
  }
  if (shown > 0) text += table.text(0);
  if (shown < c.variables.size())
    text += fmt::format("({} more, --all shows them)\n", c.variables.size() - shown);
  return text + verdict(command, c);
}

int compare(const CompareCommand& command, Console& console) {
  for (const auto& file : {command.result, command.reference})
    expect_kind("compare", FileKind::result, file);
  console.open_log({command.result, command.reference});
  auto reading = std::async(std::launch::async, [&] { return read_results(command.reference); });
  const ResultTable result = read_results(command.result);
  const ResultTable reference = reading.get();
  CompareOptions options = command.options;
  options.map = pairs_of(command.map);
  const Comparison comparison = tutti::compare(result, reference, options);
  for (const std::string& note : comparison.notes) console.note(note);
  if (!comparison.missing.empty())
    console.note(fmt::format("only in \"{}\": {}", reference.name, list(comparison.missing)));
  if (!comparison.extra.empty())
    console.note(fmt::format("only in \"{}\": {}", result.name, list(comparison.extra)));
  const bool written = command.json ? put_json(stdout, comparison_json(command, comparison) + "\n")
                                    : print_text(stdout, comparison_text(command, comparison));
  const bool delivered = written && std::fflush(stdout) == 0;
  return comparison.agrees && delivered ? 0 : 1;
}

}  // namespace tutti::cli
