// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <tutti/sweep.hpp>

#include "base/file_error.hpp"
#include "base/text.hpp"
#include "studies/sweep/sweep_meta.hpp"
#include "studies/sweep/sweep_summary.hpp"
#include "studies/sweep/sweep_table.hpp"

namespace tutti {
namespace studies {
namespace {

namespace fs = std::filesystem;

/// One of the tables, at its next row.
struct PartTable {
  PartTable(const fs::path& path, SweepMeta description)
      : file(path),
        meta(std::move(description)),
        reader(path, table_header(meta.columns())),
        has_row(reader.next(row)) {}

  /// @throws Error(usage) at its end, if rows are missing
  void advance() {
    const std::uint64_t last = row.run;
    has_row = reader.next(row);
    if (has_row && row.run <= last)
      throw file_error(
          file, ErrorCode::usage,
          fmt::format("\"{}\" is not complete: its rows are not in order", file.string()),
          {.hint = "Continue it: tutti sweep with --continue."});
  }
  void check_complete() const {
    if (reader.rows() == meta.part_runs()) return;
    throw file_error(file, ErrorCode::usage,
                     fmt::format("\"{}\" is not complete: it has {} of {} rows", file.string(),
                                 reader.rows(), meta.part_runs()),
                     {.hint = fmt::format("Continue it: tutti sweep {}{}{} --continue", meta.study,
                                          part_option(), output_option())});
  }

  std::string part_option() const {
    return meta.parts == 1 ? "" : fmt::format(" --part {}/{}", meta.part, meta.parts);
  }
  /// Empty: the table has the name that follows from the study.
  std::string output_option() const {
    std::string name = file.filename().string();
    const std::string part = fmt::format(".part-{}-of-{}", meta.part, meta.parts);
    if (const std::size_t at = name.rfind(part); meta.parts > 1 && at != name.npos)
      name.erase(at, part.size());
    if (name == fs::path(meta.study).stem().string() + ".csv") return "";
    return fmt::format(" -o \"{}\"", (file.parent_path() / name).string());
  }

  fs::path file;
  SweepMeta meta;
  SweepReader reader;
  StoredRow row;
  bool has_row;
};
using PartTables = std::vector<std::unique_ptr<PartTable>>;

PartTables open_parts(std::span<const fs::path> files) {
  PartTables parts;
  for (const fs::path& file : files) {
    const std::optional<SweepMeta> meta = read_meta(file);
    if (!meta)
      throw file_error(file, ErrorCode::usage,
                       fmt::format("\"{}\" is not a table of a sweep: \"{}\" does not describe one",
                                   file.string(), metadata_path(file).string()));
    if (!parts.empty()) {
      const SweepMeta& first = parts.front()->meta;
      if (meta->identity != first.identity)
        throw file_error(file, ErrorCode::usage,
                         fmt::format("\"{}\" and \"{}\" are parts of different sweeps: {}",
                                     files.front().string(), file.string(),
                                     difference_of(first.identity, meta->identity)));
      if (meta->parts != first.parts)
        throw file_error(
            file, ErrorCode::usage,
            fmt::format("\"{}\" is one of {}, but \"{}\" one of {}", files.front().string(),
                        counted(first.parts, "part"), file.string(), meta->parts));
    }
    parts.push_back(std::make_unique<PartTable>(file, *meta));
  }
  return parts;
}

void check_all_there(const PartTables& parts) {
  const SweepMeta& first = parts.front()->meta;
  std::set<std::uint64_t> known;
  for (const auto& part : parts) known.insert(part->meta.part);
  const std::uint64_t count = first.parts - known.size();
  if (count == 0) return;
  constexpr std::size_t most_named = 20;
  std::vector<std::string> missing;
  for (std::uint64_t i = 1; i <= first.parts && missing.size() < most_named; ++i)
    if (!known.contains(i)) missing.push_back(fmt::format("{}", i));
  const char* const more = missing.size() < count ? ", ..." : "";
  throw Error(ErrorCode::usage,
              fmt::format("of {} parts of the sweep, {} {} missing: {}{}", first.parts, count,
                          count == 1 ? "is" : "are", list_some(missing), more));
}

/// The row with the lowest number; null: there are no more.
PartTable* first_of(const PartTables& parts) {
  PartTable* first = nullptr;
  for (const auto& part : parts)
    if (part->has_row && (first == nullptr || part->row.run < first->row.run)) first = part.get();
  return first;
}

/// A table that is given twice is one part, if its rows are equal.
void merge_rows(const PartTables& parts, SweepWriter& writer) {
  std::uint64_t last = 0;
  std::string line;
  for (PartTable* part = first_of(parts); part != nullptr; part = first_of(parts)) {
    const std::uint64_t run = part->row.run;
    const bool is_repeated = !line.empty() && run == last;
    if (is_repeated && line != part->row.line)
      throw file_error(part->file, ErrorCode::usage,
                       fmt::format("run {} is in several tables, with different values: \"{}\"",
                                   run + 1, part->file.string()));
    line = part->row.line;
    last = run;
    if (!is_repeated) {
      writer.expect(run);
      writer.add(run, line);
      writer.flush();
    }
    part->advance();
  }
  for (const auto& part : parts) part->check_complete();
}

}  // namespace
}  // namespace studies

SweepReport merge_sweeps(std::span<const std::filesystem::path> parts,
                         const std::filesystem::path& results) {
  using namespace studies;
  if (parts.empty()) throw Error(ErrorCode::usage, "there are no tables to merge");
  check_table(results);
  const PartTables tables = open_parts(parts);
  check_all_there(tables);
  SweepMeta meta = tables.front()->meta;
  meta.part = meta.parts = 1;
  SweepReport report;
  report.results = results;
  report.runs = meta.runs;
  const fs::path unfinished = results.string() + ".part";
  try {
    SweepWriter writer(unfinished);
    writer.begin(table_header(meta.columns()));
    merge_rows(tables, writer);
    writer.finish();
    std::error_code failed;
    fs::rename(unfinished, results, failed);
    if (failed) throw write_error(results, {}, failed.message());
  } catch (...) {
    std::error_code none;
    fs::remove(unfinished, none);
    throw;
  }
  write_meta(results, meta);
  summarize(meta, report);
  return report;
}

}  // namespace tutti
