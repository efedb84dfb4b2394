// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tutti/error.hpp>
#include <tutti/model_description.hpp>
#include <utility>

namespace tutti::models {

/// What a run needs of an FMU that its description does not tell.
struct FmuNeeds {
  /// It discards steps: its state is saved before each one.
  bool saves_before_steps = false;
  /// Highest order of the input derivatives that it takes, and of the output derivatives that it
  /// gives.
  std::uint32_t input_order = 2, output_order = 2;
  bool operator==(const FmuNeeds&) const = default;
};

/// What a run needs of all its FMUs. Some of it is found out only on the way.
struct RunNeeds {
  bool saves_states = false;  ///< before each step, of all components
  bool one_thread = false;
  std::map<std::string, FmuNeeds> fmus;  ///< by GUID or instantiation token

  FmuNeeds of(const ModelDescription& description) const {
    const auto found = fmus.find(description.token);
    return found == fmus.end() ? FmuNeeds{} : found->second;
  }
  bool operator==(const RunNeeds&) const = default;
};

/// The run cannot go on like this, but it can be repeated from its start with other needs.
class RunAgain : public Error {
 public:
  using Change = std::function<void(RunNeeds&)>;
  /// `message` says why, and what is different then.
  RunAgain(const std::string& message, Change change)
      : Error(ErrorCode::fmu, message), change_(std::move(change)) {}
  /// False: it changed nothing, so there is no use in another run.
  bool change(RunNeeds& needs) const {
    const RunNeeds before = needs;
    change_(needs);
    return needs != before;
  }

 private:
  Change change_;
};

}  // namespace tutti::models
