// SPDX-License-Identifier: BSD-2-Clause
#include "session/linearize/linearize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "base/time_grid.hpp"
#include "fmi/file_cache.hpp"
#include "session/first_point.hpp"
#include "session/linearize/component_point.hpp"
#include "session/linearize/linear_interface.hpp"
#include "session/messages.hpp"
#include "session/run_here.hpp"
#include "session/running_system.hpp"
#include "session/worker_call.hpp"
#include "system/cluster.hpp"
#include "system/component_kind.hpp"
#include "system/package_paths.hpp"

namespace tutti {
namespace {

using session::ComponentModel;
using session::ComponentPoint;
using session::LinearInterface;

/// The system as it runs to a point, and its linearization there.
class SystemAtPoint {
 public:
  SystemAtPoint(const session::PreparedSystem& prepared, const session::RunSetup& setup,
                session::RunningSystem& running, const LinearInterface& interface, double at,
                const Log& log)
      : prepared_(prepared),
        setup_(setup),
        running_(running.system()),
        monitor_(running.monitor()),
        interface_(interface),
        log_(log),
        at_(at) {}

  LinearModel linearize() {
    make_points();
    agree();
    LinearModel model;
    model.system = system().name.empty() ? system().components.front().name : system().name;
    model.time = at_;
    model.has_states =
        std::ranges::all_of(models_, [](const ComponentModel& m) { return m.has_states; });
    describe_components(model);
    describe_variables(model);
    note_point(model);
    eliminate(model);
    return model;
  }

 private:
  const System& system() const { return prepared_.system(); }
  std::uint32_t count() const { return static_cast<std::uint32_t>(running_.instance_count()); }

  void make_points() {
    for (std::uint32_t c = 0; c < count(); ++c)
      points_.push_back({.prepared = prepared_,
                         .component = c,
                         .instance = running_.instance(c),
                         .time = at_,
                         .is_start = at_ == setup_.time.grid.start(),
                         .experiment = {setup_.time.grid.start(), setup_.time.grid.stop(),
                                        system().components[c].tolerance},
                         .step = setup_.step,
                         .question = {interface_.inputs[c], interface_.outputs[c], {}},
                         .used = {},
                         .log = log_,
                         .sign_of_life = [this](double t) { monitor_.time = t; }});
    for (ComponentPoint& point : points_)
      point.used = session::read_reals(point, point.question.inputs);
    running_.show_inputs();
    u_ = read_inputs();
    for (std::uint32_t c = 0; c < count(); ++c) points_[c].question.u = part_of(c, u_);
  }
  /// Those that the system drives, and of others what the model has.
  std::vector<double> read_inputs() const {
    std::vector<double> all;
    for (const ComponentPoint& point : points_) {
      const models::ValueSet& driven = point.instance.inputs();
      std::vector<double> values = point.used;
      for (std::size_t j = 0; j < values.size(); ++j)
        for (const models::Scalar& scalar : driven.scalars())
          if (models::RealElement{scalar.variable, scalar.element} == point.question.inputs[j])
            values[j] = as_real(scalar.type, driven.read(scalar));
      all.insert(all.end(), values.begin(), values.end());
    }
    return all;
  }
  std::vector<double> part_of(std::uint32_t c, const std::vector<double>& u) const {
    const auto first = u.begin() + static_cast<std::ptrdiff_t>(interface_.first_input[c]);
    return {first, first + static_cast<std::ptrdiff_t>(interface_.inputs[c].size())};
  }

  ComponentModel linearize_one(std::uint32_t c) {
    monitor_.called.front() = c;
    try {
      return session::linearize_component(points_[c]);
    } catch (const Error& error) {
      ErrorDetails where{.component = points_[c].name()};
      if (!points_[c].is_start) where.time = at_;
      if (error.details().component == points_[c].name() || system().is_single_fmu)
        throw error.with(where);
      throw error.within(fmt::format("component \"{}\"", points_[c].name()), where);
    }
  }

  analysis::LinearNetwork network() const {
    analysis::LinearNetwork all;
    for (std::uint32_t c = 0; c < count(); ++c)
      all.parts.push_back({&models_[c].equations, interface_.inputs[c].size(),
                           interface_.outputs[c].size(), models_[c].adjusts});
    all.links = interface_.links;
    all.input_names = interface_.input_names;
    return all;
  }

  /// L y + offsets - u, for connected inputs.
  std::vector<double> residual() const {
    std::vector<double> y;
    for (const ComponentModel& model : models_)
      y.insert(y.end(), model.equations.y.begin(), model.equations.y.end());
    std::vector<double> sums(u_.size());
    std::vector<bool> connected(u_.size());
    for (const auto& link : interface_.links) {
      sums[link.input] += link.factor * y[link.output] + link.offset;
      connected[link.input] = true;
    }
    for (std::size_t j = 0; j < sums.size(); ++j) sums[j] = connected[j] ? sums[j] - u_[j] : 0;
    return sums;
  }
  /// In units of the sizes of the inputs.
  double worst(const std::vector<double>& residual) const {
    double most = 0;
    for (std::size_t j = 0; j < residual.size(); ++j)
      most = std::max(most,
                      std::abs(residual[j]) / std::max(interface_.input_sizes[j], std::abs(u_[j])));
    return most;
  }

  /// Linearizes all components at inputs that agree with the outputs, as far as outputs are
  /// functions of them: Newton's method on the connections. Co-simulation keeps what it reported.
  void agree() {
    constexpr int most_rounds = 20;
    constexpr double rounding = 1e-13, tolerance = 1e-7;
    for (std::uint32_t c = 0; c < count(); ++c) models_.push_back(linearize_one(c));
    double before = infinity_;
    for (int round = 0; round < most_rounds; ++round) {
      const std::vector<double> open = residual();
      const double now = worst(open);
      if (!(now > rounding) || !(now < 0.5 * before)) {
        disagreement_ = now;
        break;
      }
      before = disagreement_ = now;
      const std::vector<double> change = analysis::solve_inputs(network(), open);
      for (std::size_t j = 0; j < u_.size(); ++j) u_[j] += change[j];
      for (std::uint32_t c = 0; c < count(); ++c) {
        if (!models_[c].adjusts) continue;
        points_[c].question.u = part_of(c, u_);
        models_[c] = linearize_one(c);
      }
    }
    if (disagreement_ < tolerance) disagreement_ = 0;
  }

  std::string owner_of(std::uint32_t c, const std::string& variable) const {
    const auto& cluster = system().components[c].cluster;
    if (cluster == nullptr) return system().components[c].name;
    std::string owner = system().components[c].name;
    std::size_t longest = 0;
    for (const Component& member : cluster->system.components)
      if (variable.starts_with(member.name + ".") && member.name.size() >= longest) {
        owner = member.name;
        longest = member.name.size();
      }
    return owner;
  }

  void describe_components(LinearModel& model) const {
    for (std::uint32_t c = 0; c < count(); ++c) {
      const ComponentModel& found = models_[c];
      model.components.push_back({points_[c].name(), found.source, found.has_states,
                                  static_cast<std::uint32_t>(found.equations.states.size()),
                                  found.equations.notes});
    }
  }
  void describe_variables(LinearModel& model) const {
    for (std::uint32_t c = 0; c < count() && model.has_states; ++c)
      for (const auto& state : models_[c].equations.states)
        model.states.push_back({system().qualified(c, state.name), owner_of(c, state.name),
                                state.unit, state.value, state.derivative});
    for (const std::size_t j : interface_.external) {
      const std::uint32_t c = interface_.component_of_input[j];
      model.inputs.push_back({interface_.input_names[j], owner_of(c, interface_.input_names[j]),
                              interface_.input_units[j], u_[j], 0});
    }
    for (const std::size_t i : interface_.chosen) {
      const std::uint32_t c = interface_.component_of_output[i];
      model.outputs.push_back({interface_.output_names[i], owner_of(c, interface_.output_names[i]),
                               interface_.output_units[i],
                               models_[c].equations.y[i - interface_.first_output[c]], 0});
    }
  }
  void note_point(LinearModel& model) const {
    for (std::uint32_t c = 0; c < count(); ++c) {
      const auto next = points_[c].instance.next_event();
      const bool is_due = next && *next <= at_ + same_time(at_, setup_.step);
      if (is_due || models_[c].equations.is_at_event)
        model.notes.push_back(fmt::format(
            "the point is at an event{}: the model may differ on the other side of it",
            system().is_single_fmu ? "" : fmt::format(" of component \"{}\"", points_[c].name())));
      if (!models_[c].has_states)
        model.notes.push_back(fmt::format(
            "only D is known: the states of {} can neither be read nor identified",
            system().is_single_fmu ? "the FMU"
                                   : fmt::format("component \"{}\"", points_[c].name())));
    }
    if (disagreement_ > 0)
      model.notes.push_back(
          fmt::format("inputs and the outputs that they are connected to differ at the point, by "
                      "up to {:.2g} of their size: a smaller step brings them together",
                      disagreement_));
    if (interface_.other_links > 0)
      model.notes.push_back(
          fmt::format("{} of discrete values: they are constant in the linear model",
                      counted(interface_.other_links, "connection")));
  }

  void eliminate(LinearModel& model) {
    // Without states of all components, only the direct response is meaningful.
    if (!model.has_states)
      for (ComponentModel& component : models_) {
        component.equations.states.clear();
        component.equations.a.clear();
        component.equations.b.clear();
        component.equations.c.clear();
      }
    analysis::CoupledMatrices found =
        analysis::eliminate(network(), interface_.external, interface_.chosen);
    model.a = std::move(found.a);
    model.b = std::move(found.b);
    model.c = std::move(found.c);
    model.d = std::move(found.d);
  }

  static constexpr double infinity_ = std::numeric_limits<double>::infinity();
  const session::PreparedSystem& prepared_;
  const session::RunSetup& setup_;
  master::Ensemble& running_;
  master::Monitor& monitor_;
  const LinearInterface& interface_;
  const Log& log_;
  double at_;
  std::vector<ComponentPoint> points_;  ///< by component
  std::vector<ComponentModel> models_;  ///< by component
  std::vector<double> u_;
  double disagreement_ = 0;  ///< of connected inputs with outputs; 0: they agree
};

void refuse_lines(const System& system) {
  if (system.tlm.empty() && system.delays.empty()) return;
  throw Error(ErrorCode::capability,
              "systems with [[tlm]] or [[delays]] have no linear model with a finite number of "
              "states: lines and delays store past values",
              {.hint = "Linearize the components one by one, or replace lines by connections."});
}

void check_time(const session::RunSetup& setup, double at) {
  const TimeGrid& grid = setup.time.grid;
  if (at >= grid.start() && at <= grid.stop()) return;
  throw Error(ErrorCode::usage,
              fmt::format("t = {} s is not within the run, which goes from {} s to {} s",
                          number_text(at), number_text(grid.start()), number_text(grid.stop())),
              {.key = "at", .hint = "Choose another time (%key%), or another stop time."});
}

}  // namespace

LinearModel session::linearize_here(const System& written, const LinearizeOptions& options,
                                    const Log& log, execution::Monitor& monitor,
                                    const std::function<void(const RunOutline&)>& announce) {
  refuse_lines(written);
  SystemRunOptions run_options;
  static_cast<RunControl&>(run_options) = options;
  run_options.open = fmi::with_cache(options.open);
  const auto prepared = options.at ? prepare_run(written, run_options, log)
                                   : prepare_system(only_start(written), run_options, log);
  RunSetup setup = prepared->setup();
  if (announce) announce(setup.outline);
  const double at = options.at.value_or(setup.time.grid.start());
  check_time(setup, at);
  const LinearInterface interface = find_linear_interface(*prepared, options);
  LinearModel model;
  const RunReport report = run_attempts(setup, monitor, log, [&](RunningSystem& running) {
    return running.visit(at, options.stop_request, [&] {
      model = SystemAtPoint(*prepared, setup, running, interface, at, log).linearize();
    });
  });
  if (report.end.error) throw Error(*report.end.error);
  return model;
}

LinearModel linearize(const System& system, const LinearizeOptions& given, const Log& log) {
  LinearizeOptions options = given;
  options.own_process &= system::find_object(system) == nullptr;
  const system::PackagePaths paths(system);
  return paths.during([&] {
    const Log shown = paths.shown(log.once());
    if (!options.own_process) {
      execution::Monitor monitor;
      return session::linearize_here(system, options, shown, monitor);
    }
    refuse_lines(system);
    session::WorkerCaller caller(options.worker.host(), options, shown);
    const session::Opening opening =
        session::opening_for(system, options, options.open, shown, caller);
    const std::string answer =
        caller.call(session::Request::linearize,
                    Packer()(opening, options.at, options.inputs, options.outputs));
    return Unpacker(answer).take<LinearModel>();
  });
}

}  // namespace tutti
