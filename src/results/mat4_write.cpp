// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <tutti/error.hpp>

#include "base/text.hpp"
#include "results/mat4.hpp"

namespace tutti::results {
namespace {

static_assert(std::endian::native == std::endian::little, "elements are written as they are");

template <class Number>
void append_bytes(std::string& out, std::span<const Number> numbers) {
  out.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
}

}  // namespace

std::size_t bytes_of(MatType type) {
  constexpr std::size_t sizes[] = {8, 4, 4, 2, 2, 1};
  return sizes[static_cast<std::size_t>(type)];
}

void append_mat_header(std::string& out, const MatHeader& header) {
  constexpr std::uint64_t most = most_mat_columns;
  if (header.rows > most || header.columns > most)
    throw Error(ErrorCode::usage,
                fmt::format("the matrix \"{}\" has {} x {} elements, but a MAT-file of version 4 "
                            "holds at most {} rows and columns",
                            printable(header.name), header.rows, header.columns, most));
  // M O P T of the type: little endian, 0, storage, contents (0 full, 1 text, 2 sparse).
  const int contents = header.is_sparse ? 2 : header.is_text ? 1 : 0;
  const std::int32_t numbers[] = {static_cast<std::int32_t>(header.type) * 10 + contents,
                                  static_cast<std::int32_t>(header.rows),
                                  static_cast<std::int32_t>(header.columns), 0,
                                  static_cast<std::int32_t>(header.name.size() + 1)};
  append_bytes<std::int32_t>(out, numbers);
  out.append(header.name.c_str(), header.name.size() + 1);
}

void append_mat_numbers(std::string& out, std::string_view name, std::uint64_t rows,
                        std::uint64_t columns, std::span<const double> values) {
  append_mat_header(out, {.name = std::string(name), .rows = rows, .columns = columns});
  append_bytes(out, values);
}

void append_mat_integers(std::string& out, std::string_view name, std::uint64_t rows,
                         std::uint64_t columns, std::span<const std::int32_t> values) {
  append_mat_header(
      out, {.name = std::string(name), .type = MatType::int32, .rows = rows, .columns = columns});
  append_bytes(out, values);
}

void append_mat_text(std::string& out, std::string_view name, std::span<const std::string> lines,
                     bool transposed) {
  std::size_t width = 0;
  for (const std::string& line : lines) width = std::max(width, line.size());
  const std::size_t count = lines.size();
  append_mat_header(out, {.name = std::string(name),
                          .type = MatType::uint8,
                          .is_text = true,
                          .rows = transposed ? width : count,
                          .columns = transposed ? count : width});
  const std::size_t start = out.size();
  out.append(width * count, ' ');
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < lines[i].size(); ++k)
      out[start + (transposed ? i * width + k : k * count + i)] = lines[i][k];
}

void append_mat_sparse(std::string& out, std::string_view name, std::uint64_t rows,
                       std::uint64_t columns, std::span<const MatElement> elements) {
  append_mat_header(
      out,
      {.name = std::string(name), .is_sparse = true, .rows = elements.size() + 1, .columns = 3});
  std::vector<double> numbers;
  numbers.reserve(3 * (elements.size() + 1));
  for (const MatElement& element : elements)
    numbers.push_back(static_cast<double>(element.row) + 1);
  numbers.push_back(static_cast<double>(rows));
  for (const MatElement& element : elements)
    numbers.push_back(static_cast<double>(element.column) + 1);
  numbers.push_back(static_cast<double>(columns));
  for (const MatElement& element : elements) numbers.push_back(element.value);
  numbers.push_back(0);
  append_bytes<double>(out, numbers);
}

}  // namespace tutti::results
