// SPDX-License-Identifier: BSD-2-Clause
#include "formats/msim/parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tutti/error.hpp>
#include <unordered_map>

#include "base/text.hpp"
#include "formats/statements.hpp"
#include "formats/value.hpp"
#include "system/names.hpp"

namespace tutti::formats::msim {
namespace {

struct TimeKeyword {
  std::string_view word;
  double Project::*value;
};
constexpr TimeKeyword times[] = {
    {"tStart", &Project::start},          {"tEnd", &Project::stop},
    {"hStart", &Project::first_step},     {"hMin", &Project::shortest_step},
    {"hMax", &Project::longest_step},     {"hFallBackLimit", &Project::fall_back},
    {"hOutputMin", &Project::output_step}};

struct FlagKeyword {
  std::string_view word;
  bool Project::*value;  ///< null: for files that Tutti does not write
};
constexpr FlagKeyword flags[] = {{"adjustStepSize", &Project::adjust_step},
                                 {"preventOversteppingOfEndTime", &Project::stop_at_end},
                                 {"writeInternalVariables", &Project::internal_variables},
                                 {"writeUnconnectedFileReaderVars", nullptr}};

const std::vector<std::string_view> others = {
    "simulator", "graph",  "parameter",  "outputOnly",       "outputTimeUnit",
    "absTol",    "relTol", "MasterMode", "ErrorControlMode", "maxIterations"};

std::vector<std::string_view> all_keywords() {
  std::vector<std::string_view> all;
  for (const TimeKeyword& time : times) all.push_back(time.word);
  for (const FlagKeyword& flag : flags) all.push_back(flag.word);
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

/// Values as MASTERSIM reads them: escaped newlines and backslashes, quotes removed.
std::string unescaped(std::string_view text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
    text = text.substr(1, text.size() - 2);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == '\\' || text[i + 1] == 'n'))
      out += text[++i] == 'n' ? '\n' : '\\';
    else
      out += text[i];
  }
  return out;
}

Endpoint take_endpoint(const Token& token) {
  const std::size_t dot = token.text.find('.');
  if (dot == token.text.npos || dot == 0 || dot + 1 == token.text.size())
    refuse(token.place,
           fmt::format("\"{}\" is not of the form slave.variable", printable(token.text)));
  return {std::string(token.text.substr(0, dot)), std::string(token.text.substr(dot + 1))};
}

class Parser {
 public:
  Project run(const std::vector<Statement>& statements) {
    for (const Statement& statement : statements) problems_.attempt([&] { read(statement); });
    for (const Line& line : project_.lines)
      problems_.attempt([&] {
        find(line.from.component, line.place);
        find(line.to.component, line.place);
      });
    problems_.raise();
    return std::move(project_);
  }

 private:
  void read(const Statement& statement) {
    static const std::vector<std::string_view> known = all_keywords();
    const std::string_view word = statement.keyword().text;
    if (std::ranges::find(known, word) == known.end())
      refuse(statement.keyword().place,
             fmt::format("unknown keyword \"{}\".{}", printable(word), did_you_mean(word, known)));
    for (const TimeKeyword& time : times)
      if (time.word == word) {
        project_.*time.value = take_time(statement);
        if (word == "hOutputMin") project_.output_place = statement.keyword().place;
        return;
      }
    for (const FlagKeyword& flag : flags)
      if (flag.word == word) {
        const Token& value = only_value(statement);
        const bool is_true = value.text == "true" || value.text == "yes" || value.text == "1";
        if (flag.value != nullptr) project_.*flag.value = is_true;
        return;
      }
    read_other(statement, word);
  }

  void read_other(const Statement& statement, std::string_view word) {
    if (word == "simulator") {
      read_simulator(statement);
    } else if (word == "graph") {
      read_line(statement);
    } else if (word == "parameter") {
      read_parameter(statement);
    } else if (word == "absTol" || word == "relTol") {
      const double value = take_number(only_value(statement), word);
      if (value < 0) refuse(statement.keyword().place, fmt::format("{} is negative", word));
      (word == "absTol" ? project_.abs_tol : project_.rel_tol) = value;
    } else if (word == "MasterMode") {
      project_.mode_place = statement.keyword().place;
      project_.mode = static_cast<MasterMode>(take_word(
          only_value(statement), "MasterMode", {"GAUSS_JACOBI", "GAUSS_SEIDEL", "NEWTON"}));
    } else if (word == "ErrorControlMode") {
      project_.error_control_place = statement.keyword().place;
      project_.error_control = static_cast<ErrorControl>(
          std::min<std::size_t>(2, take_word(only_value(statement), "ErrorControlMode",
                                             {"NONE", "CHECK", "STEP_DOUBLING", "ADAPT_STEP"})));
    } else if (word == "maxIterations") {
      project_.iterations = static_cast<std::uint32_t>(
          take_integer(only_value(statement), "maxIterations", 1, 1'000'000'000));
    } else if (word == "outputTimeUnit" && !seconds_in(only_value(statement).text)) {
      refuse_unit(only_value(statement));
    }
  }

  static const Token& only_value(const Statement& statement) {
    if (statement.tokens.size() != 2)
      refuse(statement.keyword().place,
             fmt::format("\"{}\" is followed by one value", statement.keyword().text));
    return statement.tokens[1];
  }
  [[noreturn]] static void refuse_unit(const Token& token) {
    refuse(token.place,
           fmt::format("unknown unit of time \"{}\". Expected one of: ms, s, min, h, d, a.",
                       printable(token.text)));
  }

  static double take_time(const Statement& statement) {
    const std::string_view word = statement.keyword().text;
    if (statement.tokens.size() != 3)
      refuse(statement.keyword().place,
             fmt::format("\"{}\" is followed by a number and a unit of time", word));
    const std::optional<double> unit = seconds_in(statement.tokens[2].text);
    if (!unit) refuse_unit(statement.tokens[2]);
    const double value = take_number(statement.tokens[1], word);
    if (value < 0 && word != "tStart" && word != "tEnd")
      refuse(statement.tokens[1].place, fmt::format("{} is negative", word));
    return value * *unit;
  }

  void read_simulator(const Statement& statement) {
    const Place& place = statement.keyword().place;
    if (statement.tokens.size() != 6)
      refuse(place, "a simulator is written as: simulator NUMBER CYCLE NAME COLOR \"PATH\"");
    const std::string_view name = statement.tokens[3].text;
    take_integer(statement.tokens[1], "the number of a simulator", 0, 1'000'000'000);
    const std::int64_t cycle =
        take_integer(statement.tokens[2], "the cycle of a simulator", 0, 1'000'000'000);
    if (name.empty() || name.find('.') != name.npos)
      refuse(statement.tokens[3].place,
             fmt::format("a slave must not be called \"{}\": its name ends at the first dot",
                         printable(name)));
    if (!index_.emplace(name, project_.simulators.size()).second)
      refuse(place, fmt::format("there are two slaves \"{}\"", printable(name)));
    project_.simulators.push_back(
        {cycle, std::string(name), std::string(statement.tokens[5].text), {}, place});
  }

  Simulator& find(const std::string& name, const Place& place) {
    if (const auto found = index_.find(name); found != index_.end())
      return project_.simulators[found->second];
    refuse(place, fmt::format("unknown slave \"{}\": no line above defines it.{}", printable(name),
                              did_you_mean(name, names_of(project_.simulators))));
  }

  void read_line(const Statement& statement) {
    const std::size_t count = statement.tokens.size();
    if (count != 3 && count != 5 && count != 7)
      refuse(statement.keyword().place,
             "a connection is written as: graph SLAVE.OUTPUT SLAVE.INPUT [OFFSET SCALE [WIDTH "
             "COLOR]]");
    Line line;
    line.from = take_endpoint(statement.tokens[1]);
    line.to = take_endpoint(statement.tokens[2]);
    if (count > 3) {
      line.offset = take_number(statement.tokens[3], "the offset");
      line.scale = take_number(statement.tokens[4], "the scale");
    }
    line.place = statement.keyword().place;
    project_.lines.push_back(std::move(line));
  }

  void read_parameter(const Statement& statement) {
    if (statement.tokens.size() < 3)
      refuse(statement.keyword().place, "a parameter is written as: parameter SLAVE.NAME VALUE");
    const Endpoint to = take_endpoint(statement.tokens[1]);
    set_value(find(to.component, statement.tokens[1].place).parameters, to.variable,
              unescaped(statement.rest_after(1)));
  }

  Project project_;
  std::unordered_map<std::string, std::size_t> index_;  // of simulators, by name
  system::Problems problems_;
};

}  // namespace

std::optional<double> seconds_in(std::string_view unit) {
  constexpr std::pair<std::string_view, double> units[] = {
      {"ms", 1e-3}, {"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}, {"a", 365.0 * 86400}};
  for (const auto& [name, seconds] : units)
    if (name == unit) return seconds;
  return std::nullopt;
}

Project parse(std::string_view text, const std::string& file) {
  return Parser().run(split_statements(text, file, false));
}

}  // namespace tutti::formats::msim
