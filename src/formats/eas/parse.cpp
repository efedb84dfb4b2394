// SPDX-License-Identifier: BSD-2-Clause
#include "formats/eas/parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tutti/error.hpp>

#include "formats/statements.hpp"
#include "formats/value.hpp"
#include "system/graph.hpp"
#include "system/names.hpp"

namespace tutti::formats::eas {
namespace {

// The scalars come first.
const std::vector<std::string_view> keywords = {
    "nval",       "nsim",        "tstart",        "tend",         "tstepmax",   "tstepstart",
    "mastermode", "masterdebug", "outputgnuplot", "it_max_steps", "it_tol_abs", "it_tol_rel",
    "sz_tol_abs", "sz_tol_rel",  "simulator",     "graph",        "priority",   "cycles"};
constexpr std::size_t scalar_count = 14;
constexpr std::int64_t most = 1'000'000;

class Parser {
 public:
  Parser(std::vector<Statement> statements, const std::string& file)
      : whole_{file}, statements_(std::move(statements)) {}

  Configuration run() {
    read_counts();
    for (at_ = 0; at_ < statements_.size(); ++at_)
      problems_.attempt([&] { read(statements_[at_]); });
    if (problems_.empty()) check_whole();
    problems_.raise();
    return std::move(result_);
  }

 private:
  /// Wherever they stand: indices are checked against them.
  void read_counts() {
    for (const Statement& statement : statements_) {
      const std::optional<std::size_t> keyword = find_word(statement.keyword().text, keywords);
      if (!keyword || *keyword > 1 || statement.tokens.size() < 2) continue;
      problems_.attempt([&] {
        const auto count = static_cast<std::uint32_t>(
            take_integer(statement.tokens[1], keywords[*keyword], 1, most));
        if (*keyword == 0)
          result_.value_count = count;
        else
          simulator_count_ = count;
      });
    }
    if (simulator_count_ == 0) problems_.add(whole_, "nsim, the number of simulators, is missing");
    if (result_.value_count == 0)
      problems_.add(whole_, "nval, the number of coupling variables, is missing");
    problems_.raise();
    result_.simulators.resize(simulator_count_);
  }

  void read(const Statement& statement) {
    const std::size_t keyword = take_word(statement.keyword(), "keyword", keywords);
    if (keyword < scalar_count)
      read_scalar(statement, keywords[keyword]);
    else if (keywords[keyword] == "simulator")
      read_simulator(statement);
    else
      read_section(statement, keywords[keyword]);
  }

  void read_scalar(const Statement& statement, std::string_view keyword) {
    const Place& place = statement.keyword().place;
    if (statement.tokens.size() != 2)
      refuse(place, fmt::format("\"{}\" is followed by one number", statement.keyword().text));
    const double value = take_number(statement.tokens[1], statement.keyword().text);
    if (!result_.scalars.emplace(keyword, Number{value, place}).second)
      refuse(place, fmt::format("\"{}\" is given twice", statement.keyword().text));
  }

  std::uint32_t simulator_index(const Token& token) const {
    return static_cast<std::uint32_t>(
        take_integer(token, "the number of a simulator", 0, std::int64_t{simulator_count_} - 1));
  }

  void read_simulator(const Statement& statement) {
    const Place& place = statement.keyword().place;
    if (statement.tokens.size() < 3)
      refuse(place, "a simulator is written as: simulator NUMBER PATH");
    Simulator& simulator = result_.simulators[simulator_index(statement.tokens[1])];
    if (!simulator.path.empty())
      refuse(place, fmt::format("simulator {} is given twice", statement.tokens[1].text));
    // A path may contain blanks; a comment ends it.
    const Token& last = statement.tokens.back();
    const char* const end = last.text.data() + last.text.size();
    const char* const begin = statement.tokens[2].text.data();
    simulator = {std::string(begin, end), place};
  }

  /// Up to `end`. Lines that do not start with a number belong to the heading.
  void read_section(const Statement& heading, std::string_view section) {
    for (++at_; at_ < statements_.size(); ++at_) {
      const Statement& statement = statements_[at_];
      if (find_word(statement.keyword().text, {"end"})) return;
      if (!is_integer(statement.keyword().text)) {
        if (find_word(statement.keyword().text, keywords)) break;
        continue;
      }
      problems_.attempt([&] {
        if (section == "graph")
          read_edge(statement);
        else if (section == "priority")
          read_priority(statement);
        else
          read_cycle(statement);
      });
    }
    if (section == "cycles") result_.has_cycles = true;
    refuse(heading.keyword().place, fmt::format("\"{}\" has no \"end\"", section));
  }

  static void need(const Statement& statement, std::size_t count, std::string_view form) {
    if (statement.tokens.size() != count)
      refuse(statement.keyword().place, fmt::format("{} words expected: {}", count, form));
  }

  void read_edge(const Statement& statement) {
    need(statement, 5, "VALUE SIMULATOR -1|1 r|i|b|s REFERENCE");
    Edge edge;
    edge.value = static_cast<std::uint32_t>(take_integer(
        statement.tokens[0], "the number of a value", 0, std::int64_t{result_.value_count} - 1));
    edge.simulator = simulator_index(statement.tokens[1]);
    edge.is_output = take_word(statement.tokens[2], "direction", {"-1", "1"}) == 0;
    edge.type = "ribs"[take_word(statement.tokens[3], "type", {"r", "i", "b", "s"})];
    edge.reference = statement.tokens[4].text;
    edge.place = statement.keyword().place;
    edge.reference_place = statement.tokens[4].place;
    result_.edges.push_back(std::move(edge));
  }

  void read_priority(const Statement& statement) {
    need(statement, 2, "SIMULATOR PRIORITY");
    result_.priorities.resize(simulator_count_);
    auto& priority = result_.priorities[simulator_index(statement.tokens[0])];
    if (priority)
      refuse(statement.keyword().place,
             fmt::format("simulator {} has two priorities", statement.keyword().text));
    priority = {
        static_cast<std::uint32_t>(take_integer(statement.tokens[1], "a priority", 0, most)),
        statement.keyword().place};
  }

  void read_cycle(const Statement& statement) {
    need(statement, 2, "PRIORITY 0|1");
    result_.has_cycles = true;
    const auto priority =
        static_cast<std::uint32_t>(take_integer(statement.tokens[0], "a priority", 0, most));
    const bool is_cycle = take_integer(statement.tokens[1], "the number of cycles", 0, most) != 0;
    if (!result_.cycles.emplace(priority, Configuration::Cycle{is_cycle, statement.keyword().place})
             .second)
      refuse(statement.keyword().place, fmt::format("priority {} is given twice", priority));
  }

  void check_whole() {
    for (std::size_t i = 0; i < simulator_count_; ++i)
      if (result_.simulators[i].path.empty())
        problems_.add(whole_,
                      fmt::format("simulator {} is missing: nsim is {}", i, simulator_count_));
    check_values();
    std::vector<std::uint32_t> used;
    for (std::size_t i = 0; i < result_.priorities.size(); ++i) {
      if (!result_.priorities[i])
        problems_.add(whole_, fmt::format("simulator {} has no priority", i));
      else if (result_.has_cycles && !result_.cycles.contains(result_.priorities[i]->priority))
        problems_.add(result_.priorities[i]->place,
                      fmt::format("priority {} has no line in the section cycles",
                                  result_.priorities[i]->priority));
    }
  }

  void check_values() {
    std::vector<const Edge*> source(result_.value_count);
    for (const Edge& edge : result_.edges) {
      if (!edge.is_output) continue;
      const Edge*& first = source[edge.value];
      if (first != nullptr)
        problems_.add(edge.place, fmt::format("value {} is the output of simulator {} and of "
                                              "simulator {}; a value has one source",
                                              edge.value, first->simulator, edge.simulator));
      else
        first = &edge;
    }
    for (std::size_t i = 0; i < source.size(); ++i)
      if (source[i] == nullptr)
        problems_.add(whole_,
                      fmt::format("value {} is the output of no simulator: a line with -1 is "
                                  "missing in the graph",
                                  i));
  }

  Place whole_;  ///< the file, for what is missing in it
  std::vector<Statement> statements_;
  std::size_t at_ = 0;
  std::uint32_t simulator_count_ = 0;
  Configuration result_;
  system::Problems problems_;
};

using system::Graph;

std::vector<Graph::Edge> graph_edges(const Configuration& file) {
  std::vector<std::uint32_t> source(file.value_count);
  for (const Edge& edge : file.edges)
    if (edge.is_output) source[edge.value] = edge.simulator;
  std::vector<Graph::Edge> edges;
  for (const Edge& edge : file.edges)
    if (!edge.is_output) edges.push_back({source[edge.value], edge.simulator});
  return edges;
}

class Order {
 public:
  Order(const Configuration& file, System& system, const Log& log, system::Problems& problems)
      : file_(file),
        system_(system),
        log_(log),
        problems_(problems),
        graph_(file.simulators.size(), graph_edges(file)),
        components_(system::strong_components(graph_)) {}

  void run() {
    if (!file_.priorities.empty()) check_priorities();
    for (const auto& members : components_.members)
      if (is_cycle(members)) add_cycle(members);
    if (!file_.priorities.empty()) warn_of_empty_cycles();
  }

 private:
  using Members = std::vector<Graph::Node>;
  bool is_cycle(const Members& members) const {
    return members.size() > 1 || graph_.has_edge(members.front(), members.front());
  }
  std::uint32_t priority(Graph::Node node) const { return file_.priorities[node]->priority; }

  /// A simulator is called after all that feed it, unless both are in one cycle.
  void check_priorities() {
    const std::vector<std::uint32_t> computed = system::priorities(graph_, components_);
    const auto hint = [&](Graph::Node node) {
      return fmt::format("the graph gives simulator {} the priority {}", node,
                         computed[components_.component_of[node]]);
    };
    for (const Graph::Edge& edge : graph_edges(file_)) {
      const bool together =
          components_.component_of[edge.from] == components_.component_of[edge.to];
      const std::uint32_t from = priority(edge.from), to = priority(edge.to);
      if (together ? from == to : from < to) continue;
      problems_.add(
          file_.priorities[edge.to]->place,
          fmt::format("simulator {} has priority {} and feeds simulator {} of priority "
                      "{}{}; {}, {}",
                      edge.from, from, edge.to, to, together ? ", but they are in one cycle" : "",
                      hint(edge.from), hint(edge.to)));
    }
  }

  void add_cycle(const Members& members) {
    CycleSettings& cycle = system_.cycles.emplace_back();
    for (const Graph::Node node : members) cycle.of.push_back(system_.components[node].name);
    cycle.order = cycle.of;
    if (file_.priorities.empty() || !file_.has_cycles) return;
    const auto found = file_.cycles.find(priority(members.front()));
    if (found == file_.cycles.end()) return;
    cycle.place = found->second.place;
    if (found->second.is_cycle) return;
    cycle.methods = {"gauss-seidel"};
    log_.warning("",
                 fmt::format("{}priority {} has no cycle in the file, but {} form "
                             "one; they are called once per step",
                             system::at(cycle.place), found->first, fmt::join(cycle.of, " and ")));
  }

  void warn_of_empty_cycles() {
    for (const auto& [level, cycle] : file_.cycles) {
      const bool found = std::ranges::any_of(
          components_.members,
          [&, at = level](const Members& m) { return is_cycle(m) && priority(m.front()) == at; });
      if (cycle.is_cycle && !found)
        log_.warning("", fmt::format("{}the graph has no cycle of priority {}",
                                     system::at(cycle.place), level));
    }
  }

  const Configuration& file_;
  System& system_;
  const Log& log_;
  system::Problems& problems_;
  Graph graph_;
  system::Components components_;
};

}  // namespace

std::optional<double> Configuration::scalar(std::string_view keyword) const {
  const auto found = scalars.find(keyword);
  return found == scalars.end() ? std::nullopt : std::optional(found->second.value);
}

const Place& Configuration::place_of(std::string_view keyword) const {
  static const Place none;
  const auto found = scalars.find(keyword);
  return found == scalars.end() ? none : found->second.place;
}

Configuration parse(std::string_view text, const std::string& file) {
  return Parser(split_statements(text, file, true), file).run();
}

bool recognizes(std::string_view begin) {
  const std::size_t cut = begin.rfind('\n');
  if (cut != begin.npos) begin = begin.substr(0, cut);  // the last line may be cut off
  try {
    const std::vector<Statement> statements = split_statements(begin, "", true);
    return !statements.empty() && statements.front().tokens.size() == 2 &&
           find_word(statements.front().keyword().text, keywords).value_or(scalar_count) <
               scalar_count;
  } catch (const Error&) {
    return false;
  }
}

void add_order(const Configuration& file, System& system, const Log& log,
               system::Problems& problems) {
  Order(file, system, log, problems).run();
}

}  // namespace tutti::formats::eas
