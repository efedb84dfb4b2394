// SPDX-License-Identifier: BSD-2-Clause
#include "session/advise/probe.hpp"
#include "session/packer.hpp"

namespace tutti::session {
namespace {

using analysis::Linearization;
using stability::Matrix;

void pack_matrix(Packer& out, const Matrix& m) {
  out.value(m.rows);
  out.value(m.columns);
  out.numbers(m.values);
}

Matrix unpack_matrix(Unpacker& in) {
  const auto rows = in.value<std::size_t>();
  const auto columns = in.value<std::size_t>();
  return {rows, columns, in.numbers()};
}

}  // namespace

std::string pack(const ProbeResult& result) {
  Packer out;
  out.value(result.start.size());
  for (const auto& cycle : result.start) {
    out.value(cycle.size());
    for (const Linearization& l : cycle) {
      out.value(l.source);
      out.value(l.has_states);
      for (const Matrix* m : {&l.system.a, &l.system.b, &l.system.c, &l.system.d})
        pack_matrix(out, *m);
      out.value(l.uncertain.size());
      for (const bool entry : l.uncertain) out.value(entry);
      for (const auto* values : {&l.u_start, &l.y_start, &l.drift}) out.numbers(*values);
      out.value(l.longest_step);
      out.value(l.notes.size());
      for (const std::string& note : l.notes) out.text(note);
    }
  }
  out.value(result.later.size());
  for (const LaterPoint& point : result.later) {
    out.value(point.time);
    for (const auto& cycle : point.d)
      for (const Matrix& d : cycle) pack_matrix(out, d);
  }
  out.text(result.end);
  return out.bytes();
}

ProbeResult unpack(std::string_view bytes) {
  Unpacker in(bytes);
  ProbeResult result;
  result.start.resize(in.value<std::size_t>());
  for (auto& cycle : result.start) {
    cycle.resize(in.value<std::size_t>());
    for (Linearization& l : cycle) {
      l.source = in.value<analysis::Source>();
      l.has_states = in.value<bool>();
      for (Matrix* m : {&l.system.a, &l.system.b, &l.system.c, &l.system.d}) *m = unpack_matrix(in);
      l.uncertain.resize(in.value<std::size_t>());
      for (auto&& entry : l.uncertain) entry = in.value<bool>();
      for (auto* values : {&l.u_start, &l.y_start, &l.drift}) *values = in.numbers();
      l.longest_step = in.value<double>();
      l.notes.resize(in.value<std::size_t>());
      for (std::string& note : l.notes) note = in.text();
    }
  }
  result.later.resize(in.value<std::size_t>());
  for (LaterPoint& point : result.later) {
    point.time = in.value<double>();
    for (const auto& cycle : result.start) {
      auto& of_cycle = point.d.emplace_back();
      of_cycle.resize(cycle.size());
      for (Matrix& d : of_cycle) d = unpack_matrix(in);
    }
  }
  result.end = in.text();
  return result;
}

}  // namespace tutti::session
