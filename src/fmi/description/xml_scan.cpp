// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>

#include "fmi/description/xml.hpp"

namespace tutti::fmi {
namespace {

constexpr std::ptrdiff_t most_lines = 50'000'000;  // a line costs 4 bytes in XmlDocument

// An attribute takes less memory than an element, and variables have up to a dozen.
constexpr std::uint64_t attributes_per_element = 7;

class Scanner {
 public:
  Scanner(std::string_view text, std::string_view file, const ArchiveLimits& limits)
      : text_(text), file_(file), limits_(limits) {}

  void run() {
    std::size_t at = 0;
    while ((at = text_.find('<', at)) != text_.npos) {
      const std::string_view rest = text_.substr(at);
      if (rest.starts_with("<!--")) {
        at = after("-->", at + 4);
      } else if (rest.starts_with("<![CDATA[")) {
        at = after("]]>", at + 9);
      } else if (rest.starts_with("<?")) {
        at = after("?>", at + 2);
      } else if (rest.starts_with("</")) {
        if (depth_ > 0) --depth_;
        at += 2;
      } else {
        // Also what a DOCTYPE declares: an <!ENTITY> is skipped by the parser, but nobody needs
        // many.
        if (++elements_ > limits_.description_elements) {
          fail(at, "XML elements", limits_.description_elements, "max-elements");
        }
        at = rest.starts_with("<!") ? at + 2 : take_tag(at + 1);
      }
    }
  }

 private:
  std::size_t after(std::string_view mark, std::size_t from) const {
    const std::size_t found = text_.find(mark, from);
    return found == text_.npos ? text_.size() : found + mark.size();
  }

  std::size_t take_tag(std::size_t at) {
    const std::size_t begin = at;
    for (; at < text_.size(); ++at) {
      const char c = text_[at];
      if (c == '>') break;
      if (c != '"' && c != '\'') continue;
      const std::size_t close = std::min(text_.size(), text_.find(c, at + 1));
      if (close - at - 1 > limits_.description_value_bytes) {
        fail(at, "bytes in one attribute", limits_.description_value_bytes, "");
      }
      if (++attributes_ / attributes_per_element >= limits_.description_elements) {
        fail(at, "XML attributes", attributes_per_element * limits_.description_elements,
             "max-elements");
      }
      at = close;
    }
    if (at < text_.size() && at > begin && text_[at - 1] == '/') return at + 1;  // <empty/>
    if (++depth_ > limits_.description_depth) {
      fail(begin, "elements inside each other", limits_.description_depth, "");
    }
    return std::min(text_.size(), at + 1);
  }

  [[noreturn]] void fail(std::size_t at, std::string_view what, std::uint64_t limit,
                         const std::string& key) const {
    const auto line = static_cast<std::uint32_t>(
        1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    throw Error(ErrorCode::description,
                fmt::format("the file is refused: it has more than {} {}, the limit{}.", limit,
                            what, key.empty() ? "" : "; %key% sets another"),
                {.file = std::string(file_), .line = line, .key = key});
  }

  std::string_view text_, file_;
  const ArchiveLimits& limits_;
  std::uint64_t elements_ = 0, attributes_ = 0, depth_ = 0;
};

}  // namespace

void check_xml_cost(std::string_view text, std::string_view file, const ArchiveLimits& limits) {
  if (std::ranges::count(text, '\n') > most_lines) {
    throw Error(
        ErrorCode::description,
        fmt::format("the file is refused: it has more than {} lines, the limit.", most_lines),
        {.file = std::string(file)});
  }
  Scanner(text, file, limits).run();
}

}  // namespace tutti::fmi
