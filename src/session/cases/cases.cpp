// SPDX-License-Identifier: BSD-2-Clause
#include <tutti/cases.hpp>

#include "session/cases/case_hosts.hpp"

namespace tutti {

Cases::Cases(std::vector<CaseSystem> systems, CaseOptions options, const Log& log)
    : hosts_(std::make_unique<session::CaseHosts>(std::move(systems), std::move(options), log)) {}

Cases::~Cases() = default;

bool Cases::run(const Next& next, const Done& done) { return hosts_->run(next, done); }

std::vector<CaseResult> Cases::run(std::span<const Case> cases) {
  std::vector<CaseResult> results(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    results[i].number = cases[i].number;
    results[i].end.kind = RunEnd::Kind::interrupted;
    results[i].end.started = false;
  }
  std::size_t sent = 0;
  run(
      [&]() -> std::optional<Case> {
        if (sent == cases.size()) return {};
        Case task = cases[sent];
        task.number = sent++;
        return task;
      },
      [&](CaseResult result) {
        const std::size_t i = result.number;
        result.number = cases[i].number;
        results[i] = std::move(result);
      });
  return results;
}

std::uint32_t Cases::jobs() const { return hosts_->jobs(); }

}  // namespace tutti
