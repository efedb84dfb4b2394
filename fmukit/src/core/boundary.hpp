// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/instance.hpp"

/// A function of the C interface. Weak, so that a model may replace it.
#define FMUKIT_API extern "C" __attribute__((visibility("default"), weak))

namespace fmukit {

/// The frame of every function of the C interface that works on an instance: phase check, then the
/// body (which returns a fmukit::Status), with exceptions turned into an error. C is the class
/// behind the handle, S the version's own status type.
template <class C, class S, class Body>
inline S call(void* handle, const char* function, Phases allowed, Body&& body) {
  if (!handle) return static_cast<S>(Status::error);
  C& instance = *static_cast<C*>(handle);
  try {
    if (!instance.in(allowed)) [[unlikely]] {
      if (!instance.settle() || !instance.in(allowed))
        return static_cast<S>(instance.refuse(function));
    }
    return static_cast<S>(body(instance));
  } catch (...) {
    return static_cast<S>(instance.caught(function));
  }
}

/// True if this process may have another instance; once_per_process models are counted.
bool claim_process(const ModelInfo& info);
void release_process(const ModelInfo& info);

/// The end of an instance; C is the class behind the handle.
template <class C>
void free_handle(void* handle) {
  if (!handle) return;
  C* instance = static_cast<C*>(handle);
  release_process(instance->info);
  instance->model.reset();  // first: it may still use its host, also from another thread
  delete instance;
}

/// "file:///a%20b" as a path; anything else unchanged. Without a trailing slash.
std::string path_of_uri(const char* uri);
/// The text with the special characters of printf-style loggers doubled.
std::string escaped(const std::string& message);

}  // namespace fmukit
