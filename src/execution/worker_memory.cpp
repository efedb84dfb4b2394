// SPDX-License-Identifier: BSD-2-Clause
#include "execution/worker_memory.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <bit>

namespace tutti::execution {

SharedMemory WorkerMemory::make() {
  constexpr std::size_t least = std::size_t{1} << 16;
  const std::size_t rest = head_bytes + Ring::bytes_for(request_bytes) + Ring::bytes_for(0);
  std::size_t ring = message_bytes;
  if (rlimit limit{}; ::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < rest + ring)
    ring = std::bit_floor(std::max<std::size_t>(limit.rlim_cur, rest + least) - rest);
  return SharedMemory(rest + ring);
}

}  // namespace tutti::execution
