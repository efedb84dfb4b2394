// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <tutti/log.hpp>

/// Colours on a terminal: the one place that knows escape sequences.
namespace tutti::cli {

enum class ColorChoice { automatic, always, never };

/// Of this process, from --color.
void choose_color(ColorChoice choice);
/// `automatic`: the stream is a terminal that knows colours, and NO_COLOR is not set.
bool is_colored(std::FILE* stream);

/// Columns of the terminal that the stream is; 0: it is none.
std::size_t terminal_width(std::FILE* stream);

/// `error: `, `warning: `, in colour.
std::string painted_word(std::string_view word, Severity severity);
/// A text for people, line by line: a line is a heading if it is not indented and the next one is;
/// `error` and `warning` at the start of a line get their colour.
std::string painted_text(std::string_view text);

/// Breaks lines between words so that none has more columns than this. Their rests are indented by
/// two more than they.
std::string wrapped_text(std::string_view text, std::size_t width);

/// Writes a text for people: without control characters, and in colour where is_colored(). False
/// if the stream does not take it.
bool print_text(std::FILE* stream, std::string_view text);

}  // namespace tutti::cli
