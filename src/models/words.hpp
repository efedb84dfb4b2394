// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace tutti::models {

/// Storage of values, in words of eight bytes. Either owned, or part of a shared block: then the
/// values of a whole system are contiguous.
class Words {
 public:
  Words() = default;
  Words(const Words& other) : own_(other.data_, other.data_ + other.size_) { use_own(); }
  Words(Words&& other) noexcept
      : own_(std::move(other.own_)), data_(other.data_), size_(other.size_) {}
  Words& operator=(Words other) noexcept {
    own_ = std::move(other.own_);
    data_ = other.data_;
    size_ = other.size_;
    return *this;
  }
  ~Words() = default;

  void resize(std::size_t size) {
    own_.assign(size, 0);
    use_own();
  }
  /// Moves the storage there. @pre the place has room for size() words
  void move_to(std::uint64_t* place) {
    std::copy_n(data_, size_, place);
    data_ = place;
    own_.clear();
  }
  std::uint64_t* data() { return data_; }
  const std::uint64_t* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::span<const std::uint64_t> all() const { return {data_, size_}; }

 private:
  void use_own() {
    data_ = own_.data();
    size_ = own_.size();
  }
  std::vector<std::uint64_t> own_;
  std::uint64_t* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace tutti::models
