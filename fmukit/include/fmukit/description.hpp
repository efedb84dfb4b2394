// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fmukit/member.hpp>
#include <fmukit/model.hpp>

#include <initializer_list>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace fmukit {

/// Filled in by `static void describe(Description<M>&)`. A variable is declared by the function
/// named after its causality, with a name and its member; the type follows from the
/// member, the start value from its initializer. Instead of a pointer to a member, a function
/// `[](M& m) -> T&` may point into parts of the object (but not into the heap).
template <class M>
class Description {
 public:
  Description(ModelInfo& info, M& prototype) : info_(info), prototype_(prototype) {
    variable(Causality::independent, "time", &Model::time).text("Simulation time").unit("s");
  }

  // The model.
  Description& name(std::string s) { return set(info_.name, std::move(s)); }
  Description& text(std::string s) { return set(info_.text, std::move(s)); }
  Description& author(std::string s) { return set(info_.author, std::move(s)); }
  Description& version(std::string s) { return set(info_.version, std::move(s)); }
  Description& copyright(std::string s) { return set(info_.copyright, std::move(s)); }
  Description& license(std::string s) { return set(info_.license, std::move(s)); }
  Description& default_experiment(Experiment e) { return set(info_.experiment, e); }
  /// Maximum step of the kit's integrator; communication steps are divided evenly.
  Description& internal_step(double h) { return set(info_.internal_step, h); }
  /// Steps of the kit's integrator per communication step.
  Description& substeps(int n) { return set(info_.substeps, n); }
  /// Further properties, e.g. d.promises().once_per_process = true.
  Promises& promises() { return info_.promises; }

  // The variables. Floats are continuous, all others discrete, by default.
  template <class P>
  Variable parameter(std::string n, P member) {
    return variable(Causality::parameter, std::move(n), member);
  }
  template <class P>
  Variable calculated_parameter(std::string n, P member) {
    return variable(Causality::calculated_parameter, std::move(n), member);
  }
  template <class P>
  Variable structural_parameter(std::string n, P member) {
    return variable(Causality::structural_parameter, std::move(n), member);
  }
  template <class P>
  Variable input(std::string n, P member) {
    return variable(Causality::input, std::move(n), member);
  }
  template <class P>
  Variable output(std::string n, P member) {
    return variable(Causality::output, std::move(n), member);
  }
  template <class P>
  Variable local(std::string n, P member) {
    return variable(Causality::local, std::move(n), member);
  }
  template <class P>
  Variable constant(std::string n, P member) {
    Variable v = variable(Causality::local, std::move(n), member);
    info_.variables.back().variability = Variability::constant;
    return v.exact();
  }

  /// A member that is not a variable but part of the state: required to serialize the state.
  /// Plain types, std::string and std::vector of these.
  template <class P>
  void memory(P member) {
    auto& place = resolve(member);
    using T = std::remove_reference_t<decltype(place)>;
    info_.memory.push_back({offset(place), sizeof(T),
                            [](const void* m, ByteWriter& w) { w.put(*static_cast<const T*>(m)); },
                            [](void* m, ByteReader& r) { r.get(*static_cast<T*>(m)); }});
  }

  /// Names the values of a C++ enumeration; for FMI 1.0 they should be 1, 2, 3...
  template <class E>
  void enumeration(std::string n, std::initializer_list<std::pair<E, const char*>> items) {
    EnumerationInfo& e = info_.enumerations.emplace_back();
    e.key = &detail::enumeration_key<E>;
    e.name = std::move(n);
    for (const auto& [value, item] : items) e.items.push_back({item, static_cast<int>(value), {}});
  }
  /// A unit beyond the well-known ones, or one with display units.
  void unit(std::string n, BaseUnit base, std::vector<DisplayUnit> displays = {}) {
    info_.units.push_back({std::move(n), base, std::move(displays)});
  }

 private:
  template <class Field, class Value>
  Description& set(Field& field, Value&& value) {
    field = std::forward<Value>(value);
    return *this;
  }
  template <class P>
  auto& resolve(P member) {
    if constexpr (std::is_member_pointer_v<P>)
      return prototype_.*member;
    else
      return member(prototype_);
  }
  template <class T>
  std::ptrdiff_t offset(const T& place) const {
    return reinterpret_cast<const char*>(&place) -
           reinterpret_cast<const char*>(static_cast<const Model*>(&prototype_));
  }
  template <class P>
  Variable variable(Causality causality, std::string n, P member) {
    const auto& place = resolve(member);
    using T = std::remove_cvref_t<decltype(place)>;
    VariableInfo& v = info_.variables.emplace_back();
    v.name = std::move(n);
    v.causality = causality;
    v.offset = offset(place);
    v.bytes = sizeof(T);
    detail::Member<T>::describe(place, v);
    const bool is_float = v.type == Type::float64 || v.type == Type::float32;
    v.variability = causality <= Causality::structural_parameter ? Variability::fixed
                    : is_float                                   ? Variability::continuous
                                                                 : Variability::discrete;
    return Variable(v);
  }

  ModelInfo& info_;
  M& prototype_;
};

/// Calls M::describe().
template <class M>
ModelInfo make_model_info(std::string class_name) {
  ModelInfo info;
  info.name = std::move(class_name);
  info.abilities = detail::abilities_of<M>();
  info.create = [] { return std::unique_ptr<Model>(std::make_unique<M>()); };
  if constexpr (detail::abilities_of<M>().copyable) {
    info.clone = [](const Model& m) {
      return std::unique_ptr<Model>(std::make_unique<M>(static_cast<const M&>(m)));
    };
    info.assign = [](Model& to, const Model& from) {
      static_cast<M&>(to) = static_cast<const M&>(from);
    };
  }
  auto prototype = std::make_shared<M>();
  info.object_begin = sizeof(Model);
  info.object_bytes = sizeof(M);
  Description<M> description(info, *prototype);
  M::describe(description);
  info.prototype = std::move(prototype);
  finish(info);
  return info;
}

}  // namespace fmukit

/// Makes the class the model of this FMU. The name may be a macro: one source can contain
/// several models, and fmukit_add_fmu(... DEFINITIONS MODEL=Wheel) selects one.
#define FMUKIT_EXPORT(Class) FMUKIT_EXPORT_CLASS(Class)
#define FMUKIT_EXPORT_CLASS(Class)                                                \
  const fmukit::ModelInfo& fmukit::exported_model() {                             \
    static const fmukit::ModelInfo info = fmukit::make_model_info<Class>(#Class); \
    return info;                                                                  \
  }
