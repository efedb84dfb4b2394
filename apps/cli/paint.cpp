// SPDX-License-Identifier: BSD-2-Clause
#include "paint.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "console.hpp"

namespace tutti::cli {
namespace {

ColorChoice color_choice = ColorChoice::automatic;

constexpr std::string_view bold = "\x1b[1m", bold_red = "\x1b[1;31m", bold_yellow = "\x1b[1;33m",
                           plain = "\x1b[0m";

std::string in(std::string_view style, std::string_view text) {
  return std::string(style).append(text).append(plain);
}

bool is_set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

bool is_indented(std::string_view line) { return line.starts_with(' '); }

/// The coloured part of a heading: `quarter car (2 components), completed:`.
std::string painted_heading(std::string_view line) {
  const std::size_t colon = line.find(": ");
  const std::size_t end = colon == std::string_view::npos ? line.size() : colon + 1;
  return in(bold, line.substr(0, end)).append(line.substr(end));
}

/// A finding: `  12  error    text`.
std::string painted_finding(std::string_view line) {
  const std::size_t start = std::min(line.find_first_not_of(" 0123456789"), line.size());
  for (const auto& [word, style] :
       {std::pair(std::string_view("error"), bold_red), {"warning", bold_yellow}}) {
    const std::string_view rest = line.substr(start);
    if (!rest.starts_with(word) || !(rest.substr(word.size()).starts_with(' '))) continue;
    return std::string(line.substr(0, start))
        .append(in(style, word))
        .append(rest.substr(word.size()));
  }
  return std::string(line);
}

/// Calls action(line, next) for each line, without its end.
template <class Action>
void for_each_line(std::string_view text, const Action& action) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const bool is_ended = end < text.size();
    text.remove_prefix(is_ended ? end + 1 : end);
    action(line, text, is_ended);
  }
}

/// Continuation bytes of UTF-8 have no column.
bool takes_column(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

/// The number of bytes in a number of columns.
std::size_t bytes_of(std::string_view text, std::size_t columns) {
  std::size_t bytes = 0;
  for (; bytes < text.size(); ++bytes)
    if (takes_column(text[bytes]) && columns-- == 0) break;
  return bytes;
}

}  // namespace

void choose_color(ColorChoice choice) { color_choice = choice; }

bool is_colored(std::FILE* stream) {
  if (color_choice != ColorChoice::automatic) return color_choice == ColorChoice::always;
  const char* const terminal = std::getenv("TERM");
  const bool is_dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
  return ::isatty(::fileno(stream)) == 1 && !is_dumb && !is_set("NO_COLOR");
}

std::size_t terminal_width(std::FILE* stream) {
  winsize size{};
  if (::isatty(::fileno(stream)) != 1) return 0;
  constexpr std::size_t usual = 80;
  if (::ioctl(::fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return usual;
  return size.ws_col;
}

std::string painted_word(std::string_view word, Severity severity) {
  if (severity == Severity::error) return in(bold_red, word);
  return severity == Severity::warning ? in(bold_yellow, word) : std::string(word);
}

std::string painted_text(std::string_view text) {
  std::string out;
  for_each_line(text, [&](std::string_view line, std::string_view rest, bool is_ended) {
    const bool is_heading = !line.empty() && !is_indented(line) && is_indented(rest);
    out += is_heading ? painted_heading(line) : painted_finding(line);
    if (is_ended) out += '\n';
  });
  return out;
}

std::string wrapped_text(std::string_view text, std::size_t width) {
  constexpr std::size_t least = 20;
  std::string out;
  for_each_line(text, [&](std::string_view line, std::string_view, bool is_ended) {
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size()) + 2;
    std::string_view rest = line;
    for (std::size_t room = width; indent + least <= width; room = width - indent) {
      const std::size_t bytes = bytes_of(rest, room);
      if (bytes == rest.size()) break;
      const std::size_t cut = rest.substr(0, bytes + 1).rfind(' ');
      if (cut == std::string_view::npos || rest.find_first_not_of(' ') > cut) break;
      out.append(rest.substr(0, cut)).append("\n").append(indent, ' ');
      rest.remove_prefix(cut + 1);
    }
    out += rest;
    if (is_ended) out += '\n';
  });
  return out;
}

bool print_text(std::FILE* stream, std::string_view text) {
  std::string out = without_controls(text);
  if (is_colored(stream)) out = painted_text(out);
  return put(stream, out);
}

}  // namespace tutti::cli
