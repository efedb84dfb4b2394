// SPDX-License-Identifier: BSD-2-Clause
#include <boost/math/distributions/students_t.hpp>

#include "studies/fit/confidence.hpp"

double tutti::studies::student_quantile(double probability, double degrees_of_freedom) {
  const boost::math::students_t distribution(degrees_of_freedom);
  return boost::math::quantile(distribution, (1 + probability) / 2);
}
