// SPDX-License-Identifier: BSD-2-Clause
#include <cmath>

#include "base/time_grid.hpp"
#include "master/coupling/coupling_method.hpp"

namespace tutti::master {
namespace {

/// One pass per step with inputs that are predicted from linear models of the components: linearly
/// implicit in the coupling, so that stiff couplings need no short steps, and no step is repeated
/// (M. Arnold, Stability of sequential modular time integration methods for coupled multibody
/// system models, J. Comput. Nonlinear Dyn. 5, 2010; S. Sicklinger et al., Interface
/// Jacobian-based Co-Simulation, Int. J. Numer. Meth. Engng 98, 2014). The numbers are those of
/// stability::InterfacePredictor. Without models it is jacobi.
class LinearImplicit final : public CouplingMethod {
 public:
  explicit LinearImplicit(const CouplingOptions& options)
      : without_model_(find_coupling_method("jacobi")->make(options)) {}

  CouplingOutcome step(InterfaceProblem& problem, std::span<double> x) override {
    using Status = CouplingOutcome::Status;
    const stability::InterfaceModel* const model = problem.model();
    if (model == nullptr) return without_model_->step(problem, x);
    take(*model);
    const double t = problem.time(), h = problem.step_size();
    if (!(std::abs(t - reached_) <= same_time(t, h)))
      forget();  // a step was made without this method
    problem.read(x);
    if (!predictor_->predict(x, h, next_, problem.outside())) return {Status::not_finite};
    const Pass pass = problem.evaluate_along(predictor_->lines(), next_, x);
    if (pass.status != Pass::Status::done) {
      forget();
      return {pass.status == Pass::Status::cut ? Status::cut : Status::terminated, pass.reached};
    }
    const double miss = problem.change(x, next_);
    if (!std::isfinite(miss)) return {Status::not_finite, 0, 1, miss};
    predictor_->correct(x);
    problem.write(x);
    reached_ = t + h;
    return {Status::converged, 0, 1, miss};
  }

  void forget() override {
    if (predictor_) predictor_->forget();
  }
  void keep(Memory& memory) override {
    if (!memory.restores()) save();
    memory(kept_, reached_);
    if (memory.restores()) restore();
  }

 private:
  /// Models change when a component is found not to follow its inputs inside a step.
  void take(const stability::InterfaceModel& model) {
    if (predictor_ && model.revision == revision_) return;
    save();
    predictor_ = std::make_unique<stability::InterfacePredictor>(model);
    revision_ = model.revision;
    next_.resize(model.size);
    if (kept_.empty())
      reached_ = model.time;
    else
      restore();
  }
  void save() {
    if (!predictor_) return;  // the memory was restored and is not yet used
    kept_.clear();
    predictor_->save(kept_);
  }
  void restore() {
    if (kept_.empty()) predictor_.reset();  // as before the first step
    if (predictor_) predictor_->restore(kept_);
  }

  std::unique_ptr<CouplingMethod> without_model_;
  std::unique_ptr<stability::InterfacePredictor> predictor_;
  std::uint64_t revision_ = 0;
  std::vector<double> next_, kept_;
  double reached_ = 0;
};

}  // namespace

std::unique_ptr<CouplingMethod> make_linear_implicit(const CouplingOptions& options) {
  return std::make_unique<LinearImplicit>(options);
}

}  // namespace tutti::master
