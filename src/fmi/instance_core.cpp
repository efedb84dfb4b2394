// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/instance_core.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "base/text.hpp"

namespace tutti::fmi {
namespace {

constexpr std::uint64_t shown_warnings = 5;  // per function

/// "fmi2Error"; for invalid values: "-1, which is not a status of FMI 2.0"
std::string status_text(int status, FmiVersion version) {
  constexpr const char* names[] = {"OK", "Warning", "Discard", "Error", "Fatal", "Pending"};
  const int known = version == FmiVersion::v3 ? status::fatal : status::pending;
  if (status < 0 || status > known)
    return fmt::format("{}, which is not a status of FMI {}", status, to_string(version));
  const char* const prefix = version == FmiVersion::v1   ? "fmi"
                             : version == FmiVersion::v2 ? "fmi2"
                                                         : "fmi3";
  return fmt::format("{}{}", prefix, names[status]);
}

constexpr std::pair<std::uint32_t, const char*> mode_names[] = {
    {mode::instantiated, "instantiated"},
    {mode::configuration, "in configuration mode"},
    {mode::initialization, "in initialization mode"},
    {mode::step, "in step mode"},
    {mode::step_inputs_set, "in step mode with inputs set, before the step"},
    {mode::event_due, "due to enter event mode"},
    {mode::event, "in event mode"},
    {mode::continuous_time, "in continuous-time mode"},
    {mode::terminated, "terminated"},
    {mode::failed, "out of use after an error"},
    {mode::dead, "out of use after a fatal error"},
};

const char* mode_name(std::uint32_t mode) {
  for (const auto& [known, name] : mode_names)
    if (known == mode) return name;
  return "inside an intermediate update that does not allow it";
}

Severity severity_of(int status) {
  if (status == status::warning || status == status::discard) return Severity::warning;
  if (status == status::error || status == status::fatal) return Severity::error;
  return Severity::info;
}

OncePerProcess place_for(const InstanceSetup& setup, const std::string& name) {
  if (!setup.capabilities->only_once_per_process) return {};
  return {setup.description->token, setup.capabilities->model_identifier, name};
}

}  // namespace

InstanceCore::InstanceCore(const InstanceSetup& setup, const InstanceOptions& options)
    : setup_(setup),
      name_(options.name),
      place_(place_for(setup, options.name)),
      corrupted_(&setup.library->corrupted),
      messages_(*setup.description, calls_) {
  if (name_.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw std::logic_error("an FMU instance needs a name");
  }
}

InstanceCore::~InstanceCore() {
  for (const Warnings& w : warnings_) {
    if (w.count <= shown_warnings) continue;
    setup_.log.warning(name_, fmt::format("{} returned {} more warnings, which are not shown",
                                          w.function, w.count - shown_warnings));
  }
}

std::string InstanceCore::who() const {
  return fmt::format("component \"{}\" (FMI {})", name_, to_string(description().version));
}

std::string InstanceCore::when() const {
  return std::isfinite(now()) ? fmt::format(" at t = {:.13g} s", now()) : "";
}

std::string InstanceCore::with_name(std::string_view text) const {
  return fmt::format("{}: {}", who(), text);
}

Error InstanceCore::error(ErrorCode code, const std::string& text, ErrorDetails details) const {
  ErrorDetails own{.component = name_};
  if (std::isfinite(now())) own.time = now();
  return Error(code, text, std::move(details)).of(who()).with(own);
}

void InstanceCore::refuse(const char* what) const {
  if (*corrupted_ && mode_ != mode::dead) {
    throw error(ErrorCode::fmu,
                "another instance of this FMU failed fatally, and then the standard allows no "
                "further call for any of its instances");
  }
  throw std::logic_error(with_name(fmt::format("{} called while {}", what, mode_name(mode_))));
}

void InstanceCore::cannot(const std::string& text) const {
  throw error(ErrorCode::capability, text);
}

void InstanceCore::missing(const char* function, const char* capability) const {
  const std::string file = setup_.library->file().filename().string();
  throw error(ErrorCode::binary,
              *capability
                  ? fmt::format("the FMU declares {}=\"true\", but {} lacks the function {}",
                                capability, file, function)
                  : fmt::format("{} lacks the function {}", file, function));
}

void InstanceCore::breach_missing(const char* function) {
  warn_once(fmt::format("{} lacks the function {}, which every FMU must have",
                        setup_.library->file().filename().string(), function));
}

void InstanceCore::warn_once(const std::string& text) const {
  if (setup_.library->is_first_report(text)) setup_.log.warning(name_, text);
}

// The state of the FMU is undefined after this, so it is an error.
void InstanceCore::escaped(const char* function) {
  mode_ = mode::failed;
  keep_float_control(function);
  std::string what = "of unknown type";
  try {
    throw;
  } catch (const std::exception& thrown) {
    what = fmt::format("\"{}\"", thrown.what());
  } catch (...) {
  }
  throw error(ErrorCode::fmu,
              fmt::format("{} let a C++ exception escape{}: {}", function, when(), what));
}

void InstanceCore::warn_of(const std::exception& thrown) const noexcept {
  try {
    const auto* const ours = dynamic_cast<const Error*>(&thrown);
    setup_.log.warning(name_, ours != nullptr ? ours->record().text : thrown.what());
  } catch (...) {  // the log failed
  }
}

void InstanceCore::judge(int result, const char* function, double h) {
  if (result == status::warning) return warn(function);
  if (result == status::discard) throw Discarded(failure(result, function, h));
  mode_ = mode::failed;
  if (result == status::fatal) {
    mode_ = mode::dead;
    *corrupted_ = true;
  }
  throw failure(result, function, h);
}

Error InstanceCore::failure(int result, const char* function, double h) {
  std::string text =
      fmt::format("{} failed ({}){}", function, status_text(result, description().version), when());
  if (std::isfinite(h)) text += fmt::format(", h = {:.13g} s", h);
  if (result == status::pending && description().version != FmiVersion::v3)
    text += "; only doStep may return that";
  const std::string logged = messages_.list();
  if (!logged.empty()) text += ": " + logged;
  return error(ErrorCode::fmu, text);
}

void InstanceCore::warn(const char* function) {
  ++counts().warnings;
  auto found = std::ranges::find(warnings_, function, &Warnings::function);
  if (found == warnings_.end()) found = warnings_.insert(found, {function, 0});
  if (++found->count > shown_warnings) return;
  setup_.log.warning(name_, fmt::format("{} returned a warning{}", function, when()));
}

void InstanceCore::breach(const char* rule) {
  if (std::ranges::find(breaches_, rule) != breaches_.end()) return;
  breaches_.push_back(rule);
  warn_once(rule);
}

void InstanceCore::report_changes(const std::string& changed, const char* phase) const {
  if (changed.empty()) return;
  warn_once(fmt::format("{} changed {}; restored", phase, changed));
}

// Some FMUs do that in every call: warn once.
void InstanceCore::restore_float_control(const char* function) {
  const std::string changed = list_changes(float_control_.restore());
  if (std::exchange(reported_float_control_, true)) return;
  warn_once(fmt::format("{} changed {}; restored, now and whenever that happens again", function,
                        changed));
}

void InstanceCore::log_fmu_message(int status, const char* category,
                                   const std::string& message) noexcept {
  try {
    const Severity severity = severity_of(status);
    const bool keep = severity >= Severity::warning;
    if (!keep && !setup_.log.wants(severity)) return;
    const std::string text = messages_.add(message, keep);
    if (text.empty()) return;
    setup_.log.write({severity, name_, category ? category : "", text});
  } catch (...) {  // must not unwind the FMU's stack frames: the message is dropped
  }
}

void InstanceCore::set_component(void* component) {
  component_ = component;
  if (component) {
    mode_ = mode::instantiated;
    return;
  }
  std::string text = "the FMU could not be instantiated";
  const std::string logged = messages_.list();
  text += logged.empty()
              ? " and logged no reason. Possible causes: the GUID or instantiation token "
                "in modelDescription.xml differs from that of the binary, or a resource "
                "or licence is missing."
              : ": " + logged;
  if (capabilities().needs_execution_tool) {
    text += " (The FMU needs the tool that exported it: is it installed and licensed?)";
  }
  throw error(ErrorCode::fmu, text);
}

}  // namespace tutti::fmi
