// SPDX-License-Identifier: BSD-2-Clause
#include "formats/toml/new_system.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "base/number_type.hpp"
#include "base/text.hpp"
#include "formats/toml/write.hpp"
#include "system/endpoint.hpp"
#include "system/make_plan.hpp"
#include "system/names.hpp"

namespace tutti::formats {
namespace {

constexpr std::size_t line_length = 100;
constexpr std::size_t most_rows = 20;  // of inputs, outputs or parameters of a component

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string padded(std::string text, std::size_t width) {
  if (const std::size_t used = width_of(text); used < width) text.append(width - used, ' ');
  return text;
}

/// On one line, truncated to the line length.
std::string shortened(std::string_view text, std::size_t width) {
  std::string line = printable(text);
  if (width_of(line) <= width) return line;
  std::size_t used = 0, end = 0;
  while (used + 3 < width) {
    ++end;
    while (end < line.size() && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) ++end;
    ++used;
  }
  return line.substr(0, end) + "...";
}

/// Lines of cells in columns; the last cell is truncated at the end of the line. Cells that are
/// much wider than others do not widen their column, and columns without text are omitted.
std::string in_columns(const std::vector<std::vector<std::string>>& rows, std::string_view prefix) {
  constexpr std::size_t widest = 60, least = 24;
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i)
      if (!row[i].empty()) widths[i] = std::max(widths[i], std::min(widest, width_of(row[i])));
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line(prefix);
    for (std::size_t i = 0; i + 1 < row.size(); ++i)
      if (widths[i] > 0) line += padded(row[i], widths[i]) + "  ";
    const std::size_t used = std::min(line_length, width_of(line));
    line += shortened(row.back(), std::max(least, line_length - used));
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
  return out;
}

std::string number_in_toml(const std::string& text, Type type) {
  double number = 0;
  if (!is_float(type) || !parse_number(text, number)) return printable(trim(text));
  std::string out = number_text(number);
  if (std::isfinite(number) && out.find_first_of(".e") == std::string::npos) out += ".0";
  return out;
}

/// One start value as in a system file.
std::string value_in_toml(const ModelDescription& model, const Variable& variable,
                          const std::string& text) {
  if (is_text(variable.type)) return toml_quoted(printable(text));
  if (variable.type == Type::boolean) return text == "1" || text == "true" ? "true" : "false";
  const TypeDefinition* const type = model.type_of(variable);
  if (variable.type == Type::enumeration && type != nullptr)
    for (const EnumerationItem& item : type->items)
      if (std::to_string(item.value) == trim(text)) return toml_quoted(printable(item.name));
  return number_in_toml(text, variable.type);
}

constexpr std::size_t most_elements = 9;

/// Long arrays are cut, which is for comments only.
std::string start_in_toml(const ModelDescription& model, const Variable& variable) {
  if (variable.start.empty()) return "";
  if (!variable.is_array()) return value_in_toml(model, variable, variable.start.front());
  std::vector<std::string> values;
  for (std::size_t i = 0; i < std::min(most_elements, variable.start.size()); ++i)
    values.push_back(value_in_toml(model, variable, variable.start[i]));
  if (variable.start.size() > most_elements) values.emplace_back("...");
  return fmt::format("[{}]", fmt::join(values, ", "));
}

/// The type of variables that are not real, and the size of arrays.
std::string type_text(const ModelDescription& model, const Variable& variable) {
  std::string text = is_float(variable.type) ? "" : lower_case(to_string(variable.type));
  std::vector<std::string> sizes;
  for (const Dimension& dimension : variable.dimensions) {
    const std::int32_t named = dimension.size_variable ? model.find(*dimension.size_variable) : -1;
    sizes.push_back(named >= 0 ? printable(model.variables[static_cast<std::size_t>(named)].name)
                               : std::to_string(dimension.size.value_or(0)));
  }
  if (!sizes.empty())
    text += fmt::format("{}[{}]", text.empty() ? "real" : "", fmt::join(sizes, ", "));
  return text;
}

std::string dotted_key(std::string_view name) {
  std::string key;
  for (std::size_t dot = name.find('.');; dot = name.find('.')) {
    const std::string part = toml_key(name.substr(0, dot));
    if (part.starts_with('"')) return "";
    key += (key.empty() ? "" : ".") + part;
    if (dot == std::string_view::npos) return key;
    name.remove_prefix(dot + 1);
  }
}

/// A variable as a key below a table: with its dots, or in quotes.
std::string variable_key(std::string_view name) {
  std::string key = dotted_key(name);
  return key.empty() ? toml_quoted(printable(name)) : key;
}

std::string in_shell(const std::string& path) {
  const bool is_plain = std::ranges::all_of(path, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-./+,").find(c) != std::string_view::npos;
  });
  if (is_plain && !path.empty()) return path;
  std::string out = "'";
  for (const char c : printable(path)) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// `key = start value`, as it stands below a table; of a long array the first element.
std::string assignment(const ModelDescription& model, const Variable& variable,
                       const std::string& name) {
  if (variable.start.size() <= most_elements)
    return fmt::format("{} = {}", variable_key(name), start_in_toml(model, variable));
  std::string first = name + "[1";
  for (std::size_t i = 1; i < variable.dimensions.size(); ++i) first += ",1";
  return fmt::format("{} = {}", toml_quoted(printable(first + "]")),
                     value_in_toml(model, variable, variable.start.front()));
}

class Writer {
 public:
  Writer(const System& system, std::span<const ModelDescription* const> descriptions,
         std::span<const ProposedConnection> connections, const std::filesystem::path& file)
      : system_(system),
        descriptions_(descriptions),
        connections_(connections),
        file_(in_shell(file.string())) {}

  std::string write() {
    head();
    for (std::size_t i = 0; i < system_.components.size(); ++i) component(i);
    connections();
    free_inputs();
    simulation();
    return std::move(out_);
  }

 private:
  void head() {
    out_ = fmt::format(
        "# {} as a coupled system. Read it, change what does not fit, and then:\n"
        "#\n"
        "#   tutti check {}    (do they fit together?)\n"
        "#   tutti graph {}    (how are they connected?)\n"
        "#   tutti run {}      (results go to a .csv file)\n"
        "#\n"
        "# `tutti check --keys` lists all keys.\n",
        counted(system_.components.size(), "FMU"), file_, file_, file_);
  }

  void component(std::size_t index) {
    const Component& component = system_.components[index];
    const ModelDescription& model = *descriptions_[index];
    out_ += fmt::format("\n[components.{}]", toml_key(component.name));
    const std::string about = model.description.empty() ? model.model_name : model.description;
    const std::size_t used = component.name.size() + 17;
    if (!about.empty())
      out_ +=
          fmt::format("  # {}", shortened(about, line_length - std::min(used, std::size_t{60})));
    out_ += fmt::format("\nfmu = {}\n", toml_quoted(component.fmu.generic_string()));
    interfaces(component, model);
    list(component, model, Causality::input, "Inputs");
    list(component, model, Causality::output, "Outputs");
    parameters(component, model);
  }

  void interfaces(const Component& component, const ModelDescription& model) {
    const std::string version = fmt::format("FMI {}", to_string(model.version));
    if (system::is_model_exchange(component, model))
      out_ += fmt::format(
          "# {}, model exchange with a solver of Tutti (`tutti solvers` lists them)\n"
          "solver = \"{}\"\n",
          version, component.solver.name);
    else if (model.model_exchange)
      out_ += fmt::format(
          "# {}, co-simulation (as = \"me\": model exchange with a solver of Tutti)\n", version);
    else
      out_ += fmt::format("# {}, co-simulation\n", version);
  }

  std::vector<const Variable*> variables_with(const ModelDescription& model,
                                              Causality causality) const {
    std::vector<const Variable*> all;
    for (const Variable& variable : model.variables)
      if (variable.causality == causality) all.push_back(&variable);
    return all;
  }

  void more(const Component& component, std::size_t count) {
    if (count > most_rows)
      out_ += fmt::format("#   ... {} more: tutti info --all {}\n", count - most_rows,
                          in_shell((system_.folder / component.fmu).string()));
  }

  void list(const Component& component, const ModelDescription& model, Causality causality,
            std::string_view title) {
    const std::vector<const Variable*> all = variables_with(model, causality);
    if (all.empty()) return;
    out_ += fmt::format("#\n# {}\n", title);
    std::vector<std::vector<std::string>> rows;
    for (std::size_t i = 0; i < std::min(most_rows, all.size()); ++i) {
      const Variable& v = *all[i];
      const std::string start = causality == Causality::input ? start_in_toml(model, v) : "";
      rows.push_back({printable(v.name), type_text(model, v),
                      start.empty() ? "" : fmt::format("start value {}", start),
                      printable(v.attributes.unit), v.description});
    }
    out_ += in_columns(rows, "#   ");
    more(component, all.size());
  }

  void parameters(const Component& component, const ModelDescription& model) {
    std::vector<const Variable*> all = variables_with(model, Causality::structural_parameter);
    for (const Variable* variable : variables_with(model, Causality::parameter))
      all.push_back(variable);
    if (all.empty()) return;
    out_ += "#\n# Parameters: remove the # to set one\n";
    out_ += fmt::format("[components.{}.set]\n", toml_key(component.name));
    std::vector<std::vector<std::string>> rows;
    for (std::size_t i = 0; i < std::min(most_rows, all.size()); ++i) {
      const Variable& v = *all[i];
      rows.push_back({assignment(model, v, v.name), type_text(model, v),
                      printable(v.attributes.unit), v.description});
    }
    for (auto& row : rows)
      if (const auto first = std::find_if(row.begin() + 1, row.end(),
                                          [](const std::string& cell) { return !cell.empty(); });
          first != row.end())
        first->insert(0, "# ");
    out_ += in_columns(rows, "# ");
    more(component, all.size());
  }

  void connections() {
    if (system_.components.size() < 2) return;
    out_ +=
        "\n# Output -> input. Units are converted where the FMUs define "
        "them.\n[connections]\nlist "
        "= [\n";
    const bool any_guess =
        std::ranges::any_of(connections_, [](const auto& c) { return !c.is_sure; });
    std::vector<std::vector<std::string>> sure, guesses;
    for (const ProposedConnection& c : connections_)
      (c.is_sure ? sure : guesses)
          .push_back({fmt::format("{}{},", c.is_sure ? "" : "# ", connection_text(c)),
                      fmt::format("# {}", c.reason)});
    out_ += in_columns(sure, "  ");
    if (any_guess) {
      out_ += fmt::format("{}  # Possible connections; remove the first # to use one:\n",
                          sure.empty() ? "" : "\n");
      out_ += in_columns(guesses, "  ");
    }
    if (connections_.empty())
      out_ += fmt::format(
          "  # No output matches an input by name, unit and type. Write, for example:\n"
          "  # {},\n",
          connection_text(example()));
    out_ += "]\n";
  }

  /// How a connection is written: the first output to the first input of another component.
  ProposedConnection example() const {
    const std::size_t count = system_.components.size();
    for (std::size_t from = 0; from < count; ++from)
      for (std::size_t to = 0; to < count; ++to) {
        const auto outputs = variables_with(*descriptions_[from], Causality::output);
        const auto inputs = variables_with(*descriptions_[to], Causality::input);
        if (from != to && !outputs.empty() && !inputs.empty())
          return {{system_.components[from].name, outputs.front()->name},
                  {system_.components[to].name, inputs.front()->name},
                  false,
                  ""};
      }
    const auto& all = system_.components;
    return {{all[0].name, "output"}, {all[1].name, "input"}, false, ""};
  }

  static std::string connection_text(const ProposedConnection& c) {
    const std::string ends =
        fmt::format("{} -> {}", system::text_of(c.from), system::text_of(c.to));
    if (ends.find("->") == ends.rfind("->")) return toml_quoted(ends);
    return fmt::format("{{ from = {}, to = {} }}", toml_quoted(system::text_of(c.from)),
                       toml_quoted(system::text_of(c.to)));
  }

  /// Inputs without a source, with their start values.
  void free_inputs() {
    std::set<std::pair<std::string, std::string>> fed;
    for (const ProposedConnection& c : connections_)
      if (c.is_sure) fed.insert({c.to.component, c.to.variable});
    std::vector<std::vector<std::string>> rows;
    std::size_t count = 0;
    for (std::size_t i = 0; i < system_.components.size(); ++i)
      for (const Variable* v : variables_with(*descriptions_[i], Causality::input)) {
        const std::string& component = system_.components[i].name;
        if (v->type == Type::clock || fed.contains({component, v->name})) continue;
        if (++count > most_rows) continue;
        rows.push_back(
            {assignment(*descriptions_[i], *v, component + "." + v->name),
             v->attributes.unit.empty() ? "" : fmt::format("# {}", printable(v->attributes.unit))});
      }
    if (rows.empty()) return;
    out_ +=
        "\n# Inputs without a source keep their start values. Set others here, or use a table:\n"
        "# file = \"inputs.csv\", with the time first and columns named component.variable.\n"
        "[inputs]\n"
        "[inputs.set]\n";
    out_ += in_columns(rows, "# ");
    if (count > most_rows) out_ += fmt::format("# ... {} more\n", count - most_rows);
  }

  /// Components whose default experiment has this value.
  std::string fmus_with(double value, std::optional<double> DefaultExperiment::*what) const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < system_.components.size(); ++i)
      if (descriptions_[i]->default_experiment.*what == value)
        names.push_back(system_.components[i].name);
    constexpr std::size_t most = 3;
    if (names.empty()) return "";
    if (names.size() == system_.components.size() && names.size() > 1) return "all FMUs";
    if (names.size() > most) return fmt::format("{} FMUs", names.size());
    return fmt::format("{}", fmt::join(names, ", "));
  }

  void simulation() {
    const SimulationSettings& run = system_.simulation;
    const double start = run.start.value_or(0), stop = run.stop.value_or(start + 1);
    const double step = run.step.value_or((stop - start) / 500);
    const auto source = [](const std::string& names, std::string_view otherwise) {
      return names.empty() ? fmt::format("# {}", otherwise)
                           : fmt::format("# default experiment of {}", names);
    };
    const auto number = [](double value) {
      return number_in_toml(number_text(value), Type::float64);
    };
    std::vector<std::vector<std::string>> rows;
    rows.push_back({fmt::format("start = {}", number(start)),
                    source(fmus_with(start, &DefaultExperiment::start), "s")});
    const bool named_stop = std::ranges::any_of(descriptions_, [](const auto* model) {
      return model->default_experiment.stop.has_value();
    });
    rows.push_back({fmt::format("stop = {}", number(stop)),
                    source(fmus_with(stop, &DefaultExperiment::stop),
                           named_stop ? "of the default experiments, in whole steps"
                                      : "s; no FMU has a stop time")});
    rows.push_back({fmt::format("step = {}", number(step)),
                    source(fmus_with(step, &DefaultExperiment::step),
                           "communication step; no FMU has one: 1/500 of the time span")});
    out_ += "\n[simulation]\n" + in_columns(rows, "");
    if (system_.components.size() > 1)
      out_ += fmt::format(
          "# method = \"auto\"  # chooses method and steps; `tutti advise {}` "
          "recommends one\n",
          file_);
  }

  const System& system_;
  std::span<const ModelDescription* const> descriptions_;
  std::span<const ProposedConnection> connections_;
  std::string file_;
  std::string out_;
};

}  // namespace

std::string new_toml_text(const System& system,
                          std::span<const ModelDescription* const> descriptions,
                          std::span<const ProposedConnection> connections,
                          const std::filesystem::path& file) {
  return Writer(system, descriptions, connections, file).write();
}

}  // namespace tutti::formats
