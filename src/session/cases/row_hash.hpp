// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>
#include <tutti/results.hpp>
#include <vector>

#include "base/hash.hpp"
#include "master/ensemble.hpp"
#include "master/observer.hpp"
#include "models/value_set.hpp"

namespace tutti::session {

/// The hash of all rows of a run, with every value that is read after its steps: two runs with the
/// same hash are the same to the last bit.
class RowHash final : public master::StepObserver {
 public:
  void start(const master::Ensemble& running) {
    sets_.clear();
    for (const master::Ensemble::Shown& shown : running.shown())
      sets_.insert(sets_.end(), {shown.outputs, shown.inputs});
    hash_ = before_hold_ = 0;
    holds_ = false;
  }
  std::uint64_t value() const { return hash_; }

  void record(double t) override {
    add(std::bit_cast<std::uint64_t>(t));
    for (const models::ValueSet* const set : sets_)
      for (const models::Scalar& scalar : set->scalars())
        if (is_text(scalar.type))
          hash_ = hash_of(set->text(scalar), hash_);
        else
          add(set->read(scalar).natural);
  }
  void hold() override {
    before_hold_ = hash_;
    holds_ = true;
  }
  bool is_holding() const override { return holds_; }
  void release() override { holds_ = false; }
  void drop() override {
    hash_ = before_hold_;
    holds_ = false;
  }

 private:
  void add(std::uint64_t word) {
    hash_ = hash_of({reinterpret_cast<const char*>(&word), sizeof word}, hash_);
  }
  std::vector<const models::ValueSet*> sets_;
  std::uint64_t hash_ = 0, before_hold_ = 0;
  bool holds_ = false;
};

}  // namespace tutti::session
