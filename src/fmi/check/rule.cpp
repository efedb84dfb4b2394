// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/check/rule.hpp"

#include <algorithm>
#include <cassert>

#include "fmi/check/reporter.hpp"

namespace tutti::fmi {
namespace {

constexpr auto error = Finding::Severity::error;
constexpr auto warning = Finding::Severity::warning;
constexpr auto note = Finding::Severity::note;

// Sections that many rules share. For FMI 1.0 the type of its schema.
constexpr std::string_view v1_model = "fmiModelDescription", v1_variable = "fmiScalarVariable";

// A new rule is one function and one row, in alphabetical order.
constexpr CheckRule table[] = {
    {"alias-base", error, "an alias has the value reference of a variable that is not an alias",
     "Importers cannot set or read such an alias. Mark one variable of this value reference as "
     "noAlias.",
     Sections{v1_variable, "", ""}, rules::alias_base},
    {"alias-constant", error, "constants share a value only with equal constants",
     "Tools that merge variables of one value reference would show a wrong constant. Give the "
     "constant a value reference of its own.",
     Sections{"", "2.2.7", ""}, rules::alias_constant},
    {"alias-negated", error, "only numbers and booleans are negated aliases",
     "The negation of a string or an enumeration item is not defined. Export the variable with a "
     "value reference of its own.",
     Sections{v1_variable, "", ""}, rules::alias_negated},
    {"alias-settable", error, "of variables that share a value, at most one has a start value",
     "Importers set each start value, so the last one applies, in an order that depends on the "
     "tool. Keep the start value of one variable only.",
     Sections{"", "2.2.7", ""}, rules::alias_settable},
    {"alias-unit", warning, "variables that share a value have the same unit",
     "One number cannot be in two units: importers convert the value of the second variable "
     "wrongly. Give both the same unit.",
     Sections{"", "2.2.7", ""}, rules::alias_unit},
    {"archive-entries", warning, "paths in the archive have slashes and are unique",
     "Tools unpack backslashes as part of a file name, and choose differently between two entries "
     "of one name. Pack the FMU again with a standard zip tool.",
     Sections{"distribution", "2.3", "2.5"}, Raw{rules::archive_entries}},
    {"archive-layout", note,
     "the top level of the archive has only the files and folders of the standard",
     "The file is ignored by importers. Move it to resources, or to extra (FMI 3.0).",
     Sections{"distribution", "2.3", "2.5.1"}, Raw{rules::archive_layout}},
    {"archive-name", warning, "the file name ends with .fmu",
     "Many tools recognize FMUs by this extension. Rename the file.",
     Sections{"distribution", "2.3", "2.5"}, Raw{rules::archive_name}},
    {"binary-format", error, "a library is built for the platform of its folder",
     "The operating system cannot load the library. Put it into the folder of its platform, or "
     "compile it for that platform.",
     Sections{"distribution", "2.3", "2.5.1.4"}, rules::binary_format},
    {"binary-functions", error, "a library exports every function that importers will call",
     "Importers look these functions up when they load the FMU, and reject it or crash later. "
     "Implement and export them; in C++ declare them extern \"C\".",
     Sections{"distribution", "2.3", "2.5"}, rules::binary_functions},
    {"binary-name", error, "each platform has a library named after the model identifier",
     "Importers look for exactly this file name. Rename the library, or correct the model "
     "identifier.",
     Sections{"distribution", "2.3", "2.5.1.4"}, rules::binary_name},
    {"binary-unused-functions", warning,
     "a library also exports the functions of capabilities that the FMU does not have",
     "Some importers look up every function when they load the FMU and reject it otherwise. Export "
     "a function that returns an error.",
     Sections{"distribution", "2.3", "2.5"}, rules::binary_unused_functions},
    {"build-description", error, "an FMU with sources has sources/buildDescription.xml",
     "Without it importers do not know which files to compile. Add sources/buildDescription.xml; "
     "in FMI 2.0 the description lists the files.",
     Sections{"", "", "2.5.1.3"}, Raw{rules::build_description}},
    {"capabilities", error, "capability flags agree with each other",
     "Importers rely on one flag and fail where another contradicts it. Correct the flags; "
     "serializing a state, for example, requires saving it.",
     Sections{"", "3.3.1 and 4.3.1", "2.4.2"}, rules::capabilities},
    {"causality-variability", error, "the combination of causality and variability is allowed",
     "The standard has a table of allowed combinations; a parameter, for example, is fixed or "
     "tunable. Importers may interpret other combinations differently.",
     Rule::causality},
    {"clock-attributes", error, "a clock has the attributes of its kind",
     "Importers cannot determine when the clock ticks. Add the interval, shift and resolution that "
     "its interval variability requires.",
     Sections{"", "", "2.4.4"}, rules::clock_attributes},
    {"clock-reference", error, "clocks are referred to by their value references",
     "The variable would never be updated. Write the value references of clock variables into the "
     "attribute clocks.",
     Rule::clock},
    {"clocked-states", error, "a clocked state is discrete, has a clock and a previous value",
     "Importers cannot restore the memory of the clocked partition. Declare the state discrete, "
     "with the attributes clocks and previous.",
     Sections{"", "", "2.4.8"}, rules::clocked_states},
    {"clocked-variability", error, "a variable of a clock is discrete or tunable",
     "A variable of a clock changes at its ticks only. Declare it discrete or tunable.",
     Sections{"", "", "2.4.7.4"}, rules::clocked_variability},
    {"continuous-type", error, "only reals are continuous",
     "Integers, booleans and strings cannot change continuously; their default variability is "
     "discrete. Declare them discrete.",
     Rule::continuous},
    {"continuous-type-v1", error, "only reals are continuous",
     "Integers, booleans and strings cannot change continuously. Declare them discrete.",
     Sections{v1_variable, "", ""}, rules::continuous_v1},
    {"declared-type", error, "a declared type exists and is for variables of this type",
     "Unit, range and items come from the declared type and are lost. Add the type definition, or "
     "correct its name.",
     Rule::declared_type},
    {"default-experiment", warning, "times of the default experiment are consistent",
     "A run without options takes these times. The stop time must be after the start time, the "
     "step and the tolerance must be positive.",
     Rule::experiment},
    {"dependencies-kind", error, "dependenciesKind has one known value per dependency",
     "Importers that linearize or order components read this list together with the dependencies. "
     "Write one value for each dependency.",
     Rule::dependencies_kind},
    {"dependencies-kind-allowed", warning,
     "only reals have factors, and initial unknowns only constant ones",
     "constant, fixed and tunable describe a factor of a real; anything else is \"dependent\". "
     "Importers may linearize wrongly otherwise.",
     Sections{"", "2.2.8", "2.4.8"}, rules::dependencies_kind_allowed},
    {"dependencies-known", warning,
     "dependencies are inputs, states, time; initially also exact variables",
     "Other variables are not known when the unknown is computed. List inputs, continuous states "
     "and the time only.",
     Sections{"", "2.2.8", "2.4.8"}, rules::dependencies_known},
    {"dependencies-order", warning, "dependencies are in ascending order",
     "Some importers look dependencies up by binary search. Sort the indices.",
     Sections{"", "2.2.8", ""}, rules::dependencies_order},
    {"derivative-reference", error, "derivative and previous refer to variables",
     "Importers find the state of a derivative by this reference; without it states and "
     "derivatives do not match. Correct the index or value reference.",
     Rule::derivative},
    {"derivative-type", error, "a derivative is that of another real of the same size",
     "A derivative has the type and size of its state. Correct the type or the attribute "
     "derivative.",
     Sections{"", "2.2.7", "2.4.7.5"}, rules::derivative_type},
    {"dimension", error, "a dimension refers to a structural parameter of type UInt64",
     "Importers cannot allocate the array. Refer to a structural parameter of type UInt64, or "
     "write a constant size.",
     Rule::dimension},
    {"direct-dependency", error, "outputs depend directly on inputs only",
     "Importers order components by it. List names of inputs only.", Sections{v1_variable, "", ""},
     rules::direct_dependency},
    {"display-unit", error, "a variable with a display unit has a unit",
     "The display unit is relative to the unit. Add the unit.",
     Sections{v1_variable, "2.2.3", "2.4.7.5"}, rules::display_unit},
    {"display-unit-defined", error, "a display unit is defined for its unit",
     "Values cannot be converted for display. Define the display unit below its unit.",
     Sections{"", "", "2.4.7.5"}, rules::display_unit_defined},
    {"display-unit-unique", error, "a unit defines each display unit once",
     "It depends on the tool which of the factors is used. Remove one definition.",
     Sections{"", "2.2.2", "2.4.3"}, rules::display_unit_unique},
    {"documentation", warning, "the folder documentation has its entry point",
     "Tools open documentation/index.html (FMI 1.0: _main.html). Add the file.",
     Sections{"distribution", "2.3", "2.5.1.1"}, Raw{rules::documentation}},
    {"element-order", error, "the parts of the description are in order, each once",
     "Importers that validate against the schema reject the FMU. Write the elements in the order "
     "of the schema.",
     Sections{v1_model, "2.2.1", "2.4.1"}, Raw{rules::element_order}},
    {"empty-list", warning, "an optional list is not empty",
     "Importers that validate against the schema reject an empty list. Leave the element out.",
     Sections{"", "2.2.1", "2.4.1"}, Raw{rules::empty_list}},
    {"encoding", error, "the bytes of the description match its declared encoding",
     "Names and texts outside of ASCII are read wrongly, or the XML parser stops. Save the file as "
     "UTF-8 and declare that.",
     Sections{"", "2.2", "2.4"}, Raw{rules::encoding}},
    {"enumeration-items", error, "an enumeration has items, with unique names and values",
     "Importers map names to values and back. Give each item a name and a value that no other has.",
     Sections{"", "2.2.3", "2.4.4"}, rules::enumeration_items},
    {"enumeration-start", error, "an enumeration starts with one of its items",
     "The FMU would start with a value that has no meaning. Use the value of an item.",
     Sections{v1_variable, "2.2.7", "2.4.7.5"}, rules::enumeration_start},
    {"enumeration-type", error, "an enumeration has a declared type",
     "The items are part of the type; without it a value has no name. Add declaredType.",
     Sections{"", "2.2.7", "2.4.7.5"}, rules::enumeration_type},
    {"event-indicators", error, "event indicators are continuous reals, local or outputs",
     "Importers locate roots of these variables. Refer to continuous reals that are local "
     "variables or outputs.",
     Sections{"", "", "2.4.8"}, rules::event_indicators},
    {"fixed-start", warning, "a variable with fixed has a start value",
     "fixed specifies how the start value is used. Add the start value, or remove fixed.",
     Sections{v1_variable, "", ""}, rules::fixed_start},
    {"fmi-version", warning, "fmiVersion is \"1.0\" or \"2.0\"",
     "Importers choose the schema and the functions by it. Write \"1.0\" or \"2.0\".",
     Sections{v1_model, "2.2.1", ""}, rules::fmi_version},
    {"fmi-version-known", warning, "the version is known to Tutti",
     "The additions of later versions are ignored. The description is read as FMI 3.0.",
     Rule::version},
    {"generation-date", warning, "generationDateAndTime is a date and time",
     "Tools show or compare the date. Write it as 2024-12-31T23:59:59Z.",
     Sections{v1_model, "2.2.1", "2.4.1"}, rules::generation_date},
    {"implementation", error, "the FMU has a binary or sources",
     "There is nothing to run. Add a library below binaries, or sources.",
     Sections{"distribution", "2.3", "2.5"}, Raw{rules::implementation}},
    {"independent", error, "the independent variable is one real (3.0: and exists)",
     "There is one independent variable, usually the time, and the standard defines its "
     "attributes. Declare one continuous real without start value.",
     Sections{"", "2.2.7", "2.4.7.4"}, rules::independent},
    {"initial", error, "initial is allowed for this causality and variability",
     "The standard has a table of the allowed values of initial; a constant, for example, is "
     "exact. Importers choose the start values to set by it.",
     Rule::initial},
    {"initial-unknowns", error,
     "calculated outputs, parameters, states and derivatives are initial unknowns",
     "Importers do not compute these values in initialization, so loops through them stay "
     "unsolved. List them in InitialUnknowns.",
     Sections{"", "2.2.8", "2.4.8"}, rules::initial_unknowns},
    {"initial-unknowns-only", warning, "initial unknowns are only these variables",
     "Importers solve equations for variables that are known. Remove the entries.",
     Sections{"", "2.2.8", "2.4.8"}, rules::initial_unknowns_only},
    {"initial-unknowns-order", warning, "initial unknowns are in the order of the variables",
     "Some importers rely on the order. Sort the entries by their index.",
     Sections{"", "2.2.8", ""}, rules::initial_unknowns_order},
    {"intermediate-update", error, "intermediateUpdate is for continuous variables",
     "Values inside of a step exist for continuous variables only. Remove the attribute.",
     Sections{"", "", "2.4.7.4"}, rules::intermediate_update},
    {"licenses", warning, "the folder documentation/licenses has its entry point",
     "Tools show documentation/licenses/license.txt, license.html or license.spdx. Add one of "
     "them.",
     Sections{"", "2.3", "2.5.1.1.1"}, Raw{rules::licenses}},
    {"listed-once", error, "a list of the model structure has each variable once",
     "The length of the list is the size of a vector in the interface. Remove the second entry.",
     Sections{"", "2.2.8", "2.4.8"}, rules::listed_once},
    {"log-categories", error, "log categories have unique names",
     "Users enable categories by name. Give each a unique name.", Sections{"", "2.2.4", "2.4.5"},
     rules::log_categories},
    {"min-max", error, "min is not greater than max",
     "No value is allowed. Exchange or correct the limits.", Rule::min_max},
    {"model-attributes", error, "modelName and guid (instantiationToken) are present",
     "The library compares the guid (instantiationToken) with its own and rejects instantiation if "
     "they differ. Add the attributes.",
     Rule::model},
    {"model-identifier", error, "the model identifier is a C identifier",
     "Functions, files and folders are named after it. Use letters, digits and underscores, not a "
     "digit first.",
     Sections{v1_model, "3.3.1 and 4.3.1", "2.4.2"}, rules::model_identifier},
    {"multiple-set", warning, "canHandleMultipleSetPerTimeInstant is for inputs",
     "The attribute specifies whether an input may be set several times at one time. Remove it "
     "elsewhere.",
     Sections{"", "2.2.7", "2.4.7.4"}, rules::multiple_set},
    {"name", error, "variables have names", "Importers address variables by name. Give each one.",
     Rule::unnamed},
    {"name-convention", warning, "names follow the naming convention",
     "With variableNamingConvention=\"structured\" tools split names at dots and brackets. Follow "
     "its grammar, or declare \"flat\".",
     Rule::name},
    {"name-unique", error, "names are unique",
     "Connections and start values reach only one of the variables. Rename one.",
     Rule::unique_name},
    {"nominal", warning, "nominal is positive",
     "Solvers divide by the nominal value. Write a positive number.",
     Sections{v1_variable, "2.2.3", "2.4.4"}, rules::nominal},
    {"number", error, "numbers and booleans can be read",
     "The value is lost: importers stop or use 0. Write a number with a decimal point, and true or "
     "false.",
     Rule::number},
    {"outputs", error, "the model structure lists the outputs, each once",
     "Many importers take connections and results from this list. List each output once.",
     Rule::outputs},
    {"pictures", warning, "an icon.svg or diagram.svg comes with the same image as .png",
     "Tools that cannot draw SVG use the PNG of the same name. Add it.", Sections{"", "", "2.5.1"},
     Raw{rules::pictures}},
    {"platform-name", note, "the folders of binaries have names of the standard",
     "Importers look for names such as linux64, win64 and x86_64-linux. Binaries in other folders "
     "are never loaded.",
     Sections{"distribution", "2.3", "2.5.1.4.1"}, Raw{rules::platform_name}},
    {"previous", error,
     "a previous value is discrete, of the same type, and belongs to one variable",
     "previous refers to the value before the last tick of the clock. Refer to another discrete "
     "variable of the same type.",
     Sections{"", "", "2.4.7.4"}, rules::previous},
    {"readable", error, "the required elements and attributes are present",
     "The rest of the description cannot be read without them. Correct the description first; then "
     "check again.",
     Rule::readable},
    {"reference-unique", error, "value references are unique",
     "In FMI 3.0 functions identify variables only by value reference. Give each variable its own.",
     Rule::unique_reference},
    {"reinit", warning, "reinit is for continuous states of model exchange",
     "Only the continuous states of model exchange can jump at events. Remove the attribute "
     "elsewhere.",
     Sections{"", "2.2.7", "2.4.7.5"}, rules::reinit},
    {"run-crash", error, "the FMU neither crashes nor ends the process",
     "Every importer would crash with it. Run the same calls with tutti simulate --in-process in a "
     "debugger, or under valgrind.",
     Sections{"functions", "2.1.3", "2.2.4"}},
    {"run-dependencies", warning, "the dependencies of array elements can be read",
     "Solvers treat the Jacobian as full. Correct fmi3GetNumberOfVariableDependencies and "
     "fmi3GetVariableDependencies, or set providesPerElementDependencies to false.",
     Sections{"", "", "2.2.10"}},
    {"run-end", note, "the FMU completes every step without ending the run",
     "An FMU may request to end the run early, but then the rest cannot be checked. Check start "
     "values and inputs.",
     Sections{"functions", "3.2 and 4.2", "3.2 and 4.2"}},
    {"run-flag", error, "noSetFMUStatePriorToCurrentPoint does not change the values",
     "The flag only declares that steps are never repeated. Results that depend on it differ "
     "between importers.",
     Sections{"", "3.2.2 and 4.2.2", "3.2.1 and 4.2.1"}},
    {"run-free", error, "the FMU can be terminated and freed",
     "A successful run ends with an error, or leaks memory. Check terminate and freeInstance.",
     Sections{"functions", "2.1.5", "2.3.1"}},
    {"run-initialize", error, "the FMU can be initialized with its start values",
     "The FMU cannot run without changes. Read its messages (tutti simulate --fmu-log), and "
     "correct its start values.",
     Sections{"functions", "2.1.6", "2.3.3"}},
    {"run-instantiate", error, "the FMU can be loaded and instantiated",
     "The FMU cannot run here: a library, a licence or a resource is missing. The message of the "
     "FMU or of the loader names it.",
     Sections{"functions", "2.1.5", "2.3.1"}},
    {"run-machine", note, "the FMU can be run here",
     "Rules that need a run were not checked. Check on a machine of a platform that the FMU has, "
     "or with --compile if it has sources.",
     Sections{"distribution", "2.3", "2.5"}},
    {"run-message", warning, "the FMU does not change the process, and no call returns a warning",
     "The FMU changed the working directory or the floating-point mode, wrote to the terminal or "
     "returned a warning. In a coupled run this affects other FMUs.",
     Sections{"functions", "2.1.3", "2.2.4"}},
    {"run-parameter", warning, "parameters have their start values after initialization",
     "The FMU overwrites values of the user, or the values in its description and code differ. "
     "Compare both.",
     Sections{"functions", "2.2.7", "2.4.7.5"}},
    {"run-repeat", warning, "a second instance gives the same values as the first",
     "Instances share memory, or use uninitialized memory. Keep all data in the instance.",
     Sections{"functions", "2.1.5", "2.3.1"}},
    {"run-reset", warning, "after a reset the FMU gives the same values again",
     "reset must restore everything, including internal variables. Parameter studies would depend "
     "on earlier runs.",
     Sections{"", "2.1.6", "2.3.1"}},
    {"run-serialize", error, "a state can be serialized and deserialized",
     "Checkpoints on disk would be wrong. Serialize the complete saved state.",
     Sections{"", "2.1.8", "2.2.6"}},
    {"run-state", error, "from a restored state the FMU gives the same values again",
     "Iterations and step control that roll back would compute wrong results. Save every variable "
     "that a step changes, also those of the solver.",
     Sections{"", "2.1.8", "2.2.6"}},
    {"run-step", error, "the FMU can do a few steps",
     "The FMU fails with its own start values and step. Try another --step, and read its messages "
     "(tutti simulate --fmu-log).",
     Sections{"functions", "3.2 and 4.2", "3.2 and 4.2"}},
    {"run-timeout", error, "no call takes longer than the limit (--timeout)",
     "A run would stop here. Raise --timeout if the call is only slow.",
     Sections{"functions", "2.1.3", "2.2.4"}},
    {"run-value", error, "outputs, states and derivatives are finite",
     "A value is NaN or infinite from the start. Look for a division by zero or an uninitialized "
     "variable.",
     Sections{"functions", "2.1.7", "2.2.7"}},
    {"source-files", error, "the listed source files exist",
     "The FMU cannot be compiled. Add the files, or correct the list.", Sections{"", "2.3", ""},
     rules::source_files},
    {"start-count", error, "an array has one start value, or one per element",
     "Importers cannot set the array. Write one value for all elements, or one for each.",
     Rule::start_count},
    {"start-forbidden", error, "calculated variables and time have no start value",
     "Importers would set a value that the FMU computes. Remove the start value, or correct "
     "initial.",
     Rule::start_forbidden},
    {"start-range", warning, "start values lie between min and max",
     "The FMU starts outside its declared range. Correct the start value, min or max.",
     Sections{v1_variable, "2.2.3", "2.4.4"}, rules::start_range},
    {"start-required", error, "inputs, parameters and exact or approx variables have a start value",
     "Importers have no value to set and none to show. Add the start value.", Rule::start_required},
    {"start-value", error, "a start value has the type of the variable",
     "Importers stop or use another value. Write a value of the type of the variable.",
     Rule::start_value},
    {"state-causality", error, "a continuous state is continuous, and local or an output",
     "A solver integrates the state, so nothing else may set it. Declare it continuous, and local "
     "or output.",
     Sections{"", "2.2.7", "2.4.7.4"}, rules::state_causality},
    {"state-derivative", error, "a listed derivative names its state",
     "Model exchange and linearization need the state of each derivative. Add the attribute "
     "derivative.",
     Rule::state_derivative},
    {"state-derivative-type", error, "a listed derivative is a continuous real",
     "A solver integrates the listed derivatives as one vector of reals. Declare them continuous "
     "reals.",
     Sections{"", "2.2.8", "2.4.8"}, rules::state_derivative_type},
    {"state-unique", error, "a state has one listed derivative",
     "Two derivatives of one state contradict each other. Remove one.",
     Sections{"", "2.2.8", "2.4.8"}, rules::state_unique},
    {"structural-parameter", error, "a structural parameter is a scalar; a size is at least 1",
     "It is the size of an array. Declare a scalar with a start value of at least 1.",
     Sections{"", "", "2.4.7.4"}, rules::structural_parameter},
    {"structure", error, "the model structure is present",
     "Importers take outputs, derivatives and dependencies from ModelStructure. Add the element.",
     Rule::structure_missing},
    {"structure-reference", error, "the model structure refers to variables",
     "The entry cannot be used, and the sizes of vectors are wrong. Correct the index or value "
     "reference.",
     Rule::structure},
    {"terminals", warning, "terminalsAndIcons.xml can be read and refers to variables",
     "Connections by terminals cannot be made. Correct the file; names must be those of the "
     "description.",
     Rule::terminal},
    {"type-name", warning, "a type does not have the name of a variable",
     "Types and variables share the names of the description. Rename the type.",
     Sections{"", "2.2.3", ""}, rules::type_name},
    {"type-unique", error, "types have unique names",
     "It depends on the tool which of the types is taken. Rename one.",
     Sections{"fmiType", "2.2.3", "2.4.4"}, rules::type_unique},
    {"unit-defined", error, "the units of variables are defined",
     "Values cannot be converted: a connection to another unit takes the numbers as they are. Add "
     "the unit to UnitDefinitions.",
     Rule::unit},
    {"unit-factor", warning, "factors of units are not 0",
     "A factor of 0 makes every value 0. Correct it.", Sections{"fmiBaseUnit", "2.2.2", "2.4.3"},
     rules::unit_factor},
    {"unit-unique", error, "a unit is defined once",
     "It depends on the tool which of the factors is used. Remove one definition.",
     Rule::unit_definition},
    {"unknown-part", warning, "all elements and attributes are in the schema",
     "Importers ignore others; check the spelling. Put vendor-specific data into annotations.",
     Rule::unknown_part},
    {"variability-required", error,
     "parameters, and variables that are not real, have a variability",
     "The default, continuous, is not allowed here. Write the attribute variability.",
     Sections{"", "2.2.7", ""}, rules::variability_required},
    {"word", error, "causality, variability and initial have known values",
     "Importers stop or use the default. Use a value of the standard, in its spelling.",
     Rule::word},
    {"xml-declaration", warning, "the first line of the description declares UTF-8",
     "Importers must guess the encoding. Begin with <?xml version=\"1.0\" encoding=\"UTF-8\"?>.",
     Sections{"", "2.2", "2.4"}, Raw{rules::xml_declaration}},
};

constexpr bool is_sorted() {
  for (std::size_t i = 1; i < std::size(table); ++i) {
    if (!(table[i - 1].id < table[i].id)) return false;
  }
  return true;
}
static_assert(is_sorted(), "rules are in alphabetical order, each once");

}  // namespace

std::span<const CheckRule> all_rules() { return table; }

const CheckRule* find_rule(Rule read) {
  const CheckRule* const row = std::ranges::find(table, read, &CheckRule::read);
  return row != std::end(table) ? row : nullptr;
}

const CheckRule& find_rule(std::string_view id) {
  const CheckRule* const row =
      std::lower_bound(std::begin(table), std::end(table), id,
                       [](const CheckRule& rule, std::string_view name) { return rule.id < name; });
  assert(row != std::end(table) && row->id == id);
  return *row;
}

}  // namespace tutti::fmi
