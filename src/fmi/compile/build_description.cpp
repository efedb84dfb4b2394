// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/compile/build_description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tutti/error.hpp>
#include <utility>

#include "fmi/description/xml.hpp"
#include "fmi/zip.hpp"

namespace tutti::fmi {
namespace {

constexpr std::size_t most_files = 100'000;

class BuildDescriptionReader {
 public:
  BuildDescriptionReader(std::string text, std::string_view file) : xml_(std::move(text), file) {}

  std::vector<BuildConfiguration> read() {
    const pugi::xml_node root = xml_.root();
    if (root.name() != std::string_view("fmiBuildDescription")) {
      fail(root, fmt::format("the root element is <{}>, not <fmiBuildDescription>", root.name()));
    }
    std::vector<BuildConfiguration> all;
    for (const pugi::xml_node child : root.children("BuildConfiguration")) {
      BuildConfiguration& to = all.emplace_back();
      to.model_identifier = child.attribute("modelIdentifier").value();
      to.platform = child.attribute("platform").value();
      for (const pugi::xml_node part : children_of(child)) {
        if (part.name() == std::string_view("SourceFileSet")) to.sets.push_back(read_set(part));
        if (part.name() == std::string_view("Library")) to.libraries.push_back(read_library(part));
      }
    }
    return all;
  }

 private:
  [[noreturn]] void fail(pugi::xml_node at, std::string_view what) const {
    ErrorDetails details = xml_.place(at.name());
    details.hint = "Export the FMU again.";
    throw Error(ErrorCode::description, std::string(what), std::move(details));
  }

  std::string path_of(pugi::xml_node element) {
    if (++file_count_ > most_files) {
      fail(element, fmt::format("there are more than {} files and folders", most_files));
    }
    const char* const name = element.attribute("name").value();
    std::string path = safe_source_path(name);
    if (path.empty()) {
      fail(element, fmt::format("<{} name=\"{:.200}\"> is not a path inside the folder sources",
                                element.name(), name));
    }
    return path;
  }

  SourceFileSet read_set(pugi::xml_node element) {
    SourceFileSet to;
    to.language = element.attribute("language").value();
    to.compiler = element.attribute("compiler").value();
    for_each_item(element.attribute("compilerOptions").value(),
                  [&](std::string_view option) { to.options.emplace_back(option); });
    for (const pugi::xml_node child : children_of(element)) {
      const std::string_view name = child.name();
      if (name == "SourceFile") to.files.push_back(path_of(child));
      if (name == "IncludeDirectory") to.include_folders.push_back(path_of(child));
      if (name == "PreprocessorDefinition") add_definition(child, to.definitions);
    }
    return to;
  }

  /// Optional definitions are omitted: the FMU works without them.
  void add_definition(pugi::xml_node element, std::vector<std::string>& to) {
    if (parse_boolean(element.attribute("optional").value()).value_or(false)) return;
    const std::string_view name = element.attribute("name").value();
    const bool is_name = !name.empty() && name.find_first_not_of(
                                              "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVW"
                                              "XYZ0123456789_") == name.npos;
    if (!is_name)
      fail(element, fmt::format("\"{:.200}\" cannot be defined for a preprocessor", name));
    pugi::xml_attribute value = element.attribute("value");
    if (!value) value = element.child("Option").attribute("value");
    to.push_back(value ? fmt::format("{}={}", name, value.value()) : std::string(name));
  }

  BuildLibrary read_library(pugi::xml_node element) {
    BuildLibrary to;
    to.name = element.attribute("name").value();
    to.external = parse_boolean(element.attribute("external").value()).value_or(false);
    if (to.name.empty() || to.name.front() == '-' || to.name.find('/') != to.name.npos ||
        to.name.find('\\') != to.name.npos) {
      fail(element, fmt::format("\"{:.200}\" is not a name of a library", to.name));
    }
    return to;
  }

  XmlDocument xml_;
  std::size_t file_count_ = 0;
};

bool is_for_us(const BuildConfiguration& configuration) {
  constexpr std::array<std::string_view, 6> ours = {"gcc", "g++", "clang", "clang++", "cc", "c++"};
  return std::ranges::all_of(configuration.sets, [&](const SourceFileSet& set) {
    return set.compiler.empty() || std::ranges::find(ours, set.compiler) != ours.end();
  });
}

}  // namespace

bool is_harmless_option(std::string_view option) {
  constexpr std::array<std::string_view, 11> good = {
      "-D", "-U", "-O", "-f", "-m", "-std=", "-W", "-g", "-ansi", "-pedantic", "-pthread"};
  constexpr std::array<std::string_view, 9> bad = {"-fplugin",   "-fprofile",   "-fdump",
                                                   "-Wl,",       "-Wa,",        "-Wp,",
                                                   "-fsanitize", "-fcallgraph", "-fmodule"};
  const auto begins = [option](std::string_view with) { return option.starts_with(with); };
  return (option == "-w" || std::ranges::any_of(good, begins)) &&
         std::ranges::none_of(bad, begins) && option.find('/') == option.npos;
}

std::string safe_source_path(std::string_view path) {
  const ArchivePath safe = archive_path(path);
  const bool is_option = safe.path.starts_with('-') || safe.path.starts_with('@');
  const bool is_safe = safe.refusal.empty() && !is_option && path.find('\0') == path.npos;
  return is_safe ? (safe.path.empty() ? "." : safe.path) : "";
}

std::vector<BuildConfiguration> read_build_description(std::string xml, std::string_view file) {
  return BuildDescriptionReader(std::move(xml), file).read();
}

const BuildConfiguration& choose_configuration(const std::vector<BuildConfiguration>& all,
                                               std::string_view model_identifier,
                                               std::string_view platform, const Log& log) {
  const auto is_called = [](std::string_view name) {
    return [name](const BuildConfiguration& one) { return one.model_identifier == name; };
  };
  if (!all.empty() && std::ranges::none_of(all, is_called(model_identifier)) &&
      std::ranges::all_of(all, is_called(all.front().model_identifier))) {
    log.warning("", fmt::format("buildDescription.xml is for \"{}\", not for \"{}\"; used anyway "
                                "(FMI 3.0, section 2.4.10)",
                                all.front().model_identifier, model_identifier));
    model_identifier = all.front().model_identifier;
  }
  const BuildConfiguration* best = nullptr;
  int best_rank = -1;
  for (const BuildConfiguration& one : all) {
    if (one.model_identifier != model_identifier) continue;
    if (!one.platform.empty() && one.platform != platform) continue;
    const int rank = (is_for_us(one) ? 2 : 0) + (one.platform.empty() ? 0 : 1);
    if (rank <= best_rank) continue;
    best = &one;
    best_rank = rank;
  }
  if (best != nullptr) return *best;
  std::vector<std::string> names;
  for (const BuildConfiguration& one : all) {
    names.push_back(fmt::format("{} for {}", one.model_identifier,
                                one.platform.empty() ? "any platform" : one.platform));
  }
  throw Error(
      ErrorCode::binary,
      fmt::format("buildDescription.xml has no configuration for {} on {}. It has: {:.500}.",
                  model_identifier, platform,
                  names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

}  // namespace tutti::fmi
