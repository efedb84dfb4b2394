// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <sstream>
#include <tutti/examples.hpp>

#include "base/file_error.hpp"
#include "base/text.hpp"
#include "formats/toml/read.hpp"
#include "system/names.hpp"

namespace tutti {
namespace {

using formats::Value;
using Kind = ExpectedFigure::Kind;
using Relation = ExpectedFigure::Relation;

constexpr double usual_tolerance = 0.01;

[[noreturn]] void refuse(const Value& value, const std::string& what) {
  throw Error(ErrorCode::usage,
              fmt::format("{} is expected, not {}", what, formats::described(value)),
              system::where(value.place));
}

std::string text_of(const Value& value) {
  if (!value.is(Value::Kind::text)) refuse(value, "a text");
  return value.text;
}
double number_of(const Value& value) {
  if (!value.is_number()) refuse(value, "a number");
  return value.number;
}
template <class Take>
auto list_of(const Value& value, const Take& take) {
  if (!value.is(Value::Kind::list)) refuse(value, "a list");
  std::vector<decltype(take(value))> items;
  for (const Value& item : value.items) items.push_back(take(item));
  return items;
}

struct Key {
  std::string_view name;
  std::function<void(const Value&)> take;
};
/// Passes every entry of a table to the key of its name.
void take_table(const Value& table, const std::vector<Key>& keys) {
  if (!table.is(Value::Kind::table)) refuse(table, "a table");
  for (const Value::Entry& entry : table.entries) {
    const auto key =
        std::find_if(keys.begin(), keys.end(), [&](const Key& k) { return k.name == entry.key; });
    if (key != keys.end()) {
      key->take(entry.value);
      continue;
    }
    std::vector<std::string_view> names;
    for (const Key& known : keys) names.push_back(known.name);
    throw Error(
        ErrorCode::usage, fmt::format("unknown key \"{}\".", entry.key),
        system::where(entry.place, {.key = entry.key, .hint = did_you_mean(entry.key, names)}));
  }
}

/// `3.9e-2`, `"3.9 +- 0.1"`, `"< 1e-4"`, `"> 1e100"`, or a verdict, `"e"`.
ExpectedFigure figure(Kind kind, const Value& value) {
  ExpectedFigure figure;
  figure.kind = kind;
  if (value.is_number()) {
    figure.value = value.number;
    figure.within = figure.is_count() ? 0 : usual_tolerance;
    return figure;
  }
  const std::string text = text_of(value);
  if (text == "w" || text == "e") {
    figure.relation = Relation::verdict;
    figure.verdict = text[0];
    return figure;
  }
  if (const std::size_t sign = text.find("+-"); sign != text.npos) {
    if (!parse_number(trim(std::string_view(text).substr(0, sign)), figure.value) ||
        !parse_number(trim(std::string_view(text).substr(sign + 2)), figure.allowed))
      refuse(value, "\"number +- number\"");
    return figure;
  }
  figure.relation = text.starts_with("<") ? Relation::below : Relation::above;
  if ((!text.starts_with("<") && !text.starts_with(">")) ||
      !parse_number(std::string_view(text).substr(1), figure.value))
    refuse(value, "a number, \"number +- number\", \"< number\", \"> number\", \"w\" or \"e\"");
  return figure;
}

void take_by_name(ExampleRun& run, Kind kind, const Value& table) {
  if (!table.is(Value::Kind::table)) refuse(table, "a table of variables");
  double from = 0;
  for (const Value::Entry& entry : table.entries) {
    if (kind == Kind::swing && entry.key == "from") {
      from = number_of(entry.value);
      continue;
    }
    run.figures.push_back(figure(kind, entry.value));
    run.figures.back().of = entry.key;
    run.figures.back().from = from;
  }
}

/// The times at which values change, and how exactly.
void take_changes(ExampleRun& run, const Value& table) {
  if (!table.is(Value::Kind::table)) refuse(table, "a table of variables");
  double within = usual_tolerance;
  for (const Value::Entry& entry : table.entries) {
    if (entry.key == "within") {
      within = number_of(entry.value);
      continue;
    }
    ExpectedFigure& added = run.figures.emplace_back();
    added.kind = Kind::changes;
    added.of = entry.key;
    added.times = list_of(entry.value, number_of);
    added.relation = Relation::below;
  }
  for (ExpectedFigure& figure : run.figures)
    if (figure.kind == Kind::changes) figure.value = within;
}

/// A figure for each of these keys.
void take_each(ExampleRun& run, Kind kind, const std::string& of, const Value& table,
               std::initializer_list<const char*> names) {
  std::vector<Key> keys;
  for (const char* const name : names)
    keys.push_back({name, [&run, &of, kind, name](const Value& value) {
                      ExpectedFigure& added = run.figures.emplace_back(figure(kind, value));
                      added.of = of;
                      added.call = name;
                    }});
  take_table(table, keys);
}

/// The same of each component.
void take_by_component(ExampleRun& run, Kind kind, const Value& table,
                       std::initializer_list<const char*> names) {
  if (!table.is(Value::Kind::table)) refuse(table, "a table of components");
  for (const Value::Entry& component : table.entries)
    take_each(run, kind, component.key, component.value, names);
}

ExampleRun::Show show_of(const Value& value) {
  const std::string text = text_of(value);
  if (text != "printed" && text != "ours") refuse(value, "\"printed\" or \"ours\"");
  return text == "printed" ? ExampleRun::Show::printed : ExampleRun::Show::ours;
}

/// The targets of `like`: earlier runs, and [[settings]].
using Settings = std::vector<ExampleRun>;

/// Applies the settings of another run, or of several in this order.
void take_like(ExampleRun& run, const Settings& known, const Value& value) {
  const std::vector<Value> names = value.is(Value::Kind::list) ? value.items : std::vector{value};
  for (const Value& name : names) {
    const auto other = std::find_if(known.begin(), known.end(),
                                    [&](const ExampleRun& r) { return r.name == text_of(name); });
    if (other == known.end()) refuse(name, "the name of a run before this one or of [[settings]]");
    if (!other->system.empty()) run.system = other->system;
    if (!other->program.empty()) run.program = other->program;
    run.set.insert(run.set.end(), other->set.begin(), other->set.end());
    run.reference.insert(run.reference.end(), other->reference.begin(), other->reference.end());
  }
}

ExpectedFigure divergence(const Value& value) {
  ExpectedFigure figure;
  figure.kind = Kind::diverges;
  figure.relation = Relation::above;
  figure.value = number_of(value);
  return figure;
}

/// All values must equal those of the other run.
ExpectedFigure equality(const Settings& runs, const Value& value) {
  ExpectedFigure figure;
  figure.kind = Kind::same_as;
  figure.of = text_of(value);
  if (std::none_of(runs.begin(), runs.end(),
                   [&](const ExampleRun& run) { return run.name == figure.of; }))
    refuse(value, "the name of a run before this one");
  return figure;
}

ExpectedFigure message(const Value& value) {
  ExpectedFigure figure;
  figure.kind = Kind::fails;
  figure.call = text_of(value);
  return figure;
}

void take_figures(ExampleRun& run, std::vector<Key>& keys) {
  const auto one = [&run](const char* name, Kind kind) {
    return Key{name, [&run, kind](const Value& v) { run.figures.push_back(figure(kind, v)); }};
  };
  const auto by_name = [&run](const char* name, Kind kind) {
    return Key{name, [&run, kind](const Value& v) { take_by_name(run, kind, v); }};
  };
  for (const Key& key :
       {one("error", Kind::error), by_name("errors", Kind::error),
        one("last-error", Kind::last_error), by_name("first", Kind::first),
        by_name("last", Kind::last), by_name("largest", Kind::largest),
        by_name("swing", Kind::swing), one("steps", Kind::steps),
        one("evaluations", Kind::evaluations), one("evaluations-alone", Kind::evaluations_alone),
        by_name("growth", Kind::growth)})
    keys.push_back(key);
  keys.push_back(
      {"failures", [&run](const Value& v) {
         take_each(run, Kind::failures, "", v, {"convergence", "error-test", "accepted-at-min"});
       }});
  keys.push_back({"calls", [&run](const Value& v) {
                    take_by_component(run, Kind::calls, v, {"do-step", "get-state", "set-state"});
                  }});
  keys.push_back({"solver", [&run](const Value& v) {
                    take_by_component(run, Kind::solver, v, {"steps", "right-hand-sides"});
                  }});
  keys.push_back({"changes", [&run](const Value& v) { take_changes(run, v); }});
  keys.push_back({"diverges", [&run](const Value& v) { run.figures.push_back(divergence(v)); }});
  keys.push_back({"fails", [&run](const Value& v) { run.figures.push_back(message(v)); }});
}

/// In the folder of the example, so that nothing else is started.
std::vector<std::string> program_of(const Value& value) {
  std::vector<std::string> words = list_of(value, text_of);
  if (words.empty() || words.front().empty() || words.front().find('/') != std::string::npos)
    refuse(value, "the name of a program in the folder of the example, then its arguments");
  return words;
}

ExampleRun take_run(const Value& table, const Settings& known) {
  ExampleRun run;
  std::vector<std::string> set, reference;
  std::optional<double> within;
  std::vector<Key> keys = {{"name", [&](const Value& v) { run.name = text_of(v); }},
                           {"system", [&](const Value& v) { run.system = text_of(v); }},
                           {"program", [&](const Value& v) { run.program = program_of(v); }},
                           {"column", [&](const Value& v) { run.column = text_of(v); }},
                           {"like", [&](const Value& v) { take_like(run, known, v); }},
                           {"set", [&](const Value& v) { set = list_of(v, text_of); }},
                           {"reference", [&](const Value& v) { reference = list_of(v, text_of); }},
                           {"order", [&](const Value& v) { run.order = list_of(v, text_of); }},
                           {"show", [&](const Value& v) { run.show = show_of(v); }},
                           {"within", [&](const Value& v) { within = number_of(v); }}};
  keys.push_back({"same-as", [&](const Value& v) { run.figures.push_back(equality(known, v)); }});
  take_figures(run, keys);
  take_table(table, keys);
  run.set.insert(run.set.end(), set.begin(), set.end());
  run.reference.insert(run.reference.end(), reference.begin(), reference.end());
  for (ExpectedFigure& expected : run.figures)
    if (within && expected.within > 0) expected.within = *within;
  return run;
}

ExampleRun take_settings(const Value& table) {
  ExampleRun settings;
  take_table(table,
             {{"name", [&](const Value& v) { settings.name = text_of(v); }},
              {"system", [&](const Value& v) { settings.system = text_of(v); }},
              {"set", [&](const Value& v) { settings.set = list_of(v, text_of); }},
              {"reference", [&](const Value& v) { settings.reference = list_of(v, text_of); }}});
  return settings;
}

bool boolean_of(const Value& value) {
  if (!value.is(Value::Kind::boolean)) refuse(value, "true or false");
  return value.boolean;
}

ExamplePlot take_plot(const Value& table) {
  ExamplePlot plot;
  take_table(table, {{"name", [&](const Value& v) { plot.name = text_of(v); }},
                     {"title", [&](const Value& v) { plot.title = text_of(v); }},
                     {"runs", [&](const Value& v) { plot.runs = list_of(v, text_of); }},
                     {"labels", [&](const Value& v) { plot.labels = list_of(v, text_of); }},
                     {"variables", [&](const Value& v) { plot.variables = list_of(v, text_of); }},
                     {"reference", [&](const Value& v) { plot.reference = boolean_of(v); }},
                     {"apart", [&](const Value& v) { plot.apart = boolean_of(v); }},
                     {"log", [&](const Value& v) { plot.log = boolean_of(v); }},
                     {"from", [&](const Value& v) { plot.from = number_of(v); }},
                     {"to", [&](const Value& v) { plot.to = number_of(v); }}});
  return plot;
}

void take_runs(Example& example, Settings known, const Value& list) {
  if (!list.is(Value::Kind::list)) refuse(list, "a list");
  for (const Value& item : list.items) {
    example.runs.push_back(take_run(item, known));
    known.push_back(example.runs.back());
  }
}

void take_reference(ExampleReference& reference, const Value& table) {
  const auto leave_out = [&](const Value& v) {
    take_table(v, {{"around", [&](const Value& w) { reference.leave_out = list_of(w, number_of); }},
                   {"steps", [&](const Value& w) { reference.leave_out_steps = number_of(w); }}});
  };
  take_table(table,
             {{"file", [&](const Value& v) { reference.file = text_of(v); }},
              {"set", [&](const Value& v) { reference.set = list_of(v, text_of); }},
              {"variables", [&](const Value& v) { reference.variables = list_of(v, text_of); }},
              {"relative", [&](const Value& v) { reference.relative = boolean_of(v); }},
              {"leave-out", leave_out}});
}

Example read_example(const std::filesystem::path& folder) {
  Example example;
  example.folder = folder;
  example.name = folder.filename().string();
  Settings settings;
  std::optional<Value> runs;
  const std::filesystem::path file = folder / "expected.toml";
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream)
    throw file_error(file, ErrorCode::file, fmt::format("cannot read \"{}\"", file.string()));
  take_table(formats::parse_toml(text.str(), file.string()),
             {{"title", [&](const Value& v) { example.title = text_of(v); }},
              {"source", [&](const Value& v) { example.source = text_of(v); }},
              {"row", [&](const Value& v) { example.row = text_of(v); }},
              {"paper", [&](const Value& v) { example.paper = text_of(v); }},
              {"here", [&](const Value& v) { example.here = text_of(v); }},
              {"explanation", [&](const Value& v) { example.explanation = text_of(v); }},
              {"refused", [&](const Value& v) { example.refused = text_of(v); }},
              {"reference", [&](const Value& v) { take_reference(example.reference, v); }},
              {"settings", [&](const Value& v) { settings = list_of(v, take_settings); }},
              {"runs", [&](const Value& v) { runs = v; }},
              {"plots", [&](const Value& v) { example.plots = list_of(v, take_plot); }}});
  if (runs) take_runs(example, settings, *runs);
  return example;
}

}  // namespace

std::vector<Example> read_examples(const std::filesystem::path& folder) {
  std::vector<Example> examples;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (std::filesystem::exists(entry.path() / "expected.toml"))
      examples.push_back(read_example(entry.path()));
  if (error)
    throw file_error(folder, ErrorCode::file,
                     fmt::format("cannot read the folder of examples \"{}\"", folder.string()));
  std::sort(examples.begin(), examples.end(),
            [](const Example& a, const Example& b) { return a.name < b.name; });
  return examples;
}

}  // namespace tutti
