// SPDX-License-Identifier: BSD-2-Clause
#include "info.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <tutti/error.hpp>
#include <tutti/structure.hpp>

#include "file_kind.hpp"

namespace tutti::cli {
namespace {

int info_of_results(const InfoRequest& request, Console& console) {
  if (request.structure)
    throw Error(ErrorCode::usage, fmt::format("\"{}\" is a result file: --structure is for FMUs",
                                              request.file.string()));
  const ResultTable table = read_results(request.file);
  for (const std::string& note : table.notes) console.note(note);
  if (request.json)
    put_json(stdout, results_json(table));
  else
    print_text(stdout, results_text(table, request.all));
  return std::fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace

int info(const InfoRequest& request, const FmuOptions& options, Console& console) {
  if (kind_of(request.file) == FileKind::result) return info_of_results(request, console);
  expect_kind("info", FileKind::fmu, request.file);
  const ModelDescription description = read_description(request.file, options, console.log());
  if (request.structure) {
    if (request.json)
      put_json(stdout, structure_json(description));
    else
      print_text(stdout, structure_text(description));
    return std::fflush(stdout) == 0 ? 0 : 1;
  }
  const FmuContents contents = list_contents(request.file, options);
  if (request.json)
    put_json(stdout, info_json(description, contents));
  else
    print_text(stdout, info_text(request.file, description, contents, request.all));
  return std::fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace tutti::cli
