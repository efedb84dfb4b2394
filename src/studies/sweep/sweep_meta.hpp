// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <tutti/study.hpp>
#include <tutti/system.hpp>
#include <vector>

#include "studies/study_system.hpp"

namespace tutti::studies {

/// What determines the rows of a sweep, as hashes.
struct SweepIdentity {
  std::uint64_t study = 0;                     ///< parameters, outputs and settings of the design
  std::uint64_t system = 0;                    ///< with the values of all runs, without its files
  std::map<std::string, std::uint64_t> files;  ///< by name: the content

  bool operator==(const SweepIdentity&) const = default;
};
SweepIdentity identity_of(const Study& study, const System& system);
/// How they differ, for a message: `the file "wheel.fmu" is another one`.
std::string difference_of(const SweepIdentity& now, const SweepIdentity& before);

/// Of an output at a time: `speed@2.5`.
std::string column_name(const std::string& output, double time);

/// `<name>.meta.json` beside the table of a sweep.
struct SweepMeta {
  struct Parameter {
    std::string name, unit;
    bool is_number = true, log = false;
  };
  struct Output {
    std::string name, unit;
    std::vector<double> times;

    std::size_t count() const { return times.empty() ? 1 : times.size(); }
  };
  std::string version;  ///< of Tutti
  std::string study;    ///< the name of its file
  SweepIdentity identity;
  std::uint64_t runs = 0;             ///< of all parts
  std::uint64_t part = 1, parts = 1;  ///< of this table
  bool has_indices = false;
  std::vector<Parameter> parameters;
  std::vector<Output> outputs;

  /// Runs of this table.
  std::uint64_t part_runs() const { return runs / parts + (part <= runs % parts ? 1 : 0); }
  /// Of the part: the number of its row `index`; both from 0.
  std::uint64_t run_of(std::uint64_t index) const { return part - 1 + index * parts; }
  /// Without run, status and message.
  std::vector<std::string> columns() const;
};
SweepMeta meta_of(const Study& study, const StudySystem& system,
                  const std::vector<ParameterInfo>& parameters);

/// @throws Error(file)
void write_meta(const std::filesystem::path& table, const SweepMeta& meta);
/// Nothing: there is none, or not that of a sweep.
std::optional<SweepMeta> read_meta(const std::filesystem::path& table);

}  // namespace tutti::studies
