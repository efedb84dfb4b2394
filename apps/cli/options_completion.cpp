// SPDX-License-Identifier: BSD-2-Clause
#include "completion.hpp"
#include "options_shared.hpp"

namespace tutti::cli {
namespace {

struct CompletionCommand {
  std::string shell;
};

void add_completion_options(CLI::App& app, CompletionCommand& command) {
  std::vector<std::string> shells;
  for (const CompletionScript& script : completion_scripts()) shells.emplace_back(script.shell);
  app.add_option("SHELL", command.shell, "Shell to print the script for")
      ->required()
      ->check(CLI::IsMember(shells));
  app.footer(
      "To try it in this shell:\n"
      "  source <(tutti completion bash)\n"
      "For every session:\n"
      "  bash: tutti completion bash > ~/.local/share/bash-completion/completions/tutti\n"
      "  zsh:  tutti completion zsh > FOLDER/_tutti, a FOLDER of $fpath\n"
      "  fish: tutti completion fish > ~/.config/fish/completions/tutti.fish\n"
      "Packages of Tutti install all three.");
}

int perform_completion(const CLI::App&, CompletionCommand& command, Console&) {
  for (const CompletionScript& script : completion_scripts())
    if (script.shell == command.shell)
      return put(stdout, script.text) && std::fflush(stdout) == 0 ? 0 : 1;
  return 2;
}

}  // namespace

void add_completion(CommandLine& line) {
  add_command(line, "completion", "Print a completion script for a shell", add_completion_options,
              perform_completion);
}

}  // namespace tutti::cli
