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

/// Requirements of a run for an FMU that its description does not declare.
struct FmuNeeds {
  /// It discards steps: its state is saved before each one.
  bool saves_before_steps = false;
  /// Highest order of the input derivatives that it accepts, and of the output derivatives that it
  /// provides.
  std::uint32_t input_order = 2, output_order = 2;
  bool operator==(const FmuNeeds&) const = default;
};

/// Requirements of a run for all its FMUs. Some are found only during the run.
struct RunNeeds {
  bool saves_states = false;  ///< before each step, of all components
  bool one_thread = false;
  bool constant_start = false;  ///< inputs are constant in the first step: an FMU failed otherwise
  std::size_t coupling =
      0;  ///< index among the choices of `auto`: the first, or a fallback after a failure
  /// Where steps without rollback were not accurate enough, the next run takes small steps.
  struct ShortSteps {
    double from = 0, to = 0, max = 0;  ///< s
    bool operator==(const ShortSteps&) const = default;
  };
  std::vector<ShortSteps> short_steps;   ///< sorted, disjoint
  std::uint32_t rehearsals = 0;          ///< runs repeated for these
  std::map<std::string, FmuNeeds> fmus;  ///< by GUID or instantiation token

  FmuNeeds of(const ModelDescription& description) const {
    const auto found = fmus.find(description.token);
    return found == fmus.end() ? FmuNeeds{} : found->second;
  }
  bool operator==(const RunNeeds&) const = default;
};

/// The run cannot continue, but it can be repeated from its start with other needs.
class RunAgain : public Error {
 public:
  using Change = std::function<void(RunNeeds&)>;
  struct How {
    std::string repeated;     ///< "The run is repeated ...": what is different
    std::string remedy;       ///< "Set ...": a setting that avoids the repetition
    bool is_routine = false;  ///< no reason for a warning
  };
  RunAgain(const Error& why, How how, Change change)
      : Error(why.within("", {.hint = how.repeated}).as(ErrorCode::fmu)),
        why_(why),
        how_(std::move(how)),
        change_(std::move(change)) {}
  bool is_routine() const { return how_.is_routine; }
  /// The error for callers that cannot repeat a run.
  Error without_repetition() const {
    return why_.within("", {.hint = "A session cannot restart. " + how_.remedy})
        .as(ErrorCode::capability);
  }
  /// False: nothing changed, so another run would fail in the same way.
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
