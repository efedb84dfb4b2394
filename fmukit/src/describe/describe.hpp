// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/capabilities.hpp"
#include "core/layout.hpp"
#include "describe/xml.hpp"

#include <string>

namespace fmukit {

struct Interfaces {
  bool co_simulation = true, model_exchange = true;
};

/// The model description of one archive.
std::string describe_fmi1(const ModelInfo& info, const std::string& identifier, bool co_simulation);
std::string describe_fmi2(const ModelInfo& info, const std::string& identifier, Interfaces which);
std::string describe_fmi3(const ModelInfo& info, const std::string& identifier, Interfaces which);

// What the versions share. ------------------------------------------------------------------------

inline constexpr const char* generation_tool = "fmukit (Tutti)";

const char* name_of(Causality causality);
const char* name_of(Variability variability);
const char* name_of(DependencyKind kind);
/// The name of one element in FMI 1.0 and 2.0: "A", "A[1,2]", "der(x[1])".
std::string element_name(const VariableInfo& v, std::size_t element);
const EnumerationInfo* enumeration_of(const ModelInfo& info, const VariableInfo& v);
/// Whether the description has a start value: for settable variables and constants.
bool has_start(const VariableInfo& v);
/// Min or max of an integer type, without a fraction.
std::string bound(const VariableInfo& v, const std::optional<double>& value);
void write_default_experiment(Xml& xml, const ModelInfo& info, bool with_step);
void write_units(Xml& xml, const ModelInfo& info);
void write_log_categories(Xml& xml);
/// Float, integer... as FMI 1.0 and 2.0 call it; the caller handles enumerations.
const char* scalar_element(Type type);

}  // namespace fmukit
