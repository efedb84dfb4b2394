// SPDX-License-Identifier: BSD-2-Clause
#include "studies/sweep/sobol_sequence.hpp"

#include <boost/random/sobol.hpp>

#include "studies/sweep/keyed_random.hpp"

namespace tutti::studies {

struct SobolSequence::Engine {
  boost::random::sobol numbers;
};

const std::size_t SobolSequence::max_dimensions = boost::random::default_sobol_table::max_dimension;

SobolSequence::SobolSequence(std::size_t dimensions, std::uint64_t seed)
    : engine_(std::make_unique<Engine>(Engine{boost::random::sobol(dimensions)})), seed_(seed) {}

SobolSequence::~SobolSequence() = default;

void SobolSequence::point(std::uint64_t index, std::span<double> coordinates) {
  constexpr std::uint64_t shifts = 0x536f626f6c;  // streams apart from those of other designs
  // The engine omits the first point, which is 0.
  if (index > 0) engine_->numbers.seed(index - 1);
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    const std::uint64_t bits = index > 0 ? engine_->numbers() : 0;
    coordinates[k] = unit_number(bits ^ random_bits(seed_, shifts, k));
  }
}

}  // namespace tutti::studies
