// SPDX-License-Identifier: BSD-2-Clause
#include "core/instance.hpp"

#include <stdexcept>

namespace fmukit {
namespace {

constexpr std::uint64_t mark = 0x31746174736b6d66;  // "fmkstat1"

/// Calls f(elements) for every variable of the state, with std::vectors as such.
template <class M, class F>
void for_each_variable(M& model, const ModelInfo& info, F&& f) {
  for (const VariableInfo& v : info.variables) {
    with_type(v.type, [&]<class T>(T*) {
      char* place = const_cast<char*>(member(model, v.offset));
      if constexpr (!std::is_same_v<T, bool>)
        if (v.storage == Storage::vector) return f(*reinterpret_cast<std::vector<T>*>(place));
      const std::size_t count = v.storage == Storage::scalar ? 1 : v.count;
      for (std::size_t k = 0; k < count; ++k) f(reinterpret_cast<T*>(place)[k]);
    });
  }
}

struct Writer : ByteWriter {
  using ByteWriter::put;
  void put(const Binary& b) { put(b.bytes); }
  void put(const std::vector<Binary>& values) {
    put(values.size());
    for (const Binary& b : values) put(b);
  }
};
struct Reader : ByteReader {
  using ByteReader::ByteReader;
  using ByteReader::get;
  void get(Binary& b) { get(b.bytes); }
  void get(std::vector<Binary>& values) {
    std::size_t size = 0;
    get(size);
    if (size > left()) throw std::runtime_error("the serialized state is damaged");
    values.resize(size);
    for (Binary& b : values) get(b);
  }
};

}  // namespace

std::unique_ptr<SavedState> Instance::save() const {
  auto saved = std::make_unique<SavedState>();
  save(*saved);
  return saved;
}

void Instance::save(SavedState& into) const {
  if (!capabilities.get_set_state) throw std::runtime_error("the model cannot be copied");
  if (into.model)
    info.assign(*into.model, *model);
  else
    into.model = info.clone(*model);
  into.phase = phase;
  into.next_event_time = next_event_time;
  into.indicators = integrator_.last_indicators;
}

void Instance::restore(const SavedState& saved) {
  info.assign(*model, *saved.model);
  model->host_ = this;
  phase = saved.phase;
  next_event_time = saved.next_event_time;
  terminate_requested = false;
  integrator_.restart();
  integrator_.last_indicators = saved.indicators;
  bind();
  touched();
}

void Instance::go_back(const SavedState& saved) {
  const std::unique_ptr<Model> now = info.clone(*model);
  Integrator::InputDerivatives derivatives_now = integrator_.take_input_derivatives();
  restore(saved);
  integrator_.put_input_derivatives(std::move(derivatives_now));
  for (const Slot& slot : slots) {
    if (info.variables[slot.variable].causality != Causality::input) continue;
    with_type(slot.type, [&]<class T>(T*) {
      slot_elements<T>(*model, slot)[0] = slot_elements<T>(*now, slot)[0];
    });
  }
}

std::vector<unsigned char> Instance::serialize(const SavedState& saved) const {
  if (!capabilities.serialize) throw std::runtime_error("the model cannot be serialized");
  Writer w;
  w.put(mark);
  w.put(instantiation_token(info, ""));
  w.put(saved.phase);
  w.put(saved.next_event_time);
  w.put(saved.indicators);
  for_each_variable(*saved.model, info, [&](const auto& value) { w.put(value); });
  for (const MemoryInfo& m : info.memory) m.save(member(*saved.model, m.offset), w);
  return std::move(w.bytes);
}

std::unique_ptr<SavedState> Instance::deserialize(const void* data, std::size_t size) const {
  if (!capabilities.serialize) throw std::runtime_error("the model cannot be serialized");
  Reader r(data, size);
  std::uint64_t found = 0;
  std::string token;
  r.get(found);
  if (found == mark) r.get(token);
  if (token != instantiation_token(info, ""))
    throw std::runtime_error("the serialized state belongs to another model");
  auto saved = std::make_unique<SavedState>();
  saved->model = info.create();
  r.get(saved->phase);
  r.get(saved->next_event_time);
  r.get(saved->indicators);
  for_each_variable(*saved->model, info, [&](auto& value) { r.get(value); });
  for (const MemoryInfo& m : info.memory)
    m.load(const_cast<char*>(member(*saved->model, m.offset)), r);
  if (r.left() != 0) throw std::runtime_error("the serialized state is too long");
  return saved;
}

}  // namespace fmukit
