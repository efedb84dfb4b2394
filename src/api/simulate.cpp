// SPDX-License-Identifier: BSD-2-Clause
#include "api/execute.hpp"

namespace tutti {

RunReport simulate(const SimulateOptions& options, RecordSink* sink, const Log& log) {
  api::RoutedLog routed(log);
  api::RunSetup setup = api::prepare_run(options, routed.log());
  return api::execute(options, setup, sink, log, routed);
}

}  // namespace tutti
