// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <tutti/examples.hpp>
#include <tutti/explain.hpp>
#include <tutti/result_table.hpp>
#include <tutti/results.hpp>
#include <tutti/search.hpp>
#include <tutti/system_file.hpp>

#include "complete.hpp"
#include "examples.hpp"
#include "solvers.hpp"

namespace tutti::cli {
namespace {

namespace fs = std::filesystem;

/// The files that an option takes; folders are always offered, to reach files in them.
using Accept = bool (*)(const fs::path& file);

bool is_fmu(const fs::path& file) {
  std::string extension = file.extension().string();
  std::ranges::transform(extension, extension.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return extension == ".fmu";
}
bool is_of_tutti(const fs::path& file) {
  return is_fmu(file) || is_system_file(file) || is_result_file(file);
}
bool is_toml(const fs::path& file) { return file.extension() == ".toml"; }
bool is_any(const fs::path&) { return true; }
bool is_none(const fs::path&) { return false; }

Completion files(const std::string& word, Accept accept) {
  Completion found;
  found.are_files = true;
  const std::string folder = word.substr(0, word.rfind('/') + 1);
  std::error_code failed;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(folder.empty() ? "." : with_home(folder), failed)) {
    const std::string name = entry.path().filename().string();
    const std::string text = folder + name;
    if (!text.starts_with(word) || (name.front() == '.' && word.size() == folder.size())) continue;
    std::error_code none;
    if (entry.is_directory(none))
      found.candidates.push_back({text + '/', ""});
    else if (accept(entry.path()))
      found.candidates.push_back({text, ""});
  }
  return found;
}

Completion solvers(const std::string& word, bool only_for_fmus) {
  Completion found;
  for (const SolverInfo& solver : ode_solvers())
    if (!only_for_fmus || solves_fmus(solver))
      add_if_begun(found, word, solver.name, solver.summary);
  return found;
}

Completion search_method_names(const std::string& word) {
  Completion found;
  for (const SearchMethodInfo& method : search_methods())
    add_if_begun(found, word, std::string(method.name), std::string(method.summary));
  return found;
}

/// Those of the solver on the line, or else of all.
Completion solver_options(const BegunLine& line, const std::string& word) {
  Completion found;
  const std::string chosen = line.value_of("--solver");
  const std::size_t equals = word.find('=');
  std::set<std::string> known;
  for (const SolverInfo& solver : ode_solvers())
    for (const SolverOptionInfo& option : solver.options) {
      if ((!chosen.empty() && solver.name != chosen) || !known.insert(option.name).second) continue;
      if (equals == word.npos)
        add_if_begun(found, word, option.name + "=", option.summary);
      else if (word.substr(0, equals) == option.name)
        for (const std::string& value : option.words)
          add_if_begun(found, word, option.name + "=" + value);
    }
  return found;
}

Completion columns(const BegunLine& line, const std::string& word) {
  Completion found;
  const fs::path file = line.value_of("RESULT");
  std::error_code failed;
  if (!fs::is_regular_file(file, failed)) return found;  // reading a pipe would block
  for (const std::string& name : result_columns(file)) add_if_begun(found, word, name);
  return by_segments(std::move(found), word, 100);
}

Completion example_names(const std::string& word) {
  Completion found;
  for (const Example& example : read_examples(examples_folder()))
    add_if_begun(found, word, example.name, example.title);
  return found;
}

Completion topic_names(const std::string& word) {
  Completion keys, others;
  std::set<std::string> last_parts;
  for (const Topic& topic : topics()) {
    const bool is_key = topic.kind == TopicKind::key;
    add_if_begun(is_key ? keys : others, word, topic.name,
                 fmt::format("{}: {}", to_string(topic.kind), topic.summary));
    const std::string part = topic.name.substr(topic.name.rfind('.') + 1);
    if (is_key && !word.empty() && part.find('[') == part.npos && last_parts.insert(part).second)
      add_if_begun(others, word, part, "key: " + topic.name);
  }
  Completion found = by_segments(std::move(keys), word, 3);
  std::ranges::move(others.candidates, std::back_inserter(found.candidates));
  return found;
}

Completion names_to_assign(const BegunLine& line, const std::string& word) {
  Completion found = complete_assignment(line, word);
  for (Candidate& candidate : found.candidates)
    if (candidate.text.ends_with('=')) candidate.text.pop_back();
  return found;
}

using Values = Completion (*)(const BegunLine& line, const std::string& word);

/// The values of an option or argument, by its name. Choices and numbers follow from its type; all
/// others are files.
struct OptionValues {
  std::string_view option;
  Values values;
};
constexpr OptionValues known_values[] = {
    {"--example", [](const BegunLine&, const std::string& w) { return example_names(w); }},
    {"--fix", complete_assignment},
    {"--free", names_to_assign},
    {"--frequencies", [](const BegunLine&, const std::string&) { return Completion(); }},
    {"--inputs", complete_continuous},
    {"--method", [](const BegunLine&, const std::string& w) { return search_method_names(w); }},
    {"--outputs", complete_continuous},
    {"--part", [](const BegunLine&, const std::string&) { return Completion(); }},
    {"--set", complete_assignment},
    {"--size", [](const BegunLine&, const std::string&) { return Completion(); }},
    {"--solver", [](const BegunLine&, const std::string& w) { return solvers(w, true); }},
    {"--solver-option", solver_options},
    {"--start-from", [](const BegunLine&, const std::string& w) { return files(w, is_toml); }},
    {"--structure", [](const BegunLine&, const std::string&) { return Completion(); }},
    {"--title", [](const BegunLine&, const std::string&) { return Completion(); }},
    {"--variables", complete_variable},
    {"--verify", [](const BegunLine&, const std::string&) { return Completion(); }},
    {"--with", [](const BegunLine&, const std::string& w) { return files(w, is_result_file); }},
    {"FILE", [](const BegunLine&, const std::string& w) { return files(w, is_of_tutti); }},
    {"FMU", [](const BegunLine&, const std::string& w) { return files(w, is_fmu); }},
    {"FOLDER", [](const BegunLine&, const std::string& w) { return files(w, is_none); }},
    {"NAME", [](const BegunLine&, const std::string& w) { return example_names(w); }},
    {"REFERENCE", [](const BegunLine&, const std::string& w) { return files(w, is_result_file); }},
    {"RESULT", [](const BegunLine&, const std::string& w) { return files(w, is_result_file); }},
    {"SOLVER", [](const BegunLine&, const std::string& w) { return solvers(w, false); }},
    {"STUDY", [](const BegunLine&, const std::string& w) { return files(w, is_toml); }},
    {"SYSTEM", [](const BegunLine&, const std::string& w) { return files(w, is_system_file); }},
    {"TABLE", [](const BegunLine&, const std::string& w) { return files(w, is_result_file); }},
    {"TOPIC", [](const BegunLine&, const std::string& w) { return topic_names(w); }},
    {"VARIABLE", columns},
};

}  // namespace

std::string with_home(const std::string& file) {
  const char* const home = std::getenv("HOME");
  return home != nullptr && file.starts_with("~/") ? home + file.substr(1) : file;
}

void add_if_begun(Completion& to, const std::string& word, std::string text,
                  std::string description) {
  if (text.starts_with(word)) to.candidates.push_back({std::move(text), std::move(description)});
}

Completion by_segments(Completion all, const std::string& word, std::size_t short_enough) {
  if (all.candidates.size() <= short_enough) return all;
  const auto segment_of = [&](const Candidate& one) {
    const std::size_t dot = one.text.find('.', word.size());
    return one.text.substr(0, dot == std::string::npos ? dot : dot + 1);
  };
  std::map<std::string, std::size_t> counts;
  for (const Candidate& one : all.candidates) ++counts[segment_of(one)];
  Completion found;
  std::set<std::string> shown;
  for (Candidate& one : all.candidates) {
    const std::string segment = segment_of(one);
    if (counts[segment] == 1 || segment == one.text)
      found.candidates.push_back(std::move(one));
    else if (shown.insert(segment).second)
      found.candidates.push_back({segment, ""});
  }
  return found;
}

Completion complete_value(const BegunLine& line, std::string_view option, const std::string& word) {
  const auto* const row = std::ranges::find(known_values, option, &OptionValues::option);
  return row == std::end(known_values) ? files(word, is_any) : row->values(line, word);
}

}  // namespace tutti::cli
