// SPDX-License-Identifier: BSD-2-Clause
#include "formats/toml/write.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "formats/toml/keys.hpp"

namespace tutti::formats {
namespace {

bool is_bare(std::string_view key) {
  return !key.empty() && std::ranges::all_of(key, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

std::string value_text(const Value& value) {
  std::string out;
  switch (value.kind) {
    case Value::Kind::text:
      return toml_quoted(value.text);
    case Value::Kind::list:
      for (const Value& item : value.items) out += (out.empty() ? "" : ", ") + value_text(item);
      return fmt::format("[{}]", out);
    case Value::Kind::table:
      for (const Value::Entry& entry : value.entries)
        out += fmt::format("{} {} = {}", out.empty() ? "" : ",", toml_key(entry.key),
                           value_text(entry.value));
      return out.empty() ? "{}" : fmt::format("{{{} }}", out);
    default:
      return written(value);
  }
}

/// Keys that SSP represents.
constexpr auto keys_of_ssp = std::to_array<std::string_view>(
    {"system.name", "components.*.fmu", "components.*.as", "components.*.set",
     "connections.list[].factor", "connections.list[].offset", "connections.list[].units",
     "connections.list[].map", "simulation.start", "simulation.stop"});

/// Writes a system section by section, in the order of the table of keys.
class Writer {
 public:
  Writer(const System& system, bool only_settings)
      : system_(system), only_settings_(only_settings) {}

  std::string write() {
    add_part("system", "system", {&system_});
    for (const Component& component : system_.components) {
      const std::string name = "components." + toml_key(component.name);
      add_part("components.*", name, {&system_, &component}, 4);
      for (const Port& port : component.ports)
        add_part("components.*.ports.*", fmt::format("{}.ports.{}", name, toml_key(port.name)),
                 {.system = &system_, .component = &component, .port = &port});
    }
    add_connections();
    for (const TlmLine& line : system_.tlm)
      add_part("tlm[]", "tlm", {.system = &system_, .line = &line});
    for (const DelayedSignal& delay : system_.delays)
      add_part("delays[]", "delays", {.system = &system_, .delay = &delay});
    add_part("inputs", "inputs", {&system_});
    for (const InputFile& table : system_.inputs.tables)
      add_part("inputs.tables[]", "inputs.tables", {.system = &system_, .table = &table});
    for (const TimedAction& action : system_.actions)
      add_part("actions[]", "actions", {.system = &system_, .action = &action}, 4);
    add_part("simulation", "simulation", {&system_});
    for (const CycleSettings& cycle : system_.cycles)
      add_part("cycles[]", "cycles", {.system = &system_, .cycle = &cycle});
    for (const ClusterSettings& cluster : system_.clusters)
      add_part("clusters[]", "clusters", {.system = &system_, .cluster = &cluster}, 8);
    add_part("results", "results", {&system_});
    return std::move(out_);
  }

 private:
  Value keys_of(std::string_view path, const Source& source) const {
    Value keys = written_keys(path, source);
    if (only_settings_)
      std::erase_if(keys.entries, [&](const Value::Entry& entry) {
        const std::string key = fmt::format("{}.{}", path, entry.key);
        return std::ranges::find(keys_of_ssp, key) != keys_of_ssp.end();
      });
    return keys;
  }

  /// Tables follow the other keys: with a heading of their own if they are longer than that.
  void add_part(std::string_view path, std::string_view name, const Source& source,
                std::size_t most_inline = 0) {
    std::string lines, tables;
    const Value keys = keys_of(path, source);
    for (const bool is_table : {false, true})
      for (const auto& [key, place, value] : keys.entries) {
        if (value.is(Value::Kind::table) != is_table) continue;
        if (value.entries.size() <= most_inline) {
          lines += fmt::format("{} = {}\n", key, value_text(value));
          continue;
        }
        tables += fmt::format("\n[{}.{}]\n", name, key);
        for (const Value::Entry& entry : value.entries)
          tables += fmt::format("{} = {}\n", toml_key(entry.key), value_text(entry.value));
      }
    const std::string heading(name);
    if (!lines.empty())
      out_ +=
          fmt::format("\n[{}]\n{}", path.ends_with("[]") ? "[" + heading + "]" : heading, lines);
    out_ += tables;
  }

  void add_connections() {
    std::string list;
    for (const Connection& connection : system_.connections) {
      const Value keys =
          keys_of("connections.list[]", {.system = &system_, .connection = &connection});
      const std::string ends =
          fmt::format("{} -> {}", keys.entries[0].value.text, keys.entries[1].value.text);
      const bool is_plain = keys.entries.size() == 2;
      if (is_plain && only_settings_) continue;
      // An arrow in a name would be read as the arrow.
      const bool is_arrow = is_plain && ends.find("->") == ends.rfind("->");
      list += fmt::format("  {},\n", is_arrow ? toml_quoted(ends) : value_text(keys));
    }
    if (!list.empty()) out_ += fmt::format("\n[connections]\nlist = [\n{}]\n", list);
  }

  const System& system_;
  bool only_settings_;
  std::string out_;
};

}  // namespace

std::string toml_text(const System& system) {
  const std::string out = Writer(system, false).write();
  return out.substr(std::min<std::size_t>(1, out.size()));
}

std::string toml_quoted(std::string_view text) {
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

std::string toml_key(std::string_view name) {
  return is_bare(name) ? std::string(name) : toml_quoted(name);
}

std::string toml_built_in(BuiltIn built_in) {
  Component component;
  component.built_in = std::move(built_in);
  component.built_in.file.clear();
  std::string lines;
  for (const auto& [key, place, value] :
       written_keys("components.*", {.component = &component}).entries)
    lines += fmt::format("{} = {}\n", key, value_text(value));
  return lines;
}

std::string toml_settings(const System& system) {
  System others = system;
  for (Component& component : others.components) component.built_in = {};
  return Writer(others, true).write();
}

}  // namespace tutti::formats
