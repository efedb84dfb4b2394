// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>

namespace tutti {

/// The number of members of a struct: one line for each struct that is sent or stored. A wrong
/// number does not compile, so an added member cannot be forgotten.
template <class Struct>
inline constexpr std::size_t field_count = 0;

/// TUTTI_FIELDS(Column, 4); in namespace tutti
#define TUTTI_FIELDS(type, count) \
  template <>                     \
  inline constexpr std::size_t field_count<type> = count

template <class Struct>
concept HasFields = field_count<std::remove_cv_t<Struct>> != 0;

/// All members, as references.
template <HasFields Struct>
constexpr auto tie_fields(Struct& s) {
  constexpr std::size_t n = field_count<std::remove_cv_t<Struct>>;
  // clang-format off
  if constexpr (n == 1) { auto& [f0] = s; return std::tie(f0); }
  else if constexpr (n == 2) { auto& [f0, f1] = s; return std::tie(f0, f1); }
  else if constexpr (n == 3) { auto& [f0, f1, f2] = s; return std::tie(f0, f1, f2); }
  else if constexpr (n == 4) { auto& [f0, f1, f2, f3] = s; return std::tie(f0, f1, f2, f3); }
  else if constexpr (n == 5) { auto& [f0, f1, f2, f3, f4] = s; return std::tie(f0, f1, f2, f3, f4); }
  else if constexpr (n == 6) { auto& [f0, f1, f2, f3, f4, f5] = s; return std::tie(f0, f1, f2, f3, f4, f5); }
  else if constexpr (n == 7) { auto& [f0, f1, f2, f3, f4, f5, f6] = s; return std::tie(f0, f1, f2, f3, f4, f5, f6); }
  else if constexpr (n == 8) { auto& [f0, f1, f2, f3, f4, f5, f6, f7] = s; return std::tie(f0, f1, f2, f3, f4, f5, f6, f7); }
  else if constexpr (n == 9) { auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8] = s; return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8); }
  else if constexpr (n == 10) { auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9] = s; return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9); }
  else if constexpr (n == 11) { auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10] = s; return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10); }
  else if constexpr (n == 12) { auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11] = s; return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11); }
  else if constexpr (n == 13) { auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12] = s; return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12); }
  else if constexpr (n == 14) { auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13] = s; return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13); }
  else if constexpr (n == 15) { auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14] = s; return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14); }
  else if constexpr (n == 16) { auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15] = s; return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15); }
  else if constexpr (n == 17) { auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16] = s; return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16); }
  else if constexpr (n == 39) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15,
           f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27,
           f28, f29, f30, f31, f32, f33, f34, f35, f36, f37, f38] = s;
    return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15,
                    f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27,
                    f28, f29, f30, f31, f32, f33, f34, f35, f36, f37, f38);
  }
  // clang-format on
}

}  // namespace tutti
