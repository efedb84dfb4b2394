// SPDX-License-Identifier: BSD-2-Clause
#include "session/cases/case_service.hpp"

#include "results/row_spool.hpp"

namespace tutti::session {
namespace {

class CaseRowSender final : public Observer {
 public:
  explicit CaseRowSender(execution::Ring& ring) : ring_(ring) {}
  void begin(std::span<const Column> columns) override {
    const std::vector<Column> all(columns.begin(), columns.end());
    ring_.send(code(Sent::case_columns), Packer()(all).bytes());
  }
  void row(const Row& row) override { results::send_row(ring_, code(Sent::case_row), row); }
  void finish() override {}

 private:
  execution::Ring& ring_;
};

}  // namespace

CaseService::CaseService(execution::WorkerSide& side, CasesOpening opening,
                         SystemRunOptions options, const Log& log)
    : side_(side),
      runner_(std::move(opening.systems),
              {.run = std::move(options),
               .reuse = opening.reuse,
               .without_reuse = std::move(opening.without_reuse),
               .announce =
                   [&side](const RunOutline& outline) {
                     side.messages().send(code(Sent::outline), Packer()(outline).bytes());
                   }},
              side.monitor(), log) {}

void CaseService::run(const Case& task) {
  execution::Ring& ring = side_.messages();
  ring.send(code(Sent::case_started), {});
  CaseRowSender rows(ring);
  const CaseResult result = runner_.run(task, task.results.empty() ? nullptr : &rows);
  ring.send(code(Sent::case_done), Packer()(result).bytes());
  runner_.settle();
}

}  // namespace tutti::session
