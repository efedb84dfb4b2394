// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fmukit/bytes.hpp>
#include <fmukit/variable.hpp>

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace fmukit {

class Model;

/// Exponents of the SI base units, and value in SI = factor * value + offset.
struct BaseUnit {
  int kg = 0, m = 0, s = 0, A = 0, K = 0, mol = 0, cd = 0, rad = 0;
  double factor = 1, offset = 0;
};
/// displayed = factor * value + offset.
struct DisplayUnit {
  std::string name;
  double factor = 1, offset = 0;
};
struct UnitInfo {
  std::string name;
  std::optional<BaseUnit> base;
  std::vector<DisplayUnit> displays;
};

struct EnumerationInfo {
  struct Item {
    std::string name;
    int value = 0;
    std::string text;
  };
  const void* key = nullptr;  ///< identifies the C++ type
  std::string name, text;
  std::vector<Item> items;
};

struct Experiment {
  std::optional<double> start = {}, stop = {}, tolerance = {}, step = {};
};

/// A member that is not a variable but part of the state of the model.
struct MemoryInfo {
  std::ptrdiff_t offset = 0;
  std::size_t bytes = 0;
  void (*save)(const void* member, ByteWriter&) = nullptr;
  void (*load)(void* member, ByteReader&) = nullptr;
};

/// The overridden functions of the class, detected by the compiler.
struct Abilities {
  bool do_step = false, derivatives = false, events = false, step_events = false;
  bool equations = false;  ///< initialize, derivatives or outputs
  bool solver = false;     ///< integrate
  bool partials = false, copyable = false;
  bool element_dependencies = false;
};

/// Properties of the model that the author declares.
struct Promises {
  bool needs_execution_tool = false;
  bool once_per_process = false;
  bool fixed_step = false;            ///< only steps of the default experiment's size
  bool asynchronous = false;          ///< do_step may be pending
  bool rejects_steps = false;         ///< FMI 1.0: the last step can be repeated
  bool event_mode = false;            ///< of do_step: it reports events
  bool early_return = false;          ///< of do_step: it may return early
  bool intermediate_updates = false;  ///< of do_step: it calls intermediate_update
  bool asks_for_inputs = false;       ///< intermediate updates request new inputs
  bool no_state = false;              ///< no getting and setting of the state
};

/// The complete description of a model, without templates.
struct ModelInfo {
  std::string name, text, author, version, copyright, license;
  Experiment experiment;
  double internal_step = 0;  ///< of the kit's integrator; 0: see substeps
  int substeps = 1;          ///< per communication step
  Promises promises;
  Abilities abilities;
  std::deque<VariableInfo> variables;  ///< the first is the time
  std::vector<UnitInfo> units;
  std::vector<EnumerationInfo> enumerations;
  std::vector<MemoryInfo> memory;
  std::size_t object_begin = 0, object_bytes = 0;  ///< own members of the class
  bool covered = false;  ///< variables and memory() cover the object: it can be serialized

  std::unique_ptr<Model> (*create)() = nullptr;
  std::unique_ptr<Model> (*clone)(const Model&) = nullptr;  ///< null if not copyable
  void (*assign)(Model& to, const Model& from) = nullptr;
  std::shared_ptr<const Model> prototype;  ///< with the start values
  std::vector<std::string> errors;         ///< contradictions found so far
};

/// Completes and checks the result of describe(); adds to info.errors.
void finish(ModelInfo& info);

/// The description of the one model of this binary; made by FMUKIT_EXPORT.
const ModelInfo& exported_model();

}  // namespace fmukit
