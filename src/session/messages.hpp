// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/advice.hpp>
#include <tutti/linearize.hpp>
#include <tutti/session.hpp>
#include <tutti/simulation.hpp>
#include <tutti/system.hpp>

#include "base/codec.hpp"
#include "session/run_outline.hpp"

/// The requests to a worker and its messages.
namespace tutti::session {

/// Each is answered with Sent::answer or Sent::error.
enum class Request : std::uint32_t {
  // 0 ends the worker
  run = 1,  ///< Opening -> outline, rows..., RunReport
  open,     ///< Opening -> outline
  find,     ///< name -> handle, VariableInfo
  initialize,
  advance,      ///< target, one step? -> StepEnd
  number,       ///< handle -> double
  value,        ///< handle -> Value
  set,          ///< handle, Value
  observe,      ///< handles
  save,         ///< -> number of the state
  restore,      ///< number of a state
  forget,       ///< numbers of states
  write_state,  ///< -> RunState as bytes
  statistics,
  finish,      ///< -> RunReport
  close,       ///< the session ends where it is
  advise,      ///< Opening, number of points, number of steps -> Advice
  check,       ///< CheckTask -> RunFindings
  open_cases,  ///< Opening, CasesOpening
  steady,      ///< Opening, SteadyTask -> SteadyState
  linearize,   ///< Opening, time, inputs, outputs -> LinearModel
  run_case,    ///< Case -> no reply, but messages that end with case_done; several can wait
};

/// The kind of a message is in the lower byte; the number of its observer above.
enum class Sent : std::uint32_t {
  row = 1,
  log,
  answer,
  restart,  ///< all earlier rows are void
  outline,
  checkpoint,   ///< time and RunState of the point up to which rows were sent
  columns,      ///< of the rows of an observer
  point_sizes,  ///< elements of each found variable in a point
  point,        ///< the found variables of a session: the last accepted point
  error,
  case_started,  ///< the next case: a crash from here on belongs to it
  case_columns,  ///< of the rows of a case, which start
  case_row,
  case_done,  ///< CaseResult
};
constexpr std::uint32_t code(Sent sent, std::uint32_t observer = 0) {
  return static_cast<std::uint32_t>(sent) | observer << 8;
}

/// The messages of a run.
enum class Recording : std::uint8_t { nothing, rows, rows_and_ports };

/// What a worker needs to open a system.
struct Opening {
  System system;
  ArchiveLimits limits;
  CompileOptions compile;
  std::string structure;
  std::filesystem::path working_folder;
  std::filesystem::path scratch;  ///< for unpacked files
  std::filesystem::path spool;    ///< rows are written there, not sent
  bool profile = false;
  Recording record{};
  double checkpoint_every = 0;  ///< s of simulated time; 0: none
  std::string state;            ///< RunState to continue from; empty: the run starts
  std::vector<std::pair<std::string, std::string>> set;  ///< values to set there
  bool is_silent = false;                                ///< discards the output of FMUs
  bool is_open_ended = false;                            ///< the stop time is unknown
  double step_timeout = 600;
  Severity log = Severity::info;
};

/// A LogRecord that owns its texts.
struct LogMessage {
  Severity severity{};
  std::string component, category, text;
};

}  // namespace tutti::session

// One line for each struct: see base/fields.hpp.

// The reply to Request::advise: see base/fields.hpp.

namespace tutti {

TUTTI_FIELDS(Place, 3);
TUTTI_FIELDS(SolverSettings, 8);
TUTTI_FIELDS(CarriedQuantity, 2);
TUTTI_FIELDS(WaveInputs, 5);
TUTTI_FIELDS(Port, 13);
TUTTI_FIELDS(BuiltIn, 8);
TUTTI_FIELDS(Component, 17);
TUTTI_FIELDS(Endpoint, 2);
TUTTI_FIELDS(InputSettings, 6);
TUTTI_FIELDS(ConnectionInputs, 4);
TUTTI_FIELDS(Connection, 8);
TUTTI_FIELDS(InputColumn, 4);
TUTTI_FIELDS(InputFile, 5);
TUTTI_FIELDS(ExternalInputs, 5);
TUTTI_FIELDS(IterationSettings, 5);
TUTTI_FIELDS(ControlSettings, 15);
TUTTI_FIELDS(SimulationSettings, 17);
TUTTI_FIELDS(CycleSettings, 4);
TUTTI_FIELDS(ClusterSettings, 6);
TUTTI_FIELDS(ResultGroup, 3);
TUTTI_FIELDS(ResultSettings, 11);
TUTTI_FIELDS(PortName, 2);
TUTTI_FIELDS(TlmLine, 12);
TUTTI_FIELDS(DelayedSignal, 5);
TUTTI_FIELDS(TimedAction, 3);
TUTTI_FIELDS(System, 15);
TUTTI_FIELDS(OdeStatistics, 11);
TUTTI_FIELDS(SolverDiagnosis::State, 3);
TUTTI_FIELDS(SolverDiagnosis::Step, 5);
TUTTI_FIELDS(SolverDiagnosis, 6);
TUTTI_FIELDS(ComponentStatistics, 11);
TUTTI_FIELDS(CycleStatistics, 8);
TUTTI_FIELDS(EstimatedError, 3);
TUTTI_FIELDS(CycleCoupling, 4);
TUTTI_FIELDS(NonFiniteColumn, 4);
TUTTI_FIELDS(RunStatistics, 39);
TUTTI_FIELDS(RunEnd, 5);
TUTTI_FIELDS(Column, 5);
TUTTI_FIELDS(Deviation, 8);
TUTTI_FIELDS(Verification, 7);
TUTTI_FIELDS(RunReport, 4);
TUTTI_FIELDS(VariableInfo, 6);
TUTTI_FIELDS(StepEnd, 2);
TUTTI_FIELDS(ArchiveLimits, 8);
TUTTI_FIELDS(CompileOptions, 3);
TUTTI_FIELDS(session::Member, 3);
TUTTI_FIELDS(session::RunOutline, 4);
TUTTI_FIELDS(session::Opening, 16);
TUTTI_FIELDS(session::LogMessage, 4);

/// A struct with a base.
template <class Statistics>
  requires std::is_same_v<std::remove_cv_t<Statistics>, SolverStatistics>
auto parts_of(Statistics& s) {
  using Base = std::conditional_t<std::is_const_v<Statistics>, const OdeStatistics, OdeStatistics>;
  static_assert(sizeof s == sizeof(OdeStatistics) + 2 * sizeof s.name + 5 * sizeof s.chattering +
                                sizeof s.diagnosis);
  return std::tie(static_cast<Base&>(s), s.name, s.note, s.state_events, s.time_events,
                  s.step_events, s.input_events, s.chattering, s.diagnosis);
}

TUTTI_FIELDS(CouplingChoice, 6);
TUTTI_FIELDS(SchemeAdvice, 12);
TUTTI_FIELDS(Share, 2);
TUTTI_FIELDS(LoopAdvice, 7);
TUTTI_FIELDS(LinearizedComponent, 11);
TUTTI_FIELDS(CycleAdvice::Moment, 2);
TUTTI_FIELDS(CycleAdvice::Choice, 2);
TUTTI_FIELDS(CycleAdvice, 14);
TUTTI_FIELDS(Advice, 6);

TUTTI_FIELDS(LinearMatrix::Entry, 3);
TUTTI_FIELDS(LinearMatrix, 3);
TUTTI_FIELDS(LinearVariable, 5);
TUTTI_FIELDS(LinearPart, 5);
TUTTI_FIELDS(LinearModel, 12);

}  // namespace tutti
