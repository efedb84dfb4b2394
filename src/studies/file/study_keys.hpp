// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <string_view>
#include <tutti/study.hpp>
#include <vector>

#include "formats/toml/keys.hpp"
#include "formats/value.hpp"

namespace tutti::studies {

/// The study, and the part to which the present keys belong.
struct StudyTarget {
  Study& study;
  StudyParameter* parameter = nullptr;
  StudyOutput* output = nullptr;
  StudyExperiment* experiment = nullptr;
  MeasuredSignal* signal = nullptr;
  formats::Target key;  ///< its path, for messages
};

/// A key of a study file. Reading and describing keys use the table of keys.
struct StudyKey {
  /// Names joined by dots; `[]` stands for each entry of a list.
  std::string_view path;
  std::string_view type;  ///< empty: one of the words
  std::span<const std::string_view> words;
  /// @throws Error(usage)
  void (*read)(StudyTarget& target, const formats::Value& value);
  std::string_view fallback;  ///< the default as in a file, or in words
  std::string_view text;      ///< one line
};
std::span<const StudyKey> study_keys();
const StudyKey* find_study_key(std::string_view path);

/// The names that may follow a path.
std::vector<std::string_view> study_names_below(std::string_view path);

/// The values of [set], for assign(): the names of nested tables are joined by dots.
/// @throws Error(usage)
std::vector<std::pair<std::string, std::string>> take_settings(const formats::Target& key,
                                                               const formats::Value& value);
/// A value of a variable or of a key of the system file, for assign(). @throws Error(usage)
std::string setting_text(const formats::Target& key, const std::string& name,
                         const formats::Value& value);

}  // namespace tutti::studies
