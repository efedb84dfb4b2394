// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <any>
#include <functional>
#include <memory>
#include <string>
#include <tutti/component_model.hpp>
#include <vector>

#include "models/component_kinds.hpp"

namespace tutti::models {

/// An object of a class as an instance.
class ClassModel : public Instance, private VariableAccess {
 public:
  /// @param model declares the variables that the description of the task has
  ClassModel(const InstanceTask& task, std::unique_ptr<ComponentModel> model);

  const std::string& name() const override { return name_; }

  void begin_initialization(const Experiment& experiment) override;
  void set_some(std::span<const std::int32_t> variables) override;
  void get_some(std::span<const std::int32_t> variables) override;
  void end_initialization(const Experiment& experiment) override;

  StepOutcome step(double t, double h) override;
  bool handle_event(double /*t*/) override { return true; }
  void finish() override {}

  bool can_go_back() const override { return model_->can_roll_back(); }
  void save(Snapshot& into) override;
  void restore(const Snapshot& from) override;

  void read(ValueSet& values) override { values.get_from(*this); }
  void assign(ValueSet& values) override { values.set_to(*this); }
  bool can_vary_step() const override { return model_->can_vary_step(); }
  bool has_event_mode() const override { return false; }
  std::optional<double> next_event() const override { return {}; }
  const CallCounts& counts() const override { return counts_; }

 protected:
  struct Saved : SavedState {
    ValueSet::Values all, outputs;
    std::any others;
    double time = 0;
  };

  /// Computes outputs after inputs were set, in initialization.
  virtual void compute();
  /// Converts an exception of the class to an error with its place.
  template <class Call>
  void calling(std::string_view function, double t, const Call& call) {
    time_ = t;
    call_guarded(function, std::cref(call));
  }
  /// The name of the function in such errors; empty: none.
  virtual std::string_view shown(std::string_view function) const { return function; }
  /// The number of steps of the component within one step of the system.
  double parts_of(double h) const;
  void write_inputs();
  void read_outputs();
  void count_step() { ++counts_.do_step; }

  /// @pre the variable has the type float64
  double& number(std::int32_t variable) const {
    return *static_cast<double*>(model_->variables()[static_cast<std::size_t>(variable)].value);
  }
  Boundary* boundary() { return boundary_; }
  const ModelDescription& description() const { return description_; }
  /// Time of the last call.
  double time() const { return time_; }
  void move_to(double t) { time_ = t; }

 private:
  void call_guarded(std::string_view function, const std::function<void()>& call);
  void check_variables() const;
  void compute_start();

  const ComponentModel::Declared& at(ValueReference reference) const {
    return model_->variables()[reference];
  }
  std::string& text_at(ValueReference reference) const {
    return *static_cast<std::string*>(at(reference).value);
  }
  void get(Type type, References references, void* values, std::size_t value_count) override;
  void set(Type type, References references, const void* values, std::size_t value_count) override;
  void get_strings(References references, std::span<std::string> values) override;
  void set_strings(References references, std::span<const std::string> values) override;
  void get_binaries(References /*references*/,
                    std::span<std::vector<std::uint8_t>> /*values*/) override {}
  void set_binaries(References /*references*/,
                    std::span<const std::vector<std::uint8_t>> /*values*/) override {}

  std::string name_;
  const ModelDescription& description_;
  StartValues start_;
  double substep_ = 0;
  Boundary* boundary_ = nullptr;
  std::unique_ptr<ComponentModel> model_;
  ValueSet all_;  ///< its variables, for save()
  double start_time_ = 0;
  double time_ = 0;
  bool is_computed_ = false;
  CallCounts counts_;
};

/// What an object declares, in the form of an FMU that could do the same. @throws Error(usage)
std::shared_ptr<ModelDescription> describe_object(const ComponentModel& model,
                                                  const std::string& name);

}  // namespace tutti::models
