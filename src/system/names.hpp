// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <tutti/error.hpp>
#include <tutti/system.hpp>
#include <unordered_map>
#include <vector>

namespace tutti::system {

/// `car.toml:14:3: `, to begin a message with; empty for an unknown place.
inline std::string at(const Place& place) {
  if (place.line == 0) return place.file.empty() ? "" : place.file + ": ";
  return fmt::format("{}:{}:{}: ", place.file, place.line, place.column);
}

/// The place as the fields of an error, beside others.
inline ErrorDetails where(const Place& place, ErrorDetails more = {}) {
  more.file = place.file;
  more.line = place.line;
  more.column = place.column;
  return more;
}

/// `components.wheel.step`; of a cluster `clusters.step`
inline std::string key_of(const Component& component, std::string_view key) {
  return component.cluster != nullptr ? fmt::format("clusters.{}", key)
                                      : fmt::format("components.{}.{}", component.name, key);
}

/// `plant.v`; of a whole component `plant`, or where that could be read as a variable `a.b.*`.
std::string text_of(const Endpoint& end);
/// `plant.v -> controller.measured`
std::string text_of(const Connection& connection);

/// Errors of a system, collected so that a user can fix all of them together.
class Problems {
 public:
  void add(const Error& error) {
    if (error.parts().empty()) errors_.push_back(error);
    errors_.insert(errors_.end(), error.parts().begin(), error.parts().end());
  }
  void add(const std::string& text, ErrorDetails details = {}) {
    errors_.emplace_back(ErrorCode::usage, text, std::move(details));
  }
  void add(const Place& place, const std::string& text, ErrorDetails details = {}) {
    add(text, where(place, std::move(details)));
  }
  /// An error with its context.
  void add(const Place& place, const std::string& context, const Error& error,
           ErrorDetails details = {}) {
    errors_.push_back(error.within(context, where(place, std::move(details))));
  }
  /// Runs an action whose errors are collected.
  template <class Action>
  bool attempt(const Action& action, const ErrorDetails& details = {}) {
    try {
      action();
      return true;
    } catch (const Error& error) {
      add(error.parts().empty() ? error.with(details) : error);
      return false;
    }
  }
  bool empty() const { return errors_.empty(); }
  const std::vector<Error>& all() const { return errors_; }
  /// @throws Error(usage) with all errors, if there are any
  void raise() const {
    if (!errors_.empty()) throw Error(ErrorCode::usage, errors_);
  }

 private:
  std::vector<Error> errors_;
};

/// Finds components by name. @pre the components stay where they are
class ComponentNames {
 public:
  explicit ComponentNames(const System& system);

  /// Index of the component, or of the cluster that has it; -1 if there is none of this name.
  std::int32_t find(std::string_view name) const;
  /// Component and variable of `component.variable`. Both may have dots in their names: the longest
  /// matching component name takes precedence. An empty component: none matches.
  Endpoint split(std::string_view text) const;
  /// The same. @throws Error(usage) that suggests a component
  Endpoint resolve(std::string_view text) const;
  /// The same, or a whole component: then without a variable.
  Endpoint resolve_end(std::string_view text) const;
  /// As text_of(): variables of clusters have the names of their members.
  std::string text(const Endpoint& end) const;
  std::string text(const Connection& connection) const;
  /// `there is no component "chasis". Did you mean "chassis"?`
  Error unknown(std::string_view name) const;

 private:
  struct Known {
    std::int32_t index = -1;
    std::string_view component;
    bool is_member = false;   ///< of a cluster, which is the component
    bool is_cluster = false;  ///< its variables have the names of members
  };
  std::unordered_map<std::string_view, Known> index_;
  std::string_view lone_;  ///< the only component, if variables are named without it
};

}  // namespace tutti::system
