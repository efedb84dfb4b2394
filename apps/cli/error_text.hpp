// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <tutti/error.hpp>

namespace tutti::cli {

/// The command line option for the key of an error; without one, the key.
std::string option_of(const ErrorDetails& details, bool has_system_file = true);

/// The message of an error with command line options in place of keys: `--step-timeout`, and in
/// `tutti simulate`, which has no system file, `--step` for simulation.step.
std::string message_of(const Error& error, bool has_system_file = true);

}  // namespace tutti::cli
