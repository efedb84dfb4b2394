// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

#include "fmi/co_simulation.hpp"
#include "fmi/model_exchange.hpp"
#include "fmi/owned.hpp"

namespace tutti::fmi {

/// Instances of FMUs that several runs use one after the other. fmi2Reset and fmi3Reset return an
/// instance to the state after its instantiation (FMI 2.0.5, section 2.1.6; FMI 3.0, section
/// 2.3.2), which costs less than to instantiate it again. Whether an FMU keeps that rule must be
/// checked: see session::CaseRunner.
class InstancePool {
 public:
  /// Instances with these names are not kept.
  void exclude(const std::string& name) { excluded_.insert(name); }
  bool is_excluded(const std::string& name) const { return excluded_.contains(name); }
  /// While paused, instances are neither taken nor kept.
  void pause(bool is_paused) { is_paused_ = is_paused; }
  /// Frees all instances.
  void clear() {
    co_simulation_.clear();
    model_exchange_.clear();
  }
  /// How many instances were used again.
  std::size_t reuse_count() const { return reuse_count_; }

  /// The kept instance of this key; null: there is none.
  template <class Interface>
  std::unique_ptr<Interface> take(const std::string& key);
  /// Keeps an instance that ended cleanly; frees others. An FMU that fails in its reset is
  /// excluded.
  template <class Interface>
  void give(const std::string& key, std::unique_ptr<Interface> instance) noexcept;

 private:
  template <class Interface>
  auto& kept() {
    if constexpr (std::is_same_v<Interface, CoSimulation>)
      return co_simulation_;
    else
      return model_exchange_;
  }
  std::map<std::string, std::unique_ptr<CoSimulation>> co_simulation_;
  std::map<std::string, std::unique_ptr<ModelExchange>> model_exchange_;
  std::set<std::string> excluded_;
  bool is_paused_ = false;
  std::size_t reuse_count_ = 0;
};

}  // namespace tutti::fmi
