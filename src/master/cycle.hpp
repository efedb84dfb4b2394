// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <tutti/system.hpp>
#include <unordered_map>

#include "master/coupled_parts.hpp"
#include "master/coupling/coupling_method.hpp"
#include "master/input_curves.hpp"
#include "master/watch.hpp"
#include "master/wiring.hpp"
#include "models/instance.hpp"

namespace tutti::master {

/// The components of one cycle as an InterfaceProblem. Its unknowns x are the real outputs that
/// feed inputs inside the cycle; inputs from outside it are the same in every pass.
class Cycle final : public InterfaceProblem {
 public:
  struct Member {
    std::uint32_t component;
    models::Instance* instance;
    std::vector<Wiring::Wire> inside;       ///< into this member, from members
    InputCurves* curves = nullptr;          ///< null: inputs are constant over the step
    const ComponentModel* model = nullptr;  ///< null: there is none
  };
  /// In calling sequence. `repeats`: a step may have more than one pass.
  Cycle(std::vector<Member> members, const IterationSettings& tolerance, bool repeats);
  ~Cycle();
  Cycle(const Cycle&) = delete;
  Cycle& operator=(const Cycle&) = delete;

  /// The step [t, t + h] starts: everything is at t, inputs from outside are in place.
  /// `states` are those of all components at t; none: the members save theirs.
  /// The first pass is longer by `detour`.
  void begin(double t, double h, const Watch& watch, std::span<const models::Snapshot> states,
             double detour);
  /// The real coupling variables, as the members show them.
  void read(std::span<double> x) const override;
  bool has_states() const { return repeats_ || !states_.empty(); }
  /// Rolls back to the start of the step, all members or all but one component.
  void go_back(std::optional<std::uint32_t> but = {});
  bool any_beyond(double limit) const;  ///< of the outputs
  /// What the members reported besides having reached t + h: an event is due, or the run is to end.
  models::StepOutcome::Status end() const;
  /// The component that cut the last pass that was cut, and how.
  std::uint32_t who_cut() const { return members_[cut_].component; }
  models::StepOutcome::Status how_cut() const { return ends_[cut_]; }
  /// "a.y" with the largest change in the last test of convergence, for messages.
  std::string worst_variable() const;
  std::string name(std::size_t unknown) const;  ///< "a.y"

  std::size_t size() const override { return sources_.size(); }
  double step_size() const override { return h_; }
  Pass evaluate(std::span<const double> x, std::span<double> result) override;
  Pass sweep(std::span<double> x) override;
  bool others_settled() const override { return others_settled_; }
  void sensitivities(std::span<const double> x, std::span<const double> result,
                     const Store& store) override;
  double change(std::span<const double> before, std::span<const double> after) const override;
  double time() const override { return t_; }
  const stability::InterfaceModel* model() override;
  std::span<const stability::OutsideLine> outside() override;
  Pass evaluate_along(std::span<const stability::InputLine> lines, std::span<const double> x,
                      std::span<double> result) override;
  void write(std::span<const double> x) override;
  double tolerance(std::size_t /*unknown*/, double value) const override {
    return tolerance_.abs + tolerance_.rel * std::abs(value);
  }

 private:
  /// An unknown: a real output of a member...
  struct Source {
    struct Place {
      const std::byte* at;
      bool is_single;
      double read() const {
        return is_single ? static_cast<double>(*reinterpret_cast<const float*>(at))
                         : *reinterpret_cast<const double*>(at);
      }
    } place;
    std::size_t member;
    std::size_t uses;  ///< connections: an output that feeds two inputs counts twice
    const models::Scalar* scalar;
    bool is_coarse = false;  ///< it, or an input that it feeds, is of single precision
  };
  /// ...and an input that it feeds.
  struct Use {
    std::size_t source;
    models::ValueSet* to_set;
    const models::Scalar* to;
    double factor, offset;
    std::optional<std::size_t> curve;  ///< index among the continuous inputs
  };

  /// An input that comes from outside, and is in the model of its member.
  struct Outside {
    const InputCurves* curves;
    std::size_t curve;
  };

  /// A value of another type from one member to another; it belongs to the iterate.
  struct Other {
    Wiring::Wire wire;
    Cell cell{};
    std::string text;
  };

  /// Where members and sources are in their lists.
  struct Places {
    std::unordered_map<const models::ValueSet*, std::size_t> members;
    std::unordered_map<const std::byte*, std::size_t> sources;
  };
  void add_wire(const Wiring::Wire& wire, std::size_t to, Places& places);
  void group_columns();
  void prepare_pass();
  void set_inputs(std::size_t member, std::span<const double> x,
                  std::span<const stability::InputLine> lines = {});
  /// All members, with their inputs in place.
  Pass step_members(std::span<double> result);
  /// In cycle_model.cpp:
  void make_model();
  std::vector<std::optional<std::size_t>> find_outside(std::size_t member);
  bool follows_lines(std::size_t member) const;
  /// One member from t to t + h. Nothing: it got there.
  std::optional<Pass> step_member(std::size_t member);
  void read_member(std::size_t member, std::span<double> x) const;
  void restore_member(std::size_t member);
  /// Notes the first output of a step that is not finite: others have it from there.
  void look_at_outputs(std::size_t member);
  /// Takes over the values of a member that are not real.
  void take_others(std::size_t member);

  std::vector<Member> members_;
  IterationSettings tolerance_;
  std::vector<Source> sources_;
  std::vector<std::vector<Use>> uses_;             ///< by member
  std::vector<std::vector<std::size_t>> outputs_;  ///< sources, by member
  std::vector<Other> others_;
  std::vector<std::vector<std::size_t>> others_to_, others_from_;  ///< by member
  std::vector<std::vector<std::size_t>> readers_;                  ///< members, by source
  std::vector<std::vector<std::size_t>> column_groups_;  ///< sources without a common reader
  const models::Snapshot& state(std::size_t member) const {
    return states_.empty() ? own_states_[member] : states_[members_[member].component];
  }

  bool repeats_;
  std::optional<stability::InterfaceModel> model_;
  std::vector<std::size_t> first_line_;  ///< by member
  std::vector<Outside> outside_;         ///< of all members
  std::vector<stability::OutsideLine> outside_lines_;
  std::vector<models::Snapshot> own_states_;
  std::span<const models::Snapshot> states_;
  std::vector<models::StepOutcome::Status> ends_;  ///< by member
  std::size_t cut_ = 0;
  bool others_settled_ = true, is_first_pass_ = true;
  double t_ = 0, h_ = 0;
  double detour_ = 0;
  Watch watch_;
  std::optional<std::size_t> first_not_finite_;  ///< source
  mutable std::size_t worst_ = 0;
};

}  // namespace tutti::master
