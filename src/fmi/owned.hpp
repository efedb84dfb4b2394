// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>

namespace tutti::fmi {

class InstancePool;

/// The end of an instance: it is freed, or reset and kept in the pool for its next owner.
template <class Interface>
struct Release {
  std::weak_ptr<InstancePool> pool = {};
  std::string key = {};  ///< of the pool; empty: it is freed
  void operator()(Interface* instance) const noexcept;
};
template <class Interface>
using Owned = std::unique_ptr<Interface, Release<Interface>>;

}  // namespace tutti::fmi
