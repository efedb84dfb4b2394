// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <string_view>

/// What is fuzzed: each takes any bytes, and either understands them or throws tutti::Error, which
/// it catches. Anything else is a finding.
namespace tutti::fuzz {

void archive(std::string_view bytes);      ///< an FMU: listed, described, unpacked
void description(std::string_view bytes);  ///< modelDescription.xml of any version; terminals
void csv(std::string_view bytes);          ///< a table, as input of a model
void build(std::string_view bytes);        ///< buildDescription.xml
void eas(std::string_view bytes);          ///< a configuration file of the EAS master
void mat(std::string_view bytes);          ///< results of Dymola
void msim(std::string_view bytes);         ///< a project of MASTERSIM
void osp(std::string_view bytes);     ///< a system of the Open Simulation Platform, or its groups
void ssd(std::string_view bytes);     ///< a description of SSP
void study(std::string_view bytes);   ///< a study file (TOML)
void system(std::string_view bytes);  ///< a system file (TOML), read and written

struct Target {
  std::string_view name;  ///< also that of its folder in corpus/
  void (*run)(std::string_view bytes);
};
std::span<const Target> targets();

}  // namespace tutti::fuzz
