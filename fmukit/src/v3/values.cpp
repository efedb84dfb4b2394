// SPDX-License-Identifier: BSD-2-Clause
#include "v3/slave.hpp"

using namespace fmukit;
using namespace fmukit::v3;

#define FMUKIT_VALUES(Name, type, X)                                                             \
  FMUKIT_API abi::Status fmi3Get##Name(abi::Instance c, const abi::ValueReference* references,   \
                                       std::size_t count, X* values, std::size_t value_count) {  \
    return run(c, "fmi3Get" #Name, when::any, [&](Slave& s) {                                    \
      return get_arrays<Type::type>(s, "fmi3Get" #Name, references, count, values, value_count); \
    });                                                                                          \
  }                                                                                              \
  FMUKIT_API abi::Status fmi3Set##Name(abi::Instance c, const abi::ValueReference* references,   \
                                       std::size_t count, const X* values,                       \
                                       std::size_t value_count) {                                \
    return run(c, "fmi3Set" #Name, when::settable, [&](Slave& s) {                               \
      return set_arrays<Type::type>(s, "fmi3Set" #Name, references, count, values, value_count); \
    });                                                                                          \
  }
FMUKIT_VALUES(Float32, float32, float)
FMUKIT_VALUES(Float64, float64, double)
FMUKIT_VALUES(Int8, int8, std::int8_t)
FMUKIT_VALUES(UInt8, uint8, std::uint8_t)
FMUKIT_VALUES(Int16, int16, std::int16_t)
FMUKIT_VALUES(UInt16, uint16, std::uint16_t)
FMUKIT_VALUES(Int32, int32, std::int32_t)
FMUKIT_VALUES(UInt32, uint32, std::uint32_t)
FMUKIT_VALUES(Int64, int64, std::int64_t)
FMUKIT_VALUES(UInt64, uint64, std::uint64_t)
FMUKIT_VALUES(Boolean, boolean, bool)
FMUKIT_VALUES(String, string, abi::String)
#undef FMUKIT_VALUES

FMUKIT_API abi::Status fmi3GetBinary(abi::Instance c, const abi::ValueReference* references,
                                     std::size_t count, std::size_t* sizes, abi::Binary* values,
                                     std::size_t value_count) {
  return run(c, "fmi3GetBinary", when::any, [&](Slave& s) {
    s.ready();
    std::size_t next = 0;
    for (std::size_t k = 0; k < count; ++k) {
      if (references[k] >= s.layout.slots.size())
        return unknown_reference(s, "fmi3GetBinary", references[k]);
      const Slot& slot = s.layout.slots[references[k]];
      if (slot.type != Type::binary) return wrong_type(s, "fmi3GetBinary", slot);
      for (const Binary& held : elements<Binary>(*s.model, slot)) {
        if (next == value_count) return s.fail("fmi3GetBinary", "the value array is too short");
        sizes[next] = held.bytes.size();
        values[next++] = held.bytes.data();
      }
    }
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi3SetBinary(abi::Instance c, const abi::ValueReference* references,
                                     std::size_t count, const std::size_t* sizes,
                                     const abi::Binary* values, std::size_t value_count) {
  return run(c, "fmi3SetBinary", when::settable, [&](Slave& s) {
    s.touched();
    std::size_t next = 0;
    for (std::size_t k = 0; k < count; ++k) {
      if (references[k] >= s.layout.slots.size())
        return unknown_reference(s, "fmi3SetBinary", references[k]);
      const Slot& slot = s.layout.slots[references[k]];
      if (slot.type != Type::binary) return wrong_type(s, "fmi3SetBinary", slot);
      if (!contains(slot.settable, s.phase)) return not_settable(s, "fmi3SetBinary", slot);
      for (Binary& held : elements<Binary>(*s.model, slot)) {
        if (next == value_count) return s.fail("fmi3SetBinary", "the value array is too short");
        held.bytes.assign(values[next], values[next] + sizes[next]);
        ++next;
      }
    }
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi3GetDirectionalDerivative(
    abi::Instance c, const abi::ValueReference* unknowns, std::size_t unknown_count,
    const abi::ValueReference* knowns, std::size_t known_count, const abi::Float64* seed,
    std::size_t seed_count, abi::Float64* sensitivity, std::size_t sensitivity_count) {
  return run(c, "fmi3GetDirectionalDerivative", when::running, [&](Slave& s) {
    const std::span u(unknowns, unknown_count), k(knowns, known_count);
    if (seed_count != s.size_of(k) || sensitivity_count != s.size_of(u))
      return s.fail("fmi3GetDirectionalDerivative", "wrong number of values");
    s.directional(u, k, seed, sensitivity);
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi3GetAdjointDerivative(
    abi::Instance c, const abi::ValueReference* unknowns, std::size_t unknown_count,
    const abi::ValueReference* knowns, std::size_t known_count, const abi::Float64* seed,
    std::size_t seed_count, abi::Float64* sensitivity, std::size_t sensitivity_count) {
  return run(c, "fmi3GetAdjointDerivative", when::running, [&](Slave& s) {
    const std::span u(unknowns, unknown_count), k(knowns, known_count);
    if (seed_count != s.size_of(u) || sensitivity_count != s.size_of(k))
      return s.fail("fmi3GetAdjointDerivative", "wrong number of values");
    s.adjoint(u, k, seed, sensitivity);
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi3GetNumberOfVariableDependencies(abi::Instance c,
                                                           abi::ValueReference reference,
                                                           std::size_t* count) {
  return run(c, "fmi3GetNumberOfVariableDependencies", when::any, [&](Slave& s) {
    if (!s.info.abilities.element_dependencies)
      return s.fail("fmi3GetNumberOfVariableDependencies",
                    "the model does not have this capability");
    *count = s.dependencies(reference).size();
    return Status::ok;
  });
}

FMUKIT_API abi::Status fmi3GetVariableDependencies(abi::Instance c, abi::ValueReference dependent,
                                                   std::size_t* elements,
                                                   abi::ValueReference* independents,
                                                   std::size_t* elements_of_independents,
                                                   abi::DependencyKind* kinds, std::size_t count) {
  return run(c, "fmi3GetVariableDependencies", when::any, [&](Slave& s) {
    const auto found = s.dependencies(dependent);
    if (!s.info.abilities.element_dependencies || found.size() != count)
      return s.fail("fmi3GetVariableDependencies", "wrong number of dependencies");
    for (std::size_t k = 0; k < count; ++k) {
      const DependencyKind kind = found[k].kind;
      elements[k] = found[k].element;
      independents[k] = found[k].known;
      elements_of_independents[k] = found[k].known_element;
      kinds[k] = kind == DependencyKind::dependent  ? abi::dependent
                 : kind == DependencyKind::constant ? abi::constant
                 : kind == DependencyKind::fixed    ? abi::fixed
                 : kind == DependencyKind::tunable  ? abi::tunable
                                                    : abi::discrete;
    }
    return Status::ok;
  });
}
