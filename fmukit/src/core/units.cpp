// SPDX-License-Identifier: BSD-2-Clause
#include "core/units.hpp"

namespace fmukit {

const BaseUnit* known_unit(std::string_view name) {
  struct Row {
    std::string_view name;
    BaseUnit unit;
  };
  static constexpr double degree = 0.017453292519943295;  // pi / 180
  static const Row rows[] = {
      {"1", {}},
      {"A", {.A = 1}},
      {"C", {.s = 1, .A = 1}},
      {"Hz", {.s = -1}},
      {"J", {.kg = 1, .m = 2, .s = -2}},
      {"K", {.K = 1}},
      {"N", {.kg = 1, .m = 1, .s = -2}},
      {"N.m", {.kg = 1, .m = 2, .s = -2}},
      {"N.m.s/rad", {.kg = 1, .m = 2, .s = -1, .rad = -1}},
      {"N.m/rad", {.kg = 1, .m = 2, .s = -2, .rad = -1}},
      {"N.s/m", {.kg = 1, .s = -1}},
      {"N/m", {.kg = 1, .s = -2}},
      {"Ohm", {.kg = 1, .m = 2, .s = -3, .A = -2}},
      {"Pa", {.kg = 1, .m = -1, .s = -2}},
      {"V", {.kg = 1, .m = 2, .s = -3, .A = -1}},
      {"W", {.kg = 1, .m = 2, .s = -3}},
      {"deg", {.rad = 1, .factor = degree}},
      {"degC", {.K = 1, .offset = 273.15}},
      {"kg", {.kg = 1}},
      {"kg.m2", {.kg = 1, .m = 2}},
      {"km/h", {.m = 1, .s = -1, .factor = 1 / 3.6}},
      {"m", {.m = 1}},
      {"m/s", {.m = 1, .s = -1}},
      {"m/s2", {.m = 1, .s = -2}},
      {"m2", {.m = 2}},
      {"m3", {.m = 3}},
      {"mm", {.m = 1, .factor = 1e-3}},
      {"mol", {.mol = 1}},
      {"rad", {.rad = 1}},
      {"rad/s", {.s = -1, .rad = 1}},
      {"rad/s2", {.s = -2, .rad = 1}},
      {"s", {.s = 1}},
  };
  for (const Row& row : rows)
    if (row.name == name) return &row.unit;
  return nullptr;
}

}  // namespace fmukit
