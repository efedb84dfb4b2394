// SPDX-License-Identifier: BSD-2-Clause
// Whatever reads, writes or shows a setting goes by the table of keys: each fact here holds for
// every key, also for the one that is added tomorrow.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <tutti/error.hpp>
#include <tutti/simulation.hpp>
#include <tutti/system_file.hpp>
#include <tutti/system_run.hpp>
#include <tutti/words.hpp>

#include "base/text.hpp"
#include "formats/toml/keys.hpp"
#include "formats/toml/read.hpp"
#include "formats/toml/write.hpp"

namespace tutti::formats {
namespace {

const Words key_words{.methods = {"gauss-seidel", "newton"},
                      .solvers = {"cvode", "euler"},
                      .controls = {"fixed", "predictor"},
                      .built_ins = {"gain", "sum"}};

/// `connections.list[]` and `from` of `connections.list[].from`.
std::pair<std::string, std::string> part_and_name(std::string_view path) {
  for (const std::string_view part :
       {"components.*.ports.*", "components.*", "connections.list[]", "tlm[]", "delays[]",
        "inputs.tables[]", "actions[]", "cycles[]"})
    if (path.starts_with(part) && path.size() > part.size())
      return {std::string(part), std::string(path.substr(part.size() + 1))};
  const std::size_t dot = path.find('.');
  return {std::string(path.substr(0, dot)), std::string(path.substr(dot + 1))};
}

/// Values as they are written, by the type of the key; of tables and texts by its name.
std::vector<std::string> sample_values(const Key& key) {
  std::vector<std::string> words;
  for (const std::string_view word : key.field.words) words.push_back(fmt::format("\"{}\"", word));
  if (key.field.names)
    for (const std::string_view name : key_words.*key.field.names)
      words.push_back(fmt::format("\"{}\"", name));
  if (!words.empty()) return words;
  const auto [part, name] = part_and_name(key.path);
  const std::string type = type_text(key, key_words);
  if (name == "solver.name") return {"\"euler\""};
  if (name == "from" || name == "to") return {"\"a.v\"", "\"b.x->y\""};
  if (name == "method") return {"\"newton\"", "[\"newton\", \"gauss-seidel\"]"};
  if (name == "columns")
    return {"{}", "{ \"a.T\" = \"T\", \"b.v\" = { column = \"w\", factor = 2, offset = 1 } }"};
  if (key.path == "inputs.set" || key.path == "actions[].set")
    return {"{ \"a.w\" = 3, \"b.text\" = \"red\" }"};
  if (name == "outputs") return {"{ y = \"2*u\" }", "{ y = 2, z = \"sin(w*time)\" }"};
  if (name == "parameters") return {"{ w = 3 }", "{ k = -1e-07, w = 3 }"};
  if (name == "groups")
    return {"{ }",
            "{ slow = { variables = [\"a.*\"], every = 7 }, rare = { variables = \"b.v\" } }"};
  if (type == "table")
    return {"{ k = 1.5 }", "{ e = 2, k = 1.5, n = \"007\", s = \"two words\", \"x.y[2]\" = true }"};
  if (name == "damping") return {"0.5", "0"};
  if (type == "number") return {"0.5", "3", "1e-07"};
  if (type == "number or aitken") return {"0.5", "\"aitken\""};
  if (type == "integer") return {"1", "7"};
  if (type == "0 | 1 | 2") return {"0", "1", "2"};
  if (type == "boolean") return {"true", "false"};
  if (type == "string" || type == "file") return {"\"some \\\"thing\\\" \\\\ else\""};
  if (name == "between") return {"[\"a.p\", \"b.p\"]", "[\"b.other.port\", \"a.p\"]"};
  if (type == "1 | -1") return {"1", "-1"};
  if (type == "number or list") return {"0.5", "[1.0, -2.5]"};
  if (type == "list of tables")
    return {"[{ out = \"h_out\", in = \"h_in\" }, { out = \"x\", in = \"y\" }]"};
  if (type == "list") return {"[\"b\", \"a\"]", "[]"};
  if (type == "list of numbers") return {"[0.0, 0.5, 2.0]"};
  if (type == "string or list") return {"[\"a.*\", \"b.y\"]", "[\"a.x\"]", "[]"};
  ADD_FAILURE() << "no sample of type \"" << type << "\" for " << key.path;
  return {};
}

/// A file in which one key has this value, besides those that are required.
std::string file_with(const Key& key, const std::string& value) {
  const auto [part, name] = part_and_name(key.path);
  const auto line = [&, &own = part, &own_name = name](
                        std::string_view of, std::string_view of_name, std::string_view usual) {
    const bool is_meant = of == own && of_name == own_name;
    return fmt::format("{} = {}", of_name, is_meant ? value : std::string(usual));
  };
  const bool is_required = key.fallback == required || key.path == "components.*.fmu";
  const auto extra = [&, &own = part, &own_name = name](std::string_view of) {
    return of == own && !is_required ? fmt::format("{} = {}", own_name, value) : "";
  };
  const auto inline_extra = [&](std::string_view of) {
    const std::string more = extra(of);
    return more.empty() ? "" : ", " + more;
  };
  std::string text;
  for (const std::string_view component : {"a", "b"}) {
    text += fmt::format("[components.{}]\n{}\n{}\n", component,
                        line("components.*", "fmu", "\"a.fmu\""), extra("components.*"));
    text += fmt::format("[components.{}.ports.p]\n{}\n{}\n", component,
                        line("components.*.ports.*", "domain", "\"electric\""),
                        extra("components.*.ports.*"));
  }
  text += fmt::format(
      "[connections]\nlist = [{{ {}, {}{} }}]\n", line("connections.list[]", "from", "\"a.y\""),
      line("connections.list[]", "to", "\"b.u\""), inline_extra("connections.list[]"));
  for (const std::string_view section : {"system", "inputs", "simulation", "results"})
    text += fmt::format("[{}]\n{}\n", section, extra(section));
  text += fmt::format("[[inputs.tables]]\n{}\n{}\n{}\n", line("inputs.tables[]", "file", "\"t\""),
                      line("inputs.tables[]", "columns", "{}"), extra("inputs.tables[]"));
  text += fmt::format("[[cycles]]\n{}\n{}\n", line("cycles[]", "of", "[\"a\", \"b\"]"),
                      extra("cycles[]"));
  text += fmt::format("[[clusters]]\n{}\n{}\n", line("clusters[]", "of", "[\"a\", \"b\"]"),
                      extra("clusters[]"));
  text += fmt::format("[[tlm]]\n{}\n{}\n", line("tlm[]", "between", "[\"a.p\", \"b.p\"]"),
                      extra("tlm[]"));
  text += fmt::format("[[delays]]\n{}\n{}\n{}\n{}\n", line("delays[]", "from", "\"a.y\""),
                      line("delays[]", "to", "\"b.w\""), line("delays[]", "delay", "0.25"),
                      extra("delays[]"));
  text += fmt::format("[[actions]]\n{}\n{}\n{}\n", line("actions[]", "at", "0.25"),
                      line("actions[]", "set", "{ \"a.w\" = 3 }"), extra("actions[]"));
  return text;
}

Source source_in(const System& system, const Key& key) {
  return {.system = &system,
          .component = &system.components.at(0),
          .connection = &system.connections.at(0),
          .cycle = &system.cycles.at(0),
          .cluster = key.path.starts_with("clusters") ? &system.clusters.at(0) : nullptr,
          .table = &system.inputs.tables.at(0),
          .port = &system.components.at(0).ports.at(0),
          .line = &system.tlm.at(0),
          .delay = &system.delays.at(0),
          .action = &system.actions.at(0)};
}

/// As it would be written; nothing: it has its default.
std::string value_in(const System& system, const Key& key) {
  const auto value = key.field.write(source_in(system, key), key.fallback == required);
  if (!value) return "";
  const auto shown = [](const auto& self, const Value& v) -> std::string {
    std::string text = std::to_string(static_cast<int>(v.kind)) + written(v);
    for (const Value& item : v.items) text += "," + self(self, item);
    for (const Value::Entry& entry : v.entries) text += ";" + entry.key + self(self, entry.value);
    return text;
  };
  return shown(shown, *value);
}

template <typename Action>
void for_each_sample(const Action& action) {
  for (const Key& key : keys()) {
    if (key.field.read == nullptr || key.field.write == nullptr) continue;
    for (const std::string& value : sample_values(key)) {
      SCOPED_TRACE(fmt::format("{} = {}", key.path, value));
      action(key, value);
    }
  }
}

TEST(EveryKey, IsWrittenAsItIsRead) {
  for_each_sample([](const Key& key, const std::string& value) {
    const System system = read_toml(file_with(key, value), "one.toml", key_words);
    const std::string text = toml_text(system);
    const System again = read_toml(text, "again.toml", key_words);
    EXPECT_EQ(value_in(again, key), value_in(system, key)) << text;
    EXPECT_EQ(toml_text(again), text);
    // All but a default stands in the text.
    const std::string name(key.path.substr(key.path.find_last_of(".]") + 1));
    if (!value_in(system, key).empty() && name != "from" && name != "to") {
      EXPECT_THAT(text, ::testing::HasSubstr(name));
    }
  });
}

// A sample that is the default shows nothing, so another one must show that the key does something.
TEST(EveryKey, ChangesTheSystem) {
  for (const Key& key : keys()) {
    if (key.field.read == nullptr || key.field.write == nullptr) continue;
    bool changes = false;
    for (const std::string& value : sample_values(key))
      changes |= !value_in(read_toml(file_with(key, value), "one.toml", key_words), key).empty();
    EXPECT_TRUE(changes) << key.path;
  }
}

TEST(EveryKey, OfAnAnnotationIsReadAsItIsWritten) {
  for_each_sample([](const Key& key, const std::string& value) {
    const System system = read_toml(file_with(key, value), "one.toml", key_words);
    const std::string settings = toml_settings(system);
    System other = system;
    other.simulation = {};
    other.results = {};
    other.cycles.clear();
    other.tlm.clear();
    other.delays.clear();
    other.actions.clear();
    other.clusters.clear();
    other.inputs = {};
    for (Connection& connection : other.connections) connection.inputs = {};
    for (Component& component : other.components) {
      const Component bare = {.name = component.name,
                              .fmu = component.fmu,
                              .built_in = component.built_in,
                              .as = component.as,
                              .set = component.set,
                              .assigned = {},
                              .solver = {},
                              .tolerance = {},
                              .step = {},
                              .timeout = {},
                              .log = false,
                              .ports = {},
                              .place = {}};
      component = bare;
    }
    read_toml_settings(other, settings, "annotation", key_words);
    other.simulation.start = system.simulation.start;  // SSP has its own place for these
    other.simulation.stop = system.simulation.stop;
    EXPECT_EQ(toml_text(other), toml_text(system)) << settings;
  });
}

TEST(EveryKey, CanBeSetOnTheCommandLineUnlessItIsOfAList) {
  for_each_sample([](const Key& key, const std::string& value) {
    if (key.path.find("[]") != std::string_view::npos || key.path == "inputs.set") return;
    System system = read_toml(file_with(key, value), "one.toml", key_words);
    System set = read_toml(file_with(keys()[0], "\"x\""), "none.toml", key_words);
    set.name.clear();
    for (const std::string_view component : {"a", "b"}) {
      std::string path(key.path);
      if (const std::size_t star = path.find('*'); star != path.npos)
        path.replace(star, 1, component);
      if (const std::size_t star = path.find('*'); star != path.npos) path.replace(star, 1, "p");
      assign(set, path + "=" + value, key_words);
    }
    EXPECT_EQ(toml_text(set), toml_text(system));
  });
}

TEST(EveryKey, OfASimulationIsInTheMetadata) {
  for_each_sample([](const Key& key, const std::string& value) {
    if (!key.path.starts_with("simulation.")) return;
    const System system = read_toml(file_with(key, value), "one.toml", key_words);
    const auto settings = nlohmann::json::parse(statistics_json(system, RunReport()))["settings"];
    std::string pointer(key.path.substr(key.path.find('.')));
    std::replace(pointer.begin(), pointer.end(), '.', '/');
    const nlohmann::json::json_pointer at(pointer);
    if (key.path == "simulation.start" || key.path == "simulation.stop" ||
        key.path == "simulation.step" || key.path == "simulation.method") {
      EXPECT_TRUE(settings.contains(at));  // as it was in the run
    } else if (value_in(system, key).empty()) {
      EXPECT_FALSE(settings.contains(at));
    } else {
      ASSERT_TRUE(settings.contains(at));
      EXPECT_EQ(settings[at], nlohmann::json::parse(value));
    }
  });
}

TEST(EveryKey, HasTheDefaultOfTheSystem) {
  const System system = read_toml(file_with(keys()[0], "\"x\""), "none.toml", key_words);
  for (const Key& key : keys()) {
    if (key.field.write == nullptr || key.fallback == required) continue;
    const std::optional<Value> value = key.field.write(source_in(system, key), true);
    const bool is_said = value && (value->is_number() || value->is(Value::Kind::boolean) ||
                                   !key.field.words.empty() || key.field.names);
    if (!is_said) continue;
    double number = 0;
    if (value->is_number() && parse_number(key.fallback, number)) {
      EXPECT_EQ(number, value->number) << key.path;
    } else if (key.path != "components.*.as") {
      EXPECT_EQ(written(*value), key.fallback) << key.path;
    }
  }
}

std::size_t keys_below(std::string_view path) {
  return static_cast<std::size_t>(std::count_if(keys().begin(), keys().end(), [&](const Key& key) {
    return key.path.starts_with(path) && key.path.find('.', path.size()) == std::string_view::npos;
  }));
}

// A new member does not compile here. Give it a key, or count it among those that have none.
TEST(EverySetting, HasAKey) {
  {
    [[maybe_unused]] const auto& [name, rtol, atol, max_step, first_step, options, at_points,
                                  diagnose] = SolverSettings{};
    EXPECT_EQ(keys_below("components.*.solver."), 8u);
  }
  {
    [[maybe_unused]] const auto& [inside, order, derivatives, smooth, correct, start] =
        InputSettings{};
    EXPECT_EQ(keys_below("simulation.inputs."), 6u);
  }
  {
    [[maybe_unused]] const auto& [inside, order, derivatives, smooth] = ConnectionInputs{};
    [[maybe_unused]] const auto& [from, to, factor, offset, units, map, inputs, place] =
        Connection{};
    EXPECT_EQ(keys_below("connections.list[]."), 4u + 8u - 2u);  // but inputs and place
  }
  {
    [[maybe_unused]] const auto& [abs, rel, iterations, on_limit, norm] = IterationSettings{};
    EXPECT_EQ(keys_below("simulation.tolerance."), 5u);
  }
  {
    [[maybe_unused]] const auto& [name, variant, estimator, atol, rtol, min, max, at_min, jump,
                                  safety, shrink, grow, fall_back, clock, end] = ControlSettings{};
    EXPECT_EQ(keys_below("simulation.control."), 15u - 1u);  // `auto` alone sets jump
  }
  {
    [[maybe_unused]] const auto& [start, stop, step, per_decade, first, points, methods, tolerance,
                                  relaxation, aitken, sweeps, threads, inputs, save_states, tlm,
                                  monolithic, control] = SimulationSettings{};
    // but tolerance, inputs and control; aitken is a word of relaxation
    EXPECT_EQ(keys_below("simulation."), 17u - 4u);
  }
  {
    [[maybe_unused]] const auto& [of, methods, order, place] = CycleSettings{};
    EXPECT_EQ(keys_below("cycles[]."), 4u - 1u);  // but place
  }
  {
    [[maybe_unused]] const auto& [of, solver, loops, step, timeout, place] = ClusterSettings{};
    EXPECT_EQ(keys_below("clusters[]."), 6u - 2u);  // but solver and place
    EXPECT_EQ(keys_below("clusters[].solver."), keys_below("components.*.solver."));
  }
  {
    [[maybe_unused]] const auto& [value, slope, impedance, table, times] = WaveInputs{};
    [[maybe_unused]] const auto& [name, domain, terminal, effort, flow, state, sign, flow_sign,
                                  input, wave, carry, density, place] = Port{};
    // but name, wave and place
    EXPECT_EQ(keys_below("components.*.ports.*."), 5u + 13u - 3u);
  }
  {
    [[maybe_unused]] const auto& [between, delay, impedance, stiffness, mass, rotational, damping,
                                  keep_stiffness, effort, flow, wave, place] = TlmLine{};
    EXPECT_EQ(keys_below("tlm[].") + keys_below("tlm[].initial."), 12u - 1u);  // but place
  }
  {
    [[maybe_unused]] const auto& [from, to, delay, initial, place] = DelayedSignal{};
    EXPECT_EQ(keys_below("delays[]."), 5u - 1u);  // but place
  }
  {
    [[maybe_unused]] const auto& [at, set, place] = TimedAction{};
    EXPECT_EQ(keys_below("actions[]."), 3u - 1u);  // but place
  }
  {
    [[maybe_unused]] const auto& [file, variables, only_time, inputs, interval, steps, ports,
                                  ports_interval, gnuplot, compress, groups] = ResultSettings{};
    EXPECT_EQ(keys_below("results."), 11u - 1u);  // only_time is variables = []
  }
}

TEST(EveryWord, OfAnEnumerationStandsForOneValue) {
  EXPECT_EQ(from_word<ControlVariant>("mastersim-2018"), ControlVariant::mastersim_2018);
  EXPECT_EQ(from_word<ControlVariant>("mastersim2018"), std::nullopt);
  EXPECT_EQ(to_string(DerivativeSource::automatic), "auto");
  EXPECT_EQ(to_string(LastStep::overshoot), "overshoot");
  for (const Key& key : keys())
    for (std::size_t i = 0; i < key.field.words.size(); ++i)
      EXPECT_EQ(std::find(key.field.words.begin(), key.field.words.end(), key.field.words[i]),
                key.field.words.begin() + static_cast<std::ptrdiff_t>(i))
          << key.path;
}

}  // namespace
}  // namespace tutti::formats
