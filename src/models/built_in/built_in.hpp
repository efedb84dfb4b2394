// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <any>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <tutti/built_in.hpp>
#include <tutti/component_model.hpp>
#include <tutti/error.hpp>

namespace tutti {
class CsvTable;
}

/// Built-in components: a file of this folder and a row of registry.cpp each.
namespace tutti::models {

/// A time, and the jumps that have occurred: those at `passed` and before. At the end of a step
/// that leads to a jump it has not occurred yet; it occurs in the event that follows.
struct Moment {
  double t = 0, passed = 0;
};

/// The outputs of a built-in component as a function of time, parameters and inputs. Its
/// constructor declares the variables, as that of any ComponentModel does.
class BuiltInModel : public ComponentModel {
 public:
  /// Checks the parameters. @throws Error(usage) that names the parameter
  virtual void check() const {}
  /// Starts the simulation, possibly again: clears the memory except for the present inputs.
  virtual void start(double /*t*/) {}
  /// Stores the inputs at t, at the end of a step or in an event.
  virtual void remember(double /*t*/) {}
  /// Computes the outputs.
  virtual void evaluate(const Moment& now) = 0;

  /// The first known jump of an output after t; infinity: none.
  virtual double next_jump(double /*t*/) const { return std::numeric_limits<double>::infinity(); }
  /// The highest order of known time derivatives of outputs.
  virtual std::uint32_t derivative_order() const { return 0; }
  /// @param output its number among the variables
  virtual double derivative(std::size_t /*output*/, std::uint32_t /*order*/,
                            const Moment& /*now*/) const {
    return 0;
  }

  /// Its state besides its variables; null: none.
  virtual std::vector<double>* memory() { return nullptr; }

  /// check(), and that no parameter is NaN or infinite: comparisons with those go wrong silently.
  void check_parameters() const;
  bool can_roll_back() const final { return true; }
  void initialize(double t) final;
  void step(double t, double h) final;
  void save(std::any& into) const final;
  void restore(const std::any& from) final;

 protected:
  /// Details::depends_on of outputs without direct feed-through.
  static std::vector<std::string> no_inputs() { return {}; }
  /// A tunable parameter.
  template <class Member>
  void tunable(std::string name, Member& member, std::string description, std::string unit = {}) {
    parameter(std::move(name), member,
              {std::move(unit), std::move(description), Variability::tunable});
  }
};

/// What a model is constructed from.
struct BuiltInTask {
  const BuiltIn& settings;
  const CsvTable* table = nullptr;  ///< that of settings.file
};

/// A row of the table.
struct BuiltInEntry {
  std::string_view name;
  std::string_view summary;   ///< one line
  std::string_view equation;  ///< what the outputs are
  std::span<const std::string_view> settings;
  /// @throws Error(usage) about the settings
  std::unique_ptr<BuiltInModel> (*make)(const BuiltInTask& task);
};

std::span<const BuiltInEntry> built_ins();  ///< sorted by name
/// @throws Error(usage) with the names that there are
const BuiltInEntry& find_built_in(std::string_view name);

template <class Model>
std::unique_ptr<BuiltInModel> make_built_in(const BuiltInTask& task) {
  return std::make_unique<Model>(task);
}

[[noreturn]] inline void refuse_parameter(std::string_view name, const std::string& why) {
  throw Error(ErrorCode::usage, why, {.variable = std::string(name)});
}

}  // namespace tutti::models
