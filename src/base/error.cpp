// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <tutti/error.hpp>
#include <utility>

#include "base/error_codes.hpp"

namespace tutti {
namespace {

std::string framed(const std::string& text, const ErrorDetails& details) {
  std::string all = details.file;
  if (details.line > 0) all += fmt::format(":{}", details.line);
  if (details.line > 0 && details.column > 0) all += fmt::format(":{}", details.column);
  if (!all.empty()) all += ": ";
  if (details.time) all += fmt::format("t = {:.13g} s: ", *details.time);
  return all + text;
}

std::string with_hint(const std::string& text, std::string_view hint) {
  if (hint.empty()) return text;
  const bool is_sentence = !text.empty() && std::string_view(".?!").find(text.back()) != hint.npos;
  return fmt::format("{}{} {}", text, is_sentence ? "" : ".", hint);
}

std::string with_key(std::string text, std::string_view name) {
  constexpr std::string_view mark = "%key%";
  if (name.empty()) return text;
  for (std::size_t at = 0; (at = text.find(mark, at)) != text.npos; at += name.size())
    text.replace(at, mark.size(), name);
  return text;
}

void fill(ErrorDetails& details, const ErrorDetails& more) {
  const auto take = [](auto& field, const auto& other) {
    if (field == std::remove_reference_t<decltype(field)>{}) field = other;
  };
  if (details.file.empty()) take(details.line, more.line), take(details.column, more.column);
  if (details.component.empty()) take(details.variable, more.variable);  // it belongs to that one
  take(details.file, more.file), take(details.component, more.component);
  take(details.time, more.time), take(details.key, more.key), take(details.hint, more.hint);
}

/// One per line.
template <class Text>
std::string listed(const std::vector<Error>& parts, const Text& text) {
  constexpr std::size_t maximum = 20;
  std::string all;
  for (std::size_t i = 0; i < std::min(parts.size(), maximum); ++i)
    all += std::string(i == 0 ? "" : "\n") + text(parts[i]);
  if (parts.size() > maximum) all += fmt::format("\nand {} more", parts.size() - maximum);
  return all;
}

ErrorRecord composed(ErrorCode code, const std::string& text, ErrorDetails details) {
  std::string& hint = details.hint;
  hint.erase(0, hint.find_first_not_of(' '));  // of what did_you_mean() returns
  ErrorRecord record{code, with_hint(framed(text, details), hint), with_hint(text, hint), {}};
  hint = with_key(hint, details.key);
  record.details = std::move(details);
  return record;
}

ErrorRecord summary(ErrorCode code, const std::vector<Error>& parts) {
  ErrorRecord record = parts.at(0).record();
  record.code = code;
  if (parts.size() > 1)
    record.text = record.message = listed(parts, [](const Error& e) { return e.what(); });
  return record;
}

}  // namespace

struct Error::Data {
  ErrorRecord record;
  std::vector<Error> parts;
};

std::string_view to_string(ErrorCode code) {
  return error_codes()[static_cast<std::size_t>(code)].name;
}

Error::Error(ErrorRecord record, std::vector<Error> parts)
    : std::runtime_error(with_key(record.message, record.details.key)),
      code_(record.code),
      data_(std::make_shared<const Data>(Data{std::move(record), std::move(parts)})) {}

Error::Error(ErrorRecord record) : Error(std::move(record), {}) {}

Error::Error(ErrorCode code, const std::string& text, ErrorDetails details)
    : Error(composed(code, text, std::move(details))) {}

Error::Error(ErrorCode code, std::vector<Error> parts)
    : Error(summary(code, parts), parts.size() > 1 ? parts : std::vector<Error>{}) {}

const ErrorDetails& Error::details() const noexcept { return data_->record.details; }
const ErrorRecord& Error::record() const noexcept { return data_->record; }
const std::vector<Error>& Error::parts() const noexcept { return data_->parts; }

std::string Error::message(const KeyName& name) const {
  if (!parts().empty())
    return listed(parts(), [&](const Error& part) { return part.message(name); });
  return details().key.empty() ? what() : with_key(record().message, name(details()));
}

Error Error::as(ErrorCode code) const {
  ErrorRecord changed = record();
  changed.code = code;
  return Error(std::move(changed), parts());
}

Error Error::with(const ErrorDetails& more) const {
  ErrorRecord changed = record();
  fill(changed.details, more);
  return Error(std::move(changed), parts());
}

Error Error::within(const std::string& context, const ErrorDetails& more) const {
  ErrorRecord changed = record();
  if (!more.file.empty()) {
    changed.details.file.clear();
    changed.details.line = changed.details.column = 0;
  }
  fill(changed.details, more);
  std::string hint = with_key(more.hint, more.key);
  if (changed.details.hint == more.hint) changed.details.hint = hint;
  if (changed.details.key == more.key) hint = more.hint;  // only one key can have another name
  const std::string before = context.empty() ? "" : context + ": ";
  changed.text = with_hint(before + changed.text, hint);
  changed.message = with_hint(framed(before + changed.message, more), hint);
  return Error(std::move(changed));
}

Error Error::of(const std::string& subject, const ErrorDetails& more) const {
  ErrorRecord changed = within(subject, more).record();
  changed.text = record().text;
  return Error(std::move(changed));
}

}  // namespace tutti
