// SPDX-License-Identifier: BSD-2-Clause
#include <nlohmann/json.hpp>

#include "explain.hpp"

namespace tutti::cli {

std::string topics_json(const std::vector<Topic>& topics) {
  using Json = nlohmann::ordered_json;
  Json all = Json::array();
  for (const Topic& topic : topics) {
    Json facts = Json::object();
    for (const Topic::Fact& fact : topic.facts) facts[fact.name] = fact.value;
    Json json = {{"kind", to_string(topic.kind)}, {"name", topic.name}, {"summary", topic.summary},
                 {"facts", std::move(facts)},     {"text", topic.text}, {"example", topic.example},
                 {"words", topic.words},          {"page", topic.page}};
    all.push_back(std::move(json));
  }
  return all.dump(2);
}

}  // namespace tutti::cli
