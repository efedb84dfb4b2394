// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fmt/format.h>

#include <memory>
#include <set>
#include <string>
#include <tutti/log.hpp>

namespace tutti::session {

/// The log of many runs of the same systems: each message once, and not without limit, because
/// texts may contain values.
inline Log log_of_cases(const Log& log) {
  constexpr std::size_t most = 1000;
  const Severity least = log.wants(Severity::debug)  ? Severity::debug
                         : log.wants(Severity::info) ? Severity::info
                                                     : Severity::warning;
  return Log(
      [log, known = std::make_shared<std::set<std::string>>()](const LogRecord& record) {
        if (known->size() >= most) return;
        if (!known
                 ->insert(fmt::format("{}\n{}\n{}", record.component, record.category, record.text))
                 .second)
          return;
        log.write(record);
        if (known->size() == most)
          log.info("", "there are more messages of these runs, which are not shown");
      },
      least);
}

}  // namespace tutti::session
