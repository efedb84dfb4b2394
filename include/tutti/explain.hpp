// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tutti/export.hpp>
#include <tutti/words.hpp>
#include <vector>

/// Topics of `tutti explain`: all names of Tutti. The texts come from the tables of the parts.
namespace tutti {

enum class TopicKind : std::uint8_t {
  key,  ///< of a system file
  method,
  control,
  solver,
  search_method,  ///< of tutti estimate and tutti optimize
  component,
  result_format,
  system_format,
  rule,  ///< of check()
  error_code,
  exit_status,  ///< of the program
};
constexpr WordList<11> list_words(TopicKind) {
  return {"key",           "coupling method", "step control",  "solver",
          "search method", "component",       "result format", "system format",
          "rule",          "error code",      "exit status"};
}

struct Topic {
  struct Fact {
    std::string name, value;
  };
  TopicKind kind{};
  std::string name;                ///< "simulation.control.atol", "newton", "start-required"
  std::string summary;             ///< one line
  std::vector<Fact> facts;         ///< "default": "1e-4"
  std::string text;                ///< sentences; empty for most keys, whose summary suffices
  std::string example;             ///< lines of a system file; empty: not part of one
  std::vector<std::string> words;  ///< of a key: the allowed strings; empty: any, or none
  std::string page;                ///< of the documentation, "docs/check.md"
};

/// All of them, by kind, in the order of their tables.
TUTTI_API std::vector<Topic> topics();

struct FoundTopics {
  std::vector<Topic> named;  ///< of this name, of any kind
  /// Keys that end with the word or are below it, and those that have it as a value. A rule, method
  /// or other part is found only by its whole name.
  std::vector<Topic> related;
};
/// Case-insensitive. `components.motor.solver.name` and `cycles[2].of` are keys as
/// well. @throws Error(usage) if nothing is found, with the nearest name
TUTTI_API FoundTopics find_topics(std::string_view word);

}  // namespace tutti
