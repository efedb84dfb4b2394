// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/text.hpp"
#include "formats/osp/structure.hpp"
#include "formats/xml_file.hpp"
#include "system/names.hpp"

namespace tutti::formats::osp {
namespace {

constexpr std::string_view uri = "http://opensimulationplatform.com/MSMI/OSPSystemStructure";
constexpr std::uint32_t most_inputs = 10'000;  // of a function: more is a mistake or an attack

using Names = std::vector<std::string_view>;

/// Reads one file into a Structure and collects all errors.
class Parser {
 public:
  Parser(std::string text, const std::string& name, const ArchiveLimits& limits, const Log& log)
      : file_(std::move(text), name, limits), log_(log) {}

  Structure run() {
    const pugi::xml_node root = file_.root();
    if (local_name(root) != "OspSystemStructure")
      file_.refuse(root, fmt::format("the root element is <{}>, expected <OspSystemStructure>",
                                     printable(root.name())));
    check_root(root);
    for_each(root,
             {"StartTime", "EndTime", "BaseStepSize", "Algorithm", "Simulators", "Functions",
              "Connections", "EccoConfiguration", "Description"},
             true, [&](std::string_view name, pugi::xml_node node) { add_part(name, node); });
    if (!root_has_simulators_)
      problems_.attempt([&] { file_.refuse(root, "there is no <Simulators>"); });
    if (out_.algorithm == Algorithm::ecco && !out_.ecco)
      problems_.add(algorithm_place_, "the algorithm \"ecco\" needs an <EccoConfiguration>");
    problems_.raise();
    return std::move(out_);
  }

 private:
  void check_root(pugi::xml_node root) {
    check_attributes(root, {"version"});
    const std::string_view version = root.attribute("version").value();
    if (version != "0.1")
      log_.warning("", fmt::format("{}version \"{}\" of OspSystemStructure is unknown; it is "
                                   "read as 0.1",
                                   system::at(file_.place(root)), printable(version)));
    const std::string_view prefix = root.name();
    const std::size_t colon = prefix.find(':');
    const std::string attribute =
        colon == prefix.npos ? "xmlns" : fmt::format("xmlns:{}", prefix.substr(0, colon));
    const std::string_view space = root.attribute(attribute.c_str()).value();
    if (space != uri)
      log_.warning("", fmt::format("{}the namespace \"{}\" is read as {}",
                                   system::at(file_.place(root)), printable(space), uri));
  }

  void add_part(std::string_view name, pugi::xml_node node) {
    if (name == "StartTime") {
      out_.start = content_number(node);
    } else if (name == "EndTime") {
      out_.stop = content_number(node);
    } else if (name == "BaseStepSize") {
      out_.step = positive(node, content_number(node));
    } else if (name == "Algorithm") {
      add_algorithm(node);
    } else if (name == "Simulators") {
      root_has_simulators_ = true;
      for_each(node, {"Simulator"}, false,
               [&](std::string_view, pugi::xml_node part) { add_simulator(part); });
    } else if (name == "Functions") {
      const auto& kinds = words_of<Function::Kind>;
      for_each(node, {kinds.begin(), kinds.end()}, false,
               [&](std::string_view kind, pugi::xml_node part) { add_function(kind, part); });
    } else if (name == "Connections") {
      for_each(node,
               {"VariableConnection", "SignalConnection", "VariableGroupConnection",
                "SignalGroupConnection"},
               false,
               [&](std::string_view kind, pugi::xml_node part) { add_connection(kind, part); });
    } else if (name == "EccoConfiguration") {
      add_ecco(node);
    }
  }

  void add_algorithm(pugi::xml_node node) {
    algorithm_place_ = file_.place(node);
    const std::string_view text = trim(node.text().get());
    const std::string word = lower_case(text);
    if (word == "ecco")
      out_.algorithm = Algorithm::ecco;
    else if (!word.empty() && word != "fixedstep")
      file_.refuse(node, fmt::format("unknown algorithm \"{}\"; expected one of: {}",
                                     printable(text), fmt::join(words_of<Algorithm>, ", ")));
  }

  void add_simulator(pugi::xml_node node) {
    check_attributes(node, {"name", "source", "stepSize"});
    Simulator simulator;
    simulator.place = file_.place(node);
    simulator.name = unused_name(node);
    simulator.source = file_.required(node, "source");
    if (simulator.source.empty()) file_.refuse(node, "the attribute \"source\" is empty");
    simulator.step = file_.number(node, "stepSize");
    if (simulator.step && *simulator.step < 0) file_.refuse(node, "stepSize is negative");
    for_each(node, {"InitialValues"}, true, [&](std::string_view, pugi::xml_node values) {
      for_each(values, {"InitialValue"}, false, [&](std::string_view, pugi::xml_node value) {
        add_initial_value(value, simulator);
      });
    });
    out_.simulators.push_back(std::move(simulator));
  }

  void add_initial_value(pugi::xml_node node, Simulator& simulator) {
    check_attributes(node, {"variable"});
    InitialValue value;
    value.place = file_.place(node);
    value.variable = file_.required(node, "variable");
    const auto& types = words_of<ValueType>;
    std::size_t count = 0;
    for_each(node, {types.begin(), types.end()}, false,
             [&](std::string_view type, pugi::xml_node part) {
               check_attributes(part, {"value"});
               value.type = *from_word<ValueType>(type);
               value.value = written(part, value.type);
               ++count;
             });
    if (count != 1)
      file_.refuse(node, fmt::format("the initial value of \"{}\" needs exactly one element: {}",
                                     printable(value.variable), fmt::join(types, ", ")));
    simulator.values.push_back(std::move(value));
  }

  /// The value as system files write it.
  std::string written(pugi::xml_node node, ValueType type) const {
    const std::string text = file_.required(node, "value");
    const auto refuse = [&](std::string_view expected) {
      file_.refuse(node, fmt::format("value=\"{}\" is not {}", printable(text), expected));
    };
    switch (type) {
      case ValueType::real: {
        const std::optional<double> value = fmi::parse_double(text);
        if (!value) refuse("a number");
        return number_text(*value);
      }
      case ValueType::integer: {
        const auto value = fmi::parse_integer<std::int32_t>(text);
        if (!value) refuse("an integer of 32 bits");
        return fmt::format("{}", *value);
      }
      case ValueType::boolean: {
        const std::optional<bool> value = fmi::parse_boolean(text);
        if (!value) refuse("true or false");
        return *value ? "true" : "false";
      }
      case ValueType::string:
        break;
    }
    return text;
  }

  void add_function(std::string_view kind, pugi::xml_node node) {
    Function function;
    function.kind = *from_word<Function::Kind>(kind);
    function.place = file_.place(node);
    if (function.kind == Function::Kind::linear_transformation) {
      check_attributes(node, {"name", "factor", "offset"});
      function.factor = file_.number(node, "factor", 1);
      function.offset = file_.number(node, "offset", 0);
    } else {
      const bool is_vector = function.kind == Function::Kind::vector_sum;
      check_attributes(
          node, is_vector ? Names{"name", "inputCount", "dimension"} : Names{"name", "inputCount"});
      function.inputs = count(node, "inputCount");
      if (is_vector) function.dimension = count(node, "dimension");
      if (std::uint64_t{function.inputs} * function.dimension > most_inputs)
        file_.refuse(node, fmt::format("more than {} signals", most_inputs));
    }
    function.name = unused_name(node);
    out_.functions.push_back(std::move(function));
  }

  void add_connection(std::string_view kind, pugi::xml_node node) {
    const bool has_signal = kind.starts_with("Signal");
    OspConnection connection;
    connection.place = file_.place(node);
    connection.is_group = kind.ends_with("GroupConnection");
    check_attributes(node, has_signal ? Names{} : Names{"powerBond"});
    connection.is_bond = static_cast<bool>(node.attribute("powerBond"));
    const std::string_view variable = connection.is_group ? "VariableGroup" : "Variable";
    const std::string_view signal = connection.is_group ? "SignalGroup" : "Signal";
    std::vector<End> ends;
    for_each(node, has_signal ? Names{variable, signal} : Names{variable}, false,
             [&](std::string_view name, pugi::xml_node end) {
               ends.push_back(read_end(end, name == signal));
             });
    if (ends.size() != 2 || (has_signal && ends[0].is_signal == ends[1].is_signal))
      file_.refuse(
          node, has_signal ? fmt::format("<{}> needs one <{}> and one <{}>", kind, variable, signal)
                           : fmt::format("<{}> needs two elements <{}>", kind, variable));
    connection.a = std::move(ends[0]);
    connection.b = std::move(ends[1]);
    out_.connections.push_back(std::move(connection));
  }

  End read_end(pugi::xml_node node, bool is_signal) {
    const char* const owner = is_signal ? "function" : "simulator";
    check_attributes(node, is_signal ? Names{owner, "name"} : Names{owner, "name", "causality"});
    return {is_signal, file_.required(node, owner), file_.required(node, "name"),
            file_.place(node)};
  }

  void add_ecco(pugi::xml_node node) {
    EccoSettings& ecco = out_.ecco.emplace();
    ecco.place = file_.place(node);
    const std::array<std::pair<std::string_view, double*>, 10> settings = {
        {{"SafetyFactor", &ecco.safety},
         {"StepSize", &ecco.step},
         {"MinimumStepSize", &ecco.min},
         {"MaximumStepSize", &ecco.max},
         {"MinimumChangeRate", &ecco.shrink},
         {"MaximumChangeRate", &ecco.grow},
         {"ProportionalGain", nullptr},
         {"IntegralGain", nullptr},
         {"RelativeTolerance", nullptr},
         {"AbsoluteTolerance", nullptr}}};
    Names known, missing;
    for (const auto& setting : settings) known.push_back(setting.first);
    missing = known;
    for_each(node, known, true, [&](std::string_view name, pugi::xml_node part) {
      std::erase(missing, name);
      const auto* const setting =
          std::ranges::find(settings, name, &std::pair<std::string_view, double*>::first);
      const double value = content_number(part);
      if (setting->second != nullptr) *setting->second = positive(part, value);
    });
    if (!missing.empty())
      file_.refuse(node, fmt::format("<EccoConfiguration> lacks {}", fmt::join(missing, ", ")));
    if (ecco.min > ecco.max) file_.refuse(node, "MinimumStepSize is above MaximumStepSize");
  }

  /// Simulators and functions share a namespace.
  std::string unused_name(pugi::xml_node node) {
    std::string name = file_.required(node, "name");
    if (name.empty()) file_.refuse(node, "the attribute \"name\" is empty");
    if (!names_.insert(name).second)
      file_.refuse(node, fmt::format("the name \"{}\" is used twice", printable(name)));
    return name;
  }

  std::uint32_t count(pugi::xml_node node, const char* attribute) const {
    const std::string text = file_.required(node, attribute);
    const auto value = fmi::parse_integer<std::uint32_t>(text);
    if (!value || *value == 0)
      file_.refuse(node,
                   fmt::format("{}=\"{}\" is not a positive integer", attribute, printable(text)));
    return *value;
  }

  double content_number(pugi::xml_node node) const {
    const std::string_view text = trim(node.text().get());
    const std::optional<double> value = fmi::parse_double(text);
    if (!value || !std::isfinite(*value))
      file_.refuse(node,
                   fmt::format("<{}> must be a number, not \"{}\"", node.name(), printable(text)));
    return *value;
  }

  double positive(pugi::xml_node node, double value) const {
    if (value <= 0) file_.refuse(node, fmt::format("<{}> must be positive", node.name()));
    return value;
  }

  /// `use(name, child)` for the child elements; collects what they throw, and unknown ones.
  template <class Use>
  void for_each(pugi::xml_node parent, const Names& known, bool once, const Use& use) {
    std::set<std::string_view> seen;
    for (const pugi::xml_node child : fmi::children_of(parent)) {
      if (child.type() != pugi::node_element) continue;
      const std::string_view name = local_name(child);
      problems_.attempt([&] {
        if (std::ranges::find(known, name) == known.end())
          file_.refuse(child, fmt::format("<{}> has no element <{}>.{} Expected one of: {}.",
                                          parent.name(), printable(child.name()),
                                          did_you_mean(name, known), fmt::join(known, ", ")));
        if (once && !seen.insert(name).second)
          file_.refuse(child, fmt::format("<{}> has two elements <{}>", parent.name(), name));
        use(name, child);
      });
    }
  }

  void check_attributes(pugi::xml_node node, const Names& known) {
    for (const pugi::xml_attribute attribute : fmi::attributes_of(node)) {
      const std::string_view name = attribute.name();
      if (name == "xmlns" || name.find(':') != name.npos) continue;
      if (std::ranges::find(known, name) == known.end())
        problems_.add(file_.place(attribute),
                      fmt::format("<{}> has no attribute \"{}\".{}", node.name(), printable(name),
                                  did_you_mean(name, known)));
    }
  }

  XmlFile file_;
  const Log& log_;
  Structure out_;
  std::set<std::string> names_;
  bool root_has_simulators_ = false;
  Place algorithm_place_;
  system::Problems problems_;
};

/// Groups are named by their kinds: Generic, Force, LinearMechanicalPort, ...
VariableGroup read_group(const XmlFile& file, pugi::xml_node node) {
  VariableGroup group;
  group.name = file.required(node, "name");
  for (const pugi::xml_node part : fmi::children_of(node)) {
    if (part.type() != pugi::node_element) continue;
    if (local_name(part) == "Variable")
      group.variables.push_back(file.required(part, "ref"));
    else
      group.groups.push_back(read_group(file, part));
  }
  return group;
}

}  // namespace

Structure parse(std::string text, const std::string& name, const ArchiveLimits& limits,
                const Log& log) {
  return Parser(std::move(text), name, limits, log).run();
}

std::vector<VariableGroup> parse_groups(std::string text, const std::string& name,
                                        const ArchiveLimits& limits) {
  const XmlFile file(std::move(text), name, limits);
  const pugi::xml_node root = file.root();
  if (local_name(root) != "OspModelDescription")
    file.refuse(root, fmt::format("the root element is <{}>, expected <OspModelDescription>",
                                  printable(root.name())));
  std::vector<VariableGroup> groups;
  for (const pugi::xml_node part : fmi::children_of(root)) {
    if (part.type() != pugi::node_element || local_name(part) != "VariableGroups") continue;
    for (const pugi::xml_node group : fmi::children_of(part))
      if (group.type() == pugi::node_element) groups.push_back(read_group(file, group));
  }
  return groups;
}

bool recognizes(std::string_view begin) {
  const std::size_t name = begin.find("OspSystemStructure");
  return name != begin.npos && name > 0 && (begin[name - 1] == '<' || begin[name - 1] == ':');
}

}  // namespace tutti::formats::osp
