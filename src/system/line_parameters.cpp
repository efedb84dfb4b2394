// SPDX-License-Identifier: BSD-2-Clause
#include "system/line_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tutti/error.hpp>

#include "system/ports.hpp"

namespace tutti::system {
namespace {

[[noreturn]] void refuse_line(const std::string& key, const std::string& text,
                              std::string hint = "") {
  throw Error(ErrorCode::usage, text, {.key = "tlm." + key, .hint = std::move(hint)});
}

void check_number(const char* key, const std::optional<double>& number, bool may_be_zero = false) {
  if (!number) return;
  if (!std::isfinite(*number) || *number < 0 || (*number == 0 && !may_be_zero))
    refuse_line(key, fmt::format("{} = {} must be {}", key, *number,
                                 may_be_zero ? "non-negative" : "positive"));
}

/// Z and D from two of Z, D, K = Z/D and m = Z D.
void set_delay(const TlmLine& line, PlannedLine& planned, double& impedance) {
  const std::pair<const char*, const std::optional<double>&> all[] = {{"delay", line.delay},
                                                                      {"impedance", line.impedance},
                                                                      {"stiffness", line.stiffness},
                                                                      {"mass", line.mass}};
  std::string names;
  std::size_t count = 0;
  for (const auto& [name, value] : all) {
    check_number(name, value);
    if (!value) continue;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
    ++count;
  }
  if (count != 2)
    refuse_line(
        "delay",
        fmt::format("a line is given by two of delay, impedance, stiffness and mass, but "
                    "{}",
                    count == 0 ? "none is given"
                    : count == 1
                        ? fmt::format("only {} is given", names)
                        : fmt::format("{} are given, which could contradict each other", names)),
        "For example delay and impedance; stiffness = impedance / delay, mass = impedance "
        "* delay.");
  if (line.delay)
    planned.delay = *line.delay;
  else if (line.impedance)
    planned.delay = line.mass ? *line.mass / *line.impedance : *line.impedance / *line.stiffness;
  else
    planned.delay = std::sqrt(*line.mass / *line.stiffness);
  if (line.impedance)
    impedance = *line.impedance;
  else if (line.delay)
    impedance = line.mass ? *line.mass / *line.delay : *line.stiffness * *line.delay;
  else
    impedance = std::sqrt(*line.mass * *line.stiffness);
  if (!std::isfinite(planned.delay) || !(planned.delay > 0) || !std::isfinite(impedance) ||
      !(impedance > 0))
    refuse_line("delay",
                fmt::format("the {} give a delay of {} s and an impedance of {}", names,
                            planned.delay, impedance),
                "Both must be positive and finite.");
}

void set_initial(const TlmLine& line, std::size_t directions, PlannedLine& planned) {
  const auto check = [&](const char* key, const std::vector<double>& values, std::size_t wanted,
                         const char* what) {
    if (!values.empty() && values.size() != wanted)
      refuse_line(key, fmt::format("{} has {} value{}, but {} needed{}", key, values.size(),
                                   values.size() == 1 ? "" : "s",
                                   wanted == 1 ? "one is" : fmt::format("{} are", wanted), what));
    if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); }))
      refuse_line(key, fmt::format("{} must be finite", key));
  };
  check("initial.effort", line.initial_effort, directions,
        directions == 1 ? "" : ": for x, y and angle");
  check("initial.flow", line.initial_flow, 2 * directions,
        directions == 1 ? ": of the first port and of the second"
                        : ": x, y and angle of the first port, then of the second");
  planned.initial_effort = line.initial_effort;
  if (line.initial_flow.empty()) return;
  const auto middle = line.initial_flow.begin() + static_cast<std::ptrdiff_t>(directions);
  planned.initial_flow = {std::vector<double>(line.initial_flow.begin(), middle),
                          std::vector<double>(middle, line.initial_flow.end())};
}

}  // namespace

double damping_factor(double damping) { return 1 + 1.5 * damping / (1 - damping); }

LineEffects effects_of(const PlannedLine& line, std::size_t direction) {
  const double delay = line.delay * damping_factor(line.damping);
  const double impedance = line.impedance[direction];
  return {impedance / delay, impedance * delay};
}

void set_parameters(const TlmLine& line, PortDomain domain, PlannedLine& planned) {
  double impedance = 0;
  set_delay(line, planned, impedance);
  if (!std::isfinite(line.damping) || line.damping < 0 || line.damping >= 1)
    refuse_line("damping",
                fmt::format("damping = {} must be non-negative and below 1", line.damping));
  planned.damping = line.damping;
  planned.reflection = is_mechanical(domain) ? -1 : 1;
  planned.wave = line.wave;
  planned.impedance.assign(direction_count(domain), impedance);
  check_number("rotational-impedance", line.rotational_impedance, true);
  if (domain == PortDomain::planar) {
    if (!line.rotational_impedance)
      refuse_line("rotational-impedance", "planar ports need a rotational-impedance, too",
                  "Give it in N m s; 0 leaves the angle free, as in a hinge.");
    planned.impedance.back() = *line.rotational_impedance;
  } else if (line.rotational_impedance) {
    refuse_line("rotational-impedance",
                fmt::format("rotational-impedance is for planar ports, but these are {}",
                            to_string(domain)),
                domain == PortDomain::rotational ? "Use impedance, in N m s." : "Leave it out.");
  }
  if (line.keep_stiffness)
    for (double& z : planned.impedance) z *= damping_factor(line.damping);
  set_initial(line, direction_count(domain), planned);
}

}  // namespace tutti::system
