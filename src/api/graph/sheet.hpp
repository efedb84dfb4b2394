// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <tutti/system_graph.hpp>
#include <vector>

namespace tutti::api {

/// The content of a drawing of a graph: boxes in layers, some framed together, and arrows.
struct Sheet {
  struct Box {
    std::string name, detail;
    std::uint32_t frame = 0;
  };
  /// Boxes that belong together, or a single one; in drawing order.
  struct Frame {
    std::string title;  ///< empty: no frame is drawn
    std::vector<std::uint32_t> boxes;
    std::uint32_t layer = 0;
  };
  /// All connections from one box to another.
  struct Arrow {
    std::uint32_t from = 0, to = 0;
    std::vector<std::string> texts;
    bool back = false;        ///< against the order
    bool within = false;      ///< dependency inside a component
    bool is_line = false;     ///< a transmission line: both ways
    bool is_delayed = false;  ///< a delayed signal
  };
  std::string title;
  std::vector<Box> boxes;
  std::vector<Frame> frames;
  std::vector<Arrow> arrows;
};

Sheet make_sheet(const SystemGraph& graph, GraphOf what);

}  // namespace tutti::api
