// SPDX-License-Identifier: BSD-2-Clause
#include "search_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tutti/error.hpp>
#include <tutti/search.hpp>

#include "system_inputs.hpp"

namespace tutti::cli {

OpenStudy open_study(const SearchCommand& command, Console& console) {
  OpenStudy open{read_study(command.study, console.log()), {}};
  open.inputs = study_inputs(open.study, command.control.open);
  return open;
}

void prepare_search(SearchCommand& command, Console& console) {
  SearchControl& control = command.control;
  control.stop_request = &interrupted();
  control.kill_request = &killed();
  prepare_opening(control.open);
  control.searching = [&console](const SearchProgress& progress) {
    const std::string best =
        std::isnan(progress.best) ? "" : fmt::format(", best objective {:.6g}", progress.best);
    console.status(fmt::format("{} of at most {} evaluations{}", progress.evaluations,
                               progress.max_evaluations, best));
  };
}

bool write_found(const SearchSummary& search, const Study& study, const std::filesystem::path& file,
                 Console& console) {
  if (file.empty() || search.parameters.empty()) return true;
  try {
    write_values(file, values_of(search), comment_of(search, study.file.filename().string()));
    console.note(fmt::format("values in \"{}\"", file.string()));
    return true;
  } catch (const Error& error) {
    console.error(error);
    return false;
  }
}

int search_status(const SearchSummary& search, Console& console) {
  switch (search.end) {
    case SearchOutcome::converged:
      return 0;
    case SearchOutcome::limit: {
      const std::vector<SearchMethodInfo> methods = search_methods();
      const auto method = std::ranges::find(methods, search.method, &SearchMethodInfo::name);
      return method != methods.end() && method->is_global ? 0 : 1;
    }
    case SearchOutcome::interrupted:
      return 130;
    case SearchOutcome::failed:
      if (search.error) console.error(*search.error);
      return 1;
  }
  return 1;
}

}  // namespace tutti::cli
