// SPDX-License-Identifier: BSD-2-Clause
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
  std::set<std::string, std::less<>> warned;

  /// FMUs are opened in several phases; what is found out about one is said once. What an FMU says
  /// itself (with a category) is passed on as it comes.
  bool is_repeated(const LogRecord& record) {
    if (record.severity != Severity::warning || !record.category.empty()) return false;
    std::string text(record.component);
    text.append(1, '\n').append(record.text);
    return !warned.insert(std::move(text)).second;
  }
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
  if (!shared_->is_repeated(record)) shared_->sink(record);
}

void Log::info(std::string_view component, std::string_view text) const {
  write({Severity::info, component, {}, text});
}

void Log::warning(std::string_view component, std::string_view text) const {
  write({Severity::warning, component, {}, text});
}

}  // namespace tutti
