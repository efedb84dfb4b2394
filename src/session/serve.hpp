// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>
#include <memory>

#include "execution/worker_memory.hpp"
#include "session/cases/case_service.hpp"
#include "session/local_session.hpp"
#include "session/messages.hpp"

namespace tutti::session {

/// The session of a worker on behalf of its owner.
class Service {
 public:
  explicit Service(execution::WorkerSide& side) : side_(side) {}

  /// Opens the FMUs of a run. @throws Error
  RunSetup& prepare(Unpacker request);
  bool records() const { return opening_.record != Recording::nothing; }
  const Log& log() const { return log_; }
  /// A run whose rows go to a file.
  bool has_spool() const { return !opening_.spool.empty(); }
  RunReport run_to_spool();
  /// The FMUs are freed.
  void close();

  /// Sends its messages itself.
  void run_case(Unpacker request);
  /// Any other request. @throws Error
  Packer perform(Request request, Unpacker arguments);

 private:
  void settle(Unpacker& request);
  void send_outline(const RunOutline& outline);
  void open(Unpacker request);
  void open_cases(Unpacker request);
  Packer advise(Unpacker request);
  Packer linearize(Unpacker request);
  Packer check(Unpacker request);
  Packer steady(Unpacker request);
  LocalSession& session();
  SystemRunOptions run_options();

  execution::WorkerSide& side_;
  Opening opening_;
  Log log_;
  std::unique_ptr<PreparedSystem> prepared_;
  RunSetup setup_;
  std::unique_ptr<LocalSession> session_;
  std::unique_ptr<CaseService> cases_;
  std::uint32_t observer_count_ = 0;
  std::uint64_t saved_ = 0;  ///< number of states saved so far
  std::map<std::uint64_t, std::shared_ptr<AnyState>> states_;
};

}  // namespace tutti::session
