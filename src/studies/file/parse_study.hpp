// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <tutti/study.hpp>

#include "formats/value.hpp"
#include "system/names.hpp"

namespace tutti::studies {

/// Where keys of the study are, by their paths: `parameters[2].max`; entries count from 1.
class KeyPlaces {
 public:
  void add(std::string path, const Place& place) { places_.emplace_back(std::move(path), place); }
  bool has(std::string_view path) const { return find(path) != nullptr; }
  /// Of the key, or else of the part of the study that would contain it.
  Place at(std::string_view path) const;

 private:
  const Place* find(std::string_view path) const;
  std::vector<std::pair<std::string, Place>> places_;
};

/// Reads the text by the table of keys, and checks what does not depend on other files. Paths stay
/// as they are. @throws Error(usage) with all errors, each with file:line:column
Study parse_study(std::string_view text, const std::string& file, KeyPlaces& places);

/// What several keys determine together. @param problems those of single keys
void check_study(const Study& study, const KeyPlaces& places, system::Problems& problems);

}  // namespace tutti::studies
