// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/instance_pool.hpp"

#include <utility>

namespace tutti::fmi {

void InstancePool::exclude(const std::string& name) {
  excluded_.insert(name);
  const auto has_name = [&](const auto& kept) { return kept.second.instance->name() == name; };
  std::erase_if(co_simulation_, has_name);
  std::erase_if(model_exchange_, has_name);
}

std::set<std::string> InstancePool::names() const {
  std::set<std::string> all;
  for (const auto& [key, kept] : co_simulation_) all.insert(kept.instance->name());
  for (const auto& [key, kept] : model_exchange_) all.insert(kept.instance->name());
  return all;
}

template <class Interface>
std::unique_ptr<Interface> InstancePool::take(const std::string& key) {
  if (is_paused_) return nullptr;
  auto& all = kept<Interface>();
  const auto found = all.find(key);
  if (found == all.end() || !found->second.is_reset) return nullptr;
  ++reuse_count_;
  return std::move(all.extract(found).mapped().instance);
}

template <class Interface>
void InstancePool::give(const std::string& key, std::unique_ptr<Interface> instance) noexcept {
  try {
    if (is_paused_ || !instance->is_terminated() || excluded_.contains(instance->name())) return;
    kept<Interface>().insert_or_assign(key, Kept<Interface>{std::move(instance), false});
  } catch (const std::exception&) {
    // Out of memory: the instance is freed.
  }
}

std::vector<InstancePool::Failure> InstancePool::reset(
    const std::function<void(const std::string& name)>& before) {
  std::vector<Failure> failures;  // excluded at the end, because that changes what is iterated
  const auto reset_all = [&](auto& all) {
    for (auto next = all.begin(); next != all.end();) {
      auto& [instance, is_reset] = next->second;
      const std::string name = instance->name();
      try {
        if (!is_reset) {
          before(name);
          instance->reset();
          instance->set_counts({});
          is_reset = true;
        }
        ++next;
      } catch (const Error& error) {
        failures.push_back({name, error});
        next = all.erase(next);
      }
    }
  };
  reset_all(co_simulation_);
  reset_all(model_exchange_);
  for (const Failure& failure : failures) exclude(failure.name);
  return failures;
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
