// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <tutti/export.hpp>

namespace tutti {

enum class Severity { debug, info, warning, error };

struct LogRecord {
  Severity severity{};
  std::string_view component;  ///< instance that speaks or is spoken of; empty: Tutti itself
  std::string_view category;   ///< the FMU's log category; empty for our own messages
  std::string_view text;
};

/// Where messages go. A copy shares the sink; calls from several threads are serialised.
/// The library never prints: without a sink, messages are dropped.
class TUTTI_API Log {
 public:
  using Sink = std::function<void(const LogRecord&)>;

  Log() = default;
  explicit Log(Sink sink, Severity least = Severity::info);

  void write(const LogRecord& record) const;
  void info(std::string_view component, std::string_view text) const;
  void warning(std::string_view component, std::string_view text) const;
  bool wants(Severity severity) const;
  /// The same, but a warning of the library comes once: an FMU is opened in several phases, each of
  /// which finds out the same. What FMUs say (with a category) is passed on as it comes.
  Log once() const;

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

}  // namespace tutti
