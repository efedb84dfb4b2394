// SPDX-License-Identifier: BSD-2-Clause
#include "session/worker_session.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tutti::session {

struct WorkerSession::State final : AnyState {
  State(double when, std::uint64_t state_number, std::shared_ptr<Forgotten> list)
      : AnyState(when), number(state_number), forgotten(std::move(list)) {}
  ~State() override {
    const std::lock_guard lock(forgotten->mutex);
    forgotten->numbers.push_back(number);
  }
  std::uint64_t number;
  std::vector<std::uint64_t> rows;  ///< of each observer
  std::shared_ptr<Forgotten> forgotten;
};

WorkerSession::WorkerSession(const System& system, LocalOptions options)
    : AnySession(system),
      log_(std::move(options.log)),
      caller_(options.run.worker.host(), options.run, log_) {
  caller_.when([this](const execution::Ring::Message& message) { take(message); });
  Opening opening = opening_for(system, options.run, options.run.open, log_, caller_);
  opening.is_open_ended = options.is_open_ended;
  opening.state = options.state;
  call(Request::open, Packer()(opening));
  time_ = caller_.outline().report.statistics.start;
}

WorkerSession::~WorkerSession() {
  // Frees the FMUs, if that does not take too long.
  constexpr double patience = 5;
  try {
    if (caller_.end()) return;
    const auto start = Clock::now();
    caller_.ask(Request::close);
    while (!caller_.look() && seconds_since(start) < patience) caller_.wait();
    if (caller_.look()) caller_.take_answer();  // or the caller ends the worker
  } catch (...) {  // errors of an FMU at its end must not end the caller
  }
}

const VariableInfo& WorkerSession::at(Handle handle) const {
  if (handle.index >= found_.size())
    throw Error(ErrorCode::usage, "the handle does not belong to this session");
  return found_[handle.index];
}

Unpacker WorkerSession::call(Request request, const Packer& arguments) const {
  std::vector<std::uint64_t> forgotten;
  {
    const std::lock_guard lock(forgotten_->mutex);
    forgotten.swap(forgotten_->numbers);
  }
  return paths.during([&] {
    if (!forgotten.empty()) caller_.call(Request::forget, Packer()(forgotten));
    answer_ = caller_.call(request, arguments);
    return Unpacker(answer_);
  });
}

void WorkerSession::take(const execution::Ring::Message& message) {
  const std::uint32_t observer = message.kind >> 8;
  switch (static_cast<Sent>(message.kind & 0xff)) {
    case Sent::columns:
      if (observer < observers_.size())
        caller_.drain()
            .add(Unpacker(message.bytes).take<std::vector<Column>>(), *observers_[observer])
            .start();
      break;
    case Sent::point_sizes:
      expect_points(Unpacker(message.bytes).take<std::vector<std::uint64_t>>());
      break;
    case Sent::point:
      take_point(message.bytes);
      break;
    default:
      break;
  }
}

/// Each point contains all variables found so far.
void WorkerSession::expect_points(std::vector<std::uint64_t> sizes) {
  sizes_ = std::move(sizes);
  sizes_.resize(std::min(sizes_.size(), found_.size()));
  std::vector<Column> columns;
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    first_cells_.push_back(columns.size());
    columns.resize(columns.size() + sizes_[i], {found_[i].name, found_[i].type, "", false});
  }
  cells_.resize(columns.size());
  point_reader_.emplace(std::move(columns));
}

bool WorkerSession::is_in_points(Handle handle) const {
  return handle.index < sizes_.size() &&
         sizes_[handle.index] == element_count(found_[handle.index]);
}

void WorkerSession::take_point(std::span<const std::byte> bytes) {
  if (!point_reader_) return;
  const Row row = point_reader_->read(bytes);
  time_ = row.time;
  std::copy(row.cells.begin(), row.cells.end(), cells_.begin());
  texts_.assign(row.texts.begin(), row.texts.end());
}

Handle WorkerSession::find(std::string_view name) {
  Unpacker answer = call(Request::find, Packer()(std::string(name)));
  const auto handle = answer.take<std::uint32_t>();
  if (handle == found_.size()) {
    found_.push_back(answer.take<VariableInfo>());
    places.push_back(nullptr);
  }
  return {handle};
}

void WorkerSession::initialize() {
  try {
    call(Request::initialize);
  } catch (...) {
    for (RowStream& stream : caller_.drain().streams()) stream.finish();
    sizes_.clear();
    throw;
  }
  for (std::size_t i = 0; i < sizes_.size(); ++i)
    if (sizes_[i] == 1 && found_[i].type == Type::float64 && found_[i].shape.empty())
      places[i] = &cells_[first_cells_[i]].real;
  pass_on_failure();
}

void WorkerSession::expect_no_failed_observer(const char* what) const {
  if (observer_failed_)
    throw Error(ErrorCode::usage,
                fmt::format("{} after a step that failed at t = {:.13g} s: restore() an earlier "
                            "state, or finish()",
                            what, time_));
}

void WorkerSession::pass_on_failure() {
  for (const RowStream& stream : caller_.drain().streams())
    if (stream.failure() && !std::exchange(observer_failed_, true))
      std::rethrow_exception(stream.failure());
}

StepEnd WorkerSession::advance(double target, bool one_step) {
  expect_no_failed_observer(one_step ? "step()" : "advance_to()");
  try {
    const auto end = call(Request::advance, Packer()(target, one_step)).take<StepEnd>();
    time_ = end.time;
    pass_on_failure();
    return end;
  } catch (const Error&) {
    if (!point_reader_ || cells_.empty()) note_time_of_failure();
    throw;
  }
}

/// Without a received point, the worker has recorded the time of the last one.
void WorkerSession::note_time_of_failure() {
  const double noted = caller_.monitor().time;
  const RunStatistics& run = caller_.outline().report.statistics;
  if (point_reader_ && noted >= time_ && noted <= run.stop) time_ = noted;
}

double WorkerSession::number(Handle handle) {
  const VariableInfo& variable = at(handle);
  if (is_in_points(handle) && !is_finished_ && variable.shape.empty() && !is_text(variable.type))
    return as_real(variable.type, cells_[first_cells_[handle.index]]);
  return call(Request::number, Packer()(handle.index)).take<double>();
}

Value WorkerSession::value(Handle handle) {
  const VariableInfo& variable = at(handle);
  if (!is_in_points(handle) || !caller_.end())
    return call(Request::value, Packer()(handle.index)).take<Value>();
  const std::span<const Cell> cells(cells_.data() + first_cells_[handle.index],
                                    element_count(variable));
  return value_of(variable, cells, texts_);
}

void WorkerSession::set(Handle handle, const Value& value) {
  at(handle);
  call(Request::set, Packer()(handle.index, value));
}

void WorkerSession::observe(std::shared_ptr<Observer> observer, std::span<const Handle> handles) {
  std::vector<std::uint32_t> indices;
  for (const Handle handle : handles) indices.push_back(handle.index);
  call(Request::observe, Packer()(indices));
  observers_.push_back(std::move(observer));
}

std::shared_ptr<AnyState> WorkerSession::save() {
  expect_no_failed_observer("save()");
  const auto number = call(Request::save).take<std::uint64_t>();
  auto state = std::make_shared<State>(time_, number, forgotten_);
  for (const RowStream& stream : caller_.drain().streams())
    state->rows.push_back(stream.row_count());
  return state;
}

void WorkerSession::restore(const AnyState& state) {
  const auto* const known = dynamic_cast<const State*>(&state);
  if (known == nullptr || known->forgotten != forgotten_)
    throw Error(ErrorCode::usage, "restore(): the state belongs to another session");
  if (caller_.end()) throw Error(*caller_.end()->end.error);
  if (observer_failed_)
    caller_.monitor().stop_requested = false;  // the request was to end the failed step
  call(Request::restore, Packer()(known->number));
  time_ = known->time;
  observer_failed_ = true;  // until all have removed their rows
  std::size_t k = 0;
  for (RowStream& stream : caller_.drain().streams())
    if (!stream.rewind(known->rows[k++]))
      throw Error(
          ErrorCode::capability,
          "an observer of the session cannot remove rows, so earlier states cannot be restored");
  observer_failed_ = false;
}

std::string WorkerSession::write_state() {
  expect_no_failed_observer("write_state()");
  return call(Request::write_state).take<std::string>();
}

RunStatistics WorkerSession::statistics() const {
  if (caller_.end()) return caller_.end()->statistics;
  return call(Request::statistics).take<RunStatistics>();
}

RunReport WorkerSession::finish() {
  const auto finish_observers = [this] {
    for (RowStream& stream : caller_.drain().streams()) stream.finish();
  };
  RunReport report;
  try {
    report =
        caller_.end() && !is_finished_ ? *caller_.end() : call(Request::finish).take<RunReport>();
  } catch (...) {
    finish_observers();
    throw;
  }
  is_finished_ = true;
  finish_observers();
  if (report.end.error) report.end.error = paths.shown(*report.end.error);
  return report;
}

}  // namespace tutti::session
