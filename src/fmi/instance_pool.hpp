// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tutti/error.hpp>
#include <type_traits>
#include <vector>

#include "fmi/co_simulation.hpp"
#include "fmi/model_exchange.hpp"
#include "fmi/owned.hpp"

namespace tutti::fmi {

/// Instances of FMUs that several runs use one after the other. fmi2Reset and fmi3Reset return an
/// instance to the state after its instantiation (FMI 2.0.5, section 2.1.6; FMI 3.0, section
/// 2.3.2), which costs less than to instantiate it again. Whether an FMU keeps that rule must be
/// checked: see session::ReuseCheck.
class InstancePool {
 public:
  /// Instances with this name are not kept; those kept already are freed.
  void exclude(const std::string& name);
  const std::set<std::string>& excluded() const { return excluded_; }
  /// While paused, instances are neither taken nor kept.
  void pause(bool is_paused) { is_paused_ = is_paused; }
  /// Frees all instances.
  void clear() {
    co_simulation_.clear();
    model_exchange_.clear();
  }
  /// How many instances were used again.
  std::size_t reuse_count() const { return reuse_count_; }
  std::set<std::string> names() const;  ///< of the kept instances

  /// The kept instance of this key, if it was reset; null: there is none.
  template <class Interface>
  std::unique_ptr<Interface> take(const std::string& key);
  /// Keeps an instance that ended without an error, until it is reset; frees others.
  template <class Interface>
  void give(const std::string& key, std::unique_ptr<Interface> instance) noexcept;

  struct Failure {
    std::string name;  ///< of the instance
    Error error;
  };
  /// Resets the instances that were given back. One that fails is freed, and its name excluded.
  /// @param before called with the name of each instance before its reset
  std::vector<Failure> reset(const std::function<void(const std::string& name)>& before);

 private:
  template <class Interface>
  struct Kept {
    std::unique_ptr<Interface> instance;
    bool is_reset = false;
  };
  template <class Interface>
  using All = std::map<std::string, Kept<Interface>>;  // by key
  template <class Interface>
  All<Interface>& kept() {
    if constexpr (std::is_same_v<Interface, CoSimulation>)
      return co_simulation_;
    else
      return model_exchange_;
  }
  All<CoSimulation> co_simulation_;
  All<ModelExchange> model_exchange_;
  std::set<std::string> excluded_;
  bool is_paused_ = false;
  std::size_t reuse_count_ = 0;
};

}  // namespace tutti::fmi
