// SPDX-License-Identifier: BSD-2-Clause
#include "core/access.hpp"
#include "core/capabilities.hpp"

#include <fmukit/model.hpp>

#include <cstdio>

namespace fmukit {
namespace {

/// FNV-1a, 64 bits (Fowler, Noll, Vo), from two different starts: 128 bits.
class Hash {
 public:
  void add(const void* data, std::size_t size) {
    const auto* p = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) {
      a_ = (a_ ^ p[i]) * prime;
      b_ = (b_ ^ p[i]) * prime;
    }
  }
  void add(const std::string& s) { add(s.c_str(), s.size() + 1); }
  void add(double v) { add(&v, sizeof v); }
  void add(const std::optional<double>& v) {
    add(v ? *v : 0.0);
    add(std::string(v ? "y" : "n"));
  }
  template <class T>
    requires(std::is_integral_v<T> || std::is_enum_v<T>)
  void add(T v) {
    add(static_cast<double>(v));
  }
  std::string text() const {
    char buffer[40];
    const auto part = [](std::uint64_t v, int shift, std::uint64_t mask) {
      return static_cast<unsigned long long>((v >> shift) & mask);
    };
    std::snprintf(buffer, sizeof buffer, "{%08llx-%04llx-%04llx-%04llx-%012llx}",
                  part(a_, 32, 0xffffffff), part(a_, 16, 0xffff), part(a_, 0, 0xffff),
                  part(b_, 48, 0xffff), part(b_, 0, 0xffffffffffff));
    return buffer;
  }

 private:
  static constexpr std::uint64_t prime = 0x100000001b3;
  std::uint64_t a_ = 0xcbf29ce484222325, b_ = 0x84222325cbf29ce4;
};

void add_dependencies(Hash& h, const std::optional<std::vector<Dependency>>& dependencies) {
  if (!dependencies) return;
  h.add(dependencies->size());
  for (const Dependency& d : *dependencies) {
    h.add(d.name);
    h.add(d.kind);
  }
}

void add_variable(Hash& h, const ModelInfo& info, const VariableInfo& v) {
  for (const std::string* s :
       {&v.name, &v.text, &v.unit, &v.display_unit, &v.quantity, &v.derivative_of, &v.mime_type})
    h.add(*s);
  h.add(v.type);
  h.add(v.causality);
  h.add(v.variability);
  h.add(v.initial ? static_cast<int>(*v.initial) : -1);
  for (const Dimension& d : v.shape) {
    h.add(d.size);
    h.add(d.parameter);
  }
  for (const auto& value : {v.min, v.max, v.nominal}) h.add(value);
  for (const bool flag : {v.reinit, v.event_indicator, v.relative}) h.add(flag);
  add_dependencies(h, v.dependencies);
  add_dependencies(h, v.initial_dependencies);
  for (const std::string& start : start_values(info, v)) h.add(start);
}

}  // namespace

std::string instantiation_token(const ModelInfo& info, const char* fmi_version) {
  Hash h;
  h.add(std::string(fmi_version));
  for (const std::string* s :
       {&info.name, &info.text, &info.author, &info.version, &info.copyright, &info.license})
    h.add(*s);
  const Experiment& e = info.experiment;
  for (const auto& value : {e.start, e.stop, e.tolerance, e.step}) h.add(value);
  h.add(info.internal_step);
  h.add(info.substeps);
  const Capabilities c = capabilities(info);
  for (const bool flag : {c.model_exchange, c.get_set_state, c.serialize, c.directional,
                          c.has_event_mode, c.returns_early, c.intermediate_updates})
    h.add(flag);
  for (const UnitInfo& unit : info.units) {
    h.add(unit.name);
    const BaseUnit b = unit.base.value_or(BaseUnit{});
    for (const int exponent : {b.kg, b.m, b.s, b.A, b.K, b.mol, b.cd, b.rad}) h.add(exponent);
    for (const DisplayUnit& d : unit.displays) {
      h.add(d.name);
      h.add(d.factor);
      h.add(d.offset);
    }
  }
  for (const EnumerationInfo& enumeration : info.enumerations) {
    h.add(enumeration.name);
    for (const EnumerationInfo::Item& item : enumeration.items) {
      h.add(item.name);
      h.add(item.value);
    }
  }
  for (const VariableInfo& v : info.variables) add_variable(h, info, v);
  return h.text();
}

}  // namespace fmukit
