// SPDX-License-Identifier: BSD-2-Clause
#include "graph.hpp"

#include <fmt/format.h>

#include <fstream>
#include <tutti/error.hpp>
#include <tutti/system_file.hpp>
#include <tutti/system_graph.hpp>

#include "file_kind.hpp"
#include "system_inputs.hpp"

namespace tutti::cli {
namespace {

GraphFormat format_of(const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  if (extension == ".svg") return GraphFormat::svg;
  if (extension == ".dot" || extension == ".gv") return GraphFormat::dot;
  if (extension == ".json") return GraphFormat::json;
  for (const char* const picture : {".png", ".pdf", ".jpg"})
    if (extension == picture)
      throw Error(
          ErrorCode::usage,
          fmt::format("\"{}\": a graph is written as .svg, .dot, .json or text", file.string()));
  return GraphFormat::text;
}

std::string draw(const SystemGraph& graph, const GraphCommand& command, GraphFormat format) {
  const GraphOf what = command.variables ? GraphOf::variables : GraphOf::components;
  switch (format) {
    case GraphFormat::dot:
      return graph_dot(graph, what);
    case GraphFormat::svg:
      return graph_svg(graph, what);
    case GraphFormat::json:
      return graph_json(graph);
    case GraphFormat::text:
      break;
  }
  return graph_text(graph, what);
}

}  // namespace

int graph(const GraphCommand& command, Console& console) {
  expect_kind("graph", FileKind::system, command.system);
  const GraphFormat format = command.format ? *command.format : format_of(command.output);
  System system = read_system(command.system, command.open, console.log());
  for (const std::string& assignment : command.set) assign(system, assignment, console.log());
  const auto inputs = system_inputs(command.system, system);
  protect_inputs(command.output, inputs);
  console.open_log(inputs, {command.output});
  const std::string text = draw(make_graph(system, command.open, console.log()), command, format);
  if (command.output.empty()) {
    const bool written = format == GraphFormat::json   ? put_json(stdout, text)
                         : format == GraphFormat::text ? print_text(stdout, text)
                                                       : put_text(stdout, text);
    return written && std::fflush(stdout) == 0 ? 0 : 1;
  }
  std::ofstream file(command.output, std::ios::binary);
  file << text;
  file.close();
  if (!file)
    throw Error(ErrorCode::file, fmt::format("cannot write \"{}\"", command.output.string()));
  return 0;
}

}  // namespace tutti::cli
