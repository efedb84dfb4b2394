// SPDX-License-Identifier: BSD-2-Clause
#include <tutti/session.hpp>

#include <cmath>

#include "base/infinity.hpp"
#include "session/checkpoint_file.hpp"
#include "session/local_session.hpp"
#include "session/worker_session.hpp"

namespace tutti {
namespace {

System with_stop(System system, const SessionOptions& options) {
  if (!options.stop) return system;
  system.simulation.stop = *options.stop;
  if (*options.stop == infinity) {
    // A number of steps whose end is still finite; a power of two, so that the points are exactly
    // start + n h.
    if (!system.simulation.step)
      throw Error(ErrorCode::usage,
                  "a session without a stop time needs simulation.step, the communication step");
    system.simulation.stop =
        system.simulation.start.value_or(0) + std::ldexp(*system.simulation.step, 40);
  }
  return system;
}

std::unique_ptr<session::AnySession> make_session(System given, SessionOptions options,
                                                  std::string state = {}) {
  System system = with_stop(std::move(given), options);
  const system::PackagePaths paths(system);
  const Log log = paths.shown(options.log.once());
  session::LocalOptions local;
  local.run.profile = options.profile;
  local.run.step_timeout = options.step_timeout;
  local.run.worker = options.worker;
  local.run.open = options.open;
  local.run.own_process = options.in == Home::worker;
  local.log = log;
  local.is_open_ended = options.stop == infinity;
  local.state = std::move(state);
  return paths.during([&]() -> std::unique_ptr<session::AnySession> {
    if (options.in == Home::worker)
      return std::make_unique<session::WorkerSession>(system, std::move(local));
    return std::make_unique<session::LocalSession>(std::move(system), std::move(local));
  });
}

}  // namespace

double SessionState::time() const noexcept { return data_->time; }

Session::Session(System system, SessionOptions options)
    : impl_(make_session(std::move(system), std::move(options))) {}
Session::Session(std::unique_ptr<session::AnySession> impl) : impl_(std::move(impl)) {}

Session Session::resume(const std::filesystem::path& file, SessionOptions options) {
  Checkpoint checkpoint = read_checkpoint(file, options.open);
  return Session(
      make_session(std::move(checkpoint.system), std::move(options), std::move(checkpoint.state)));
}

Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Handle Session::find(std::string_view name) { return impl_->find(name); }
const VariableInfo& Session::info(Handle handle) const { return impl_->info(handle); }

void Session::initialize() {
  impl_->paths.during([this] { impl_->initialize(); });
}

StepEnd Session::step(double limit) { return impl_->advance(limit, true); }
StepEnd Session::advance_to(double t) { return impl_->advance(t, false); }
double Session::time() const noexcept { return impl_->time(); }

double Session::get(Handle handle) {
  if (handle.index < impl_->places.size())
    if (const double* const place = impl_->places[handle.index]) return *place;
  return impl_->number(handle);
}

void Session::get(std::span<const Handle> handles, std::span<double> values) {
  if (handles.size() != values.size())
    throw Error(ErrorCode::usage, "get(): the number of values must equal the number of handles");
  for (std::size_t i = 0; i < handles.size(); ++i) values[i] = get(handles[i]);
}

Value Session::value(Handle handle) { return impl_->value(handle); }
void Session::set(Handle handle, const Value& value) { impl_->set(handle, value); }

void Session::observe(std::shared_ptr<Observer> observer, std::span<const Handle> handles) {
  impl_->observe(std::move(observer), handles);
}

SessionState Session::save() { return SessionState(impl_->save()); }
void Session::restore(const SessionState& state) { impl_->restore(*state.data_); }

void Session::write_state(const std::filesystem::path& file) {
  const std::string state = impl_->write_state();
  session::CheckpointWriter(impl_->given, {file, 0, {}}).write(impl_->time(), 0, "", state);
}

void Session::interrupt() noexcept { impl_->interrupt(); }
RunStatistics Session::statistics() const { return impl_->statistics(); }
RunReport Session::finish() { return impl_->finish(); }

}  // namespace tutti
