// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <mutex>
#include <set>
#include <string>
#include <tutti/log.hpp>
#include <utility>

namespace tutti {

struct Log::Shared {
  Sink sink;
  Severity least;
  std::mutex mutex;
};

Log::Log(Sink sink, Severity least) : shared_(std::make_shared<Shared>()) {
  shared_->sink = std::move(sink);
  shared_->least = least;
}

bool Log::wants(Severity severity) const {
  return shared_ && shared_->sink && severity >= shared_->least;
}

void Log::write(const LogRecord& record) const {
  if (!wants(record.severity)) return;
  const std::lock_guard lock(shared_->mutex);
  shared_->sink(record);
}

void Log::info(std::string_view component, std::string_view text) const {
  write({Severity::info, component, {}, text});
}

void Log::warning(std::string_view component, std::string_view text) const {
  write({Severity::warning, component, {}, text});
}

Log Log::once() const {
  if (!shared_) return {};
  return Log(
      [log = *this, warned = std::set<std::string>()](const LogRecord& record) mutable {
        const bool may_repeat = record.severity != Severity::warning || !record.category.empty();
        if (may_repeat ||
            warned.insert(fmt::format("{}\n{}", record.component, record.text)).second)
          log.write(record);
      },
      shared_->least);
}

}  // namespace tutti
