// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <tutti/log.hpp>

#include "fmi/co_simulation.hpp"
#include "fmi/library.hpp"
#include "fmi/model_exchange.hpp"

namespace tutti::fmi {

/// The states of the standard's state machines, as bits, so that legality is one test.
namespace mode {
inline constexpr std::uint32_t instantiated = 1u << 0;
inline constexpr std::uint32_t configuration = 1u << 1;
inline constexpr std::uint32_t initialization = 1u << 2;
inline constexpr std::uint32_t step = 1u << 3;
/// Step mode after a set: reading is not allowed before the next doStep (2.0.5 section 4.2.4,
/// 3.0 section 4.2.1).
inline constexpr std::uint32_t step_inputs_set = 1u << 4;
inline constexpr std::uint32_t event_due = 1u << 5;  ///< 3.0: doStep requested event mode
inline constexpr std::uint32_t event = 1u << 6;
inline constexpr std::uint32_t continuous_time = 1u << 7;
inline constexpr std::uint32_t intermediate_get = 1u << 8;  ///< inside doStep; both may be set
inline constexpr std::uint32_t intermediate_set = 1u << 9;
inline constexpr std::uint32_t terminated = 1u << 10;
inline constexpr std::uint32_t failed = 1u << 11;  ///< after an error: free, reset or restore only
inline constexpr std::uint32_t dead = 1u << 12;    ///< not instantiated, or after a fatal error
inline constexpr std::uint32_t intermediate = 1u << 13;
inline constexpr std::uint32_t stepping = step | step_inputs_set | event_due;
inline constexpr std::uint32_t running = stepping | event | continuous_time;
inline constexpr std::uint32_t settable =  ///< "FMU State Settable" of 3.0, the same in 2.0
    instantiated | configuration | initialization | running | terminated | failed;
}  // namespace mode

/// The status values, numbered alike in all versions of FMI (3.0 has no pending).
namespace status {
inline constexpr int ok = 0, warning = 1, discard = 2, error = 3, fatal = 4, pending = 5;
/// Not a status, and a value that FMUs do not return.
inline constexpr int none = std::numeric_limits<int>::min();
}  // namespace status

/// Data of a new instance from its FMU.
struct InstanceSetup {
  std::shared_ptr<const void> fmu;  ///< kept alive: it owns all of the following
  const ModelDescription* description = nullptr;
  const Capabilities* capabilities = nullptr;
  Library* library = nullptr;
  std::filesystem::path folder;
  Log log;
};

using MakeCoSimulation = std::unique_ptr<CoSimulation>(const InstanceSetup& setup,
                                                       const CoSimulationOptions& options);
using MakeModelExchange = std::unique_ptr<ModelExchange>(const InstanceSetup& setup,
                                                         const InstanceOptions& options);

namespace v1 {
MakeCoSimulation make_co_simulation;
MakeModelExchange make_model_exchange;
}  // namespace v1
namespace v2 {
MakeCoSimulation make_co_simulation;
MakeModelExchange make_model_exchange;
}  // namespace v2
namespace v3 {
MakeCoSimulation make_co_simulation;
MakeModelExchange make_model_exchange;
}  // namespace v3

}  // namespace tutti::fmi
