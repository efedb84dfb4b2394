// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <string>
#include <tutti/cases.hpp>
#include <tutti/estimate.hpp>
#include <tutti/result_table.hpp>
#include <vector>

#include "studies/study_system.hpp"

namespace tutti::studies {

/// A measurement: a run of the system under its conditions, and the samples to compare with. The
/// samples of a signal are those that are numbers.
struct Experiment {
  CaseSystem system;  ///< with a measure for each signal
  RunSpan span;
  std::vector<FittedSignal> signals;
  std::vector<double> weights;   ///< of the signals, with that of the experiment
  std::size_t sample_times = 0;  ///< at which at least one signal has a number
};

/// Reads the measurements, and makes the systems with the parameters of the study as names. What a
/// user may want to know (converted units, an extended run) becomes a note.
/// @param set further settings of all runs, `name=value`
/// @throws Error(usage, file) with all errors
std::vector<Experiment> read_experiments(const Study& study, const StudySystem& system,
                                         const std::vector<std::string>& set, const Log& log,
                                         std::vector<std::string>& notes);

/// Sets rms, mean, largest difference and fit from measured and simulated values.
void summarize(FittedSignal& signal);

}  // namespace tutti::studies
