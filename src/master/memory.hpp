// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <type_traits>
#include <vector>

namespace tutti::master {

/// Numbers that objects keep between steps, as they are saved to or restored from a checkpoint. An
/// object has one function for both directions, which lists them all:
///   void keep(Memory& memory) { memory(next_, count_, past_); }
class Memory {
 public:
  /// Saves: appends...
  explicit Memory(std::vector<double>& into) : into_(&into) {}
  /// ...or restores.
  explicit Memory(std::span<const double> from) : from_(from) {}
  bool restores() const { return into_ == nullptr; }

  /// Numbers that fit into a double, vectors of them, and objects with keep(Memory&), or with
  /// save() and restore() as in stability.
  template <class... Values>
  void operator()(Values&... values) {
    (pass(values), ...);
  }

 private:
  void pass(double& value) {
    if (!restores()) return into_->push_back(value);
    value = from_.front();
    from_ = from_.subspan(1);
  }
  void pass(std::vector<double>& values) {
    std::size_t size = values.size();
    pass(size);
    if (!restores()) {
      into_->insert(into_->end(), values.begin(), values.end());
      return;
    }
    values.assign(from_.begin(), from_.begin() + static_cast<std::ptrdiff_t>(size));
    from_ = from_.subspan(size);
  }
  void pass(std::vector<bool>& values) {
    std::size_t size = values.size();
    pass(size);
    values.resize(size);
    for (std::size_t i = 0; i < values.size(); ++i) {
      bool value = values[i];
      pass(value);
      values[i] = value;
    }
  }
  template <class Value>
  void pass(Value& value) {
    if constexpr (std::is_arithmetic_v<Value> || std::is_enum_v<Value>) {
      auto number = static_cast<double>(value);
      pass(number);
      if (restores()) value = static_cast<Value>(number);
    } else if constexpr (requires { value.keep(*this); }) {
      value.keep(*this);
    } else if (restores()) {
      from_ = value.restore(from_);
    } else {
      value.save(*into_);
    }
  }

  std::vector<double>* into_ = nullptr;
  std::span<const double> from_;
};

/// The memory of one object.
template <class Object>
void save(Object& object, std::vector<double>& into) {
  into.clear();
  Memory memory(into);
  object.keep(memory);
}
template <class Object>
void restore(Object& object, std::span<const double> from) {
  Memory memory(from);
  object.keep(memory);
}

}  // namespace tutti::master
