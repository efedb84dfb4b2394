// SPDX-License-Identifier: BSD-2-Clause
#include "studies/sweep/sweep_summary.hpp"

#include <map>

#include "studies/failure_kind.hpp"
#include "studies/sweep/sobol_indices.hpp"
#include "studies/sweep/sweep_table.hpp"

namespace tutti::studies {
namespace {

/// The message without the time at which the run failed.
std::string reason_of(const std::string& message) {
  constexpr std::string_view start = "t = ", end = " s: ";
  if (!message.starts_with(start)) return message;
  const std::size_t at = message.find(end);
  return at == message.npos ? message : message.substr(at + end.size());
}

}  // namespace

void summarize(const SweepMeta& meta, SweepReport& report) {
  constexpr std::size_t most_messages = 1000;
  SweepReader reader(report.results, table_header(meta.columns()));
  struct Failures {
    std::string example;  // without its time
    std::uint64_t count = 0;
  };
  std::map<std::string, Failures> failures;
  for (StoredRow row; reader.next(row);) {
    if (!row.has_failed()) continue;
    ++report.failed;
    const std::string reason = reason_of(split_row(row.line).back());
    const std::string kind = failure_kind(reason);
    if (const auto found = failures.find(kind); found != failures.end())
      ++found->second.count;
    else if (failures.size() < most_messages)
      failures.emplace(kind, Failures{reason, 1});
  }
  report.rows = reader.rows();
  for (const auto& [kind, same] : failures)
    if (same.count > report.same_error) {
      report.message = same.example;
      report.same_error = same.count;
    }
  const bool is_complete = report.rows == meta.runs && meta.parts == 1;
  if (meta.has_indices && is_complete && report.failed < report.rows) add_indices(meta, report);
}

}  // namespace tutti::studies
