// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <tutti/export.hpp>
#include <tutti/fmu.hpp>
#include <tutti/log.hpp>
#include <tutti/system.hpp>
#include <vector>

/// A first system from FMUs, as `tutti new` makes it.
namespace tutti {

/// A proposed connection.
struct ProposedConnection {
  Endpoint from, to;
  /// The names match, and no other candidate is as good. False: a guess, to be checked.
  bool is_sure = false;
  std::string reason;  ///< "equal names, m/s"
};

/// A system of these FMUs without connections: components named after their files (numbered where
/// names repeat), times from their default experiments.
/// @param folder what the paths of the FMUs will be relative to, unless they are absolute
/// @throws Error (file, archive, description) for an FMU that cannot be read
TUTTI_API System new_system(std::span<const std::filesystem::path> fmus,
                            const std::filesystem::path& folder = {},
                            const FmuOptions& options = {}, const Log& log = {});

/// Connections between the components of a system by names, units and types, for inputs that it
/// does not drive. In the order of the inputs; the best one for an input first.
/// @throws Error (file, archive, description)
TUTTI_API std::vector<ProposedConnection> propose_connections(const System& system,
                                                              const FmuOptions& options = {},
                                                              const Log& log = {});

/// A first system file, with the variables of the FMUs and uncertain connections in comments.
/// @param file where it will be, for the commands in its first lines
TUTTI_API std::string new_system_text(const System& system,
                                      std::span<const ProposedConnection> connections,
                                      const std::filesystem::path& file,
                                      const FmuOptions& options = {});

}  // namespace tutti
