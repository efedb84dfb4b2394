// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>

#include "master/assembly.hpp"

namespace tutti::master {

/// The values of the last accepted point, to be restored when a step has failed.
class ValueMirror {
 public:
  explicit ValueMirror(Assembly& assembly) : assembly_(assembly) {
    for (std::size_t c = 0; c < assembly_.instances.size(); ++c)
      if (!assembly_.instances[c]->outputs().is_plain()) others_.push_back({c, {}});
    note();
  }
  void note() {
    numbers_ = assembly_.values;
    for (auto& [component, values] : others_)
      assembly_.instances[component]->outputs().save(values);
  }
  void show() const {
    std::copy(numbers_.begin(), numbers_.end(), assembly_.values.begin());
    for (const auto& [component, values] : others_) assembly_.instances[component]->show(values);
  }

 private:
  struct Outputs {
    std::size_t component;
    models::ValueSet::Values values;
  };
  Assembly& assembly_;
  std::vector<std::uint64_t> numbers_;
  std::vector<Outputs> others_;  ///< texts, binaries
};

}  // namespace tutti::master
