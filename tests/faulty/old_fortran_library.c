// SPDX-License-Identifier: BSD-2-Clause
// With the stand-in of src/fmi/stand_ins: the library that old_fortran.cpp is linked with.
#include <math.h>

__attribute__((visibility("default"))) double _gfortran_erfc_scaled_r8(double x) {
  return exp(x * x) * erfc(x);
}
