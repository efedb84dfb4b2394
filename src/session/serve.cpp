// SPDX-License-Identifier: BSD-2-Clause
#include "session/serve.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <clocale>
#include <tutti/advice.hpp>
#include <tutti/worker.hpp>

#include "base/text.hpp"
#include "execution/worker.hpp"
#include "fmi/temporary_folder.hpp"
#include "results/row_spool.hpp"
#include "session/advise/linear_models.hpp"
#include "session/linearize/linearize.hpp"
#include "session/run_here.hpp"
#include "session/run_state.hpp"
#include "session/steady/find_steady.hpp"
#include "session/trial/check_run.hpp"

namespace tutti {

bool is_worker(int argc, const char* const* argv) {
  execution::note_own_worker();
  return execution::WorkerSide::is_asked_for(argc, argv);
}

int serve_worker(int argc, const char* const* argv) {
  using session::Request;
  using session::Sent;
  std::setlocale(LC_ALL, "C");
  execution::WorkerSide side(argc, argv);
  session::Service service(side);
  while (true) {
    const execution::Ring::Message message = side.next_request();
    const auto request = static_cast<Request>(message.kind);
    const std::string arguments(message.text());
    side.release_request();
    const auto fail = [&](const Error& error) {
      side.answer(code(Sent::error), Packer()(std::vector<Error>{error}).bytes());
    };
    try {
      if (request == Request::run) {
        session::RunSetup& setup = service.prepare(Unpacker(arguments));
        const RunReport report = service.has_spool()
                                     ? service.run_to_spool()
                                     : run_into(side.messages(), side.monitor(), setup,
                                                service.records(), service.log());
        service.close();
        side.answer(code(Sent::answer), Packer()(report).bytes());
      } else if (request == Request::run_case) {
        service.run_case(Unpacker(arguments));
      } else {
        side.answer(code(Sent::answer), service.perform(request, Unpacker(arguments)).bytes());
      }
    } catch (const Error& error) {
      fail(error);
    } catch (const std::bad_alloc&) {
      fail({ErrorCode::capability,
            "there is not enough memory",
            {.hint = "Close other programs, or raise the limit (ulimit -v)."}});
    } catch (const std::exception& error) {
      fail({ErrorCode::fmu, fmt::format("internal error: {}", error.what())});
    }
  }
}

}  // namespace tutti

namespace tutti::session {
namespace {

/// Sends rows to the owner of the worker, which decides whether they can be removed.
class SendingObserver final : public Observer {
 public:
  SendingObserver(execution::Ring& ring, std::uint32_t number) : ring_(ring), number_(number) {}
  void begin(std::span<const Column> columns) override {
    const std::vector<Column> all(columns.begin(), columns.end());
    ring_.send(code(Sent::columns, number_), Packer()(all).bytes());
  }
  void row(const Row& row) override { results::send_row(ring_, code(Sent::row, number_), row); }
  bool rewind(std::uint64_t /*rows*/) override { return true; }
  void finish() override {}

 private:
  execution::Ring& ring_;
  std::uint32_t number_;
};

}  // namespace

/// Takes over the owner's working folder and its log settings for FMUs.
void Service::settle(Unpacker& request) {
  close();
  opening_ = request.take<Opening>();
  if (!opening_.working_folder.empty() && ::chdir(opening_.working_folder.c_str()) != 0)
    throw Error(ErrorCode::file, fmt::format("the working folder \"{}\" cannot be entered",
                                             opening_.working_folder.string()));
  fmi::set_temporary_parent(opening_.scratch);
  if (opening_.is_silent)
    if (const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC); nowhere >= 0) {
      for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, stream);
      ::close(nowhere);
    }
  log_ = Log([this](const LogRecord& record) { send_log(side_.messages(), record); }, opening_.log);
}

SystemRunOptions Service::run_options() {
  SystemRunOptions options;
  options.profile = opening_.profile;
  options.step_timeout = opening_.step_timeout;
  options.stop_request = &side_.monitor().stop_requested;
  options.open.limits = opening_.limits;
  options.open.compile = opening_.compile;
  options.open.structure = opening_.structure;
  options.open.stop = &side_.monitor().stop_requested;
  options.open.cache = make_file_cache();
  return options;
}

void Service::send_outline(const RunOutline& outline) {
  side_.messages().send(code(Sent::outline), Packer()(outline).bytes());
}

RunSetup& Service::prepare(Unpacker request) {
  settle(request);
  prepared_ = prepare_run(opening_.system, run_options(), log_);
  setup_ = prepared_->setup();
  if (!opening_.state.empty()) resume_from(opening_.state, opening_.set, *prepared_, setup_);
  if (opening_.checkpoint_every > 0) check_writable(*prepared_);
  send_checkpoints_to(side_.messages(), opening_.checkpoint_every, setup_);
  setup_.records_ports = opening_.record == Recording::rows_and_ports;
  send_outline(setup_.outline);
  return setup_;
}

RunReport Service::run_to_spool() {
  results::RowSpool rows(opening_.spool);
  RoutedLog routed(log_);
  return run_here(run_options(), setup_, {.observer = &rows}, log_, routed);
}

void Service::close() {
  states_.clear();
  session_.reset();
  cases_.reset();
  setup_ = {};
  prepared_.reset();
  observer_count_ = 0;
}

LocalSession& Service::session() {
  if (!session_) throw Error(ErrorCode::usage, "the worker has no session");
  return *session_;
}

void Service::open(Unpacker request) {
  settle(request);
  LocalOptions options;
  options.run = run_options();
  options.log = log_;
  options.is_open_ended = opening_.is_open_ended;
  options.state = opening_.state;
  options.monitor = &side_.monitor();
  options.points = &side_.messages();
  session_ = std::make_unique<LocalSession>(opening_.system, std::move(options));
  send_outline(session_->outline());
}

void Service::open_cases(Unpacker request) {
  settle(request);
  cases_ = std::make_unique<CaseService>(side_, request.take<CasesOpening>(), run_options(), log_);
}

void Service::run_case(Unpacker request) {
  if (!cases_) throw Error(ErrorCode::usage, "the worker has no cases");
  cases_->run(request.take<Case>());
}

Packer Service::advise(Unpacker request) {
  settle(request);
  AdviseOptions options;
  const SystemRunOptions run = run_options();
  static_cast<RunControl&>(options) = run;
  options.open = run.open;
  request(options.points, options.step_count);
  return Packer()(advise_with_models(opening_.system, options, log_).advice);
}

Packer Service::linearize(Unpacker request) {
  settle(request);
  LinearizeOptions options;
  const SystemRunOptions run = run_options();
  static_cast<RunControl&>(options) = run;
  options.open = run.open;
  request(options.at, options.inputs, options.outputs);
  return Packer()(linearize_here(opening_.system, options, log_, side_.monitor(),
                                 [this](const RunOutline& outline) { send_outline(outline); }));
}

Packer Service::check(Unpacker request) {
  settle(request);
  const SystemRunOptions run = run_options();
  return check_in_worker(request.take<CheckTask>(), run, run.open);
}

Packer Service::steady(Unpacker request) {
  settle(request);
  const auto task = request.take<SteadyTask>();
  SteadyOptions options;
  const SystemRunOptions run = run_options();
  static_cast<RunControl&>(options) = run;
  options.open = run.open;
  options.free = task.free;
  options.fixed = task.fixed;
  options.tolerance = task.tolerance;
  options.iterations = task.iterations;
  options.steps = task.steps;
  // A crash cannot be attributed to one of several components.
  RunOutline outline;
  std::vector<std::string> names;
  for (const Component& component : opening_.system.components) names.push_back(component.name);
  outline.members.push_back({list_some(names), false, {}});
  send_outline(outline);
  side_.monitor().note_only_thread(0, 0);
  return Packer()(find_steady_here(opening_.system, options, log_, side_.monitor()));
}

Packer Service::perform(Request request, Unpacker arguments) {
  const auto handle = [&arguments] { return Handle{arguments.take<std::uint32_t>()}; };
  switch (request) {
    case Request::open:
      open(arguments);
      return {};
    case Request::find: {
      const Handle found = session().find(arguments.take<std::string>());
      return Packer()(found.index, session().info(found));
    }
    case Request::initialize:
      session().initialize();
      return {};
    case Request::advance: {
      const auto target = arguments.take<double>();
      return Packer()(session().advance(target, arguments.take<bool>()));
    }
    case Request::number:
      return Packer()(session().number(handle()));
    case Request::value:
      return Packer()(session().value(handle()));
    case Request::set: {
      const Handle variable = handle();
      session().set(variable, arguments.take<Value>());
      return {};
    }
    case Request::observe: {
      std::vector<Handle> handles;
      for (const std::uint32_t index : arguments.take<std::vector<std::uint32_t>>())
        handles.push_back({index});
      session().observe(std::make_shared<SendingObserver>(side_.messages(), observer_count_),
                        handles);
      ++observer_count_;
      return {};
    }
    case Request::save:
      states_[++saved_] = session().save();
      return Packer()(saved_);
    case Request::restore:
      session().restore(*states_.at(arguments.take<std::uint64_t>()));
      return {};
    case Request::forget:
      for (const auto number : arguments.take<std::vector<std::uint64_t>>()) states_.erase(number);
      return {};
    case Request::write_state:
      return Packer()(session().write_state());
    case Request::statistics:
      return Packer()(session().statistics());
    case Request::finish:
      return Packer()(session().finish());
    case Request::close:
      close();
      return {};
    case Request::advise:
      return advise(arguments);
    case Request::linearize:
      return linearize(arguments);
    case Request::check:
      return check(arguments);
    case Request::steady:
      return steady(arguments);
    case Request::open_cases:
      open_cases(arguments);
      return {};
    default:
      throw Error(ErrorCode::usage, "unknown request to the worker");
  }
}

}  // namespace tutti::session
