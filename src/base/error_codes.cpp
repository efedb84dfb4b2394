// SPDX-License-Identifier: BSD-2-Clause
#include "base/error_codes.hpp"

namespace tutti {
namespace {

constexpr ErrorCodeEntry codes[] = {
    {ErrorCode::usage, "usage", "an option or value that makes no sense",
     "Of the command line, of a system file, or of a call of the library. The message names the "
     "option or key and what is allowed. Nothing was loaded or run."},
    {ErrorCode::file, "file", "a file that cannot be read or written",
     "It is not there, has the wrong format, permissions are missing or the disk is full. The "
     "message names the file, and the line where one is at fault."},
    {ErrorCode::archive, "archive", "an FMU archive that is damaged or dangerous",
     "The zip archive cannot be read, contains paths that lead out of it, or unpacks to more than "
     "the limits allow. Options --max-unpacked and --max-ratio raise the limits for FMUs that you "
     "trust."},
    {ErrorCode::description, "description", "a modelDescription.xml that cannot be understood",
     "It is no XML, is of an unknown version, or lacks what no importer can do without. tutti "
     "check lists what is wrong, with the lines."},
    {ErrorCode::binary, "binary", "a shared library that cannot be loaded or lacks a function",
     "The FMU has no binary for this machine, or one that needs other libraries or misses "
     "functions of the standard. tutti check lists the functions; --compile compiles the sources "
     "of an FMU."},
    {ErrorCode::capability, "capability", "the FMU cannot do what is asked of it",
     "A coupling method or step control needs states that are saved and restored, steps of "
     "variable size, or an interface that the FMU does not have. The message says what would do "
     "instead; tutti info lists what an FMU can do."},
    {ErrorCode::fmu, "fmu", "an FMU function failed",
     "It returned an error. The message names function, component and time, with the last message "
     "of the FMU. Look at the start values and inputs; tutti simulate --fmu-log switches its debug "
     "messages on."},
    {ErrorCode::crash, "crash", "the process in which the FMU runs ended unexpectedly",
     "The FMU crashed or ended its process. Results up to there are in the file. The message names "
     "the call; tutti check --run tries the calls one by one."},
    {ErrorCode::timeout, "timeout", "an FMU did not return in time",
     "A call took longer than --step-timeout, components.NAME.timeout, or --timeout of tutti "
     "check. Raise the limit if the FMU is only slow. Results up to there are in the file."},
    {ErrorCode::numeric, "numeric",
     "a value that is not a number, or a method that does not converge",
     "A value became NaN or infinite, an iteration reached its limit, or step control its minimum. "
     "Try a smaller step, another coupling method (tutti advise), or other tolerances."},
    {ErrorCode::interrupted, "interrupted", "stopped by the user",
     "By Ctrl-C or a signal, or by the program that uses the library. Results up to there are in "
     "the file."},
};
constexpr bool is_in_order() {
  for (std::size_t i = 0; i < std::size(codes); ++i)
    if (static_cast<std::size_t>(codes[i].code) != i) return false;
  return std::size(codes) == static_cast<std::size_t>(ErrorCode::interrupted) + 1;
}
static_assert(is_in_order(), "one row for each value, in their order");

constexpr ExitStatusEntry statuses[] = {
    {0, "the run was completed, or an FMU asked to end it",
     "Of tutti check: no errors. Of tutti compare: all variables are within the tolerance."},
    {1, "something failed after time started, or a check found errors",
     "Results up to the failure are in the file. Also: an FMU or a system with errors (tutti "
     "check), a "
     "result beyond the tolerance (tutti compare), a run that could not be verified (--verify), "
     "output "
     "that could not be written."},
    {2, "refused before time started",
     "The command line, a file, or an FMU that cannot do what is asked. The message says what to "
     "change; "
     "no result was written."},
    {130, "interrupted", "By Ctrl-C or a signal. Results up to there are in the file."},
};

}  // namespace

std::span<const ErrorCodeEntry> error_codes() { return codes; }
std::span<const ExitStatusEntry> exit_statuses() { return statuses; }

}  // namespace tutti
