// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/compile/compile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <mutex>
#include <optional>
#include <thread>
#include <tutti/error.hpp>
#include <vector>

#include "base/run_program.hpp"
#include "base/seconds.hpp"
#include "base/sha256.hpp"
#include "fmi/compile/build_plan.hpp"
#include "fmi/temporary_folder.hpp"

namespace tutti::fmi {
namespace {

namespace fs = std::filesystem;
using Command = std::vector<std::string>;

constexpr std::size_t shown_lines = 12;

[[noreturn]] void cannot_compile(const std::string& what, ErrorDetails details = {}) {
  throw Error(ErrorCode::binary, what, std::move(details));
}

/// $XDG_CACHE_HOME/tutti, else ~/.cache/tutti (XDG base directory specification).
fs::path cache_folder(const CompileOptions& options) {
  if (!options.cache.empty()) return options.cache;
  const auto variable = [](const char* name) -> fs::path {
    const char* const value = std::getenv(name);
    return value != nullptr ? value : "";
  };
  if (const fs::path cache = variable("XDG_CACHE_HOME"); cache.is_absolute()) {
    return cache / "tutti";
  }
  if (const fs::path home = variable("HOME"); home.is_absolute()) return home / ".cache/tutti";
  cannot_compile("there is no folder for compiled libraries: set HOME or XDG_CACHE_HOME");
}

void add_file(Sha256& hash, const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  hash.add_field(std::string(std::istreambuf_iterator<char>(in), {}));
}

std::string version_of(const Command& compiler) {
  Command command = compiler;
  command.emplace_back("--version");
  return run_program(command, {.folder = {}, .timeout = 30}).output;
}

/// Everything that the library depends on.
std::string key_of(const CompileTask& task, const BuildPlan& plan) {
  Sha256 hash;
  hash.add_field("tutti, compiled FMU, 1");
  for (const StandardHeader& header : standard_headers()) hash.add_field(header.text);
  for (const Command& compiler : plan.compilers) hash.add_field(version_of(compiler));
  for (const BuildPlan::Step& step : plan.compile) {
    for (const std::string& word : step.command) hash.add_field(word);
  }
  for (const std::string& word : plan.link) hash.add_field(word);
  add_file(hash, task.folder / "modelDescription.xml");
  std::vector<fs::path> files;
  for (const fs::path& part : {fs::path("sources"), "binaries" / fs::path(task.platform)}) {
    std::error_code ignored;
    for (const auto& entry : fs::recursive_directory_iterator(task.folder / part, ignored)) {
      if (entry.is_regular_file(ignored)) files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    hash.add_field(file.lexically_relative(task.folder).generic_string());
    add_file(hash, file);
  }
  return hash.finish();
}

std::string first_lines(const std::string& text) {
  std::string result;
  std::size_t from = 0;
  for (std::size_t line = 0; line < shown_lines && from < text.size(); ++line) {
    const std::size_t end = std::min(text.size(), text.find('\n', from));
    result += fmt::format("\n  {:.300}", std::string_view(text).substr(from, end - from));
    from = end + 1;
  }
  return from < text.size() ? result + "\n  ..." : result;
}

/// Runs the commands of a plan in a folder of its own.
class Build {
 public:
  Build(const CompileTask& task, const BuildPlan& plan, const FmuOptions& options)
      : task_(task), plan_(plan), options_(options) {
    fs::create_directory(folder_.path() / "headers");
    for (const StandardHeader& header : standard_headers()) {
      std::ofstream(folder_.path() / "headers" / header.name) << header.text;
    }
  }

  fs::path run() {
    compile_all();
    execute(plan_.link, "linking");
    return folder_.path() / "library";
  }

 private:
  void compile_all() {
    std::atomic<std::size_t> next = 0;
    std::optional<Error> first;
    std::mutex mutex;
    const auto work = [&] {
      for (std::size_t i; (i = next++) < plan_.compile.size();) {
        try {
          execute(plan_.compile[i].command,
                  fmt::format("compiling sources/{}", plan_.compile[i].source));
        } catch (const Error& error) {
          const std::lock_guard lock(mutex);
          if (!first) first = error;
          next = plan_.compile.size();
        }
      }
    };
    const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::thread> helpers;
    for (std::size_t i = 1; i < std::min(cores, plan_.compile.size()); ++i) {
      helpers.emplace_back(work);
    }
    work();
    for (std::thread& helper : helpers) helper.join();
    if (first) throw *first;
  }

  void execute(Command command, const std::string& what) const {
    for (std::string& word : command) {
      const auto replace = [&](std::string_view mark, const std::string& text) {
        if (const std::size_t at = word.find(mark); at != word.npos) {
          word.replace(at, mark.size(), text);
        }
      };
      replace("{build}", folder_.path().string());
      replace("{headers}", (folder_.path() / "headers").string());
    }
    ProgramOptions how;
    how.folder = task_.folder / "sources";
    how.stop = options_.stop;
    const double limit = options_.compile.timeout;
    if (limit > 0) how.timeout = std::max(0.001, limit - seconds_since(begin_));
    const ProgramEnd end = run_program(command, how);
    switch (end.kind) {
      case ProgramEnd::Kind::stopped:
        throw Error(ErrorCode::interrupted, fmt::format("interrupted while {}", what));
      case ProgramEnd::Kind::timed_out:
        cannot_compile(
            fmt::format(
                "{} with {} did not end within {} s (%key% sets another limit, 0: no limit)", what,
                command.front(), options_.compile.timeout),
            {.key = "compile-timeout"});
      case ProgramEnd::Kind::killed:
        cannot_compile(fmt::format("{} with {} was ended by signal {}{}", what, command.front(),
                                   end.status, first_lines(end.output)));
      case ProgramEnd::Kind::exited:
        if (end.status == 0) return;
        cannot_compile(fmt::format("{} with {} failed (exit status {}):{}", what, command.front(),
                                   end.status, first_lines(end.output)));
    }
  }

  const CompileTask& task_;
  const BuildPlan& plan_;
  const FmuOptions& options_;
  const Clock::time_point begin_ = Clock::now();
  TemporaryFolder folder_;
};

/// Moves a file into the cache atomically, so that no process sees an incomplete one. If two
/// processes make the same file, the last one remains; both are complete.
void store(const fs::path& made, const fs::path& place) {
  std::error_code failed;
  fs::create_directories(place.parent_path(), failed);
  fs::path half = place;
  half += fmt::format(".{}.part", made.parent_path().filename().string());  // unique
  if (!failed) fs::copy_file(made, half, fs::copy_options::overwrite_existing, failed);
  if (!failed) fs::permissions(half, fs::perms::owner_all, failed);
  if (!failed) fs::rename(half, place, failed);
  if (!failed) return;
  std::error_code ignored;
  fs::remove(half, ignored);
  throw Error(ErrorCode::file,
              fmt::format("cannot store the compiled library in \"{}\": {}",
                          place.parent_path().string(), failed.message()),
              {.hint = "Set XDG_CACHE_HOME to a folder that you can write to."});
}

}  // namespace

bool has_sources(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_directory(folder / "sources", ignored) &&
         !fs::is_empty(folder / "sources", ignored);
}

fs::path compile_sources(const CompileTask& task, const FmuOptions& options, const Log& log) {
  if (!has_sources(task.folder)) cannot_compile("it has no sources to compile (folder sources)");
  const BuildPlan plan = make_build_plan(task, log);
  const fs::path place = cache_folder(options.compile) / "compiled" / key_of(task, plan) /
                         (task.interface->model_identifier + ".so");
  std::error_code ignored;
  if (fs::is_regular_file(place, ignored)) {
    log.info(task.component,
             fmt::format("uses the library compiled earlier, \"{}\"", place.string()));
    return place;
  }
  log.info(task.component,
           fmt::format("compiling {} source file{} with {}", plan.compile.size(),
                       plan.compile.size() == 1 ? "" : "s", plan.compilers.front().front()));
  const auto begin = Clock::now();
  Build build(task, plan, options);
  store(build.run(), place);
  log.info(task.component, fmt::format("compiled in {:.1f} s, stored as \"{}\"",
                                       seconds_since(begin), place.string()));
  return place;
}

}  // namespace tutti::fmi
