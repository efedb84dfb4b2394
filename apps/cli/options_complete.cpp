// SPDX-License-Identifier: BSD-2-Clause
#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>

#include "complete.hpp"

namespace tutti::cli {
namespace {

/// The word as a shell reads it; open quotes are closed at its end.
std::string unquoted(std::string_view raw) {
  std::string text;
  char quote = '\0';
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const char c = raw[i];
    const bool escapes = c == '\\' && quote != '\'' && i + 1 < raw.size() &&
                         (quote == '\0' || std::string_view("\"\\$`").find(raw[i + 1]) != raw.npos);
    if (escapes)
      text += raw[++i];
    else if (quote == '\0' && (c == '"' || c == '\''))
      quote = c;
    else if (c == quote && quote != '\0')
      quote = '\0';
    else
      text += c;
  }
  return text;
}

std::string spelled(const CLI::Option& option) {
  return option.get_lnames().empty() ? "-" + option.get_snames().front()
                                     : "--" + option.get_lnames().front();
}

std::string name_of(const CLI::Option& option) {
  return option.get_positional() ? option.get_name(true) : spelled(option);
}

bool is_option(const CLI::Option& option) {
  return !option.get_lnames().empty() || !option.get_snames().empty();
}
bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }
bool needs_value(const CLI::Option& option) { return option.get_items_expected_min() > 0; }
bool may_repeat(const CLI::Option& option) { return option.get_items_expected_max() > 1; }

/// Options of the command and of its parent commands that it falls through to.
std::vector<const CLI::Option*> options_of(const CLI::App& app) {
  std::vector<const CLI::Option*> all;
  for (const CLI::App* at = &app; at != nullptr;
       at = at->get_fallthrough() ? at->get_parent() : nullptr)
    for (const CLI::Option* const option : at->get_options())
      if (is_option(*option)) all.push_back(option);
  return all;
}

const CLI::Option* find_option(const CLI::App& app, std::string_view word) {
  const std::string name(word.substr(0, word.find('=')));
  for (const CLI::Option* const option : options_of(app))
    if (option->check_name(name)) return option;
  return nullptr;
}

/// The words of a choice, as CLI11 shows them: `TEXT:{max,rms}`.
std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{'), close = type.find('}');
  if (open == type.npos || close == type.npos) return {};
  return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

bool is_number(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type.starts_with("FLOAT") || type.starts_with("INT") || type.starts_with("UINT");
}

/// Parses the words of a command line by the commands and their options.
class Walk {
 public:
  explicit Walk(const CLI::App& app) : app_(&app) { enter(app); }

  void take(const std::string& word) {
    if (value_of_ != nullptr) {
      note(*value_of_, word);
      value_of_ = nullptr;
    } else if (!only_arguments_ && word == "--") {
      only_arguments_ = true;
    } else if (!only_arguments_ && word.size() > 1 && word.front() == '-') {
      take_option(word);
    } else if (const CLI::App* const command = find_command(word)) {
      line_.command += (line_.command.empty() ? "" : " ") + word;
      app_ = command;
      enter(*command);
    } else if (const CLI::Option* const argument = next_argument()) {
      note(*argument, word);
    }
  }

  Completion complete(const std::string& word) const {
    if (value_of_ != nullptr) return values(*value_of_, word);
    if (!only_arguments_ && word.starts_with("-")) return options(word);
    Completion found;
    if (line_.command.empty() || has_commands())
      for (const CLI::App* const command : commands())
        add_if_begun(found, word, command->get_name(), command->get_description());
    if (!found.candidates.empty()) return found;
    if (const CLI::Option* const argument = next_argument()) return values(*argument, word);
    return found;
  }

 private:
  void enter(const CLI::App& app) {
    arguments_.clear();
    for (const CLI::Option* const option : app.get_options())
      if (option->get_positional()) arguments_.push_back(option);
  }

  void take_option(const std::string& word) {
    const CLI::Option* const option = find_option(*app_, word);
    if (option == nullptr) return;
    const std::size_t equals = word.find('=');
    if (equals != word.npos)
      note(*option, word.substr(equals + 1));
    else if (needs_value(*option))
      value_of_ = option;
    else
      note(*option, "");
  }

  void note(const CLI::Option& option, const std::string& value) {
    line_.values.emplace(name_of(option), with_home(value));
    given_.push_back(&option);
  }

  bool is_given(const CLI::Option& option) const {
    return std::ranges::find(given_, &option) != given_.end();
  }

  const CLI::Option* next_argument() const {
    for (const CLI::Option* const argument : arguments_)
      if (may_repeat(*argument) || !is_given(*argument)) return argument;
    return nullptr;
  }

  std::vector<const CLI::App*> commands() const {
    return app_->get_subcommands([](const CLI::App*) { return true; });
  }
  bool has_commands() const { return !commands().empty(); }
  const CLI::App* find_command(const std::string& word) const {
    for (const CLI::App* const command : commands())
      if (command->get_name() == word) return command;
    return nullptr;
  }

  Completion options(const std::string& word) const {
    Completion found;
    const std::size_t equals = word.find('=');
    if (equals != word.npos) {
      const CLI::Option* const option = find_option(*app_, word);
      if (option == nullptr || !takes_value(*option)) return found;
      found = values(*option, word.substr(equals + 1));
      for (Candidate& one : found.candidates) one.text.insert(0, word.substr(0, equals + 1));
      return found;
    }
    for (const CLI::Option* const option : options_of(*app_))
      if (may_repeat(*option) || !is_given(*option))
        add_if_begun(found, word, spelled(*option), option->get_description());
    return found;
  }

  Completion values(const CLI::Option& option, const std::string& word) const {
    Completion found;
    const std::string name = name_of(option);
    const std::vector<std::string> choices = choices_of(option);
    for (const std::string& choice : choices) add_if_begun(found, word, choice);
    if (line_.command == "help" && name == "COMMAND")
      for (const CLI::App* const command :
           app_->get_parent()->get_subcommands([](const CLI::App*) { return true; }))
        add_if_begun(found, word, command->get_name(), command->get_description());
    if (!found.candidates.empty() || !choices.empty() || name == "COMMAND") return found;
    if (is_number(option)) return found;
    return complete_value(line_, name, word);
  }

  const CLI::App* app_;
  BegunLine line_;
  std::vector<const CLI::Option*> arguments_, given_;
  const CLI::Option* value_of_ = nullptr;  ///< the next word is its value
  bool only_arguments_ = false;
};

/// The first line of a text without terminal control sequences.
std::string one_line(const std::string& text) {
  std::string line = text.substr(0, text.find('\n'));
  std::ranges::replace_if(
      line, [](char c) { return c >= 0 && c < ' '; }, ' ');
  return line;
}

bool is_printable(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return (c >= 0 && c < ' ') || c == 127; });
}

}  // namespace

std::string complete(const CLI::App& app, int argc, const char* const* argv) {
  Completion found;
  try {
    const std::string_view shell = argc > 2 ? argv[2] : "";
    Walk walk(app);
    for (int i = 3; i + 1 < argc; ++i) walk.take(shell == "bash" ? unquoted(argv[i]) : argv[i]);
    if (argc > 3) found = walk.complete(shell == "zsh" ? argv[argc - 1] : unquoted(argv[argc - 1]));
  } catch (const std::exception&) {
    found = {};  // no candidates, and no place for messages
  }
  std::string text = found.are_files ? "files\n" : "words\n";
  for (const Candidate& one : found.candidates)
    if (is_printable(one.text)) text += one.text + '\t' + one_line(one.description) + '\n';
  return text;
}

}  // namespace tutti::cli
