// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "master/tlm/line_end_setup.hpp"
#include "master/tlm/port_rows.hpp"
#include "master/tlm/unsent_rows.hpp"
#include "master/tlm/wave_filter.hpp"
#include "master/tlm/wave_table.hpp"
#include "models/instance.hpp"
#include "system/line_plan.hpp"

namespace tutti::master::tlm {

/// One end of a line: drives a port of a component over its steps.
class LineEnd {
 public:
  explicit LineEnd(LineEndSetup setup);

  /// The instance exists, and the addresses of its values are final.
  void bind(models::Instance& instance);
  void read_from(const models::ValueSet& inside);
  /// The law is evaluated inside steps.
  bool acts_inside() const { return method_.acts_inside; }
  void limit(Horizon& horizon) const;

  /// The waves at the start: effort + impedance * flow of the component, by direction, where no
  /// start value is given.
  std::vector<double> start_waves(std::span<const double> effort,
                                  std::span<const double> flow) const;
  /// Before the start, t, the line was filled with these waves.
  void fill(double t, std::span<const double> waves);
  /// ...and with those at the other end: the law applies from now on.
  void start(double t, std::span<const double> of_peer);

  void begin(double t, double h, std::vector<double>& slopes);
  /// c at t, by direction, into wave(); carried quantities into the inputs.
  void arrive(double t, bool before = false);
  void accept(double t, bool inside);
  /// Sends everything up to t.
  void publish(double t);
  double next_jump(double t) { return setup_.arriving->next_jump(t - setup_.delay) + setup_.delay; }
  /// The component is at t, and will not roll back before t.
  void forget_before(double t) { setup_.arriving->forget_before(t - setup_.delay); }

  /// One direction, for the law inside steps.
  struct Direction {
    double* input = nullptr;
    const double* output = nullptr;         ///< the flow among the outputs
    const double* inside = nullptr;         ///< the same, read inside a step
    double* slope_input = nullptr;          ///< of wave-type FMUs that have one
    std::optional<std::size_t> continuous;  ///< number among the continuous inputs
    double impedance = 0;
    double quarter = 0;                ///< 1/(4 Z); 0: no impedance
    double to_input = 1, to_flow = 1;  ///< FMU value per e or c; f per FMU value
    double wave = 0, wave_slope = 0;   ///< c that acts in the FMU at step_start_, and its slope
    double effort = 0, effort_slope = 0;
    double start_flow = 0, past_flow = 0;
    std::optional<std::size_t> read_number;  ///< of the flow, among the values read inside
    double flow_slope = 0;                   ///< at the accepted point; NaN: unknown

    double flow(bool is_inside) const { return to_flow * *(is_inside ? inside : output); }
    void apply(double e) {
      effort = e;
      *input = to_input * e;
    }
  };
  std::span<Direction> directions() { return directions_; }
  const system::PlannedPort& port() const { return *setup_.port; }
  const std::string& name() const { return setup_.name; }
  double scale() const { return setup_.scale; }
  /// The FMU requested its inputs at t.
  void note_applied(double t) { applied_at_ = t; }
  const LineWork& work() const { return work_; }
  /// The samples sent are recorded, too.
  void record_to(PortSamples& samples) { recorded_ = &samples; }
  /// Completes the last row, if it was sent before the arriving waves were known. @pre no component
  /// steps any more
  void complete_last();

  void keep(Memory& memory);

 private:
  struct Carried {
    double* input = nullptr;
    const double *output = nullptr, *inside = nullptr;
  };
  /// The input method of the port, and its consequences.
  struct Method {
    PortInput input;
    system::PortKind kind;
    bool acts_inside;
    bool needs_end;  ///< needs the end of a step: what arrives until then
    bool moves;      ///< effort or wave has a slope over the step
  };
  static Method method_of(const LineEndSetup& setup);
  /// Of a table in the FMU.
  struct Nodes {
    double* times = nullptr;  ///< the first element
    std::vector<double> at;
  };
  /// The previous step, for slopes of the flow.
  struct Past {
    double time = 0;
    bool is_known = false;  ///< there was a step since the start or the last event
  };
  /// A row that is sent: the time, then by direction wave, arriving wave, effort, effort at the
  /// start of the step, flow, and the slopes of wave and flow, then what is carried.
  static constexpr std::size_t per_direction = 7;
  double nearness() const { return 1e-9 * setup_.delay; }
  void read_arriving(double t, std::vector<double>& values, bool before = false);
  void find_effort_slope(Direction& direction, double t) const;
  void give_slope(const Direction& direction, std::vector<double>& slopes) const;
  void find_wave_slopes(double t, std::span<double> row);
  double until(double t) const;
  void send(std::span<const double> row);
  void complete_late();
  /// The row is complete.
  void complete(std::span<const double> row);
  void record(std::span<const double> row);
  /// Work and energy at the other end, as they arrived with the last waves.
  double peer_work() const { return now_[now_.size() - 2]; }
  double peer_energy() const { return now_.back(); }
  void write_table(double t, double h);
  double applied_effort(const Direction& direction, double t, double f) const;

  LineEndSetup setup_;
  const Method method_;
  std::vector<Direction> directions_;
  std::vector<Carried> carried_;
  Nodes nodes_;
  std::vector<double> now_, ahead_;  ///< what arrived last, and scratch
  double step_start_ = 0, applied_at_ = 0;
  bool arrived_before_ = false;  ///< what arrived last was valid until then
  Past past_;
  UnsentRows rows_;
  bool is_late_ = false;  ///< the last row was sent before its arriving waves were known
  LineWork work_;
  WaveFilter filter_;
  PortSamples* recorded_ = nullptr;
  std::vector<double> sample_;  ///< scratch
};

}  // namespace tutti::master::tlm
