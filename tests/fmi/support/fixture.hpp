// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "fmi/fmu.hpp"

namespace tutti::fmi::test {

/// A log that can be read afterwards. Copies share the lines.
class Lines {
 public:
  explicit Lines(Severity least = Severity::info);
  const Log& log() const { return log_; }
  /// Each as "severity|component|category|text".
  std::vector<std::string> all() const;
  std::size_t count(const std::string& part) const;  ///< lines that contain the text
  bool contain(const std::string& part) const { return count(part) > 0; }

 private:
  struct Shared {
    std::mutex mutex;
    std::vector<std::string> lines;
  };
  std::shared_ptr<Shared> shared_;
  Log log_;
};

/// An FMU of the kit; `version` is the folder: "1.0-cs", "1.0-me", "2.0", "3.0".
std::filesystem::path fmu_file(const std::string& version, const std::string& model);
std::shared_ptr<Fmu> open_fmu(const std::string& version, const std::string& model,
                              const Log& log = {});

CoSimulationOptions named(const std::string& instance);

ValueReference reference(const FmuInstance& instance, const std::string& variable);
double real(FmuInstance& instance, const std::string& variable);
void set_real(FmuInstance& instance, const std::string& variable, double value);
std::int32_t integer(FmuInstance& instance, const std::string& variable);
void set_integer(FmuInstance& instance, const std::string& variable, std::int32_t value);

/// enter and exit initialization, and with event mode on to step mode.
void initialize(CoSimulation& instance, const Experiment& experiment = {});
/// Updates until nothing is needed. The flags of all updates together.
template <class Face>
DiscreteUpdate iterate_events(Face& instance) {
  DiscreteUpdate total;
  for (bool again = true; again;) {
    const DiscreteUpdate update = instance.update_discrete_states();
    total.terminate |= update.terminate;
    total.next_event_time = update.next_event_time;
    again = update.needs_another && !update.terminate;
  }
  return total;
}

/// An empty folder that goes with the object.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// The message of the Error that `action` throws; fails the test if it throws none of this code.
template <class Action>
std::string error_of(ErrorCode code, Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(static_cast<int>(error.code()), static_cast<int>(code)) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no Error was thrown";
  return {};
}

#define EXPECT_CONTAINS(text, part) \
  EXPECT_NE(std::string(text).find(part), std::string::npos) << "in: " << (text)

}  // namespace tutti::fmi::test
