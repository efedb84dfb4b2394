// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <tutti/model_description.hpp>
#include <tutti/results.hpp>
#include <vector>

#include "base/fields.hpp"
#include "fmi/instance.hpp"
#include "fmi/shape.hpp"
#include "models/words.hpp"

namespace tutti::models {

using fmi::element_name;
using fmi::shape_of;
using fmi::StructuralValues;

/// One scalar, or one element of an array, inside a ValueSet.
struct Scalar {
  std::int32_t variable = 0;  ///< index in the model description
  std::uint64_t element = 0;
  Type type{};
  bool negated = false;  ///< a negated alias of FMI 1.0
  std::size_t slot = 0;  ///< byte offset of a number, index of a string or binary
  std::string name;
};

/// Variables of one instance that are read or written together: one contiguous block per type, so
/// that a whole set costs one FMI call per type, without lookup or allocation.
class ValueSet {
 public:
  ValueSet() = default;
  ValueSet(const ModelDescription& description, std::span<const std::int32_t> variables,
           const StructuralValues& structure);

  bool empty() const { return scalars_.empty(); }
  /// Indices in the model description, in the order requested.
  std::span<const std::int32_t> variables() const { return variables_; }
  /// A set of some of these variables, with their present values.
  ValueSet part(const ModelDescription& description, std::span<const std::int32_t> variables,
                const StructuralValues& structure) const;
  /// Copies the values of all scalars that `other` has too.
  void copy_from(const ValueSet& other);
  std::span<const Scalar> scalars() const { return scalars_; }

  void get_from(VariableAccess& instance) {
    for (const Batch& batch : batches_)
      instance.get(batch.type, batch.references, bytes() + batch.offset, batch.value_count);
    if (has_special_) get_special(instance);
  }
  void set_to(VariableAccess& instance) {
    if (has_special_) negate();
    for (const Batch& batch : batches_)
      instance.set(batch.type, batch.references, bytes() + batch.offset, batch.value_count);
    if (has_special_) set_special(instance);
  }
  /// Sets continuous variables only: an FMI 3.0 FMU in event mode gets the others there.
  void set_continuous_to(VariableAccess& instance) {
    for (const Batch& batch : batches_)
      if (!batch.discrete)
        instance.set(batch.type, batch.references, bytes() + batch.offset, batch.value_count);
  }

  /// All values, to be restored later.
  struct Values {
    std::vector<std::uint64_t> words;
    std::vector<std::string> strings;
    std::vector<std::vector<std::uint8_t>> binaries;
  };
  void save(Values& into) const {
    into.words.assign(words_.all().begin(), words_.all().end());
    into.strings = strings_;
    into.binaries = binaries_;
  }
  void restore(const Values& from) {
    std::ranges::copy(from.words, words_.data());
    strings_ = from.strings;
    binaries_ = from.binaries;
  }
  /// Moves the storage of the numbers there: many sets may share a block.
  std::size_t word_count() const { return words_.size(); }
  void move_words_to(std::uint64_t* place) { words_.move_to(place); }
  /// Where a number is stored; valid as long as this set is neither assigned to nor moved.
  std::byte* address(const Scalar& scalar) { return bytes() + scalar.slot; }
  const std::byte* address(const Scalar& scalar) const { return bytes() + scalar.slot; }
  /// The same for a double, by its variable. @pre the set has it
  double* double_of(std::int32_t variable, std::uint64_t element) {
    return reinterpret_cast<double*>(address(find(variable, element)));
  }
  const double* double_of(std::int32_t variable, std::uint64_t element) const {
    return reinterpret_cast<const double*>(address(find(variable, element)));
  }

  /// All values can be transferred by batches(); otherwise get_from() and set_to() do more.
  bool is_plain() const { return !has_special_; }
  /// The blocks of numbers; valid as long as this set is neither assigned to nor moved.
  std::vector<fmi::Batch> batches(bool continuous_only = false);

  /// The doubles that may change inside a step, contiguous, and their references.
  std::span<double> continuous_doubles();
  References continuous_references() const;

  /// The bits of all doubles, for a quick check.
  std::span<const std::uint64_t> doubles() const {
    return {words_.data() + first_double_, double_count_};
  }
  /// Values larger than the limit and NaN are beyond it. With this limit, these are all values that
  /// are not finite; with infinity, only NaN.
  static constexpr double largest = std::numeric_limits<double>::max();
  static bool is_beyond(double value, double limit) {
    return !std::islessequal(std::abs(value), limit);
  }
  static bool any_beyond(std::span<const std::uint64_t> doubles, double limit) {
    bool found = false;
    for (const std::uint64_t bits : doubles) found |= is_beyond(std::bit_cast<double>(bits), limit);
    return found;
  }
  bool has_float32() const { return has_float32_; }
  /// Checks all floats.
  bool any_beyond(double limit) const;

  /// Writes value_of(item) at item.slot. @pre the slots are those of doubles
  template <class Items, class ValueOf>
  void write_doubles(const Items& items, const ValueOf& value_of) {
    std::byte* const start =
        bytes();  // read once: the compiler must assume that the stores alias it
    for (const auto& item : items) {
      const double value = value_of(item);
      std::memcpy(start + item.slot, &value, sizeof value);
    }
  }
  /// @pre the scalar is a float
  void write_real(const Scalar& scalar, double value) {
    if (scalar.type == Type::float64) {
      std::memcpy(bytes() + scalar.slot, &value, sizeof value);
    } else {
      const auto narrow = static_cast<float>(value);
      std::memcpy(bytes() + scalar.slot, &narrow, sizeof narrow);
    }
  }
  void write(const Scalar& scalar, Cell value);
  void write_text(const Scalar& scalar, std::string_view text);
  Cell read(const Scalar& scalar) const;
  /// Strings as they are, binaries as hexadecimal text.
  std::string text(const Scalar& scalar) const;
  const std::vector<std::uint8_t>& binary(const Scalar& scalar) const {
    return binaries_[scalar.slot];
  }
  /// A value of any type as text, only for comparison.
  std::string written(const Scalar& scalar) const;

  /// Sets a scalar from user input. Enumerations by name or number.
  /// @throws Error(usage) with the expected format, without the name of the variable
  void assign(const Scalar& scalar, std::string_view text, const ModelDescription& description);

 private:
  struct Batch {
    Type type{};
    bool discrete = false;
    std::vector<ValueReference> references;
    std::size_t offset = 0;  // of the first value, in bytes
    std::size_t value_count = 0;
  };
  std::byte* bytes() { return reinterpret_cast<std::byte*>(words_.data()); }
  const std::byte* bytes() const { return reinterpret_cast<const std::byte*>(words_.data()); }
  const Scalar& find(std::int32_t variable, std::uint64_t element) const;
  void get_special(VariableAccess& instance);
  void set_special(VariableAccess& instance);
  void negate();

  std::vector<std::int32_t> variables_;
  std::vector<Scalar> scalars_;  // in the order requested
  std::vector<Batch> batches_;
  Words words_;
  std::size_t first_double_ = 0, double_count_ = 0;  // all doubles are contiguous in words_
  bool has_float32_ = false;
  bool has_special_ = false;  // strings, binaries or negated aliases
  std::vector<ValueReference> string_references_, binary_references_;
  std::vector<std::string> strings_;
  std::vector<std::vector<std::uint8_t>> binaries_;
};

}  // namespace tutti::models

namespace tutti {

TUTTI_FIELDS(models::ValueSet::Values, 3);

}  // namespace tutti
