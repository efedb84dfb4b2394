// SPDX-License-Identifier: BSD-2-Clause
#include "base/error_codes.hpp"

namespace tutti {
namespace {

constexpr ErrorCodeEntry codes[] = {
    {ErrorCode::usage, "usage", "an invalid option or value",
     "On the command line, in a system file, or in a call of the library. The message names the "
     "option or key and what is allowed. Nothing was loaded or run."},
    {ErrorCode::file, "file", "a file that cannot be read or written",
     "The file is missing or has the wrong format, permissions are missing, or the disk is full. "
     "The message names the file, and the line where it is known."},
    {ErrorCode::archive, "archive", "an FMU archive that is damaged or unsafe",
     "The zip archive cannot be read, contains paths that lead out of it, or unpacks to more than "
     "the limits allow. Options --max-unpacked and --max-ratio raise the limits for FMUs that you "
     "trust."},
    {ErrorCode::description, "description", "a modelDescription.xml that cannot be read",
     "It is not well-formed XML, has an unknown version, or lacks required elements. tutti check "
     "lists the errors with their lines."},
    {ErrorCode::binary, "binary", "a shared library that cannot be loaded or lacks a function",
     "The FMU has no binary for this machine, or its binary needs missing libraries or lacks "
     "functions of the standard. tutti check lists the functions; --compile compiles the sources "
     "of an FMU."},
    {ErrorCode::capability, "capability", "the FMU lacks a required capability",
     "A coupling method or step control needs states that are saved and restored, steps of "
     "variable size, or an interface that the FMU does not have. The message suggests an "
     "alternative; tutti info lists the capabilities of an FMU."},
    {ErrorCode::fmu, "fmu", "an FMU function failed",
     "It returned an error. The message names function, component and time, with the last message "
     "of the FMU. Check the start values and inputs; tutti simulate --fmu-log enables its debug "
     "messages."},
    {ErrorCode::crash, "crash", "the process in which the FMU runs ended unexpectedly",
     "The FMU crashed or ended its process. The results up to that point are in the file. The "
     "message names the call; tutti check --run tries the calls one by one."},
    {ErrorCode::timeout, "timeout", "an FMU did not return in time",
     "A call took longer than --step-timeout, components.NAME.timeout, or --timeout of tutti "
     "check. Raise the limit if the FMU is only slow. The results up to that point are in the "
     "file."},
    {ErrorCode::numeric, "numeric",
     "a value that is not finite, or a method that does not converge",
     "A value became NaN or infinite, an iteration reached its limit, or step control its minimum. "
     "Try a smaller step, another coupling method (tutti advise), or other tolerances."},
    {ErrorCode::interrupted, "interrupted", "stopped by the user",
     "By Ctrl-C or a signal, or by the program that uses the library. The results up to that point "
     "are in the file."},
};
constexpr bool is_in_order() {
  for (std::size_t i = 0; i < std::size(codes); ++i)
    if (static_cast<std::size_t>(codes[i].code) != i) return false;
  return std::size(codes) == static_cast<std::size_t>(ErrorCode::interrupted) + 1;
}
static_assert(is_in_order(), "one row for each value, in their order");

constexpr ExitStatusEntry statuses[] = {
    {0, "the run was completed, or an FMU asked to end it",
     "tutti check: no errors. tutti compare: all variables are within the tolerance."},
    {1, "something failed after time started, or a check found errors",
     "The results up to the failure are in the file. Also: an FMU or a system with errors (tutti "
     "check), a result beyond the tolerance (tutti compare), a run that could not be verified "
     "(--verify), output that could not be written."},
    {2, "rejected before time started",
     "An invalid command line or file, or an FMU that lacks a required capability. The message "
     "names what to change; no result was written."},
    {130, "interrupted", "By Ctrl-C or a signal. The results up to that point are in the file."},
};

}  // namespace

std::span<const ErrorCodeEntry> error_codes() { return codes; }
std::span<const ExitStatusEntry> exit_statuses() { return statuses; }

}  // namespace tutti
