// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdarg>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <tutti/model_description.hpp>
#include <unordered_map>
#include <vector>

#include "fmi/call_counter.hpp"

namespace tutti::fmi {

/// A safer printf format: %n (which writes to memory) and unknown conversions (also a single % as
/// in "100%") become literal text.
std::string harmless_format(std::string_view format);

/// The text of a printf-style log message of FMI 1.0 and 2.0; null gives an empty text, very long
/// ones are cut. Many FMUs pass finished text as the format. If it contains %d, a meaningless
/// number is shown; if it contains %s, a pointer is read that was never passed. This cannot be
/// distinguished from a correct call.
std::string format_message(const char* format, std::va_list arguments);

/// Puts names into log messages: #r12# (1.0, 2.0: r, i, b, s and the value reference) or #12# (3.0)
/// is the name of that variable, ## is #. Other references are unchanged.
class ReferenceNames {
 public:
  explicit ReferenceNames(const ModelDescription& description) : description_(&description) {}
  std::string replace(std::string_view message);

 private:
  const std::string* find(std::string_view reference);
  const ModelDescription* description_;
  /// By kind letter and value reference; filled at the first reference.
  std::unordered_map<std::uint64_t, const std::string*> names_;
};

/// The warnings and errors that an FMU logs in a call, for the text of an error. They may come from
/// any thread.
class CallMessages {
 public:
  /// @pre both outlive this object
  CallMessages(const ModelDescription& description, const CallCounter& counter)
      : counter_(counter), names_(description) {}

  /// The message to show; "": none. @param keep stores it for list()
  std::string add(std::string_view message, bool keep);
  /// The messages stored in the present call.
  std::string list();

 private:
  const CallCounter& counter_;
  std::mutex mutex_;
  ReferenceNames names_;
  std::uint64_t call_ = 0;          ///< number of the call in which...
  std::vector<std::string> texts_;  ///< ...the FMU logged these
};

}  // namespace tutti::fmi
