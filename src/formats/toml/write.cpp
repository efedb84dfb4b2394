// SPDX-License-Identifier: BSD-2-Clause
#include "formats/toml/write.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "base/text.hpp"

namespace tutti::formats {
namespace {

bool is_bare(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += fmt::format("\\{}", c);
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out + '"';
}

std::string key_text(std::string_view key) {
  return is_bare(key) ? std::string(key) : in_quotes(key);
}

/// A value of a variable: as a number or boolean where reading it gives the same text again.
std::string value_text(const std::string& text) {
  if (text == "true" || text == "false") return text;
  double number = 0;
  const bool is_number = parse_number(text, number) && number_text(number) == text &&
                         text.find_first_not_of("0123456789.-+e") == text.npos;
  return is_number ? text : in_quotes(text);
}

std::string list_text(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (std::size_t i = 0; i < texts.size(); ++i) out += (i == 0 ? "" : ", ") + in_quotes(texts[i]);
  return out + "]";
}

std::string one_or_list(const std::vector<std::string>& texts) {
  return texts.size() == 1 ? in_quotes(texts.front()) : list_text(texts);
}

std::string endpoint_text(const Endpoint& endpoint) {
  return fmt::format("{}.{}", endpoint.component, endpoint.variable);
}

using Assignments = std::vector<std::pair<std::string, std::string>>;

std::string inline_table(const Assignments& values) {
  std::string out = "{";
  for (const auto& [name, value] : values)
    out += fmt::format("{} {} = {}", out.size() > 1 ? "," : "", key_text(name), value_text(value));
  return out + " }";
}

/// Lines `key = value` of one table; what is not given leaves no line.
class Lines {
 public:
  void text(std::string_view key, const std::string& value) {
    if (!value.empty()) line(key, in_quotes(value));
  }
  void number(std::string_view key, const std::optional<double>& value) {
    if (value) line(key, number_text(*value));
  }
  void number(std::string_view key, double value, double standard) {
    if (value != standard) line(key, number_text(value));
  }
  /// One of the words, by its index; the first one is the default.
  template <typename Enum>
  void word(std::string_view key, Enum value, std::initializer_list<std::string_view> words,
            bool always = false) {
    if (const auto index = static_cast<std::size_t>(value); index != 0 || always)
      line(key, in_quotes(words.begin()[index]));
  }
  void line(std::string_view key, std::string_view value) {
    text_ += fmt::format("{} = {}\n", key, value);
  }
  bool empty() const { return text_.empty(); }
  /// With its heading, or nothing if there are no lines.
  std::string table(std::string_view heading) const {
    return text_.empty() ? "" : fmt::format("\n{}\n{}", heading, text_);
  }

 private:
  std::string text_;
};

std::string component_heading(const Component& component, std::string_view more = "") {
  return fmt::format("[components.{}{}]", key_text(component.name), more);
}

void add_component_settings(Lines& lines, const Component& c) {
  const SolverSettings& solver = c.solver;
  const SolverSettings standard;
  if (solver.name != standard.name) lines.text("solver.name", solver.name);
  lines.number("solver.rtol", solver.rtol);
  lines.number("solver.atol", solver.atol);
  lines.number("solver.max-step", solver.max_step);
  lines.word("solver.at-points", solver.at_points, {"restart", "continue"});
  lines.number("tolerance", c.tolerance);
  lines.number("step", c.step);
  lines.number("timeout", c.timeout);
  if (c.log) lines.line("log", "true");
}

std::string component_text(const Component& c) {
  constexpr std::size_t most_inline = 4;
  Lines lines;
  lines.text("fmu", c.fmu.generic_string());
  if (c.as != FmuKind::automatic) lines.text("as", c.as == FmuKind::co_simulation ? "cs" : "me");
  add_component_settings(lines, c);
  if (c.set.size() <= most_inline) {
    if (!c.set.empty()) lines.line("set", inline_table(c.set));
    return lines.table(component_heading(c));
  }
  Lines set;
  for (const auto& [name, value] : c.set) set.line(key_text(name), value_text(value));
  return lines.table(component_heading(c)) + set.table(component_heading(c, ".set"));
}

constexpr std::string_view inside_words[] = {"hold", "linear"};
constexpr std::string_view derivative_words[] = {"auto", "fmu", "differences", "backward"};

std::string connection_inputs_text(const ConnectionInputs& inputs) {
  std::string out;
  if (inputs.inside)
    out += fmt::format(", inside = \"{}\"", inside_words[static_cast<int>(*inputs.inside)]);
  if (inputs.order) out += fmt::format(", order = {}", *inputs.order);
  if (inputs.derivatives)
    out += fmt::format(", derivatives = \"{}\"",
                       derivative_words[static_cast<int>(*inputs.derivatives)]);
  if (inputs.smooth) out += fmt::format(", smooth = {}", *inputs.smooth);
  return out;
}

std::string connection_text(const Connection& c) {
  const std::string from = endpoint_text(c.from), to = endpoint_text(c.to);
  const std::string inputs = connection_inputs_text(c.inputs);
  const bool plain =
      c.factor == 1 && c.offset == 0 && c.convert_units && c.map.empty() && inputs.empty();
  // An arrow in a name would be taken for the arrow.
  if (plain && (from + to).find("->") == std::string::npos)
    return in_quotes(fmt::format("{} -> {}", from, to));
  std::string out = fmt::format("{{ from = {}, to = {}", in_quotes(from), in_quotes(to));
  if (c.factor != 1) out += ", factor = " + number_text(c.factor);
  if (c.offset != 0) out += ", offset = " + number_text(c.offset);
  if (!c.convert_units) out += ", units = \"ignore\"";
  if (!c.map.empty()) out += ", map = " + inline_table(c.map);
  return out + inputs + " }";
}

std::string connections_text(const System& system) {
  if (system.connections.empty()) return "";
  std::string out = "\n[connections]\nlist = [\n";
  for (const Connection& connection : system.connections)
    out += fmt::format("  {},\n", connection_text(connection));
  return out + "]\n";
}

std::string column_text(const InputColumn& column) {
  if (column.factor == 1 && column.offset == 0) return in_quotes(column.column);
  return fmt::format("{{ column = {}, factor = {}, offset = {} }}", in_quotes(column.column),
                     number_text(column.factor), number_text(column.offset));
}

std::string inputs_text(const ExternalInputs& inputs) {
  Lines lines;
  lines.text("file", inputs.file.generic_string());
  std::string out = lines.table("[inputs]");
  Lines set;
  for (const auto& [to, value] : inputs.constants)
    set.line(in_quotes(endpoint_text(to)), value_text(value));
  out += set.table("[inputs.set]");
  for (const InputFile& table : inputs.tables) {
    Lines of_table, columns;
    of_table.text("file", table.file.generic_string());
    of_table.number("time-factor", table.time_factor, 1);
    of_table.word("hold", table.hold, {"start", "end"});
    for (const InputColumn& column : table.columns)
      columns.line(in_quotes(endpoint_text(column.to)), column_text(column));
    out += of_table.table("[[inputs.tables]]");
    out += columns.empty() ? "columns = {}\n" : columns.table("[inputs.tables.columns]");
  }
  return out;
}

void add_control(Lines& lines, const ControlSettings& c) {
  const ControlSettings standard;
  lines.word("control.name", c.name, {"fixed", "convergence", "richardson", "predictor"});
  lines.word("control.variant", c.variant,
             {"tutti", "eas", "mastersim", "mastersim-2018", "pyfmi", "textbook"});
  if (c.estimator)
    lines.word("control.estimator", *c.estimator, {"classic", "linear", "extended"}, true);
  lines.number("control.atol", c.atol, standard.atol);
  lines.number("control.rtol", c.rtol, standard.rtol);
  lines.number("control.min", c.min);
  lines.number("control.max", c.max);
  lines.word("control.at-min", c.at_min, {"stop", "continue"});
  lines.number("control.safety", c.safety);
  lines.number("control.shrink", c.shrink);
  lines.number("control.grow", c.grow);
  lines.number("control.fall-back", c.fall_back, standard.fall_back);
  lines.word("control.clock", c.clock, {"integer", "accumulate"});
  lines.word("control.end", c.end, {"exact", "overshoot"});
}

void add_simulation(Lines& lines, const SimulationSettings& s) {
  const SimulationSettings standard;
  lines.number("step", s.step);
  lines.line("method", one_or_list(s.methods));
  const IterationSettings& tolerance = s.tolerance;
  lines.number("tolerance.abs", tolerance.abs, standard.tolerance.abs);
  lines.number("tolerance.rel", tolerance.rel, standard.tolerance.rel);
  if (tolerance.iterations != standard.tolerance.iterations)
    lines.line("tolerance.iterations", std::to_string(tolerance.iterations));
  lines.word("tolerance.on-limit", tolerance.on_limit, {"stop", "continue"});
  lines.word("tolerance.norm", tolerance.norm, {"wrms", "components"});
  if (s.aitken) lines.text("relaxation", "aitken");
  lines.number("relaxation", s.relaxation);
  lines.word("sweeps", s.sweeps, {"seidel", "jacobi"});
  lines.word("save-states", s.save_states, {"auto", "always", "never"});
  if (s.threads != standard.threads) lines.line("threads", std::to_string(s.threads));
  lines.word("inputs.inside", s.inputs.inside, {"hold", "linear"});
  if (s.inputs.order != 0) lines.line("inputs.order", std::to_string(s.inputs.order));
  lines.word("inputs.derivatives", s.inputs.derivatives,
             {"auto", "fmu", "differences", "backward"});
  if (s.inputs.smooth) lines.line("inputs.smooth", "true");
  lines.word("inputs.correct", s.inputs.correct, {"none", "linear", "consistent"});
  add_control(lines, s.control);
}

std::string cycles_text(const System& system) {
  std::string out;
  for (const CycleSettings& cycle : system.cycles) {
    Lines lines;
    lines.line("of", list_text(cycle.of));
    if (!cycle.methods.empty()) lines.line("method", one_or_list(cycle.methods));
    if (!cycle.order.empty()) lines.line("order", list_text(cycle.order));
    out += lines.table("[[cycles]]");
  }
  return out;
}

std::string results_text(const ResultSettings& results) {
  Lines lines;
  lines.text("file", results.file.generic_string());
  if (!results.variables.empty() || results.only_time)
    lines.line("variables", list_text(results.variables));
  lines.number("interval", results.interval);
  if (results.steps) lines.line("steps", "true");
  if (results.gnuplot) lines.line("gnuplot", "true");
  return lines.table("[results]");
}

}  // namespace

std::string toml_text(const System& system) {
  Lines name, simulation;
  name.text("name", system.name);
  std::string out = name.table("[system]");
  for (const Component& component : system.components) out += component_text(component);
  out += connections_text(system) + inputs_text(system.inputs);
  simulation.number("start", system.simulation.start);
  simulation.number("stop", system.simulation.stop);
  add_simulation(simulation, system.simulation);
  out += simulation.table("[simulation]") + cycles_text(system) + results_text(system.results);
  return out.substr(std::min<std::size_t>(1, out.size()));
}

std::string toml_settings(const System& system) {
  std::string out;
  for (const Component& component : system.components) {
    Lines lines;
    add_component_settings(lines, component);
    out += lines.table(component_heading(component));
  }
  System special;  // connections with inputs of their own, and no more of them than that
  for (const Connection& connection : system.connections) {
    if (connection_inputs_text(connection.inputs).empty()) continue;
    Connection& shown = special.connections.emplace_back();
    shown.from = connection.from;
    shown.to = connection.to;
    shown.inputs = connection.inputs;
  }
  out += connections_text(special);
  Lines simulation;
  add_simulation(simulation, system.simulation);
  return out + inputs_text(system.inputs) + simulation.table("[simulation]") + cycles_text(system) +
         results_text(system.results);
}

}  // namespace tutti::formats
