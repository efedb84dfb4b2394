// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/once_per_process.hpp"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <tutti/error.hpp>

namespace tutti::fmi {
namespace {

// The names of the living instances by token and model identifier. It is the process that is
// limited, so this one table is of the process, too.
struct Living {
  std::mutex mutex;
  std::map<std::string, std::string> names;
};

Living& living() {
  static Living table;
  return table;
}

}  // namespace

OncePerProcess::OncePerProcess(const std::string& token, const std::string& model_identifier,
                               const std::string& instance_name) {
  const std::string key = token + '\n' + model_identifier;
  const std::lock_guard lock(living().mutex);
  const auto [place, is_new] = living().names.emplace(key, instance_name);
  if (!is_new) {
    throw Error(ErrorCode::capability,
                fmt::format("component \"{}\": the FMU \"{}\" can be instantiated only once per "
                            "process (canBeInstantiatedOnlyOncePerProcess=\"true\"), and \"{}\" is "
                            "such an instance already",
                            instance_name, model_identifier, place->second),
                {.component = instance_name,
                 .hint = "Export the FMU without this limit, or use a copy with another model "
                         "identifier."});
  }
  key_ = key;
}

OncePerProcess::~OncePerProcess() {
  if (key_.empty()) return;
  const std::lock_guard lock(living().mutex);
  living().names.erase(key_);
}

}  // namespace tutti::fmi
