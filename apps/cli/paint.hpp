// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <tutti/log.hpp>

/// Colours on a terminal: the only place with escape sequences.
namespace tutti::cli {

enum class ColorChoice { automatic, always, never };

/// Of this process, from --color.
void choose_color(ColorChoice choice);
/// `automatic`: the stream is a terminal with colours, and NO_COLOR is not set.
bool is_colored(std::FILE* stream);

/// Columns of the terminal of the stream; 0: not a terminal.
std::size_t terminal_width(std::FILE* stream);

/// `error: `, `warning: `, in colour.
std::string painted_word(std::string_view word, Severity severity);
/// Colours a text line by line: a line is a heading if it is not indented and the next one is;
/// `error` and `warning` at the start of a line are coloured.
std::string painted_text(std::string_view text);

/// Breaks lines between words at this number of columns. Continuation lines are indented by two
/// more.
std::string wrapped_text(std::string_view text, std::size_t width);

/// Writes a text without control characters, in colour if is_colored(). False if that fails.
bool print_text(std::FILE* stream, std::string_view text);

}  // namespace tutti::cli
