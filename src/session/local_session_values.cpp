// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>

#include "session/local_session.hpp"

namespace tutti::session {

Handle LocalSession::find(std::string_view name) {
  FoundVariable variable = find_variable(*prepared_, name);
  for (std::uint32_t i = 0; i < found_.size(); ++i)
    if (found_[i].info.name == variable.info.name) return {i};
  if (!is_initialized()) prepared_->fetch(variable.component, variable.selection.index);
  found_.push_back(std::move(variable));
  places.push_back(nullptr);
  if (is_initialized()) locate(found_.size() - 1);
  return {static_cast<std::uint32_t>(found_.size() - 1)};
}

double LocalSession::time() const noexcept {
  return is_initialized() ? now() : setup_.time.grid.start();
}

double LocalSession::number(Handle handle) {
  const FoundVariable& variable = at(handle);
  expect(true, "get()");
  if (is_text(variable.info.type) || !variable.info.shape.empty())
    throw Error(ErrorCode::usage,
                fmt::format("\"{}\" is {}, not a number: use value()", variable.info.name,
                            variable.info.shape.empty() ? "a text" : "an array"));
  if (variable.held == nullptr) {
    expect_alive("get() of a variable that was found after initialize()");
    const models::ValueSet values = fetch(variable);
    return as_real(variable.info.type, values.read(*scalars_of(variable, values).front()));
  }
  if (variable.is_input && !has_failed()) island().show_inputs(now());
  return as_real(variable.info.type, variable.held->read(*variable.scalars.front()));
}

Value LocalSession::value(Handle handle) {
  const FoundVariable& variable = at(handle);
  expect(true, "value()");
  if (variable.held == nullptr) {
    expect_alive("value() of a variable that was found after initialize()");
    const models::ValueSet values = fetch(variable);
    return value_of(variable.info, values, scalars_of(variable, values));
  }
  if (variable.is_input && !has_failed()) island().show_inputs(now());
  return value_of(variable.info, *variable.held, variable.scalars);
}

void LocalSession::set(Handle handle, const Value& value) {
  const FoundVariable& variable = at(handle);
  if (!is_initialized()) {
    if (setup_.resume)
      throw Error(ErrorCode::usage,
                  fmt::format("\"{}\" has the value of the file until the session is initialized: "
                              "set it after initialize()",
                              variable.info.name));
    if (variable.is_driven) check_settable(variable, description(variable));
    prepared_->assign(variable.component, assignments_of(variable, value));
    return;
  }
  expect_alive("set()");
  check_settable(variable, description(variable));
  // Other elements of an array keep what they have, or will have.
  auto known = std::find_if(pending_.begin(), pending_.end(), [&](const PendingValues& pending) {
    return pending.component == variable.component &&
           pending.values.variables().front() == variable.selection.index;
  });
  const bool is_new = known == pending_.end();
  models::ValueSet values = is_new ? fetch(variable) : known->values;
  write_value(variable, value, description(variable), values);
  if (is_new)
    pending_.push_back({variable.component, std::move(values)});
  else
    known->values = std::move(values);
}

void LocalSession::observe(std::shared_ptr<Observer> observer, std::span<const Handle> handles) {
  expect(false, "observe()");
  for (const Handle handle : handles) at(handle);
  requests_.push_back({std::move(observer), {handles.begin(), handles.end()}});
}

}  // namespace tutti::session
