// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>

#include "stability/coupled_system.hpp"

namespace tutti::stability {

/// Samples at equal distances.
struct SampleBlock {
  double step = 0;
  std::size_t count = 0;
};

/// The step responses of a system, for a unit step of each input at time 0, in consecutive blocks
/// of samples, each coarser than the one before, so that rates over many decades are visible, the
/// fast ones in the first blocks.
struct StepResponses {
  std::vector<SampleBlock> blocks;
  std::size_t inputs = 0, outputs = 0;
  /// By input, output and sample: the change of the output. The first one is after the first step.
  std::vector<double> values;
  std::vector<double> noise;  ///< by input, output and block: uncertainty of the values (RMS)

  std::size_t samples() const;
  double duration() const;
  /// The first blocks only.
  StepResponses first(std::size_t block_count) const;
};

struct ResponseFit {
  Subsystem system;  ///< of low order; x = 0 at time 0
  /// RMS error of the fit, relative to the largest value of the response in the same block.
  double error = 0;
};

/// A linear system with these responses.
///
/// Poles are found block by block from the shift invariance of the Hankel matrices (ESPRIT: R. Roy
/// and T. Kailath, IEEE Trans. ASSP 37, 1989), of all responses together; those that a block
/// resolves are kept, those that no response needs are dropped, the rest is refined by least
/// squares. Residues follow by linear least squares, weighted so that each block counts: small but
/// fast components determine stability for short steps. Pairs of poles are factors of second order,
/// so that equal or nearly equal poles need no special case. Inputs and outputs share states as far
/// as the accuracy of the fit shows it. Nothing: no system of at most `largest_order` poles has an
/// error below `largest_error`.
std::optional<ResponseFit> fit_responses(const StepResponses& responses);

inline constexpr std::size_t largest_order = 16;
inline constexpr double largest_error = 0.01;

}  // namespace tutti::stability
