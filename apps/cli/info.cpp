// SPDX-License-Identifier: BSD-2-Clause
#include "info.hpp"

#include <cstdio>

#include "console.hpp"
#include "file_kind.hpp"

namespace tutti::cli {

int info(const std::filesystem::path& fmu, bool json, bool all, const FmuOptions& options,
         const Log& log) {
  expect_kind("info", FileKind::fmu, fmu);
  const ModelDescription description = read_description(fmu, options, log);
  const FmuContents contents = list_contents(fmu, options);
  if (json)
    put_json(stdout, info_json(description, contents));
  else
    print_text(stdout, info_text(fmu, description, contents, all));
  return std::fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace tutti::cli
