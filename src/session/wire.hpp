// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/error.hpp>
#include <tutti/log.hpp>
#include <tutti/simulation.hpp>

#include "execution/ring.hpp"

/// Messages beside the rows that a run sends to whoever watches it.
namespace tutti::session {

inline constexpr std::uint32_t log_message = 2;
inline constexpr std::uint32_t report_message = 3;

void send_log(execution::Ring& ring, const LogRecord& record);
/// The views point into the message.
LogRecord read_log(std::span<const std::byte> message);

void send_error(execution::Ring& ring, std::uint32_t kind, const Error& error);
Error read_error(std::span<const std::byte> message);

void send_report(execution::Ring& ring, const RunReport& report);
RunReport read_report(std::span<const std::byte> message);

}  // namespace tutti::session
