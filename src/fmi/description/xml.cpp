// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/description/xml.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "fmi/description/encoding.hpp"

namespace tutti::fmi {
namespace {

std::vector<std::uint32_t> find_line_starts(std::string_view text) {
  std::vector<std::uint32_t> starts{0};
  starts.reserve(text.size() / 64 + 1);
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  for (const char* p = begin; p < end;) {
    const void* newline = std::memchr(p, '\n', static_cast<std::size_t>(end - p));
    if (newline == nullptr) break;
    p = static_cast<const char*>(newline) + 1;
    starts.push_back(static_cast<std::uint32_t>(p - begin));
  }
  return starts;
}

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
        // Includes declarations of a DOCTYPE: an <!ENTITY> is skipped by the parser, but many are
        // not needed.
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
      fail(begin, "nested elements", limits_.description_depth, "");
    }
    return std::min(text_.size(), at + 1);
  }

  [[noreturn]] void fail(std::size_t at, std::string_view what, std::uint64_t limit,
                         const std::string& key) const {
    const auto line = static_cast<std::uint32_t>(
        1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    throw Error(ErrorCode::description,
                fmt::format("the file is rejected: it has more than {} {}, the limit{}.", limit,
                            what, key.empty() ? "" : "; %key% sets another"),
                {.file = std::string(file_), .line = line, .key = key});
  }

  std::string_view text_, file_;
  const ArchiveLimits& limits_;
  std::uint64_t elements_ = 0, attributes_ = 0, depth_ = 0;
};

}  // namespace

XmlDocument::XmlDocument(std::string text, std::string_view file, const ArchiveLimits& limits,
                         std::string_view advice)
    : file_(file) {
  if (text.size() >= std::numeric_limits<std::uint32_t>::max()) {
    throw Error(ErrorCode::description, fmt::format("{} has more than 4 GB", file))
        .with({.file = file_});
  }
  Utf8Text utf8 = to_utf8(std::move(text));
  text_ = std::move(utf8.text);
  encoding_guessed_ = utf8.guessed;
  check_xml_cost(text_, file, limits);
  line_starts_ = find_line_starts(text_);
  const pugi::xml_parse_result result = document_.load_buffer_inplace(
      text_.data(), text_.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!result || !document_.document_element()) {
    const char* at =
        text_.data() +
        std::clamp<std::ptrdiff_t>(result.offset, 0, static_cast<std::ptrdiff_t>(text_.size()));
    ErrorDetails details = place(at);
    details.hint = advice;
    throw Error(ErrorCode::description,
                fmt::format("the file is not well-formed XML ({}).",
                            result ? "it has no element" : result.description()),
                std::move(details));
  }
}

std::uint32_t XmlDocument::line(const char* at) const {
  const std::ptrdiff_t distance = at - text_.data();
  if (distance < 0 || distance > static_cast<std::ptrdiff_t>(text_.size())) return 0;
  const auto offset = static_cast<std::uint32_t>(distance);
  if (offset < line_starts_[cursor_]) {
    const auto next = std::ranges::upper_bound(line_starts_, offset);
    cursor_ = static_cast<std::size_t>(next - line_starts_.begin()) - 1;
  }
  while (cursor_ + 1 < line_starts_.size() && line_starts_[cursor_ + 1] <= offset) ++cursor_;
  return static_cast<std::uint32_t>(cursor_ + 1);
}

std::uint32_t XmlDocument::column(const char* at) const {
  const std::uint32_t number = line(at);
  if (number == 0) return 0;
  return static_cast<std::uint32_t>(at - (text_.data() + line_starts_[number - 1]) + 1);
}

ErrorDetails XmlDocument::place(const char* at) const {
  return {.file = file_, .line = line(at), .column = column(at)};
}

std::string XmlDocument::where(const char* at) const {
  const std::uint32_t number = line(at);
  if (number == 0) return file_;
  return fmt::format("{}:{}:{}", file_, number, column(at));
}

std::string XmlDocument::where(std::uint32_t line) const {
  return fmt::format("{}:{}", file_, line);
}

std::optional<double> parse_double(std::string_view text) {
  text = trim(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || end != text.data() + text.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range) return limit_of_number(text);
  if (error != std::errc{}) return std::nullopt;
  return value;
}

std::optional<bool> parse_boolean(std::string_view text) {
  text = trim(text);
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  return std::nullopt;
}

std::string raw_xml(pugi::xml_node node) {
  struct Writer : pugi::xml_writer {
    std::string text;
    void write(const void* data, std::size_t size) override {
      text.append(static_cast<const char*>(data), size);
    }
  } writer;
  node.print(writer, "", pugi::format_raw | pugi::format_no_declaration, pugi::encoding_utf8);
  return std::move(writer.text);
}

void check_xml_cost(std::string_view text, std::string_view file, const ArchiveLimits& limits) {
  if (std::ranges::count(text, '\n') > most_lines) {
    throw Error(
        ErrorCode::description,
        fmt::format("the file is rejected: it has more than {} lines, the limit.", most_lines),
        {.file = std::string(file)});
  }
  Scanner(text, file, limits).run();
}

}  // namespace tutti::fmi
