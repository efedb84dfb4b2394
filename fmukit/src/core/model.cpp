// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

#include <cstdarg>
#include <cstdio>
#include <stdexcept>

namespace fmukit {

StepResult Model::do_step(double) { throw std::logic_error("the model does not override do_step"); }

void Model::integrate(double) { throw std::logic_error("the model does not override integrate"); }

void Model::log(Log kind, const char* format, ...) const {
  if (!host_) return;
  std::va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int size = std::vsnprintf(nullptr, 0, format, arguments);
  std::string message(size > 0 ? static_cast<std::size_t>(size) : 0, '\0');
  std::vsnprintf(message.data(), message.size() + 1, format, again);
  va_end(again);
  va_end(arguments);
  host_->log(kind, message);
}

void Model::request_termination() const {
  if (host_) host_->request_termination();
}
std::string Model::instance_name() const { return host_ ? host_->instance_name() : ""; }
std::string Model::resource_path() const { return host_ ? host_->resource_path() : ""; }
bool Model::intermediate_update(double t) const { return host_ && host_->intermediate_update(t); }
void Model::finish_step(StepResult result, bool notify) const {
  if (host_) host_->finish_step(result, notify);
}

}  // namespace fmukit
