// SPDX-License-Identifier: BSD-2-Clause
#include "studies/sweep/sweep_summary.hpp"

#include <map>

#include "studies/sweep/sobol_indices.hpp"
#include "studies/sweep/sweep_table.hpp"

namespace tutti::studies {
namespace {

/// The message without the time at which the run failed: runs fail for the same reason at different
/// times.
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
  std::map<std::string, std::uint64_t> messages;
  for (StoredRow row; reader.next(row);) {
    if (!row.has_failed()) continue;
    ++report.failed;
    const std::string reason = reason_of(split_row(row.line).back());
    if (const auto found = messages.find(reason); found != messages.end())
      ++found->second;
    else if (messages.size() < most_messages)
      messages.emplace(reason, 1);
  }
  report.rows = reader.rows();
  for (const auto& [message, count] : messages)
    if (count > report.same_error) {
      report.message = message;
      report.same_error = count;
    }
  const bool is_complete = report.rows == meta.runs && meta.parts == 1;
  if (meta.has_indices && is_complete && report.failed < report.rows) add_indices(meta, report);
}

}  // namespace tutti::studies
