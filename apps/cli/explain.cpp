// SPDX-License-Identifier: BSD-2-Clause
#include "explain.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "text_table.hpp"

namespace tutti::cli {
namespace {

constexpr std::size_t line_width = 80;

std::string facts_text(const Topic& topic) {
  std::size_t width = 0;
  for (const Topic::Fact& fact : topic.facts) width = std::max(width, fact.name.size());
  std::string text;
  for (const Topic::Fact& fact : topic.facts) {
    text +=
        fmt::format("  {:<{}}  {}\n", fact.name, width, wrapped(fact.value, width + 4, line_width));
  }
  return text;
}

std::string example_text(const Topic& topic) {
  std::string text;
  for (std::size_t at = 0; at < topic.example.size();) {
    const std::size_t end = topic.example.find('\n', at);
    text += "    " + topic.example.substr(at, end - at) + '\n';
    at = end == std::string::npos ? topic.example.size() : end + 1;
  }
  return text;
}

std::string topic_text(const Topic& topic) {
  std::string text = fmt::format("{} ({})\n", topic.name, to_string(topic.kind));
  const auto add = [&](const std::string& paragraph) {
    if (!paragraph.empty()) text += paragraph + '\n';
  };
  for (const std::string& paragraph : {topic.summary, topic.text})
    if (!paragraph.empty()) add(fmt::format("  {}\n", wrapped(paragraph, 2, line_width)));
  add(facts_text(topic));
  add(example_text(topic));
  return text + fmt::format("  more: {}\n", topic.page);
}

/// Names and summaries of a kind.
std::string list_text(const std::vector<Topic>& topics) {
  TextTable table({{"", 60}, {"", 100}});
  for (const Topic& topic : topics) table.add({topic.name, topic.summary});
  return table.text(2, 120);
}

std::string all_text(const std::vector<Topic>& all) {
  std::string text;
  for (const std::string_view kind : words_of<TopicKind>) {
    std::vector<Topic> some;
    std::ranges::copy_if(all, std::back_inserter(some),
                         [&](const Topic& topic) { return to_string(topic.kind) == kind; });
    text += fmt::format("{}:\n{}\n", kind, list_text(some));
  }
  return text + "`tutti explain NAME` describes one. The last part of a key is sufficient: atol.\n";
}

std::string found_text(const FoundTopics& found) {
  // Named topics are explained, and a key that is the only match.
  const bool is_one = found.named.empty() && found.related.size() == 1;
  const std::vector<Topic>& explained = is_one ? found.related : found.named;
  std::string text;
  for (const Topic& topic : explained)
    text += fmt::format("{}{}", text.empty() ? "" : "\n", topic_text(topic));
  if (is_one || found.related.empty()) return text;
  if (!text.empty()) text += '\n';
  return text + fmt::format("keys with this name or value:\n{}", list_text(found.related));
}

}  // namespace

int explain(const ExplainCommand& command, Console&) {
  const std::string word = fmt::format("{}", fmt::join(command.words, " "));
  std::string text;
  if (command.words.empty()) {
    const std::vector<Topic> all = topics();
    text = command.json ? topics_json(all) + '\n' : all_text(all);
  } else {
    FoundTopics found = find_topics(word);
    if (command.json) {
      std::ranges::move(found.related, std::back_inserter(found.named));
      text = topics_json(found.named) + '\n';
    } else {
      text = found_text(found);
    }
  }
  return put(stdout, text) && std::fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace tutti::cli
