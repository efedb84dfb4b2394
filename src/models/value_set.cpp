// SPDX-License-Identifier: BSD-2-Clause
#include "models/value_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tutti/error.hpp>

#include "base/number_type.hpp"
#include "base/text.hpp"

namespace tutti::models {
namespace {

// Limit for all variables of a set together. An element costs about 120 bytes, so this is about 1
// GB.
constexpr std::uint64_t most_elements = 10'000'000;

std::size_t size_of(Type type) {
  return with_number_type(type, [](auto number) { return sizeof number; });
}

template <typename T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <typename T>
void store(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof value);
}

template <typename T>
T parse_integer(std::string_view text) {
  std::string_view digits = trim(text);
  if (digits.starts_with('+')) digits.remove_prefix(1);
  if (const auto value = to_integer<T>(digits)) return *value;
  // Other tools write integers as 3.0 in result files.
  double real = 0;
  if (parse_number(text, real) && std::nearbyint(real) == real && std::abs(real) < 0x1p53 &&
      real >= static_cast<double>(std::numeric_limits<T>::min()) &&
      real <= static_cast<double>(std::numeric_limits<T>::max()))
    return static_cast<T>(real);
  throw Error(ErrorCode::usage,
              fmt::format("\"{}\" is not a whole number from {} to {}", text,
                          std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

bool parse_boolean(std::string_view text) {
  const std::string_view word = trim(text);
  double number = 0;  // as result files of other tools write them: 1, 1.0, 1e+00
  const bool numeric = parse_number(word, number);
  const auto is = [&](auto... words) { return ((word == words) || ...); };
  if (is("true", "True", "TRUE") || (numeric && number == 1)) return true;
  if (is("false", "False", "FALSE") || (numeric && number == 0)) return false;
  throw Error(ErrorCode::usage, fmt::format("\"{}\" is not a boolean (true or false)", text));
}

std::int64_t parse_enumeration(std::string_view text, const TypeDefinition* type) {
  const std::string_view word = trim(text);
  if (type == nullptr) return parse_integer<std::int64_t>(word);
  std::string names;
  std::vector<std::string_view> candidates;
  for (const EnumerationItem& item : type->items) {
    if (item.name == word) return item.value;
    candidates.push_back(item.name);
    names += fmt::format("{}\"{}\" ({})", names.empty() ? "" : ", ", item.name, item.value);
  }
  const auto value = to_integer<std::int64_t>(word);
  for (const EnumerationItem& item : type->items)
    if (item.value == value) return item.value;
  throw Error(
      ErrorCode::usage,
      fmt::format("\"{}\" is not an item of enumeration \"{}\": {}.", text, type->name, names),
      {.hint = did_you_mean(word, candidates)});
}

std::vector<std::uint8_t> parse_hexadecimal(std::string_view text) {
  std::vector<std::uint8_t> bytes;
  const std::string_view digits = trim(text);
  bool good = digits.size() % 2 == 0;
  for (std::size_t i = 0; good && i < digits.size(); i += 2) {
    const auto byte = to_integer<std::uint8_t>(digits.substr(i, 2), 16);
    good = byte.has_value();
    bytes.push_back(byte.value_or(0));
  }
  if (!good)
    throw Error(ErrorCode::usage,
                fmt::format("\"{}\" is not a sequence of bytes in hexadecimal digits", text));
  return bytes;
}

}  // namespace

ValueSet::ValueSet(const ModelDescription& description, std::span<const std::int32_t> variables,
                   const StructuralValues& structure)
    : variables_(variables.begin(), variables.end()) {
  std::map<std::pair<Type, bool>, Batch> by_kind;
  std::vector<Batch*> batch_of;  // of each scalar
  std::uint64_t total = 0;
  for (const std::int32_t index : variables) {
    const Variable& variable = description.variables[static_cast<std::size_t>(index)];
    const std::vector<std::uint64_t> shape = shape_of(description, variable, structure);
    const std::uint64_t elements = fmi::element_count(shape);
    if (elements == 0) continue;
    total += elements;
    if (total > most_elements)
      throw Error(ErrorCode::capability,
                  fmt::format("more than {} scalars and array elements (the limit) to read or set; "
                              "choose fewer, for example with %key%",
                              most_elements),
                  {.key = "results.variables"});
    const bool discrete = variable.variability != Variability::continuous || is_text(variable.type);
    Batch& batch = by_kind[{variable.type, discrete}];
    batch.type = variable.type;
    batch.discrete = discrete;
    batch.references.push_back(variable.value_reference);
    for (std::uint64_t element = 0; element < elements; ++element) {
      Scalar scalar;
      scalar.variable = index;
      scalar.element = element;
      scalar.type = variable.type;
      scalar.negated = variable.alias == AliasKind::negated;
      scalar.slot = batch.value_count++;
      scalar.name = element_name(variable.name, shape, element);
      has_special_ |= scalar.negated;
      scalars_.push_back(std::move(scalar));
      batch_of.push_back(&batch);
    }
  }

  std::size_t offset = 0;
  for (auto& [kind, batch] : by_kind) {
    if (is_text(kind.first)) {
      has_special_ = true;
      continue;
    }
    batch.offset = offset;
    if (kind.first == Type::float64) {
      if (double_count_ == 0) first_double_ = offset / 8;
      double_count_ += batch.value_count;
    }
    has_float32_ |= kind.first == Type::float32;
    offset += (batch.value_count * size_of(kind.first) + 7) / 8 * 8;
  }
  words_.resize(offset / 8);
  for (std::size_t i = 0; i < scalars_.size(); ++i)
    if (!is_text(scalars_[i].type))
      scalars_[i].slot = batch_of[i]->offset + scalars_[i].slot * size_of(scalars_[i].type);
  for (auto& [kind, batch] : by_kind) {
    if (kind.first == Type::string) {
      string_references_ = std::move(batch.references);
      strings_.resize(batch.value_count);
    } else if (kind.first == Type::binary) {
      binary_references_ = std::move(batch.references);
      binaries_.resize(batch.value_count);
    } else {
      batches_.push_back(std::move(batch));
    }
  }
}

ValueSet ValueSet::part(const ModelDescription& description,
                        std::span<const std::int32_t> variables,
                        const StructuralValues& structure) const {
  ValueSet result(description, variables, structure);
  result.copy_from(*this);
  return result;
}

void ValueSet::copy_from(const ValueSet& other) {
  std::map<std::pair<std::int32_t, std::uint64_t>, const Scalar*> known;
  for (const Scalar& scalar : other.scalars_) known[{scalar.variable, scalar.element}] = &scalar;
  for (const Scalar& scalar : scalars_) {
    const auto found = known.find({scalar.variable, scalar.element});
    if (found == known.end()) continue;
    if (is_text(scalar.type))
      write_text(scalar, other.text(*found->second));
    else
      write(scalar, other.read(*found->second));
  }
}

std::vector<fmi::Batch> ValueSet::batches(bool continuous_only) {
  std::vector<fmi::Batch> all;
  for (const Batch& batch : batches_)
    if (!continuous_only || !batch.discrete)
      all.push_back({batch.type, batch.references, bytes() + batch.offset, batch.value_count});
  return all;
}

std::span<double> ValueSet::continuous_doubles() {
  for (const Batch& batch : batches_)
    if (batch.type == Type::float64 && !batch.discrete)
      return {reinterpret_cast<double*>(bytes() + batch.offset), batch.value_count};
  return {};
}

References ValueSet::continuous_references() const {
  for (const Batch& batch : batches_)
    if (batch.type == Type::float64 && !batch.discrete) return batch.references;
  return {};
}

bool ValueSet::any_beyond(double limit) const {
  if (any_beyond(doubles(), limit)) return true;
  if (!has_float32_) return false;
  return std::ranges::any_of(scalars_, [&](const Scalar& scalar) {
    return scalar.type == Type::float32 && is_beyond(read(scalar).real, limit);
  });
}

void ValueSet::write(const Scalar& scalar, Cell value) {
  with_number_type(scalar.type, [&](auto kind) {
    using T = decltype(kind);
    if constexpr (std::is_floating_point_v<T>)
      store(bytes() + scalar.slot, static_cast<T>(value.real));
    else if constexpr (std::is_same_v<T, bool>)
      store(bytes() + scalar.slot, value.natural != 0);
    else if constexpr (std::is_signed_v<T>)
      store(bytes() + scalar.slot, static_cast<T>(value.integer));
    else
      store(bytes() + scalar.slot, static_cast<T>(value.natural));
  });
}

const Scalar& ValueSet::find(std::int32_t variable, std::uint64_t element) const {
  return *std::ranges::find_if(scalars_, [&](const Scalar& scalar) {
    return scalar.variable == variable && scalar.element == element;
  });
}

Cell ValueSet::read(const Scalar& scalar) const {
  Cell cell{};
  with_number_type(scalar.type, [&](auto kind) {
    using T = decltype(kind);
    const T value = load<T>(bytes() + scalar.slot);
    if constexpr (std::is_floating_point_v<T>)
      cell.real = static_cast<double>(value);
    else if constexpr (std::is_signed_v<T>)
      cell.integer = value;
    else
      cell.natural = value;
  });
  return cell;
}

void ValueSet::write_text(const Scalar& scalar, std::string_view text) {
  if (scalar.type == Type::string)
    strings_[scalar.slot] = text;
  else
    binaries_[scalar.slot] = parse_hexadecimal(text);
}

std::string ValueSet::text(const Scalar& scalar) const {
  if (scalar.type == Type::string) return strings_[scalar.slot];
  std::string digits;
  for (const std::uint8_t byte : binaries_[scalar.slot]) digits += fmt::format("{:02x}", byte);
  return digits;
}

void ValueSet::assign(const Scalar& scalar, std::string_view text,
                      const ModelDescription& description) {
  const Variable& variable = description.variables[static_cast<std::size_t>(scalar.variable)];
  if (is_text(scalar.type)) {
    write_text(scalar, text);
    return;
  }
  if (scalar.type == Type::enumeration) {
    write(scalar, {.integer = parse_enumeration(text, description.type_of(variable))});
    return;
  }
  with_number_type(scalar.type, [&](auto kind) {
    using T = decltype(kind);
    if constexpr (std::is_same_v<T, bool>) {
      write(scalar, {.natural = parse_boolean(text) ? 1u : 0u});
    } else if constexpr (std::is_floating_point_v<T>) {
      double value = 0;
      if (!parse_number(text, value))
        throw Error(ErrorCode::usage,
                    fmt::format("\"{:.100}\" is not a valid number{}", text, number_advice(text)));
      write_real(scalar, value);
    } else {
      store(bytes() + scalar.slot, parse_integer<T>(text));
    }
  });
}

void ValueSet::get_special(VariableAccess& instance) {
  if (!strings_.empty()) instance.get_strings(string_references_, strings_);
  if (!binaries_.empty()) instance.get_binaries(binary_references_, binaries_);
  negate();
}

void ValueSet::set_special(VariableAccess& instance) {
  negate();
  if (!strings_.empty()) instance.set_strings(string_references_, strings_);
  if (!binaries_.empty()) instance.set_binaries(binary_references_, binaries_);
}

std::string ValueSet::written(const Scalar& scalar) const {
  return is_text(scalar.type) ? text(scalar) : std::to_string(read(scalar).natural);
}

void ValueSet::negate() {
  for (const Scalar& scalar : scalars_) {
    if (!scalar.negated) continue;
    Cell value = read(scalar);
    // FMI 1.0, 3.3: the negation of a boolean alias is `not`.
    if (scalar.type == Type::boolean)
      value.natural = value.natural == 0 ? 1 : 0;
    else if (scalar.type == Type::float64)
      value.real = -value.real;
    else
      value.integer = -value.integer;
    write(scalar, value);
  }
}

}  // namespace tutti::models
