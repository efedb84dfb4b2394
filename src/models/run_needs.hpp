// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tutti/error.hpp>
#include <tutti/model_description.hpp>
#include <utility>
#include <vector>

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
  bool constant_start = false;  ///< inputs are constant in the first step: an FMU failed otherwise
  std::size_t coupling = 0;  ///< of those that `auto` has chosen: the first, or one after it failed
  /// Where steps that cannot be rolled back were not accurate enough, the next run takes short
  /// ones.
  struct ShortSteps {
    double from = 0, to = 0, max = 0;  ///< s
    bool operator==(const ShortSteps&) const = default;
  };
  std::vector<ShortSteps> short_steps;   ///< sorted, none overlaps another
  std::uint32_t rehearsals = 0;          ///< runs that were repeated for that
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
  struct How {
    std::string repeated;     ///< "The run is repeated ...": what is different then
    std::string remedy;       ///< "Set ...": a setting with which nothing has to be repeated
    bool is_routine = false;  ///< no reason for a warning
  };
  RunAgain(const Error& why, How how, Change change)
      : Error(why.within("", {.hint = how.repeated}).as(ErrorCode::fmu)),
        why_(why),
        how_(std::move(how)),
        change_(std::move(change)) {}
  bool is_routine() const { return how_.is_routine; }
  /// For those who cannot repeat a run.
  Error without_repetition() const {
    return why_.within("", {.hint = "A session cannot start anew. " + how_.remedy})
        .as(ErrorCode::capability);
  }
  /// False: it changed nothing, so there is no use in another run.
  bool change(RunNeeds& needs) const {
    const RunNeeds before = needs;
    change_(needs);
    return needs != before;
  }

 private:
  Error why_;
  How how_;
  Change change_;
};

}  // namespace tutti::models
