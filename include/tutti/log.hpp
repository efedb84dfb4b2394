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
  std::string_view component;  ///< instance that sent or caused the message; empty: Tutti
  std::string_view category;   ///< the FMU's log category; empty: a message of Tutti
  std::string_view text;
};

/// The target of messages. Copies share the sink; calls from several threads are serialised.
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
  /// The same, but repeated warnings of the library are dropped: an FMU is opened in several phases
  /// with the same warnings. Messages of FMUs (with a category) are all passed on.
  Log once() const;

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

}  // namespace tutti
