// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include "api/graph/sheet.hpp"
#include "base/text.hpp"

namespace tutti {
namespace {

/// A double-quoted string of the DOT language; `\n` stands for a line break.
std::string dot_string(const std::string& text) {
  std::string out = "\"";
  for (const char c : printable(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string with_detail(const api::Sheet::Box& box) {
  std::string text = dot_string(box.name);
  text.insert(text.size() - 1, "\\n" + printable(box.detail));
  return text;
}

}  // namespace

std::string graph_dot(const SystemGraph& graph, GraphOf what) {
  const api::Sheet sheet = api::make_sheet(graph, what);
  std::string out = fmt::format(
      "digraph {} {{\n  rankdir=LR;\n  node [shape=box, style=rounded, fontname=Helvetica];\n"
      "  edge [fontname=Helvetica, fontsize=10];\n",
      dot_string(sheet.title));
  for (std::size_t f = 0; f < sheet.frames.size(); ++f) {
    const api::Sheet::Frame& frame = sheet.frames[f];
    const bool framed = !frame.title.empty();
    if (framed)
      out += fmt::format("  subgraph cluster_{} {{\n    label={};\n    color=gray;\n", f,
                         dot_string(frame.title));
    for (const std::uint32_t b : frame.boxes)
      out +=
          fmt::format("  {}n{} [label={}];\n", framed ? "  " : "", b, with_detail(sheet.boxes[b]));
    if (framed) out += "  }\n";
  }
  for (const api::Sheet::Arrow& arrow : sheet.arrows) {
    std::string label;
    for (const std::string& text : arrow.texts) {
      const std::string one = dot_string(text);
      label += (label.empty() ? "" : "\\n") + one.substr(1, one.size() - 2);
    }
    out += fmt::format("  n{} -> n{} [label=\"{}\"{}{}{}{}];\n", arrow.from, arrow.to, label,
                       arrow.back ? ", color=\"#c0392b\", style=dashed, constraint=false" : "",
                       arrow.within ? ", color=gray" : "",
                       arrow.is_line ? ", dir=none, style=bold" : "",
                       arrow.is_delayed ? ", style=dashed" : "");
  }
  return out + "}\n";
}

}  // namespace tutti
