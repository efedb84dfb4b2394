// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <memory>
#include <tutti/simulation.hpp>

#include "master/assembly.hpp"
#include "stability/error_propagation.hpp"

namespace tutti::master {

/// Checks whether linear models follow a run: each gets the inputs of its component from the start,
/// and its outputs are compared with those of the component. Models of components that are
/// nonlinear, time-dependent, unstable or have events soon differ.
class ModelCheck {
 public:
  /// Parts without coupling. Their values: the addresses to read, and the rows.
  ModelCheck(const stability::CoupledSystem& parts, std::vector<const double*> outputs,
             double span);

  /// After a step of h with these inputs minus those at the start: see ErrorPropagation.
  /// `at_start` of the step and `at_end`, for outputs with direct feed-through.
  void step(double h, std::span<const double> mean, std::span<const double> at_start,
            std::span<const double> at_end);
  /// The model of an output is accurate enough.
  bool fits(std::size_t output) const;

  void keep(Memory& memory) { memory(models_, before_, range_, off_); }

 private:
  std::vector<const double*> outputs_;
  std::vector<double> start_, before_;  ///< of the outputs
  std::vector<double> range_, off_;     ///< largest change, largest deviation from the model
  std::vector<double> inputs_;          ///< scratch
  stability::ErrorPropagation models_;
};

/// Estimates the difference of the outputs of a run from those of an exact coupling: propagates the
/// input errors of all steps through linear models of the components.
///
/// An input error e(s) over a step of h acts on the states of a component as its mean and, because
/// earlier errors have decayed more, as
///   A B q,   q = (mean of e - e(h)) / max(rho, 6/h) + e'(h) max(0, 1 - 6/(rho h)) / rho^2
/// where rho is the fastest rate of the component. For slow ones q is the first moment of a line;
/// very fast ones see e with a short delay, e(h) - e'(h)/rho.
///
/// Nothing is estimated for components without a model, for those whose model does not follow the
/// run, for those with driven inputs that are not in it or that do not come from a continuous real
/// output, and for everything downstream of them.
class GlobalError {
 public:
  /// `models` by component. Null: no output can be estimated. @pre all components are where the run
  /// starts
  static std::unique_ptr<GlobalError> make(const Assembly& assembly,
                                           std::span<const std::optional<ComponentModel>> models);

  /// A step of h was accepted. By connection of real values, component by component.
  void step(double h, std::span<const InputRecord> inputs);
  /// By connection: the weight of its errors in the test of a step, where the models are trusted.
  /// An error of one tolerance that is constant over the run must change no output by more than ten
  /// thirds of its tolerance; the weight is larger where errors add up to more. At least 1: small
  /// effects of constant errors do not bound those of errors that oscillate with the system. Empty:
  /// no weights.
  std::span<const double> weights() const;
  /// The largest error so far of every real output that is read. Its tolerance is that of a step
  /// for the largest magnitude that the output had.
  std::vector<EstimatedError> outputs() const;

  void keep(Memory& memory);

 private:
  class Modelled;
  /// The target of a connection.
  struct Input {
    const double* from = nullptr;       ///< the output that feeds it
    double start = 0, before = 0;       ///< its value at the start of the run and of the step
    std::optional<std::size_t> column;  ///< of the mean; that of q comes `count` columns later
    std::size_t count = 0, component = 0;
    double factor = 1, rate = 0;
  };
  struct Output {
    std::string name;
    std::size_t component = 0;
    bool is_exact = false;           ///< no input of its component is driven
    std::optional<std::size_t> row;  ///< of the models
  };
  /// Inputs of the models, and of the errors in them.
  struct Columns {
    std::vector<double> mean, start, end;
    void put(const Input& input, double h, const StepSignal& signal);
  };
  /// The effect of a constant error of a connection.
  struct Effect {
    std::size_t row = 0;
    double gain = 0;
  };
  GlobalError() = default;
  std::vector<bool> untrusted_components() const;
  double tolerance(double value) const {
    return tolerance_.absolute + tolerance_.relative * std::abs(value);
  }
  void find_effects();
  void note_magnitudes();
  bool is_trusted() const;
  void update_weights();
  /// The expected error of the worst output at the end, in tolerances, if errors keep growing as
  /// before; the tolerance is the effect that weights allow for a constant error.
  double expected_tolerances();

  std::vector<Input> inputs_;  ///< by connection
  std::vector<Output> outputs_;
  std::vector<std::vector<std::size_t>> successors_;  ///< by component: those that it feeds
  Columns given_, errors_;
  struct {
    double absolute = 0, relative = 0;
  } tolerance_;                      ///< of an input in a step
  std::vector<const double*> rows_;  ///< addresses of the outputs of the models; null: not read
  std::vector<double> magnitudes_;   ///< by row: the largest one so far
  std::vector<bool> is_predicted_;   ///< by component
  double passed_ = 0, span_ = 0;
  /// How the worst of the errors grows, in tolerances: since a reference time, which is updated
  /// whenever the time has doubled.
  struct Growth {
    double since = 0, level = 0, rate = 0;
  };
  struct {
    std::vector<std::vector<Effect>> effects;  ///< by connection
    std::vector<double> weights;               ///< likewise
    std::vector<double> strictness;            ///< by row: 1/tolerance; scratch
    Growth growth;
    bool is_trusted = false;
  } weighing_;
  std::unique_ptr<stability::ErrorPropagation> propagation_;
  std::unique_ptr<ModelCheck> check_;
};

}  // namespace tutti::master
