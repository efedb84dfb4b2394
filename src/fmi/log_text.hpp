// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdarg>
#include <cstdint>
#include <string>
#include <string_view>
#include <tutti/model_description.hpp>
#include <unordered_map>

namespace tutti::fmi {

/// A printf format that can do less harm: %n (which writes to memory) and what printf does not know
/// (also a lone % as in "100%") come out as text.
std::string harmless_format(std::string_view format);

/// The text of a printf-style log message of FMI 1.0 and 2.0; null gives an empty text, very long
/// ones are cut. Many FMUs pass finished text as the format. If that contains, say, %d, a number
/// that means nothing is shown; if it contains %s, a pointer is read that was never passed. Nobody
/// can tell that from a proper call.
std::string format_message(const char* format, std::va_list arguments);

/// Puts names into log messages: #r12# (1.0, 2.0: r, i, b, s and the value reference) or #12# (3.0)
/// is the name of that variable, ## is #. What refers to no variable stays as it is.
class ReferenceNames {
 public:
  explicit ReferenceNames(const ModelDescription& description) : description_(&description) {}
  std::string replace(std::string_view message);

 private:
  const std::string* find(std::string_view reference);
  const ModelDescription* description_;
  /// By kind letter and value reference; filled when the first reference is seen.
  std::unordered_map<std::uint64_t, const std::string*> names_;
};

}  // namespace tutti::fmi
