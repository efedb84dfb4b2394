// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <tutti/error.hpp>
#include <tutti/export.hpp>
#include <tutti/fmu.hpp>
#include <tutti/model_description.hpp>
#include <tutti/worker.hpp>
#include <vector>

/// Checks of an FMU against the rules of its version of FMI.
namespace tutti {

/// One violation of one rule.
struct Finding {
  enum class Severity : std::uint8_t {
    error,    ///< importers may reject the FMU, or compute other results
    warning,  ///< violates the standard, but importers accept it
    note,     ///< worth knowing
  };
  Severity severity{};
  std::string rule;        ///< stable short name: "start-required"
  std::string section;     ///< "FMI 2.0, 2.2.7"; in FMI 1.0 the schema's type
  std::string file;        ///< inside the FMU, mostly "modelDescription.xml"; empty: the FMU itself
  std::uint32_t line = 0;  ///< in that file, starting at 1; 0: none
  std::string variable;    ///< name of the variable, if the finding concerns one
  std::string text;
};
constexpr WordList<3> list_words(Finding::Severity) { return {"error", "warning", "note"}; }

struct CheckOptions {
  std::filesystem::path fmu;
  /// Also runs the FMU: each interface, twice, in a worker.
  bool run = false;
  Worker worker;               ///< a new one
  std::optional<double> step;  ///< of co-simulation; else the FMU's, or span/500
  double timeout = 60;         ///< maximum seconds of one call of the FMU
  /// Maximum number of findings per rule; others are only counted. 0: no limit.
  std::size_t max_per_rule = 20;
  FmuOptions open;
  /// Polled while the FMU runs: true ends with ErrorCode::interrupted.
  const std::atomic<bool>* stop_request = nullptr;
  /// The name of the key of an error in findings.
  Error::KeyName key_name = [](const ErrorDetails& details) { return details.key; };
};

struct CheckReport {
  FmiVersion version{};
  std::string model;
  std::size_t rules = 0;  ///< checked
  std::size_t variables = 0;
  std::size_t errors = 0, warnings = 0, notes = 0;  ///< found, kept or not
  std::vector<Finding> findings;                    ///< by file, the description first, and line
  struct LeftOut {
    std::string rule;
    std::size_t count = 0;  ///< found, but not kept
  };
  std::vector<LeftOut> left_out;
};

/// Checks an FMU without loading it, and with `run` also by running it.
/// @throws Error (file, archive, description) if it cannot be read
TUTTI_API CheckReport check(const CheckOptions& options);

/// A rule, for lists of them.
struct RuleInfo {
  std::string_view id;
  Finding::Severity severity{};
  std::string_view text;                     ///< the requirement, one line
  std::string_view advice;                   ///< consequences of a violation, and what to do
  std::array<std::string_view, 3> sections;  ///< in FMI 1.0, 2.0, 3.0; empty: not a rule there
  bool run = false;                          ///< needs the FMU to run
};
/// All rules, sorted by id.
TUTTI_API std::vector<RuleInfo> check_rules();

}  // namespace tutti
