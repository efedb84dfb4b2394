// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include "fmi/instance_core.hpp"

namespace tutti::fmi {

/// One bit per Type that has variables (of this causality): only their functions must exist.
inline std::uint32_t types_present(const ModelDescription& description,
                                   std::optional<Causality> causality = {}) {
  std::uint32_t types = 0;
  for (const Variable& v : description.variables)
    if (!causality || v.causality == *causality) types |= 1u << static_cast<unsigned>(v.type);
  return types;
}

/// The symbols of one version.
struct ScalarValueNames {
  const char *get_real, *set_real, *get_integer, *set_integer, *get_boolean, *set_boolean,
      *get_string, *set_string;
};

/// Reading and writing variables in FMI 1.0 and 2.0, which differ in names and in the type of
/// Boolean only. A negated alias of 1.0 has the value reference of its base and returns the base's
/// value: the caller changes the sign.
template <class Status, class Boolean>
class ScalarValues {
 public:
  ScalarValues(const Library& library, const ModelDescription& description,
               const ScalarValueNames& names) {
    const std::uint32_t types = types_present(description);
    const std::uint32_t inputs = types_present(description, Causality::input);
    const auto bind = [&](std::initializer_list<Type> kinds, auto& get, const char* get_name,
                          auto& set, const char* set_name) {
      std::uint32_t mask = 0;
      for (const Type type : kinds) mask |= 1u << static_cast<unsigned>(type);
      get = (types & mask) != 0 ? library.require(get_name) : library.find(get_name);
      set = (inputs & mask) != 0 ? library.require(set_name) : library.find(set_name);
    };
    bind({Type::float64}, get_real_, names.get_real, set_real_, names.set_real);
    bind({Type::int32, Type::enumeration}, get_integer_, names.get_integer, set_integer_,
         names.set_integer);
    bind({Type::boolean}, get_boolean_, names.get_boolean, set_boolean_, names.set_boolean);
    bind({Type::string}, get_string_, names.get_string, set_string_, names.set_string);
  }

  /// The functions for doubles, for direct calls.
  const auto& get_real() const { return get_real_; }
  const auto& set_real() const { return set_real_; }

  void get(InstanceCore& core, Type type, References references, void* values) {
    if (type != Type::float64) return get_other(core, type, references, values);
    core.call(get_real_, references.data(), references.size(), static_cast<double*>(values));
  }
  void set(InstanceCore& core, Type type, References references, const void* values) {
    if (type != Type::float64) return set_other(core, type, references, values);
    core.call(set_real_, references.data(), references.size(), static_cast<const double*>(values));
  }

  void get_strings(InstanceCore& core, References references, std::span<std::string> values) {
    strings_.assign(references.size(), nullptr);
    core.call(get_string_, references.data(), references.size(), strings_.data());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = strings_[i] ? strings_[i] : "";
    std::ranges::sort(strings_);
    const auto twice = std::ranges::adjacent_find(strings_);
    if (twice != strings_.end() && *twice) get_one_by_one(core, references, values);
  }

  // Some FMUs keep the pointers instead of copying the texts (against FMI 2.0, section 2.1.7), so
  // the texts have the lifetime of the instance.
  void set_strings(InstanceCore& core, References references, std::span<const std::string> values) {
    strings_.clear();
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::string& kept = kept_[references[i]];
      kept = values[i];
      strings_.push_back(kept.c_str());
    }
    core.call(set_string_, references.data(), references.size(),
              static_cast<const char* const*>(strings_.data()));
  }

 private:
  // Several texts at one address: they are equal, or the FMU uses a single buffer for all of them.
  void get_one_by_one(InstanceCore& core, References references, std::span<std::string> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const char* text = nullptr;
      core.call(get_string_, &references[i], std::size_t{1}, &text);
      if (!text || values[i] == text) continue;
      values[i] = text;
      core.breach(
          "the FMU returns several texts at one address; they are read one by one (FMI 2.0, "
          "section 2.1.7: a text is valid until the next call)");
    }
  }

  [[gnu::noinline]] void get_other(InstanceCore& core, Type type, References references,
                                   void* values) {
    const std::size_t n = references.size();
    switch (type) {
      case Type::int32:
        return core.call(get_integer_, references.data(), n, static_cast<int*>(values));
      case Type::boolean:
        return convert_out(core, get_boolean_, booleans_, references, static_cast<bool*>(values));
      case Type::enumeration:
        return convert_out(core, get_integer_, integers_, references,
                           static_cast<std::int64_t*>(values));
      default:
        wrong(core, type);
    }
  }

  [[gnu::noinline]] void set_other(InstanceCore& core, Type type, References references,
                                   const void* values) {
    const std::size_t n = references.size();
    switch (type) {
      case Type::int32:
        return core.call(set_integer_, references.data(), n, static_cast<const int*>(values));
      case Type::boolean:
        return convert_in(core, set_boolean_, booleans_, references,
                          static_cast<const bool*>(values));
      case Type::enumeration:
        return convert_in(core, set_integer_, integers_, references,
                          static_cast<const std::int64_t*>(values));
      default:
        wrong(core, type);
    }
  }

  template <class T>
  using Get = Function<Status(void*, const ValueReference*, std::size_t, T*)>;
  template <class T>
  using Set = Function<Status(void*, const ValueReference*, std::size_t, const T*)>;

  // The scratch grows to the longest list requested, at the first step.
  template <class T, class Value>
  void convert_out(InstanceCore& core, const Get<T>& function, std::vector<T>& scratch,
                   References references, Value* values) {
    if (scratch.size() < references.size()) scratch.resize(references.size());
    core.call(function, references.data(), references.size(), scratch.data());
    for (std::size_t i = 0; i < references.size(); ++i) values[i] = static_cast<Value>(scratch[i]);
  }
  template <class T, class Value>
  void convert_in(InstanceCore& core, const Set<T>& function, std::vector<T>& scratch,
                  References references, const Value* values) {
    if (scratch.size() < references.size()) scratch.resize(references.size());
    for (std::size_t i = 0; i < references.size(); ++i) scratch[i] = static_cast<T>(values[i]);
    core.call(function, references.data(), references.size(),
              static_cast<const T*>(scratch.data()));
  }

  [[noreturn]] static void wrong(const InstanceCore& core, Type type) {
    throw std::logic_error(core.with_name("there are no variables of type " +
                                          std::string(to_string(type)) + " in this version"));
  }

  Get<double> get_real_;
  Set<double> set_real_;
  Get<int> get_integer_;
  Set<int> set_integer_;
  Get<Boolean> get_boolean_;
  Set<Boolean> set_boolean_;
  Get<const char*> get_string_;
  Set<const char*> set_string_;
  std::vector<Boolean> booleans_;
  std::vector<int> integers_;
  std::vector<const char*> strings_;
  std::unordered_map<ValueReference, std::string> kept_;  ///< texts that were set
};

}  // namespace tutti::fmi
