// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tutti/export.hpp>
#include <vector>

namespace tutti {

enum class ErrorCode {
  usage,        ///< an invalid option or value
  file,         ///< a file that cannot be read or written
  archive,      ///< an FMU archive that is damaged or dangerous
  description,  ///< an invalid modelDescription.xml
  binary,       ///< a shared library that cannot be loaded or lacks a function
  capability,   ///< the FMU lacks a required capability
  fmu,          ///< an FMU function failed
  crash,        ///< the process in which the FMU runs ended unexpectedly
  timeout,      ///< an FMU did not return in time
  numeric,      ///< a NaN, or a method that does not converge
  interrupted,  ///< stopped by the user
};
TUTTI_API std::string_view to_string(ErrorCode code);  ///< "usage"

/// Where an error happened and what to try, as far as known. The message contains the same in
/// words; these fields are for programs.
struct ErrorDetails {
  std::string component{};
  std::string variable{};        ///< of the component
  std::optional<double> time{};  ///< simulated time, s
  std::string file{};
  std::uint32_t line = 0, column = 0;  ///< of the file, starting at 1; 0: unknown
  /// The key of the system file to look at, "simulation.step", or the name of an option that system
  /// files do not have, "step-timeout".
  std::string key{};
  std::string hint{};  ///< what to try, one or more sentences
};

/// Calls action(name, field) for each of them.
template <class Details, class Action>
void for_each_field(Details& details, const Action& action) {
  action("component", details.component), action("variable", details.variable);
  action("time", details.time), action("file", details.file), action("line", details.line);
  action("column", details.column), action("key", details.key), action("hint", details.hint);
}

/// The content of an error, to store or send it.
struct ErrorRecord {
  ErrorCode code{};
  std::string message{};  ///< `%key%` in it stands for the key
  std::string text{};     ///< the message without the place: what happened, what to try
  ErrorDetails details{};
};

/// An error that the user must fix or know. what() states what happened, where, and what to try.
class TUTTI_API Error : public std::runtime_error {
 public:
  /// what() is `file:line:column: t = 1.5 s: text. hint`, without missing parts. The text names
  /// component, variable and key; `%key%` in text or hint stands for the key.
  Error(ErrorCode code, const std::string& text, ErrorDetails details = {});
  /// Several errors found together: what() has one line for each, the fields are those of the
  /// first.
  Error(ErrorCode code, std::vector<Error> parts);
  explicit Error(ErrorRecord record);
  Error(const Error&) = default;
  Error& operator=(const Error&) = default;

  ErrorCode code() const noexcept { return code_; }
  const ErrorDetails& details() const noexcept;
  const ErrorRecord& record() const noexcept;
  /// Not empty: the errors found together.
  const std::vector<Error>& parts() const noexcept;

  /// what() with other names for keys, for example those of command line options.
  using KeyName = std::function<std::string(const ErrorDetails&)>;
  std::string message(const KeyName& name) const;

  Error as(ErrorCode code) const;
  /// The same message with further fields, which its text names already. Known fields do not
  /// change.
  Error with(const ErrorDetails& more) const;
  /// The same error as a part of something larger: what() is `file:line: context: what()`, with the
  /// file of `more`, which replaces that of the error. Other known fields do not change.
  Error within(const std::string& context, const ErrorDetails& more = {}) const;
  /// what() is `subject: what()`, but record().text does not change: the subject is part of the
  /// place.
  Error of(const std::string& subject, const ErrorDetails& more = {}) const;

 private:
  struct Data;
  Error(ErrorRecord record, std::vector<Error> parts);
  ErrorCode code_;
  std::shared_ptr<const Data> data_;  // copying an exception must not throw
};

}  // namespace tutti
