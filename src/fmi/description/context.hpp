// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fmt/format.h>

#include <array>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <tutti/error.hpp>
#include <tutti/log.hpp>
#include <tutti/model_description.hpp>
#include <utility>
#include <variant>

#include "fmi/description/rules.hpp"
#include "fmi/description/xml.hpp"

namespace tutti::fmi {

template <class Value>
std::optional<Value> parse_value(std::string_view text) {
  if constexpr (std::is_same_v<Value, bool>) {
    return parse_boolean(text);
  } else if constexpr (std::is_floating_point_v<Value>) {
    return parse_double(text);
  } else {
    return parse_integer<Value>(text);
  }
}
/// The format that parse_value expects, for messages.
template <class Value>
inline constexpr std::string_view value_noun =
    std::is_same_v<Value, bool>       ? "true or false"
    : std::is_floating_point_v<Value> ? "a number"
                                      : "a whole number in range";

/// Attributes that an element may have, by name, and the targets of their values.
struct Attribute {
  std::string_view name;
  std::variant<std::string*, bool*, double*, std::int32_t*, std::int64_t*, std::uint32_t*,
               std::uint64_t*, std::optional<double>*, std::optional<std::uint32_t>*,
               std::optional<std::uint64_t>*>
      to;
};
using Attributes = std::initializer_list<Attribute>;
/// Children that an element may have, by name, and their readers.
struct Child {
  std::string_view name;
  std::function<void(pugi::xml_node)> read;
};
using Children = std::initializer_list<Child>;

/// Shared by all readers of one file: the text, the result, and error reporting.
class Context {
 public:
  /// @param breaches gets every violation, instead of the log; null: the log
  Context(std::string text, std::string_view file, const Log& log, const ArchiveLimits& limits = {},
          const BreachSink* breaches = nullptr)
      : xml(std::move(text), file, limits), log_(log), breaches_(breaches) {}

  XmlDocument xml;
  ModelDescription result;

  /// Ends reading. @param at the faulty element or attribute
  template <class Part, class... Values>
  [[noreturn]] void fail(const Part& at, fmt::format_string<Values...> text,
                         Values&&... values) const {
    const std::string message = fmt::format(text, std::forward<Values>(values)...);
    if (breaches_ != nullptr) (*breaches_)({Rule::readable, xml.line(at.name()), "", "", message});
    throw Error(ErrorCode::description, message, xml.place(at.name()));
  }

  /// Warns of a harmless violation. After the 20th of a rule they are only counted, without
  /// formatting their text.
  template <class Part, class... Values>
  void warn(Rule rule, pugi::xml_node element, const Part& at, fmt::format_string<Values...> text,
            Values&&... values) {
    if (!counts(rule)) return;
    report(rule, at.name(), subject(element), fmt::format(text, std::forward<Values>(values)...));
  }
  template <class... Values>
  void warn(Rule rule, const Variable& variable, fmt::format_string<Values...> text,
            Values&&... values) {
    if (!counts(rule)) return;
    report(rule, variable, fmt::format(text, std::forward<Values>(values)...));
  }
  /// Logs how many warnings were omitted.
  void finish_warnings() const;

  void unknown_attribute(pugi::xml_node element, pugi::xml_attribute attribute);
  void unknown_element(pugi::xml_node element);

  // Values of attributes. Values that cannot be read cause a warning and leave the target
  // unchanged.
  void read(pugi::xml_node, pugi::xml_attribute attribute, std::string& value) {
    value = attribute.value();
  }
  template <class Value>
  void read(pugi::xml_node element, pugi::xml_attribute attribute, Value& value) {
    if (const auto parsed = parse<Value>(element, attribute)) value = *parsed;
  }
  template <class Value>
  void read(pugi::xml_node element, pugi::xml_attribute attribute, std::optional<Value>& value) {
    if (const auto parsed = parse<Value>(element, attribute)) value = parsed;
  }

  /// False: it is none of the known attributes.
  bool read_one_of(pugi::xml_node element, pugi::xml_attribute attribute, Attributes known);
  /// All attributes of an element; warns of unknown ones.
  void read_attributes(pugi::xml_node element, Attributes known);
  /// All children of an element; warns of unknown ones.
  void read_children(pugi::xml_node element, Children known);

 private:
  bool counts(Rule rule) {
    return ++warnings_[static_cast<std::size_t>(rule)] <= most_warnings || breaches_ != nullptr;
  }
  /// The owner of an element: a variable, a type or a unit.
  struct Subject {
    std::string_view kind;  ///< empty: none of them
    std::string_view name;
  };
  void report(const std::string& where, Breach breach) const;
  void report(Rule rule, const char* at, const Subject& subject, std::string text) const;
  void report(Rule rule, const Variable& variable, std::string text) const;
  void write(Rule rule, std::string text) const;
  template <class Value>
  std::optional<Value> parse(pugi::xml_node element, pugi::xml_attribute attribute) {
    const std::optional<Value> parsed = parse_value<Value>(attribute.value());
    if (!parsed) not_a(element, attribute, value_noun<Value>);
    return parsed;
  }
  void not_a(pugi::xml_node element, pugi::xml_attribute attribute, std::string_view what);
  static Subject subject(pugi::xml_node element);

  static constexpr std::size_t most_warnings = 20;
  const Log& log_;
  const BreachSink* breaches_;
  std::array<std::size_t, rule_count> warnings_{};
};

// One reader per version of FMI. Each fills context.result.
void read_v1(Context& context);
void read_v2(Context& context);
void read_v3(Context& context);

}  // namespace tutti::fmi
