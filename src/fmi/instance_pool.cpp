// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/instance_pool.hpp"

#include <utility>

namespace tutti::fmi {

template <class Interface>
std::unique_ptr<Interface> InstancePool::take(const std::string& key) {
  if (is_paused_) return nullptr;
  auto& all = kept<Interface>();
  const auto found = all.find(key);
  if (found == all.end()) return nullptr;
  ++reuse_count_;
  return std::move(all.extract(found).mapped());
}

template <class Interface>
void InstancePool::give(const std::string& key, std::unique_ptr<Interface> instance) noexcept {
  try {
    const std::string name = instance->name();
    if (is_paused_ || !instance->is_terminated() || excluded_.contains(name)) return;
    try {
      instance->reset();
    } catch (const Error&) {
      exclude(name);
      return;
    }
    kept<Interface>().insert_or_assign(key, std::move(instance));
  } catch (const std::exception&) {
    // Out of memory: the instance is freed.
  }
}

template <class Interface>
void Release<Interface>::operator()(Interface* instance) const noexcept {
  std::unique_ptr<Interface> owned(instance);
  if (key.empty()) return;
  if (const auto keeper = pool.lock()) keeper->give(key, std::move(owned));
}

template std::unique_ptr<CoSimulation> InstancePool::take(const std::string& key);
template std::unique_ptr<ModelExchange> InstancePool::take(const std::string& key);
template struct Release<CoSimulation>;
template struct Release<ModelExchange>;

}  // namespace tutti::fmi
