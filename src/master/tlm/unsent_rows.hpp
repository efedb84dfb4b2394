// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace tutti::master::tlm {

/// Rows that a model has accepted but its island has not: numbers, the time first. Usually one; a
/// model that sends its internal steps has many.
class UnsentRows {
 public:
  explicit UnsentRows(std::size_t size) : last_(size), other_(size) {}

  bool empty() const { return !has_last_; }
  /// Where to write the next row, before add().
  std::span<double> next() {
    if (has_last_) std::swap(last_, other_);
    return last_;
  }
  /// A repeated row is ignored; a different one at the same time is a jump.
  void add() {
    if (has_last_ && last_ != other_) before_.insert(before_.end(), other_.begin(), other_.end());
    has_last_ = true;
  }
  /// Discards the rows of a repeated step.
  void drop_after(double t) {
    const auto size = static_cast<std::ptrdiff_t>(last_.size());
    while (has_last_ && last_[0] > t) {
      has_last_ = !before_.empty();
      if (!has_last_) return;
      std::copy(before_.end() - size, before_.end(), last_.begin());
      before_.erase(before_.end() - size, before_.end());
    }
  }
  /// All but the last one, one after the other.
  std::span<const double> before_last() const { return before_; }
  /// The last row sent, also after clear().
  std::vector<double>& last() { return last_; }
  bool ends_with_jump() const {
    return !before_.empty() && before_[before_.size() - last_.size()] == last_[0];
  }
  void clear() {
    before_.clear();
    has_last_ = false;
  }

 private:
  std::vector<double> last_, other_;
  std::vector<double> before_;
  bool has_last_ = false;
};

}  // namespace tutti::master::tlm
