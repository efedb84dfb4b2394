// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <tutti/system_run.hpp>

#include "session/execute.hpp"
#include "session/prepared_system.hpp"
#include "session/verify.hpp"
#include "system/package_paths.hpp"

namespace tutti {

RunReport run(const System& system, const SystemRunOptions& given, Observer* sink, const Log& log) {
  SystemRunOptions options = given;
  const auto is_class = [](const Component& component) { return component.model != nullptr; };
  if (std::any_of(system.components.begin(), system.components.end(), is_class)) {
    if (options.verify)
      throw Error(
          ErrorCode::capability,
          "%key% runs the system a second time in another process, in which objects of this "
          "program (Component::model) cannot be used",
          {.key = "verify"});
    if (options.own_process)
      log.info("", "components that are C++ classes: all run in this process, FMUs too");
    options.own_process = false;  // what an object of the caller does, the caller is to see
  }
  if (options.verify) return session::run_and_verify(system, options, sink, log);
  const system::PackagePaths paths(system);
  RunReport report = paths.during([&] {
    const Log shown = paths.shown(log.once());
    session::RoutedLog routed(shown);
    const auto prepared = session::prepare_run(system, options, routed.log());
    session::RunSetup setup = prepared->setup();
    return session::execute(options, setup, sink, shown, routed);
  });
  if (report.end.error) report.end.error = paths.shown(*report.end.error);
  return report;
}

}  // namespace tutti
