// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/compile/build_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <tutti/error.hpp>
#include <utility>

#include "base/run_program.hpp"
#include "fmi/compile/build_description.hpp"
#include "fmi/description/xml.hpp"

namespace tutti::fmi {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_description_bytes = 16u << 20;

[[noreturn]] void cannot_plan(const std::string& what) { throw Error(ErrorCode::binary, what); }

std::string read_small_file(const fs::path& file) {
  std::error_code failed;
  const std::uint64_t size = fs::file_size(file, failed);
  if (!failed && size > most_description_bytes) {
    cannot_plan(fmt::format("{} has {} bytes, the limit is {}", file.filename().string(), size,
                            most_description_bytes));
  }
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool is_header(std::string_view file) { return file.ends_with(".h") || file.ends_with(".hpp"); }

/// FMI 2.0 files without a list: all.c is the usual name of a file that includes the others.
std::vector<std::string> guess_files(const fs::path& sources) {
  std::error_code ignored;
  if (fs::is_regular_file(sources / "all.c", ignored)) return {"all.c"};
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(sources, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".c") && !safe_source_path(name).empty()) files.push_back(name);
  }
  std::ranges::sort(files);
  return files;
}

/// FMI 2.0.5, section 2.3: SourceFiles lists what must be compiled, with no further options.
BuildConfiguration listed_files(const CompileTask& task, const Log& log) {
  BuildConfiguration result;
  SourceFileSet& set = result.sets.emplace_back();
  for (const std::string& name : task.interface->source_files) {
    std::string path = safe_source_path(name);
    if (path.empty()) {
      cannot_plan(
          fmt::format("<File name=\"{:.200}\"> is not a path inside the folder sources", name));
    }
    if (!is_header(path)) set.files.push_back(std::move(path));
  }
  if (set.files.empty()) {
    set.files = guess_files(task.folder / "sources");
    log.warning(task.component,
                fmt::format("the FMU does not list the sources to compile (SourceFiles); {} used",
                            set.files.size() == 1 ? set.files.front() + " is"
                                                  : "all C files in its folder sources are"));
  }
  return result;
}

BuildConfiguration configuration_of(const CompileTask& task, const Log& log) {
  const fs::path file = task.folder / "sources/buildDescription.xml";
  std::error_code ignored;
  if (fs::is_regular_file(file, ignored)) {
    BuildConfiguration chosen = choose_configuration(
        read_build_description(read_small_file(file), "sources/buildDescription.xml"),
        task.interface->model_identifier, task.platform, log);
    for (SourceFileSet& set : chosen.sets) {
      std::erase_if(set.options, [&](const std::string& option) {
        if (is_harmless_option(option)) return false;
        log.warning(task.component,
                    fmt::format("the compiler option \"{:.200}\" is ignored", option));
        return true;
      });
    }
    return chosen;
  }
  if (task.version == FmiVersion::v1) {
    cannot_plan(
        "FMI 1.0 does not define how to compile them: compile them by hand and put the library "
        "into that folder, or export the FMU again with this platform");
  }
  if (task.version == FmiVersion::v3) {
    cannot_plan(
        "there is no sources/buildDescription.xml (FMI 3.0, section 2.4.10). Export the FMU again");
  }
  return listed_files(task, log);
}

/// A library of the FMU itself is in the folder of its binaries (FMI 3.0, section 2.4.10).
std::string library_argument(const BuildLibrary& library, const CompileTask& task) {
  if (library.external) return "-l" + library.name;
  const fs::path folder = task.folder / "binaries" / task.platform;
  for (const std::string& name : {library.name, library.name + ".a", "lib" + library.name + ".a"}) {
    std::error_code ignored;
    // Relative to sources/, so that the text does not depend on where the FMU is unpacked.
    if (fs::is_regular_file(folder / name, ignored)) {
      return fmt::format("../binaries/{}/{}", task.platform, name);
    }
  }
  cannot_plan(fmt::format("the library \"{}\" that its sources need is not in binaries/{}",
                          library.name, task.platform));
}

class Planner {
 public:
  explicit Planner(const CompileTask& task) : task_(task) {}

  BuildPlan plan(const BuildConfiguration& configuration) {
    for (const SourceFileSet& set : configuration.sets) {
      for (const std::string& file : set.files) add(set, file);
    }
    if (plan_.compile.empty()) cannot_plan("its build description lists no source file");
    plan_.link = has_cpp_ ? cpp_ : c_;
    for (const char* const word : {"-shared", "-fPIC", "-Wl,-Bsymbolic", "-o", "{build}/library"}) {
      plan_.link.emplace_back(word);
    }
    for (std::size_t i = 0; i < plan_.compile.size(); ++i) plan_.link.push_back(object(i));
    for (const BuildLibrary& library : configuration.libraries) {
      plan_.link.push_back(library_argument(library, task_));
    }
    plan_.link.emplace_back("-lm");
    return std::move(plan_);
  }

 private:
  static std::string object(std::size_t index) { return fmt::format("{{build}}/{}.o", index); }

  void add(const SourceFileSet& set, const std::string& file) {
    std::error_code ignored;
    if (!fs::is_regular_file(task_.folder / "sources" / file, ignored)) {
      cannot_plan(fmt::format("its source file sources/{} is missing", file));
    }
    const Language language = language_of(set.language, file);
    const bool cpp = language == Language::cpp;
    std::vector<std::string>& compiler = cpp ? cpp_ : c_;
    has_cpp_ |= cpp;
    if (compiler.empty()) {
      compiler = find_compiler(language, set.compiler);
      plan_.compilers.push_back(compiler);
    }
    std::vector<std::string> words = compiler;
    const auto append = [&](std::string word) { words.push_back(std::move(word)); };
    append("-O2");
    append("-fPIC");
    if (std::string option = standard_option(set.language); !option.empty()) append(option);
    for (const std::string& option : set.options) append(option);
    // A shared library has the names without prefix (FMI 3.0, section 2.2.1), even if the sources
    // define one for static linking.
    append(task_.version == FmiVersion::v3 ? "-DFMI3_OVERRIDE_FUNCTION_PREFIX"
                                           : "-DFMI2_OVERRIDE_FUNCTION_PREFIX");
    for (const std::string& definition : set.definitions) append("-D" + definition);
    append("-I.");
    for (const std::string& folder : set.include_folders) append("-I" + folder);
    append("-I{headers}");
    append("-c");
    append("-x");
    append(cpp ? "c++" : "c");
    append(file);
    append("-o");
    append(object(plan_.compile.size()));
    plan_.compile.push_back({file, std::move(words)});
  }

  const CompileTask& task_;
  BuildPlan plan_;
  std::vector<std::string> c_, cpp_;
  bool has_cpp_ = false;
};

}  // namespace

Language language_of(std::string_view declared, std::string_view file) {
  if (!declared.empty())
    return lower_case(declared).starts_with("c++") ? Language::cpp : Language::c;
  const std::size_t dot = file.rfind('.');
  const std::string_view suffix = dot == file.npos ? std::string_view{} : file.substr(dot);
  for (const std::string_view cpp : {".cpp", ".cc", ".cxx", ".c++", ".C"}) {
    if (suffix == cpp) return Language::cpp;
  }
  return Language::c;
}

std::string standard_option(std::string_view declared) {
  const std::string name = lower_case(declared);
  for (const auto& [begin, option] : {std::pair("c++", "-std=gnu++"), std::pair("c", "-std=gnu")}) {
    if (!name.starts_with(begin)) continue;
    const std::string year = name.substr(std::string_view(begin).size());
    const bool is_year =
        year.size() == 2 && std::ranges::all_of(year, [](char c) { return c >= '0' && c <= '9'; });
    return is_year ? option + year : "";
  }
  return "";
}

std::vector<std::string> find_compiler(Language language, std::string_view preferred) {
  const bool cpp = language == Language::cpp;
  const char* const variable = cpp ? "CXX" : "CC";
  if (const char* const value = std::getenv(variable); value != nullptr && *value != '\0') {
    std::vector<std::string> words;
    for_each_item(value, [&](std::string_view word) { words.emplace_back(word); });
    const std::string program = words.empty() ? "" : find_program(words.front()).string();
    if (program.empty()) {
      throw Error(ErrorCode::binary,
                  fmt::format("the compiler that the variable {} names cannot be found: \"{}\"",
                              variable, value));
    }
    words.front() = program;
    return words;
  }
  const std::vector<std::string_view> usual =
      cpp ? std::vector<std::string_view>{"c++", "g++", "clang++"}
          : std::vector<std::string_view>{"cc", "gcc", "clang"};
  std::vector<std::string_view> names = usual;
  if (std::ranges::find(usual, preferred) != usual.end()) {
    names.insert(names.begin(), preferred);
  }
  for (const std::string_view name : names) {
    if (const std::string program = find_program(name).string(); !program.empty()) return {program};
  }
  throw Error(
      ErrorCode::binary,
      fmt::format("there is no compiler for {}: none of {} is on PATH. Install one (for "
                  "example the package {}), or set {}.",
                  cpp ? "C++" : "C", fmt::join(usual, ", "), cpp ? "g++" : "gcc", variable));
}

BuildPlan make_build_plan(const CompileTask& task, const Log& log) {
  return Planner(task).plan(configuration_of(task, log));
}

}  // namespace tutti::fmi
