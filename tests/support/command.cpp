// SPDX-License-Identifier: BSD-2-Clause
#include "support/command.hpp"
#include "support/places.hpp"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace tutti::testing {
namespace fs = std::filesystem;

namespace {

std::string read_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

Workplace::Workplace() {
  std::string pattern = (fs::temp_directory_path() / "tutti-test-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  path_ = pattern;
  fs::create_directory(path_ / "tmp");
}

Workplace::~Workplace() { fs::remove_all(path_); }

fs::path Workplace::write(const std::string& name, const std::string& text) const {
  std::ofstream(path_ / name, std::ios::binary) << text;
  return path_ / name;
}

std::string Workplace::read(const std::string& name) const { return read_file(path_ / name); }

Answer Workplace::tutti(const std::vector<std::string>& arguments, double interrupt_after) const {
  std::vector<Signal> signals;
  if (interrupt_after > 0) signals.push_back({interrupt_after, SIGINT});
  return tutti(arguments, signals);
}

Answer Workplace::tutti(const std::vector<std::string>& arguments,
                        const std::vector<Signal>& signals) const {
  std::vector<std::string> command = {places::tutti_program()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return execute(command, signals);
}

Answer Workplace::shell(const std::string& command) const {
  return execute(
      {"/bin/bash", "-c", "export TUTTI=" + places::tutti_program().string() + "\n" + command}, {});
}

Answer Workplace::execute(const std::vector<std::string>& command,
                          const std::vector<Signal>& signals) const {
  const fs::path out = path_ / "tmp.out", err = path_ / "tmp.err";
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::setenv("TMPDIR", (path_ / "tmp").c_str(), 1);
    if (::chdir(path_.c_str()) != 0) ::_exit(126);
    ::dup2(::open(out.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600), STDOUT_FILENO);
    ::dup2(::open(err.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600), STDERR_FILENO);
    std::vector<char*> argv;
    for (const std::string& argument : command) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    ::execv(argv.front(), argv.data());
    ::_exit(127);
  }
  double passed = 0;
  for (const Signal& signal : signals) {
    std::this_thread::sleep_for(std::chrono::duration<double>(signal.after - passed));
    passed = signal.after;
    ::kill(pid, signal.number);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  Answer answer;
  answer.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  answer.out = read_file(out);
  answer.err = read_file(err);
  return answer;
}

std::size_t Workplace::leftover_count() const {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(path_ / "tmp"), fs::directory_iterator()));
}

std::string fmu(const std::string& version, const std::string& name) {
  return places::fmu_folder() / version / (name + ".fmu");
}

std::vector<std::vector<std::string>> csv_rows(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string>& row = rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
  }
  return rows;
}

}  // namespace tutti::testing
