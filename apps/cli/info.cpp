// SPDX-License-Identifier: BSD-2-Clause
#include "info.hpp"

#include <cstdio>
#include <tutti/structure.hpp>

#include "console.hpp"
#include "file_kind.hpp"

namespace tutti::cli {

int info(const InfoRequest& request, const FmuOptions& options, const Log& log) {
  expect_kind("info", FileKind::fmu, request.fmu);
  const ModelDescription description = read_description(request.fmu, options, log);
  if (request.structure) {
    if (request.json)
      put_json(stdout, structure_json(description));
    else
      print_text(stdout, structure_text(description));
    return std::fflush(stdout) == 0 ? 0 : 1;
  }
  const FmuContents contents = list_contents(request.fmu, options);
  if (request.json)
    put_json(stdout, info_json(description, contents));
  else
    print_text(stdout, info_text(request.fmu, description, contents, request.all));
  return std::fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace tutti::cli
