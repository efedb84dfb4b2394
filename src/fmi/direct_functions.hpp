// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <tutti/model_description.hpp>

namespace tutti::fmi {

/// The bare functions of one model-exchange instance in continuous-time mode, for evaluations in
/// which nanoseconds count. The caller follows the rules of the standard and passes every result
/// that is not plain to ModelExchange::judge_direct_call().
struct DirectFunctions {
  enum class Call : std::uint8_t { set_time, set_states, set, get, derivatives };
  /// FMI 1.0 and 2.0 have functions of the same types; a status is an int in all versions.
  enum class Version : std::uint8_t { none, scalar, fmi3 };
  using Address = void (*)();
  using SetTime = int(void*, double);
  using SetStates = int(void*, const double*, std::size_t);
  using GetDerivatives = int(void*, double*, std::size_t);
  using Set = int(void*, const ValueReference*, std::size_t, const double*);
  using Get = int(void*, const ValueReference*, std::size_t, double*);
  using Set3 = int(void*, const ValueReference*, std::size_t, const double*, std::size_t);
  using Get3 = int(void*, const ValueReference*, std::size_t, double*, std::size_t);

  Version version = Version::none;
  void* component = nullptr;
  Address set_time = nullptr, set_states = nullptr, derivatives = nullptr;
  Address set = nullptr, get = nullptr;  ///< of doubles; null: the FMU lacks it
  /// No function of the FMU may be called any more.
  const std::atomic<bool>* corrupted = nullptr;
};

/// How an instance is called directly: the caller counts evaluations together for many instances.
struct DirectUse {
  const std::uint64_t* evaluations = nullptr;  ///< null: none from now on
  const std::uint64_t* derivatives = nullptr;  ///< evaluations that read derivatives
  const double* time = nullptr;                ///< where the instance is, for messages
  std::uint32_t sets = 0, gets = 0;            ///< in each evaluation
};

}  // namespace tutti::fmi
