// SPDX-License-Identifier: BSD-2-Clause
#include "formats/toml/read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <tutti/error.hpp>
#include <utility>

#include "base/text.hpp"
#include "formats/toml/former_names.hpp"
#include "formats/toml/take.hpp"
#include "system/names.hpp"

namespace tutti::formats {
namespace {

/// Where the options of a solver may stand among its keys.
bool is_solver_path(std::string_view path) {
  return path == "components.*.solver" || path == "clusters[].solver";
}

Value as_table(const std::string& key, Value value) {
  Value table(Value::Kind::table);
  table.add(key, std::move(value));
  return table;
}

bool any_key_begins(const std::string& path) {
  return std::ranges::any_of(keys(), [&](const Key& key) { return key.path.starts_with(path); });
}

/// Reads a tree of values by the table of keys.
class Reader {
 public:
  Reader(System& system, const Words& words, const Log& log)
      : target_{{&system}, words}, log_(log) {}

  /// The components first: the other sections name them.
  void read(const Value& root) {
    names_.emplace(*target_.system);
    for (const bool components : {true, false}) {
      for (const Value::Entry& entry : root.entries)
        if ((entry.key == "components") == components) read_entry("", "", entry);
      if (components && may_add_) names_.emplace(*target_.system);
      target_.names = &*names_;
    }
    const SimulationSettings& run = target_.system->simulation;
    // Not after one of several assignments: the next may correct it.
    if (may_add_ && run.start && run.stop && !(*run.stop > *run.start))
      problems_.add(
          stop_,
          fmt::format("%key% = {} is not after simulation.start = {}", *run.stop, *run.start),
          {.key = "simulation.stop"});
  }
  /// Only existing components may be named.
  void forbid_new_components() { may_add_ = false; }
  /// And only existing ports of them.
  void forbid_new_ports() { may_add_ports_ = false; }
  void raise() const { problems_.raise(); }

 private:
  /// `path` as in the table, `shown` as in the file.
  void read_entry(const std::string& path, const std::string& shown, const Value::Entry& entry) {
    const auto joined = [&](const std::string& to) {
      return to.empty() ? entry.key : to + "." + entry.key;
    };
    if (path == "components") {
      read_component(joined(shown), entry);
      return;
    }
    if (path == "components.*.ports") {
      read_port(joined(shown), entry);
      return;
    }
    const std::string here = joined(path);
    if (const FormerName* const former = find_former_name(here)) {
      note_former_name(entry.place, shown, entry.key, former->now);
      read_entry(path, shown, {std::string(former->now), entry.place, entry.value});
      return;
    }
    if (here == "simulation.stop") stop_ = entry.value.place;
    if (const Key* key = find_key(here)) {
      seen_.insert(here);
      apply(*key, joined(shown), entry.value);
    } else if (any_key_begins(here + "[]")) {
      read_list(here, joined(shown), entry.value);
    } else if (any_key_begins(here + ".")) {
      read_table(here, joined(shown), entry.value);
    } else if (!is_solver_path(path) || !read_solver_key(path, shown, entry)) {
      refuse_key(path, shown, joined(shown), entry);
    }
  }

  void refuse_key(const std::string& path, const std::string& part, const std::string& shown,
                  const Value::Entry& entry) {
    const std::vector<std::string_view> known = names_below(path);
    std::string all;
    for (const std::string_view name : known)
      all += fmt::format("{}{}", all.empty() ? "" : ", ", name);
    std::vector<std::string_view> near = known;
    if (path.empty())  // possibly a setting of a component
      for (const Component& component : target_.system->components) near.push_back(component.name);
    if (is_solver_path(path))
      near.insert(near.end(), target_.words.solver_options.begin(),
                  target_.words.solver_options.end());
    problems_.add(
        entry.place, fmt::format("unknown key \"{}\".", printable(shown)),
        {.key = shown,
         .hint = fmt::format(
             "{} Expected one of{}: {}.{}", did_you_mean(entry.key, near),
             part.empty() ? "" : " the keys of " + part, all,
             is_solver_path(path) ? " `tutti solvers NAME` lists the options of a solver." : "")});
  }

  /// An option of a solver among the keys of its table, or a key by its name in Assimulo. Whether
  /// this solver has the option is checked later, when the solver is known.
  bool read_solver_key(const std::string& path, const std::string& shown,
                       const Value::Entry& entry) {
    constexpr std::pair<std::string_view, const char*> assimulo_names[] = {{"maxh", "max-step"},
                                                                           {"inith", "first-step"}};
    for (const auto& [name, key] : assimulo_names)
      if (entry.key == name) {
        read_entry(path, shown, {key, entry.place, entry.value});
        return true;
      }
    const auto& options = target_.words.solver_options;
    if (std::ranges::find(options, entry.key) == options.end()) return false;
    read_entry(path, shown, {"options", entry.place, as_table(entry.key, entry.value)});
    return true;
  }

  void apply(const Key& key, const std::string& shown, const Value& value) {
    if (value.is(Value::Kind::text) && !value.text.empty())
      if (const FormerName* const former = find_former_name(key.path, value.text)) {
        note_former_name(value.place, shown, value.text, former->now);
        Value renamed = value;
        renamed.text = former->now;
        apply(key, shown, renamed);
        return;
      }
    const bool is_components = key.path.starts_with("components.");
    problems_.attempt(
        [&] {
          target_.path = shown;
          if (key.field.read == nullptr)
            refuse(value, fmt::format("{}{} is not supported yet", shown,
                                      written(value).empty() ? "" : " = " + quoted(value)));
          key.field.read(target_, value);
        },
        {.component = is_components ? target_.component->name : "",
         .key = is_components ? shown : std::string(key.path)});
  }
  /// Once for each name.
  void note_former_name(const Place& place, const std::string& shown, const std::string& before,
                        std::string_view now) {
    if (noted_.insert(before + " " + std::string(now)).second)
      log_.info("", fmt::format("{}{}: \"{}\" is now called \"{}\"", system::at(place), shown,
                                before, now));
  }
  static std::string quoted(const Value& value) {
    return value.is(Value::Kind::text) ? fmt::format("\"{}\"", printable(value.text))
                                       : written(value);
  }

  void read_table(const std::string& path, const std::string& shown, const Value& value) {
    if (value.is(Value::Kind::table)) {
      for (const Value::Entry& entry : value.entries) read_entry(path, shown, entry);
      return;
    }
    for (const Shorthand& shorthand : shorthands()) {
      if (shorthand.table != path) continue;
      for (const std::string_view name : shorthand.keys)
        read_entry(path, shown, {std::string(name), value.place, value});
      return;
    }
    problems_.add(value.place, fmt::format("{} must be a table, not {}", shown, described(value)),
                  {.key = shown});
  }

  void read_component(const std::string& shown, const Value::Entry& entry) {
    std::vector<Component>& all = target_.system->components;
    if (may_add_) {  // TOML does not have two of one name
      target_.component = &all.emplace_back();
      target_.component->name = entry.key;
      target_.component->place = entry.place;
    } else if (const std::int32_t index = names_->find(entry.key); index >= 0) {
      target_.component = &all[static_cast<std::size_t>(index)];
    } else {
      problems_.add(entry.place, "", names_->unknown(entry.key));
      return;
    }
    seen_.clear();
    read_table("components.*", shown, entry.value);
    if (!may_add_) return;
    const std::string what = fmt::format("component \"{}\"", entry.key);
    require("components.*", what, entry.place);
    if (seen_.contains("components.*.fmu") || seen_.contains("components.*.type")) return;
    const Key& fmu = *find_key("components.*.fmu");
    problems_.add(entry.place,
                  fmt::format("{} lacks the key \"fmu\": {}; or type, for a built-in component",
                              what, fmu.text),
                  {.key = std::string(fmu.path)});
  }

  void read_port(const std::string& shown, const Value::Entry& entry) {
    Component& component = *target_.component;
    auto found = std::ranges::find(component.ports, entry.key, &Port::name);
    if (found == component.ports.end() && !may_add_ports_) {
      std::vector<std::string_view> known;
      for (const Port& port : component.ports) known.push_back(port.name);
      problems_.add(
          entry.place,
          fmt::format("component \"{}\" has no port \"{}\".", component.name, printable(entry.key)),
          {.component = component.name, .key = shown, .hint = did_you_mean(entry.key, known)});
      return;
    }
    const bool is_new = found == component.ports.end();
    if (is_new) {
      found = component.ports.insert(found, Port());
      found->name = entry.key;
      found->place = entry.place;
    }
    target_.port = &*found;
    const std::set<std::string> of_component = std::exchange(seen_, {});
    read_table("components.*.ports.*", shown, entry.value);
    if (is_new)
      require("components.*.ports.*",
              fmt::format("port \"{}\" of component \"{}\"", entry.key, component.name),
              entry.place);
    seen_ = of_component;
  }

  void read_list(const std::string& path, const std::string& shown, const Value& value) {
    const bool has_numbers =
        path == "tlm" || path == "delays" || path == "actions" || path == "clusters";
    if (!may_add_ && has_numbers && value.is(Value::Kind::table))
      return change_entries(path, shown, value);
    if (!value.is(Value::Kind::list)) {
      problems_.add(value.place, fmt::format("{} must be a list, not {}", shown, described(value)),
                    {.key = shown});
      return;
    }
    for (const Value& item : value.items) read_item(path + "[]", shown, item);
  }
  /// `tlm.1.delay`: keys of existing entries, numbered from 1.
  void change_entries(const std::string& path, const std::string& shown, const Value& value) {
    auto& lines = target_.system->tlm;
    auto& delays = target_.system->delays;
    auto& actions = target_.system->actions;
    auto& clusters = target_.system->clusters;
    const std::size_t count = path == "tlm"        ? lines.size()
                              : path == "delays"   ? delays.size()
                              : path == "clusters" ? clusters.size()
                                                   : actions.size();
    for (const Value::Entry& entry : value.entries) {
      const auto number = to_integer<std::size_t>(entry.key).value_or(0);
      if (number < 1 || number > count) {
        problems_.add(
            entry.place, fmt::format("{} has no entry \"{}\"", shown, printable(entry.key)),
            {.key = shown,
             .hint = count == 0 ? "It has no entries."
                                : fmt::format("Entries are numbered from 1 to {}.", count)});
        continue;
      }
      if (path == "tlm")
        target_.line = &lines[number - 1];
      else if (path == "delays")
        target_.delay = &delays[number - 1];
      else if (path == "clusters")
        target_.cluster = &clusters[number - 1];
      else
        target_.action = &actions[number - 1];
      read_table(path + "[]", fmt::format("{}.{}", shown, number), entry.value);
      target_.cluster = nullptr;
    }
  }
  void read_item(const std::string& path, const std::string& shown, const Value& item) {
    const std::size_t problem_count = problems_.all().size();
    Connection connection;
    CycleSettings cycle;
    ClusterSettings cluster;
    InputFile table;
    TlmLine line;
    DelayedSignal delay;
    TimedAction action;
    target_.line = &line;
    target_.delay = &delay;
    target_.action = &action;
    target_.connection = &connection;
    target_.cycle = &cycle;
    target_.cluster = path.starts_with("clusters") ? &cluster : nullptr;
    target_.table = &table;
    if (item.is(Value::Kind::table)) {
      seen_.clear();
      for (const Value::Entry& entry : item.entries) read_entry(path, shown, entry);
      require(path, "an entry of " + shown, item.place);
    } else if (const Key* key = find_key(path)) {
      apply(*key, "an entry of " + shown, item);
    } else {
      problems_.add(item.place,
                    fmt::format("an entry of {} must be a table, not {}", shown, described(item)),
                    {.key = shown});
    }
    target_.cluster = nullptr;
    if (problems_.all().size() > problem_count) return;
    connection.place = cycle.place = cluster.place = table.place = line.place = delay.place =
        action.place = item.place;
    if (path.starts_with("connections"))
      take_connection(std::move(connection));
    else if (path.starts_with("inputs"))
      target_.system->inputs.tables.push_back(std::move(table));
    else if (path.starts_with("tlm"))
      target_.system->tlm.push_back(std::move(line));
    else if (path.starts_with("delays"))
      target_.system->delays.push_back(std::move(delay));
    else if (path.starts_with("actions"))
      target_.system->actions.push_back(std::move(action));
    else if (path.starts_with("clusters"))
      target_.system->clusters.push_back(std::move(cluster));
    else
      target_.system->cycles.push_back(std::move(cycle));
  }

  /// Where nothing may be added, the connection exists already and gets these settings.
  void take_connection(Connection connection) {
    auto& all = target_.system->connections;
    if (may_add_) {
      all.push_back(std::move(connection));
      return;
    }
    for (Connection& known : all)
      if (known.from == connection.from && known.to == connection.to)
        known.inputs = connection.inputs;
  }

  void require(const std::string& path, const std::string& what, const Place& place) {
    for (const Key& key : keys())
      if (key.fallback == required && !rest_of_part(key.path, path).empty() &&
          !seen_.contains(std::string(key.path)))
        problems_.add(place,
                      fmt::format("{} lacks the key \"{}\": {}", what,
                                  key.path.substr(path.size() + 1), key.text),
                      {.key = std::string(key.path)});
  }

  Target target_;
  Log log_;
  std::set<std::string> noted_;  // former names
  std::optional<system::ComponentNames> names_;
  bool may_add_ = true, may_add_ports_ = true;
  Place stop_;
  std::set<std::string> seen_;  // keys of the current component, port or entry of a list
  system::Problems problems_;
};

/// Removes `ports.NAME.` from the front of a path if the component has this port: the longest
/// matching name.
void take_port(std::string_view& path, const Component& component,
               std::vector<std::string>& parts) {
  constexpr std::string_view ports = "ports.";
  if (!path.starts_with(ports)) return;
  const std::string_view rest = path.substr(ports.size());
  std::string_view name;
  for (const Port& port : component.ports)
    if (port.name.size() > name.size() && rest.starts_with(port.name + ".")) name = port.name;
  if (name.empty()) return;
  parts.insert(parts.end(), {"ports", std::string(name)});
  path = rest.substr(name.size() + 1);
}

/// `a.b.c` and a value as nested tables; the name of a component or port is one key even with dots.
Value as_tables(std::string_view path, const System& system, const system::ComponentNames& names,
                Value value) {
  constexpr std::string_view components = "components.";
  std::vector<std::string> parts;
  if (path.starts_with(components)) {
    parts.emplace_back("components");
    path.remove_prefix(components.size());
    if (const Endpoint endpoint = names.split(path); !endpoint.component.empty()) {
      parts.push_back(endpoint.component);
      path.remove_prefix(endpoint.component.size() + 1);
      take_port(path, system.components[static_cast<std::size_t>(names.find(endpoint.component))],
                parts);
    }
  }
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.')) {
    parts.emplace_back(path.substr(0, dot));
    path.remove_prefix(dot + 1);
  }
  parts.emplace_back(path);
  for (std::size_t i = parts.size(); i-- > 0;) value = as_table(parts[i], std::move(value));
  return value;
}

/// The value of `section.key`, from what the user wrote.
Value setting_value(std::string_view text) {
  const std::optional<Value> parsed = parse_toml_value(text);
  Value value = parsed.value_or(text_value(text));
  if (value.is(Value::Kind::other)) value = text_value(text);
  if (!parsed && is_integer(trim(text))) value.kind = Value::Kind::other;
  return value;
}

/// An assignment as a tree of values.
Value as_tree(std::string_view name, std::string_view text, const System& system,
              const system::ComponentNames& names) {
  // Variables of a lone FMU are named without it.
  const bool is_variable =
      system.is_single_fmu && !name.starts_with("components.") && find_key(name) == nullptr;
  const Endpoint endpoint =
      is_variable ? Endpoint{system.components.front().name, std::string(name)} : names.split(name);
  if (endpoint.component.empty()) return as_tables(name, system, names, setting_value(text));
  Value values = as_table("set", as_table(endpoint.variable, text_value(text)));
  return as_table("components", as_table(endpoint.component, std::move(values)));
}

/// Everything in the tree is at this place, except that the tables of start values are in none:
/// their values are those of assign() (Component::assigned).
void put_at(const Place& place, Value& tree) {
  for (Value::Entry& entry : tree.entries) {
    entry.place = place;
    if (entry.key != "set" && entry.key != "components") entry.value.place = place;
    put_at(place, entry.value);
  }
}

/// Their errors have more detail where the time grid and the connections are made.
constexpr std::string_view checked_elsewhere[] = {
    "simulation.start",          "simulation.stop",          "simulation.step",
    "simulation.points",         "simulation.per-decade",    "simulation.first",
    "connections.list[].factor", "connections.list[].offset"};

/// Writes values of keys and reads them again, into parts of a scratch system.
class SettingsCheck {
 public:
  SettingsCheck(const System& system, const Words& words, system::Problems& problems)
      : names_(system),
        target_{{.system = &scratch_,
                 .component = &component_,
                 .connection = &connection_,
                 .cycle = &cycle_,
                 .cluster = nullptr,
                 .table = nullptr,
                 .port = &port_,
                 .line = &line_,
                 .delay = &delay_},
                words,
                &names_},
        problems_(problems) {}

  /// All keys below the path, of one part of the system. `shown` is the path in messages.
  void check(std::string_view path, const std::string& shown, const Source& source,
             const std::string& component = "") {
    component_ = {};
    connection_ = {};
    cycle_ = {};
    cluster_ = {};
    target_.cluster = source.cluster != nullptr ? &cluster_ : nullptr;
    port_ = {};
    line_ = {};
    delay_ = {};
    for (const Key& key : keys()) {
      const std::string_view rest = rest_of_part(key.path, path);
      if (rest.empty() || key.fallback == required) continue;
      if (key.field.write == nullptr || key.field.read == nullptr) continue;
      if (std::ranges::find(checked_elsewhere, key.path) != std::end(checked_elsewhere)) continue;
      const std::optional<Value> value = key.field.write(source, false);
      if (!value) continue;
      target_.path = shown + std::string(rest);
      problems_.attempt([&] { key.field.read(target_, *value); },
                        {.component = component, .key = target_.path});
    }
  }

 private:
  System scratch_;
  Component component_;
  Connection connection_;
  CycleSettings cycle_;
  ClusterSettings cluster_;
  Port port_;
  TlmLine line_;
  DelayedSignal delay_;
  system::ComponentNames names_;
  Target target_;
  system::Problems& problems_;
};

}  // namespace

System read_toml(std::string_view text, const std::string& file, const Words& words,
                 const Log& log) {
  System system;
  Reader reader(system, words, log);
  reader.read(parse_toml(text, file));
  reader.raise();
  return system;
}

void read_toml_settings(System& system, std::string_view text, const std::string& file,
                        const Words& words, const Log& log) {
  Reader reader(system, words, log);
  reader.forbid_new_components();
  reader.read(parse_toml(text, file));
  reader.raise();
}

void assign(System& system, std::string_view assignment, const Words& words, const Log& log) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos)
    throw Error(ErrorCode::usage,
                fmt::format("\"{}\" is not of the form NAME=VALUE", printable(assignment)));
  const std::string_view name = trim(assignment.substr(0, equals));
  const std::string_view text = assignment.substr(equals + 1);
  const system::ComponentNames names(system);
  try {
    Reader reader(system, words, log);
    reader.forbid_new_components();
    reader.forbid_new_ports();
    reader.read(as_tree(name, text, system, names));
    reader.raise();
  } catch (const Error& error) {
    throw error.within(fmt::format("cannot set \"{}\" to \"{}\"", printable(name), printable(text)),
                       {.key = std::string(name)});
  }
}

void assign(System& system, std::span<const NamedValue> values, const Words& words,
            const Log& log) {
  const system::ComponentNames names(system);
  Value root(Value::Kind::table);
  for (const NamedValue& value : values) {
    Value tree = as_tree(value.name, value.value, system, names);
    put_at(value.place, tree);
    std::ranges::move(tree.entries, std::back_inserter(root.entries));
  }
  System changed = system;
  Reader reader(changed, words, log);
  reader.forbid_new_components();
  reader.forbid_new_ports();
  reader.read(root);
  reader.raise();
  system = std::move(changed);
}

void check_settings(const System& system, const Words& words, system::Problems& problems) {
  SettingsCheck settings(system, words, problems);
  settings.check("simulation", "simulation", {&system});
  for (const Connection& c : system.connections)
    settings.check("connections.list[]", fmt::format("connection \"{}\"", system::text_of(c)),
                   {.system = &system, .connection = &c});
  for (const CycleSettings& cycle : system.cycles)
    settings.check("cycles[]", "cycles", {.system = &system, .cycle = &cycle});
  for (const ClusterSettings& cluster : system.clusters)
    settings.check("clusters[]", "clusters", {.system = &system, .cluster = &cluster});
  for (const TlmLine& line : system.tlm)
    settings.check("tlm[]", "tlm", {.system = &system, .line = &line});
  for (const DelayedSignal& delay : system.delays)
    settings.check("delays[]", "delays", {.system = &system, .delay = &delay});
  if (system.is_single_fmu) return;  // the options of its run have other names
  for (const Component& component : system.components) {
    const std::string name = "components." + component.name;
    settings.check("components.*", name, {&system, &component}, component.name);
    for (const Port& port : component.ports)
      settings.check("components.*.ports.*", fmt::format("{}.ports.{}", name, port.name),
                     {.system = &system, .component = &component, .port = &port}, component.name);
  }
}

}  // namespace tutti::formats
