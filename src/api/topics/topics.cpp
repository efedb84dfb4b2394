// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <tutti/error.hpp>

#include "api/topics/tables.hpp"
#include "base/text.hpp"

namespace tutti {
namespace {

/// Converts `cycles[2].of` and `cycles.2.of` to the path in the table: `cycles[].of`.
std::string without_numbers(std::string_view key) {
  std::string text;
  const auto is_digit = [&](std::size_t i) {
    return i < key.size() && key[i] >= '0' && key[i] <= '9';
  };
  for (std::size_t i = 0; i < key.size(); ++i) {
    std::size_t end = i + 1;
    if (key[i] == '[' || key[i] == '.')
      while (is_digit(end)) ++end;
    const bool is_number = end > i + 1 && (end == key.size() || key[end] == '.' || key[end] == ']');
    if (!is_number)
      text += key[i];
    else
      text += "[]", i = end - (end < key.size() && key[end] == ']' ? 0 : 1);
  }
  return text;
}

/// The key of the table for one of a file: `*` matches a name. If several match, as
/// `components.*.step` and `components.*.solver.name`, the longest.
const Topic* key_of(const std::vector<Topic>& all, std::string_view key) {
  const Topic* best = nullptr;
  for (const Topic& topic : all)
    if (topic.kind == TopicKind::key && glob_match(topic.name, key) &&
        (best == nullptr || topic.name.size() > best->name.size()))
      best = &topic;
  return best;
}

bool is_table(const Topic& key) {
  return std::ranges::any_of(key.facts, [](const Topic::Fact& fact) {
    return fact.name == "type" && fact.value == "table";
  });
}

/// The same, or the table that contains an entry: `components.motor.set.mass`.
const Topic* key_or_table_of(const std::vector<Topic>& all, std::string_view key) {
  const Topic* found = key_of(all, key);
  while (found == nullptr && key.find('.') != key.npos) {
    key = key.substr(0, key.rfind('.'));
    found = key_of(all, key);
    if (found != nullptr && !is_table(*found)) return nullptr;
  }
  return found;
}

bool ends_with_part(std::string_view key, std::string_view part) {
  return key.size() > part.size() && key.ends_with(part) &&
         key[key.size() - part.size() - 1] == '.';
}

bool is_below(std::string_view key, std::string_view table) {
  return key.size() > table.size() && key.starts_with(table) &&
         (key[table.size()] == '.' || key[table.size()] == '[');
}

bool is_related(const Topic& topic, std::string_view word) {
  if (topic.kind != TopicKind::key) return false;
  return ends_with_part(topic.name, word) || is_below(topic.name, word) ||
         (!topic.words.empty() && topic.words.front() != "true" &&
          std::ranges::find(topic.words, word) != topic.words.end());
}

[[noreturn]] void refuse(std::string_view word, const std::vector<Topic>& all) {
  std::vector<std::string_view> known = names_of(all);
  for (const Topic& topic : all) {
    if (topic.kind != TopicKind::key) continue;
    const std::string_view name = topic.name;
    known.push_back(name.substr(name.rfind('.') + 1));
  }
  const std::string nearest = did_you_mean(word, known);
  throw Error(ErrorCode::usage, fmt::format("unknown topic \"{}\".", printable(word)),
              {.hint = nearest + " `tutti explain` lists all topics."});
}

}  // namespace

std::vector<Topic> topics() {
  std::vector<Topic> all;
  api::add_keys(all);
  api::add_coupling_methods(all);
  api::add_step_controls(all);
  api::add_solvers(all);
  api::add_search_methods(all);
  api::add_components(all);
  api::add_formats(all);
  api::add_rules(all);
  api::add_error_codes(all);
  api::add_exit_statuses(all);
  return all;
}

FoundTopics find_topics(std::string_view given) {
  const std::vector<Topic> all = topics();
  const std::string word = lower_case(trim(given)), key = without_numbers(word);
  FoundTopics found;
  if (word.empty()) refuse(given, all);
  for (const Topic& topic : all)
    if (lower_case(topic.name) == word) found.named.push_back(topic);
  if (found.named.empty() && word.find('.') != word.npos)
    if (const Topic* const meant = key_or_table_of(all, key)) found.named.push_back(*meant);
  for (const Topic& topic : all)
    if (is_related(topic, word)) found.related.push_back(topic);
  if (found.named.empty() && found.related.empty()) refuse(given, all);
  return found;
}

}  // namespace tutti
