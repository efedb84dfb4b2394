// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <tutti/error.hpp>
#include <utility>

#include "base/file_error.hpp"
#include "base/text.hpp"
#include "results/mat4.hpp"

namespace tutti::results {
namespace {

template <class Unsigned>
Unsigned reversed(Unsigned value) {
  if constexpr (sizeof value == 8) return __builtin_bswap64(value);
  if constexpr (sizeof value == 4) return __builtin_bswap32(value);
  if constexpr (sizeof value == 2) return __builtin_bswap16(value);
  return value;
}

/// Numbers of one type from the bytes of a file.
template <class Number, class Unsigned>
void copy_numbers(const char* from, bool reverse, std::span<double> to) {
  for (double& number : to) {
    Unsigned bits;
    std::memcpy(&bits, from, sizeof bits);
    from += sizeof bits;
    number = static_cast<double>(std::bit_cast<Number>(reverse ? reversed(bits) : bits));
  }
}

void copy_numbers_of(MatType type, const char* from, bool reverse, std::span<double> to) {
  switch (type) {
    case MatType::float64:
      return copy_numbers<double, std::uint64_t>(from, reverse, to);
    case MatType::float32:
      return copy_numbers<float, std::uint32_t>(from, reverse, to);
    case MatType::int32:
      return copy_numbers<std::int32_t, std::uint32_t>(from, reverse, to);
    case MatType::int16:
      return copy_numbers<std::int16_t, std::uint16_t>(from, reverse, to);
    case MatType::uint16:
      return copy_numbers<std::uint16_t, std::uint16_t>(from, reverse, to);
    case MatType::uint8:
      return copy_numbers<std::uint8_t, std::uint8_t>(from, false, to);
  }
}

constexpr std::size_t header_bytes = 20;
constexpr std::size_t most_name = 4096;
constexpr std::size_t block = 1 << 16;  // elements

/// The type of a header: thousands: 0 little, 1 big endian; tens: storage; ones: contents.
bool take_type(std::uint32_t type, bool is_big_endian, MatMatrix& matrix) {
  const std::uint32_t storage = type / 10 % 10, contents = type % 10;
  if (type / 1000 != (is_big_endian ? 1U : 0U) || type / 100 % 10 != 0) return false;
  if (storage > 5 || contents > 2) return false;
  matrix.type = static_cast<MatType>(storage);
  matrix.is_text = contents == 1;
  matrix.is_sparse = contents == 2;
  matrix.is_big_endian = is_big_endian;
  return true;
}

}  // namespace

MatReader::MatReader(std::filesystem::path file)
    : path_(std::move(file)), in_(path_, std::ios::binary) {
  std::error_code failed;
  if (std::filesystem::is_directory(path_, failed)) refuse("it is a folder");
  if (!in_)
    throw file_error(path_, ErrorCode::file,
                     fmt::format("cannot read \"{}\": {}", path_.string(), std::strerror(errno)));
  in_.seekg(0, std::ios::end);
  size_ = static_cast<std::uint64_t>(std::max<std::streamoff>(in_.tellg(), 0));
  if (size_ == 0) refuse("it is empty");
  std::uint64_t at = 0;
  while (at < size_) {
    MatMatrix matrix;
    if (!read_header(at, matrix)) break;
    const std::uint64_t parts = matrix.is_complex ? 2 : 1;
    const std::uint64_t each = bytes_of(matrix.type);
    // At most 2^62 elements; their bytes can be too many for 64 bits.
    const std::uint64_t present = (size_ - matrix.at) / each;
    matrix.available = std::min(matrix.size(), present);
    const bool is_whole = matrix.size() <= present / parts;
    at = is_whole ? matrix.at + matrix.size() * each * parts : size_;
    matrices_.push_back(std::move(matrix));
  }
  if (matrices_.empty()) refuse_other_formats();
  rest_at_ = at;
  rest_ = size_ - at;
}

const MatMatrix* MatReader::find(std::string_view name) const {
  const auto found = std::ranges::find(matrices_, name, &MatMatrix::name);
  return found == matrices_.end() ? nullptr : &*found;
}

bool MatReader::read_header(std::uint64_t at, MatMatrix& matrix) {
  if (size_ - at < header_bytes) return false;
  std::uint32_t numbers[5];
  take(at, numbers, sizeof numbers);
  if (!take_type(numbers[0], false, matrix)) {
    for (std::uint32_t& number : numbers) number = reversed(number);
    if (!take_type(numbers[0], true, matrix)) return false;
  }
  const auto [type, rows, columns, imaginary, length] = numbers;
  constexpr std::uint32_t most = 0x7fffffff;
  if (rows > most || columns > most || imaginary > 1) return false;
  if (length < 2 || length > most_name || size_ - at - header_bytes < length) return false;
  matrix.rows = rows;
  matrix.columns = columns;
  matrix.is_complex = imaginary == 1;
  matrix.name.resize(length);
  take(at + header_bytes, matrix.name.data(), length);
  if (matrix.name.back() != '\0') return false;
  matrix.name.resize(std::strlen(matrix.name.c_str()));
  matrix.at = at + header_bytes + length;
  return std::ranges::all_of(matrix.name, [](char c) { return c > ' ' && c < 127; });
}

void MatReader::refuse_other_formats() {
  std::string start(std::min<std::uint64_t>(size_, 128), '\0');
  take(0, start.data(), start.size());
  constexpr std::string_view convert =
      "Convert it in MATLAB with load and save -v4, in Octave with load and save -v4, or in Python "
      "with scipy.io.loadmat and scipy.io.savemat(..., format=\"4\").";
  if (start.starts_with("MATLAB 7.3") || start.starts_with("\x89HDF"))
    refuse("it is a MAT-file of version 7.3 (HDF5), and only version 4 can be read",
           "Convert it in MATLAB with load and save -v4, or in Python with h5py and "
           "scipy.io.savemat(..., format=\"4\").");
  if (start.starts_with("MATLAB 5.0"))
    refuse("it is a MAT-file of version 5, and only version 4 can be read", std::string(convert));
  if (start.starts_with("#1"))
    refuse("it is a result in Dymola's text format",
           "Store it as binary (in dsin.txt: lines with \"1\" at \"simulation result in binary "
           "format\"), or convert it with dsres2dsres.");
  refuse("it is not a MAT-file");
}

void MatReader::take(std::uint64_t at, void* to, std::size_t bytes) {
  in_.clear();
  in_.seekg(static_cast<std::streamoff>(at));
  in_.read(static_cast<char*>(to), static_cast<std::streamsize>(bytes));
  if (!in_) refuse("it ends unexpectedly, or changes while it is read");
}

void MatReader::read(const MatMatrix& matrix, std::uint64_t first, std::span<double> to) {
  const std::size_t each = bytes_of(matrix.type);
  std::uint64_t at = matrix.at + first * each;
  while (!to.empty()) {
    const std::size_t count = std::min(block, to.size());
    buffer_.resize(count * each);
    take(at, buffer_.data(), buffer_.size());
    copy_numbers_of(matrix.type, buffer_.data(), matrix.is_big_endian, to.first(count));
    at += buffer_.size();
    to = to.subspan(count);
  }
}

std::vector<double> MatReader::numbers(const MatMatrix& matrix) {
  if (matrix.available < matrix.size())
    refuse(fmt::format("it ends within the matrix \"{}\", which has {} x {} elements", matrix.name,
                       matrix.rows, matrix.columns));
  std::vector<double> result(matrix.size());
  read(matrix, 0, result);
  return result;
}

std::vector<std::string> MatReader::lines(const MatMatrix& matrix, bool transposed) {
  const std::uint64_t count = transposed ? matrix.columns : matrix.rows;
  const std::uint64_t width = transposed ? matrix.rows : matrix.columns;
  if (width == 0 && count > size_)  // empty texts without a byte in the file
    refuse(fmt::format("the matrix \"{}\" has {} empty texts", matrix.name, count));
  const std::vector<double> characters = numbers(matrix);
  std::vector<std::string> result(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    std::string& line = result[i];
    line.reserve(width);
    for (std::uint64_t k = 0; k < width; ++k) {
      const double c = characters[transposed ? i * width + k : k * count + i];
      line += c > 0 && c < 256 ? static_cast<char>(static_cast<unsigned char>(c)) : ' ';
    }
    line.erase(line.find_last_not_of(' ') + 1);
  }
  return result;
}

void MatReader::refuse(const std::string& text, std::string hint) const {
  throw file_error(path_, ErrorCode::file,
                   fmt::format("cannot read \"{}\": {}", path_.string(), text + "."),
                   {.hint = std::move(hint)});
}

}  // namespace tutti::results
