// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/log_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"

namespace tutti::fmi {
namespace {

constexpr std::size_t longest_message = 1 << 20;
constexpr std::size_t kept_messages = 4;       // for the text of an error
constexpr std::size_t kept_characters = 2000;  // of each

// Length of the conversion that starts at text[0] == '%'; 0 if printf does not support it or it is
// unsafe.
std::size_t conversion_length(std::string_view text) {
  std::size_t i = 1;
  const auto skip = [&](std::string_view set) {
    while (i < text.size() && set.find(text[i]) != std::string_view::npos) ++i;
  };
  skip("0123456789$");  // %2$d
  skip("-+ #0'");
  skip("0123456789*$");
  if (i < text.size() && text[i] == '.') {
    ++i;
    skip("0123456789*$");
  }
  skip("hlLqjzt");
  if (i >= text.size()) return 0;
  constexpr std::string_view known = "diouxXeEfFgGaAcsp%";
  return known.find(text[i]) == std::string_view::npos ? 0 : i + 1;
}

char kind_letter(Type type) {
  if (type == Type::float64) return 'r';
  if (type == Type::boolean) return 'b';
  return type == Type::string ? 's' : 'i';
}

std::uint64_t key(char letter, ValueReference reference) {
  return static_cast<std::uint64_t>(static_cast<unsigned char>(letter)) << 32 | reference;
}

}  // namespace

std::string harmless_format(std::string_view format) {
  std::string result;
  result.reserve(format.size() + 8);
  for (std::size_t i = 0; i < format.size();) {
    if (format[i] != '%') {
      result += format[i++];
      continue;
    }
    const std::size_t length = conversion_length(format.substr(i));
    if (length == 0) {
      result += "%%";
      ++i;
    } else {
      result += format.substr(i, length);
      i += length;
    }
  }
  return result;
}

std::string format_message(const char* format, std::va_list arguments) {
  if (!format) return {};
  const std::string safe = harmless_format(std::string_view(format).substr(0, longest_message));
  std::va_list measured;
  va_copy(measured, arguments);
  const int size = std::vsnprintf(nullptr, 0, safe.c_str(), measured);
  va_end(measured);
  if (size < 0) return format;  // for example a wide string that this locale cannot represent
  std::string text(std::min(static_cast<std::size_t>(size), longest_message), '\0');
  std::vsnprintf(text.data(), text.size() + 1, safe.c_str(), arguments);
  return text;
}

std::string ReferenceNames::replace(std::string_view message) {
  std::string result;
  result.reserve(message.size());
  for (std::size_t i = 0; i < message.size();) {
    const std::size_t end = message[i] == '#' ? message.find('#', i + 1) : std::string_view::npos;
    if (end == i + 1) {
      result += '#';
      i += 2;
      continue;
    }
    const std::string* const name =
        end == std::string_view::npos ? nullptr : find(message.substr(i + 1, end - i - 1));
    if (name) {
      result += *name;
      i = end + 1;
    } else {
      result += message[i++];
    }
  }
  return result;
}

const std::string* ReferenceNames::find(std::string_view reference) {
  const bool v3 = description_->version == FmiVersion::v3;
  const char letter = v3 ? 'v' : reference.front();
  if (!v3) reference.remove_prefix(1);
  const auto number = to_integer<ValueReference>(reference);
  if (!number) return nullptr;
  if (names_.empty()) {
    for (const Variable& variable : description_->variables) {
      const char kind = v3 ? 'v' : kind_letter(variable.type);
      names_.emplace(key(kind, variable.value_reference), &variable.name);
    }
  }
  const auto found = names_.find(key(letter, *number));
  return found == names_.end() ? nullptr : found->second;
}

std::string CallMessages::add(std::string_view message, bool keep) {
  const std::lock_guard lock(mutex_);
  std::string text(trim(names_.replace(message)));
  if (text.empty()) return text;
  const std::uint64_t now = counter_.call_number();
  if (call_ != now) texts_.clear();
  call_ = now;
  if (keep && texts_.size() == kept_messages) texts_.erase(texts_.begin());
  if (keep) texts_.push_back(text.substr(0, kept_characters));
  return text;
}

std::string CallMessages::list() {
  const std::lock_guard lock(mutex_);
  if (call_ != counter_.call_number()) return {};
  return fmt::format("{}", fmt::join(texts_, " | "));
}

}  // namespace tutti::fmi
