// SPDX-License-Identifier: BSD-2-Clause
#include "text_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tutti::cli {
namespace {

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// One cell, filled up to its width.
void put(std::string& line, const std::string& cell, std::size_t width) {
  line += cell;
  const std::size_t used = display_width(cell);
  if (used < width) line.append(width - used, ' ');
}

void finish(std::string& out, std::string& line) {
  line.erase(line.find_last_not_of(' ') + 1);
  out += line + "\n";
  line.clear();
}

}  // namespace

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !continues(c); }));
}

std::string shortened(std::string_view text, std::size_t width) {
  std::string result;
  std::size_t used = 0;
  std::size_t last = 0;  // where the last character that leaves room for the ellipsis ends
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    while (end < text.size() && continues(text[end])) ++end;
    if (used + 1 > width) {
      result.resize(last);
      return result + "…";
    }
    if (static_cast<unsigned char>(text[i]) < 0x20) {
      result += ' ';
    } else {
      result += text.substr(i, end - i);
    }
    if (++used < width) last = result.size();
    i = end;
  }
  return result;
}

std::string TextTable::text(std::size_t indent, std::size_t line_length) const {
  constexpr std::size_t gap = 2;
  std::vector<std::size_t> widths(columns_.size());
  std::vector<bool> used(columns_.size());
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    widths[c] = display_width(columns_[c].title);
    for (const auto& row : rows_) {
      used[c] = used[c] || !row[c].empty();
      if (c > 0 || display_width(row[c]) <= columns_[c].widest) {
        widths[c] = std::max(widths[c], std::min(display_width(row[c]), columns_[c].widest));
      }
    }
  }
  // The last column uses the rest of the line.
  std::size_t left = indent;
  for (std::size_t c = 0; c + 1 < columns_.size(); ++c) left += used[c] ? widths[c] + gap : 0;
  widths.back() = std::min(widths.back(), left < line_length ? line_length - left : 1);

  std::string out, line(indent, ' ');
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (used[c]) put(line, columns_[c].title, widths[c] + gap);
  }
  if (line.find_last_not_of(' ') != line.npos) finish(out, line);
  for (const auto& row : rows_) {
    line.assign(indent, ' ');
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (!used[c]) continue;
      const bool own_line = c == 0 && display_width(row[0]) > columns_[0].widest;
      if (own_line) {
        line += row[0];
        finish(out, line);
        line.assign(indent + widths[0] + gap, ' ');
      } else {
        put(line, c == 0 ? row[0] : shortened(row[c], widths[c]), widths[c] + gap);
      }
    }
    finish(out, line);
  }
  return out;
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t line_length) {
  std::string out;
  std::size_t used = indent;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find_first_of(" \n\t\r", begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    begin = end + 1;
    if (word.empty()) continue;
    const std::size_t width = display_width(word);
    if (used > indent && used + 1 + width > line_length) {
      out.append("\n").append(indent, ' ');
      used = indent;
    } else if (used > indent) {
      out += ' ';
      ++used;
    }
    out += word;
    used += width;
  }
  return out;
}

std::string with_commas(std::size_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

std::string counted(std::size_t count, std::string_view what) {
  if (count == 0) return fmt::format("no {}s", what);
  return fmt::format("{} {}{}", with_commas(count), what, count == 1 ? "" : "s");
}

}  // namespace tutti::cli
