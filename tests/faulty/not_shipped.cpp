// SPDX-License-Identifier: BSD-2-Clause
// The library that missing_library.cpp needs and that its archive does not contain.
extern "C" __attribute__((visibility("default"))) double not_shipped_function(double x) {
  return x;
}
