// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <memory>
#include <tutti/export.hpp>

namespace tutti {

namespace session {
class WorkerHost;
}

/// The process of the FMUs of a session or run.
enum class Home { here /* in this process */, worker };

/// A separate process for FMUs, so that their crash or hang is an Error. Sessions and runs with the
/// same worker use it one after the other; it starts at first use, and again after a crash. Copies
/// refer to the same process, which ends with the last copy.
///
///   tutti::SystemRunOptions options;
///   options.worker = tutti::Worker("");
///   for (const double mass : masses) tutti::run(system_with(mass), options, &results, {});
class TUTTI_API Worker {
 public:
  /// Each session or run with this worker starts a separate process.
  Worker() = default;
  static Worker each(const std::filesystem::path& program);  ///< the same with another program
  /// The program to start: tutti-worker of the same build. Empty: this program, if it has called
  /// is_worker(), or that of the environment variable TUTTI_WORKER, or that in the folder `tutti`
  /// beside the library, or in the folder of the executable.
  explicit Worker(const std::filesystem::path& program);

  /// The program of this worker.
  const std::filesystem::path& program() const { return program_; }
  /// For the library.
  std::shared_ptr<session::WorkerHost> host() const;

 private:
  std::filesystem::path program_;
  std::shared_ptr<session::WorkerHost> host_;
};

/// Whether this process was started as a worker: then main() should return serve_worker(). A
/// program that calls this first is its own worker, and needs no other.
TUTTI_API bool is_worker(int argc, const char* const* argv);
/// Serves the requests of the owner of this worker, until it exits.
TUTTI_API int serve_worker(int argc, const char* const* argv);

}  // namespace tutti
