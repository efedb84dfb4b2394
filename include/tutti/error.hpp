// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <stdexcept>
#include <string>
#include <tutti/export.hpp>

namespace tutti {

enum class ErrorCode {
  usage,        ///< an option or value that makes no sense
  file,         ///< a file that cannot be read or written
  archive,      ///< an FMU archive that is damaged or dangerous
  description,  ///< a modelDescription.xml that cannot be understood
  binary,       ///< a shared library that cannot be loaded or lacks a function
  capability,   ///< the FMU cannot do what is asked of it
  fmu,          ///< an FMU function failed
  crash,        ///< the process in which the FMU runs ended unexpectedly
  timeout,      ///< an FMU did not return in time
  numeric,      ///< a value that is not a number, a method that does not converge
  interrupted,  ///< stopped by the user
};

/// What a user must fix or know. The message says what happened, where, and what to try.
class TUTTI_API Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace tutti
