// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/words.hpp>

#include "formats/toml/take.hpp"
#include "system/names.hpp"

/// Fields of keys, each made from the member that holds the value.
namespace tutti::formats {

/// Every group of settings has one place in a system or in a part of it.
template <typename Group>
using Of = std::type_identity<Group>;
auto& place(const auto& p, Of<System>) { return *p.system; }
auto& place(const auto& p, Of<ExternalInputs>) { return p.system->inputs; }
auto& place(const auto& p, Of<SimulationSettings>) { return p.system->simulation; }
auto& place(const auto& p, Of<IterationSettings>) { return p.system->simulation.tolerance; }
auto& place(const auto& p, Of<InputSettings>) { return p.system->simulation.inputs; }
auto& place(const auto& p, Of<ControlSettings>) { return p.system->simulation.control; }
auto& place(const auto& p, Of<ResultSettings>) { return p.system->results; }
auto& place(const auto& p, Of<Component>) { return *p.component; }
auto& place(const auto& p, Of<BuiltIn>) { return p.component->built_in; }
auto& place(const auto& p, Of<SolverSettings>) {
  return p.cluster != nullptr ? p.cluster->solver : p.component->solver;
}
auto& place(const auto& p, Of<Connection>) { return *p.connection; }
auto& place(const auto& p, Of<ConnectionInputs>) { return p.connection->inputs; }
auto& place(const auto& p, Of<CycleSettings>) { return *p.cycle; }
auto& place(const auto& p, Of<ClusterSettings>) { return *p.cluster; }
auto& place(const auto& p, Of<InputFile>) { return *p.table; }
auto& place(const auto& p, Of<Port>) { return *p.port; }
auto& place(const auto& p, Of<WaveInputs>) { return p.port->wave; }
auto& place(const auto& p, Of<TlmLine>) { return *p.line; }
auto& place(const auto& p, Of<DelayedSignal>) { return *p.delay; }
auto& place(const auto& p, Of<TimedAction>) { return *p.action; }

template <typename Group, typename Member>
Of<Group> group_of(Member Group::*);
template <auto member>
auto& at(const auto& parts) {
  return place(parts, decltype(group_of(member))()).*member;
}

inline Value value_of(double number) { return number_value(number); }
inline Value value_of(std::uint32_t number) { return integer_value(number); }
inline Value value_of(bool boolean) { return boolean_value(boolean); }
inline Value value_of(const std::string& text) { return text_value(text); }
inline Value value_of(const std::filesystem::path& path) {
  return text_value(path.generic_string());
}
inline Value value_of(const std::vector<std::string>& texts) { return list_value(texts); }
inline Value value_of(const std::vector<double>& numbers) {
  Value list(Value::Kind::list);
  for (const double number : numbers) list.items.push_back(number_value(number));
  return list;
}
inline Value value_of(const Endpoint& end) { return text_value(system::text_of(end)); }
Value value_of(const std::vector<std::pair<std::string, std::string>>& assignments);
Value value_of(const std::vector<std::pair<Endpoint, std::string>>& constants);
Value value_of(const std::vector<InputColumn>& columns);
Value value_of(const std::vector<CarriedQuantity>& quantities);
Value value_of(const std::vector<PortName>& ports);
Value value_of(const std::vector<ResultGroup>& groups);
Value value_of(const SolverOptions& options);
template <typename Enum>
  requires std::is_enum_v<Enum>
Value value_of(Enum value) {
  return text_value(to_string(value));
}
template <typename T>
Value value_of(const std::optional<T>& value) {
  return value_of(*value);
}

template <auto take, auto member>
void read_member(Target& target, const Value& value) {
  at<member>(target) = take(target, value);
}
template <auto member>
std::optional<Value> write_member(const Source& source, bool always) {
  const auto& value = at<member>(source);
  const typename decltype(group_of(member))::type standard;
  if constexpr (requires { value.has_value(); }) always = false;  // nothing to write
  if (!always && value == standard.*member) return std::nullopt;
  return value_of(value);
}
template <auto take, auto member>
constexpr Field field(std::string_view type) {
  return {type, {}, read_member<take, member>, write_member<member>};
}

/// One entry without brackets; none: the default.
template <auto member>
std::optional<Value> write_one_or_list(const Source& source, bool /*always*/) {
  const auto& all = at<member>(source);
  if (all.empty()) return std::nullopt;
  return all.size() == 1 ? value_of(all.front()) : value_of(all);
}

template <typename Enum>
Enum take_enum(const Target& target, const Value& value) {
  return static_cast<Enum>(take_word(target, value, words_of<Enum>));
}
template <typename Group, typename Enum>
Of<Enum> enum_of(Enum Group::*);
template <typename Group, typename Enum>
Of<Enum> enum_of(std::optional<Enum> Group::*);
template <auto member>
constexpr Field word_field() {
  using Enum = typename decltype(enum_of(member))::type;
  return {"", words_of<Enum>, read_member<take_enum<Enum>, member>, write_member<member>};
}

namespace fields {

template <auto member>
constexpr Field text = field<take_text, member>("string");
template <auto member>
constexpr Field file = field<take_text, member>("file");
template <auto member>
constexpr Field boolean = field<take_boolean, member>("boolean");
template <auto member>
constexpr Field number = field<take_finite, member>("number");
template <auto member>
constexpr Field positive = field<take_positive, member>("number");
template <auto member>
constexpr Field not_negative = field<take_not_negative, member>("number");
template <auto member>
constexpr Field count = field<take_count, member>("integer");
template <auto member>
constexpr Field order = field<take_order, member>("0 | 1 | 2");
template <auto member>
constexpr Field word = word_field<member>();
template <auto member>
constexpr Field endpoint = field<take_endpoint, member>("string");
/// The end of a connection: also a whole component.
template <auto member>
constexpr Field end = field<take_end, member>("string");
template <auto member>
constexpr Field components = field<take_members, member>("list");
template <auto member>
constexpr Field methods = {"string or list",          {},      read_member<take_methods, member>,
                           write_one_or_list<member>, nullptr, &Words::methods};
template <auto member>
constexpr Field texts = {
    "string or list", {}, read_member<take_texts, member>, write_one_or_list<member>};
template <auto member>
constexpr Field numbers = {
    "number or list", {}, read_member<take_number_or_list, member>, write_one_or_list<member>};
template <auto member>
constexpr Field sign = field<take_sign, member>("1 | -1");

}  // namespace fields
}  // namespace tutti::formats
