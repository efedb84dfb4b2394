// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <span>
#include <unordered_set>

#include "fmi/check/reporter.hpp"
#include "fmi/description/encoding.hpp"

namespace tutti::fmi::rules {
namespace {

/// The XML declaration, without <? and ?>; empty if the file does not begin with one.
std::string_view declaration(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  if (!bytes.starts_with("<?xml")) return {};
  return bytes.substr(0, bytes.find("?>"));
}

/// The encoding that it names, as written; empty if none.
std::string_view declared_encoding(std::string_view text) {
  const std::size_t at = text.find("encoding");
  if (at == text.npos) return {};
  const std::size_t open = text.find_first_of("\"'", at);
  if (open == text.npos) return {};
  return text.substr(open + 1, text.find(text[open], open + 1) - open - 1);
}

bool is_utf8_name(std::string_view name) { return lower_case(name) == "utf-8"; }

bool is_c_name(std::string_view name) {
  const auto is_letter = [](char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  return !name.empty() && is_letter(name[0]) &&
         std::ranges::all_of(name, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

/// xs:dateTime: 2009-12-08T14:33:22[.5][Z|+02:00]
bool is_date_time(std::string_view text) {
  constexpr std::string_view shape = "dddd-dd-ddTdd:dd:dd";
  const auto matches = [](std::string_view part, std::string_view pattern) {
    return part.size() == pattern.size() &&
           std::equal(part.begin(), part.end(), pattern.begin(),
                      [](char c, char p) { return p == 'd' ? c >= '0' && c <= '9' : c == p; });
  };
  if (!matches(text.substr(0, shape.size()), shape)) return false;
  text.remove_prefix(shape.size());
  if (text.starts_with('.')) {
    const std::size_t end = text.find_first_not_of("0123456789", 1);
    if (end == 1 || text.size() == 1) return false;
    text = end == text.npos ? "" : text.substr(end);
  }
  return text.empty() || text == "Z" || matches(text, "+dd:dd") || matches(text, "-dd:dd");
}

std::span<const std::string_view> root_elements(FmiVersion version) {
  static constexpr std::string_view v1[] = {"UnitDefinitions",   "TypeDefinitions",
                                            "DefaultExperiment", "VendorAnnotations",
                                            "ModelVariables",    "Implementation"};
  static constexpr std::string_view v2[] = {
      "ModelExchange",     "CoSimulation",   "UnitDefinitions",
      "TypeDefinitions",   "LogCategories",  "DefaultExperiment",
      "VendorAnnotations", "ModelVariables", "ModelStructure"};
  static constexpr std::string_view v3[] = {
      "ModelExchange",   "CoSimulation",  "ScheduledExecution", "UnitDefinitions",
      "TypeDefinitions", "LogCategories", "DefaultExperiment",  "ModelVariables",
      "ModelStructure",  "Annotations"};
  static constexpr std::span<const std::string_view> all[] = {v1, v2, v3};
  return all[static_cast<std::size_t>(version)];
}

}  // namespace

void capabilities(const Subject& fmu, Reporter& report) {
  for (const auto& [name, can] : fmu.interfaces()) {
    const pugi::xml_node element = fmu.xml->root().child(name.data());
    const std::string_view state = fmu.version == FmiVersion::v3 ? "State" : "state";
    if (can->can_serialize_state && !can->can_save_state) {
      report.element(element,
                     "canSerializeFMU{} without canGetAndSetFMU{}: there is no state to "
                     "serialize",
                     state, state);
    }
    if (can->can_return_early_after_intermediate_update && !can->provides_intermediate_update) {
      report.element(element,
                     "canReturnEarlyAfterIntermediateUpdate without providesIntermediateUpdate");
    }
    if (can->fixed_internal_step && !(*can->fixed_internal_step > 0)) {
      report.element(element, "fixedInternalStepSize={} is not positive",
                     *can->fixed_internal_step);
    }
  }
  if (fmu.description.has_clocks() && fmu.description.co_simulation &&
      !fmu.description.co_simulation->has_event_mode) {
    report.element(fmu.xml->root().child("CoSimulation"),
                   "the FMU has clocks, so hasEventMode must be true");
  }
}

void element_order(const Subject& fmu, Reporter& report) {
  const std::span<const std::string_view> order = root_elements(fmu.version);
  std::ptrdiff_t last = -1;
  for (const pugi::xml_node child : children_of(fmu.xml->root())) {
    const auto found = std::ranges::find(order, std::string_view(child.name()));
    if (found == order.end()) continue;
    const std::ptrdiff_t place = found - order.begin();
    if (place == last) {
      report.element(child, "<{}> is duplicated", child.name());
    } else if (place < last) {
      report.element(child, "<{}> must be before <{}>", child.name(),
                     order[static_cast<std::size_t>(last)]);
    }
    last = std::max(last, place);
  }
}

void empty_list(const Subject& fmu, Reporter& report) {
  for (const char* const name : {"UnitDefinitions", "TypeDefinitions", "LogCategories"}) {
    const pugi::xml_node list = fmu.xml->root().child(name);
    if (list && !list.first_child()) {
      report.element(list, "<{}> is empty; leave it out", name);
    }
  }
}

void encoding(const Subject& fmu, Reporter& report) {
  const std::string_view declared = declared_encoding(declaration(fmu.bytes));
  if (!declared.empty() && !is_utf8_name(declared)) return;  // the declaration violates the rules
  std::size_t line = 1;
  std::string_view rest = fmu.bytes;
  while (!rest.empty()) {
    const std::string_view text = rest.substr(0, rest.find('\n'));
    if (!is_valid_utf8(text)) {
      report.line(line, "this line is not UTF-8");
      return;
    }
    rest.remove_prefix(std::min(rest.size(), text.size() + 1));
    ++line;
  }
}

void fmi_version(const Subject& fmu, Reporter& report) {
  const std::string_view text = fmu.description.version_text;
  if (text != to_string(fmu.version)) {
    report.element(fmu.xml->root(), "fmiVersion=\"{}\" must be \"{}\", for all releases", text,
                   to_string(fmu.version));
  }
}

void generation_date(const Subject& fmu, Reporter& report) {
  const std::string_view text = trim(fmu.description.generation_date);
  if (!text.empty() && !is_date_time(text)) {
    report.element(
        fmu.xml->root(),
        "generationDateAndTime=\"{}\" is not a date and time such as 2009-12-08T14:33:22Z", text);
  }
}

void log_categories(const Subject& fmu, Reporter& report) {
  std::unordered_set<std::string_view> names;
  for (const pugi::xml_node item : fmu.xml->root().child("LogCategories").children("Category")) {
    const std::string_view name = item.attribute("name").value();
    if (name.empty()) {
      report.element(item, "a log category has no name");
    } else if (!names.insert(name).second) {
      report.element(item, "the log category \"{}\" is duplicated", name);
    }
  }
}

void model_identifier(const Subject& fmu, Reporter& report) {
  for (const auto& [name, can] : fmu.interfaces()) {
    if (is_c_name(can->model_identifier)) continue;
    const pugi::xml_node element =
        fmu.version == FmiVersion::v1 ? fmu.xml->root() : fmu.xml->root().child(name.data());
    report.element(element, "modelIdentifier=\"{}\" is not a C identifier", can->model_identifier);
  }
}

void xml_declaration(const Subject& fmu, Reporter& report) {
  const std::string_view declared = declared_encoding(declaration(fmu.bytes));
  if (is_utf8_name(declared)) return;
  report.line(1, "the file does not begin with <?xml version=\"1.0\" encoding=\"UTF-8\"?>{}{}",
              declared.empty() ? "" : ", but declares ", declared);
}

}  // namespace tutti::fmi::rules
