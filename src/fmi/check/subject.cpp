// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/check/subject.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <tutti/error.hpp>

#include "fmi/description/reader.hpp"

namespace tutti::fmi {
namespace {

/// A library is read into memory completely; larger ones are skipped.
constexpr std::uint64_t most_library_bytes = 1ull << 30;

/// By the first digit only: the reader rejects invalid versions.
std::optional<FmiVersion> version_of(pugi::xml_node root) {
  const std::size_t digit = std::string_view("123").find(*root.attribute("fmiVersion").value());
  if (digit == std::string_view::npos) return std::nullopt;
  return static_cast<FmiVersion>(digit);
}

BreachSink into(Findings& findings, std::string_view file) {
  return [&findings, file](const Breach& breach) {
    const CheckRule* const rule = find_rule(breach.rule);
    if (rule == nullptr || !findings.count(*rule)) return;
    Finding finding;
    finding.file = file;
    finding.line = breach.line;
    finding.variable = breach.variable;
    finding.text = breach.variable.empty() && !breach.subject.empty()
                       ? fmt::format("{}: {}", breach.subject, breach.text)
                       : breach.text;
    findings.keep(*rule, std::move(finding));
  };
}

StructureRow::List list_of(std::string_view name) {
  using enum StructureRow::List;
  if (name.starts_with("Output")) return outputs;
  if (name == "Derivatives" || name == "ContinuousStateDerivative") return derivatives;
  if (name == "DiscreteStates") return discrete_states;
  if (name == "ClockedState") return clocked_states;
  if (name == "EventIndicator") return indicators;
  return initial;
}

}  // namespace

std::string_view library_suffix(FmiVersion version, std::string_view platform) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> systems = {
      {{"windows", ".dll"}, {"linux", ".so"}, {"darwin", ".dylib"}}};
  if (version != FmiVersion::v3) {
    if (platform == "win32" || platform == "win64") return ".dll";
    if (platform == "linux32" || platform == "linux64") return ".so";
    if (platform == "darwin32" || platform == "darwin64") return ".dylib";
  }
  // The tuples of 3.0, which 2.0.4 allows too.
  constexpr std::array<std::string_view, 8> machines = {"aarch32", "aarch64", "riscv32", "riscv64",
                                                        "x86",     "x86_64",  "ppc32",   "ppc64"};
  const std::size_t dash = platform.find('-');
  if (dash == platform.npos || version == FmiVersion::v1) return "";
  if (std::ranges::find(machines, platform.substr(0, dash)) == machines.end()) {
    return "";
  }
  for (const auto& [name, suffix] : systems) {
    if (platform.substr(dash + 1) == name) return suffix;
  }
  return "";
}

Subject::Subject(const std::filesystem::path& fmu, const FmuOptions& options, Findings& findings)
    : archive(fmu, options, Log()), path(fmu) {
  bytes = archive.read(description_file, options.limits.description_bytes);
  xml = std::make_unique<XmlDocument>(
      bytes, fmt::format("{}/{}", path.filename().string(), description_file), options.limits);
  read(options, findings);
  if (!readable) return;
  find_elements();
  find_structure();
  find_states();
  find_libraries();
}

void Subject::read(const FmuOptions& options, Findings& findings) {
  const std::optional<FmiVersion> found = version_of(xml->root());
  if (found) version = *found;
  findings.set_version(version);
  const BreachSink sink = into(findings, description_file);
  const std::string name = fmt::format("{}/{}", path.filename().string(), description_file);
  try {
    description = read_model_description(bytes, name, {}, options.limits, found ? &sink : nullptr);
  } catch (const Error& error) {
    if (!found || error.code() != ErrorCode::description) throw;
    readable = false;  // the sink has received the reason
    return;
  }
  constexpr std::string_view terminals = "terminalsAndIcons/terminalsAndIcons.xml";
  if (version != FmiVersion::v3 || !archive.contains(terminals)) return;
  const BreachSink terminal_sink = into(findings, terminals);
  read_terminals(archive.read(terminals, options.limits.description_bytes), terminals, {},
                 description, options.limits, &terminal_sink);
}

void Subject::find_elements() {
  elements.reserve(description.variables.size());
  // The reader skips elements that are not variables; line numbers identify the variables that it
  // read.
  for (const pugi::xml_node child : children_of(xml->root().child("ModelVariables"))) {
    const std::size_t next = elements.size();
    if (next == description.variables.size()) break;
    if (child.type() != pugi::node_element) continue;
    const Variable& variable = description.variables[next];
    if (line(child) == variable.line && child.attribute("name").value() == variable.name) {
      elements.push_back(child);
    }
  }
  elements.resize(description.variables.size());
}

void Subject::find_structure() {
  const bool v3 = version == FmiVersion::v3;
  const auto index_of = [&](std::string_view text) -> std::int32_t {
    const auto number = parse_integer<std::uint32_t>(text);
    if (!number) return -1;
    if (v3) return description.find(*number);
    return *number >= 1 && *number <= description.variables.size()
               ? static_cast<std::int32_t>(*number - 1)
               : -1;
  };
  const auto add = [&](StructureRow::List list, pugi::xml_node element) {
    StructureRow row{list, element, -1, {}};
    row.variable = index_of(element.attribute(v3 ? "valueReference" : "index").value());
    for_each_item(element.attribute("dependencies").value(),
                  [&](std::string_view item) { row.dependencies.push_back(index_of(item)); });
    structure.push_back(std::move(row));
  };
  for (const pugi::xml_node child : children_of(xml->root().child("ModelStructure"))) {
    if (v3) {
      if (child.attribute("valueReference")) add(list_of(child.name()), child);
    } else {
      for (const pugi::xml_node row : child.children("Unknown")) add(list_of(child.name()), row);
    }
  }
}

void Subject::find_states() {
  state_of.resize(description.variables.size());
  std::uint32_t number = 0;
  for_each_row(StructureRow::List::derivatives, [&](const StructureRow&, std::size_t index) {
    ++number;
    const std::int32_t state = description.variables[index].derivative_of;
    if (state >= 0) state_of[static_cast<std::size_t>(state)] = number;
  });
}

void Subject::find_libraries() {
  std::set<std::string> identifiers;
  for (const auto& [name, can] : interfaces()) identifiers.insert(can->model_identifier);
  for (const ArchiveEntry& entry : archive.entries()) {
    if (entry.folder || !entry.path.starts_with("binaries/")) continue;
    const std::string_view rest = std::string_view(entry.path).substr(9);
    const std::size_t slash = rest.find('/');
    if (slash == rest.npos) continue;
    const std::string_view platform = rest.substr(0, slash), file = rest.substr(slash + 1);
    const std::string_view suffix = library_suffix(version, platform);
    if (suffix.empty() || !file.ends_with(suffix)) continue;
    const std::string identifier(file.substr(0, file.size() - suffix.size()));
    if (!identifiers.contains(identifier)) continue;
    if (entry.size > most_library_bytes) continue;
    LibraryFile library{entry.path, std::string(platform), identifier, {}, ""};
    const std::string content = archive.read(entry.path, most_library_bytes);
    library.head = content.substr(0, 4);
    library.elf = read_elf(content);
    libraries.push_back(std::move(library));
  }
}

std::vector<std::pair<std::string_view, const Capabilities*>> Subject::interfaces() const {
  std::vector<std::pair<std::string_view, const Capabilities*>> list;
  const auto add = [&list](std::string_view name, const std::optional<Capabilities>& can) {
    if (can) list.emplace_back(name, &*can);
  };
  add("ModelExchange", description.model_exchange);
  add("CoSimulation", description.co_simulation);
  add("ScheduledExecution", description.scheduled_execution);
  return list;
}

pugi::xml_attribute Subject::attribute(std::size_t variable, const char* name) const {
  const pugi::xml_node element = elements[variable];
  const pugi::xml_attribute own = element.attribute(name);
  if (own || version == FmiVersion::v3) return own;
  for (const pugi::xml_node child : children_of(element)) {
    if (const pugi::xml_attribute found = child.attribute(name)) return found;
  }
  return {};
}

}  // namespace tutti::fmi
