// SPDX-License-Identifier: BSD-2-Clause
// The entry of libFuzzer, once per target: FUZZ_TARGET names it.
#include <cstddef>
#include <cstdint>

#include "fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tutti::fuzz::FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
