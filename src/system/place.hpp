// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <tutti/error.hpp>
#include <tutti/system.hpp>
#include <vector>

namespace tutti::system {

/// `car.toml:14:3: `, to begin a message with; nothing for a place that is none.
inline std::string at(const Place& place) {
  if (place.line == 0) return place.file.empty() ? "" : place.file + ": ";
  return fmt::format("{}:{}:{}: ", place.file, place.line, place.column);
}

/// What is wrong with a system, collected so that a user can repair it in one go.
class Problems {
 public:
  void add(std::string text) { texts_.push_back(std::move(text)); }
  void add(const Place& place, const std::string& text) { add(at(place) + text); }
  /// Does something that may find problems: the lines of what it throws.
  template <class Action>
  bool attempt(const Action& action) {
    try {
      action();
      return true;
    } catch (const Error& error) {
      std::string_view text = error.what();
      for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n')) {
        add(std::string(text.substr(0, end)));
        text.remove_prefix(end + 1);
      }
      add(std::string(text));
      return false;
    }
  }
  bool empty() const { return texts_.empty(); }
  const std::vector<std::string>& texts() const { return texts_; }
  /// @throws Error(usage) with all of them, one a line, if there are any
  void raise() const {
    if (texts_.empty()) return;
    constexpr std::size_t most = 20;
    std::string all;
    for (std::size_t i = 0; i < texts_.size() && i < most; ++i)
      all += (i == 0 ? "" : "\n") + texts_[i];
    if (texts_.size() > most) all += fmt::format("\nand {} more", texts_.size() - most);
    throw Error(ErrorCode::usage, all);
  }

 private:
  std::vector<std::string> texts_;
};

}  // namespace tutti::system
