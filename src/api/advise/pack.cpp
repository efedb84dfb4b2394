// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstring>

#include "api/advise/probe.hpp"

namespace tutti::api {
namespace {

using analysis::Linearization;
using stability::Matrix;

class Writer {
 public:
  void number(std::size_t n) { raw(&n, sizeof n); }
  void text(std::string_view text) {
    number(text.size());
    bytes += text;
  }
  void numbers(const std::vector<double>& values) { matrix({1, values.size(), values}); }
  void matrix(const Matrix& m) {
    number(m.rows);
    number(m.columns);
    raw(m.values.data(), m.values.size() * sizeof(double));
  }
  std::string bytes;

 private:
  void raw(const void* data, std::size_t size) {
    bytes.append(static_cast<const char*>(data), size);
  }
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  std::size_t number() {
    std::size_t n = 0;
    raw(&n, sizeof n);
    return n;
  }
  std::string text() {
    std::string text(std::min(number(), rest_.size()), '\0');
    raw(text.data(), text.size());
    return text;
  }
  std::vector<double> numbers() { return matrix().values; }
  Matrix matrix() {
    const std::size_t rows = number();
    Matrix m(rows, number());
    raw(m.values.data(), m.values.size() * sizeof(double));
    return m;
  }

 private:
  void raw(void* to, std::size_t size) {
    size = std::min(size, rest_.size());
    if (size > 0) std::memcpy(to, rest_.data(), size);
    rest_.remove_prefix(size);
  }
  std::string_view rest_;
};

}  // namespace

std::string pack(const ProbeResult& result) {
  Writer out;
  out.number(result.start.size());
  for (const auto& cycle : result.start) {
    out.number(cycle.size());
    for (const Linearization& l : cycle) {
      out.number(static_cast<std::size_t>(l.source));
      out.number(l.has_states ? 1 : 0);
      for (const Matrix* m : {&l.system.a, &l.system.b, &l.system.c, &l.system.d}) out.matrix(*m);
      out.number(l.uncertain.size());
      for (const bool entry : l.uncertain) out.number(entry ? 1 : 0);
      for (const auto* values : {&l.u_start, &l.y_start, &l.drift}) out.numbers(*values);
      out.numbers({l.longest_step});
      out.number(l.notes.size());
      for (const std::string& note : l.notes) out.text(note);
    }
  }
  out.number(result.later.size());
  for (const LaterPoint& point : result.later) {
    out.numbers({point.time});
    for (const auto& cycle : point.d)
      for (const Matrix& d : cycle) out.matrix(d);
  }
  out.text(result.end);
  return std::move(out.bytes);
}

ProbeResult unpack(std::string_view bytes) {
  Reader in(bytes);
  ProbeResult result;
  result.start.resize(in.number());
  for (auto& cycle : result.start) {
    cycle.resize(in.number());
    for (Linearization& l : cycle) {
      l.source = static_cast<analysis::Source>(in.number());
      l.has_states = in.number() != 0;
      for (Matrix* m : {&l.system.a, &l.system.b, &l.system.c, &l.system.d}) *m = in.matrix();
      l.uncertain.resize(in.number());
      for (auto&& entry : l.uncertain) entry = in.number() != 0;
      for (auto* values : {&l.u_start, &l.y_start, &l.drift}) *values = in.numbers();
      l.longest_step = in.numbers().at(0);
      l.notes.resize(in.number());
      for (std::string& note : l.notes) note = in.text();
    }
  }
  result.later.resize(in.number());
  for (LaterPoint& point : result.later) {
    point.time = in.numbers().at(0);
    for (const auto& cycle : result.start) {
      auto& of_cycle = point.d.emplace_back();
      of_cycle.resize(cycle.size());
      for (Matrix& d : of_cycle) d = in.matrix();
    }
  }
  result.end = in.text();
  return result;
}

}  // namespace tutti::api
