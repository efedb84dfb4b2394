// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <memory>
#include <tutti/export.hpp>

namespace tutti {

namespace session {
class WorkerHost;
}

/// Where the FMUs of a session or run are.
enum class Home { here /* in this process */, worker };

/// A process of its own for FMUs, so that their crash or hang is an Error, not our end. Sessions
/// and runs that are given the same one use it one after the other; it is started when the first
/// one needs it, and again after a crash. Copies stand for the same process, which ends with the
/// last.
///
///   tutti::SystemRunOptions options;
///   options.worker = tutti::Worker("");
///   for (const double mass : masses) tutti::run(system_with(mass), options, &results, {});
class TUTTI_API Worker {
 public:
  /// A session or run that is given this one starts a process of its own.
  Worker() = default;
  static Worker each(const std::filesystem::path& program);  ///< the same with another program
  /// The program to start: tutti-worker of the same build. Empty: it is this program, if that has
  /// called is_worker(), or the environment variable TUTTI_WORKER names it, or it is in the folder
  /// `tutti` beside the library, or in the folder of the executable.
  explicit Worker(const std::filesystem::path& program);

  /// The program that it was made with.
  const std::filesystem::path& program() const { return program_; }
  /// For the library.
  std::shared_ptr<session::WorkerHost> host() const;

 private:
  std::filesystem::path program_;
  std::shared_ptr<session::WorkerHost> host_;
};

/// Whether this process was started as a worker: then main() is to return serve_worker(). A program
/// that asks this first is its own worker, and needs no other.
TUTTI_API bool is_worker(int argc, const char* const* argv);
/// Does what the owner of this worker asks, until that has gone.
TUTTI_API int serve_worker(int argc, const char* const* argv);

}  // namespace tutti
