// SPDX-License-Identifier: BSD-2-Clause
#include "formats/toml/check.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tutti::formats {
namespace {

/// They are refused with more words where time grid and wires are made.
constexpr std::string_view checked_elsewhere[] = {
    "simulation.start",          "simulation.stop",          "simulation.step",
    "simulation.points",         "simulation.per-decade",    "simulation.first",
    "connections.list[].factor", "connections.list[].offset"};

/// Writes values of keys and reads them again, into parts of a system that nobody needs.
class SettingsCheck {
 public:
  SettingsCheck(const System& system, const Words& words, system::Problems& problems)
      : names_(system),
        target_{{&scratch_, &component_, &connection_, &cycle_}, words, &names_},
        problems_(problems) {}

  /// All keys below the path, of one part of the system. `shown` stands for the path in messages.
  void check(std::string_view path, const std::string& shown, const Source& source,
             const std::string& component = "") {
    component_ = {};
    connection_ = {};
    cycle_ = {};
    for (const Key& key : keys()) {
      if (!key.path.starts_with(path) || key.fallback == required) continue;
      const std::string_view rest = key.path.substr(path.size());
      if (!rest.starts_with('.') || rest.find("[]") != rest.npos) continue;
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
  system::ComponentNames names_;
  Target target_;
  system::Problems& problems_;
};

}  // namespace

void check_settings(const System& system, const Words& words, system::Problems& problems) {
  SettingsCheck settings(system, words, problems);
  settings.check("simulation", "simulation", {&system});
  for (const Connection& c : system.connections)
    settings.check("connections.list[]",
                   fmt::format("connection \"{}.{} -> {}.{}\"", c.from.component, c.from.variable,
                               c.to.component, c.to.variable),
                   {.system = &system, .connection = &c});
  for (const CycleSettings& cycle : system.cycles)
    settings.check("cycles[]", "cycles", {.system = &system, .cycle = &cycle});
  if (system.is_lone) return;  // the options of its run have other names
  for (const Component& component : system.components)
    settings.check("components.*", "components." + component.name, {&system, &component},
                   component.name);
}

}  // namespace tutti::formats
