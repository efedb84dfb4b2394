// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// MAT-files of version 4: a sequence of named matrices. MATLAB, Octave, Scilab and scipy read
/// them, and the trajectories and linear systems of Dymola and OpenModelica are such files.
///
/// Each matrix is 5 integers of 32 bits (type, rows, columns, whether it has an imaginary part,
/// length of the name), the name with a zero byte, and the elements, column by column (MATLAB,
/// "Level 4 MAT-File Format").
namespace tutti::results {

/// How the elements are stored; the numbers are those of the file.
enum class MatType : std::uint8_t { float64, float32, int32, int16, uint16, uint8 };
std::size_t bytes_of(MatType type);

/// A header. A sparse matrix has three columns: row and column (starting at 1) and value of an
/// element; its last row is the size of the whole matrix and 0.
struct MatHeader {
  std::string name;
  MatType type = MatType::float64;
  bool is_text = false, is_sparse = false;
  std::uint64_t rows = 0, columns = 0;
};

/// The position of the number of columns in the bytes of a header.
constexpr std::size_t mat_columns_at = 8;
constexpr std::uint64_t most_mat_columns = 0x7fffffff;
/// @throws Error(usage) for sizes beyond 2^31 - 1
void append_mat_header(std::string& out, const MatHeader& header);
/// @pre the values are rows x columns, column by column
void append_mat_numbers(std::string& out, std::string_view name, std::uint64_t rows,
                        std::uint64_t columns, std::span<const double> values);
void append_mat_integers(std::string& out, std::string_view name, std::uint64_t rows,
                         std::uint64_t columns, std::span<const std::int32_t> values);

/// Each line is a row of the matrix, or a column if `transposed`; padded with blanks.
void append_mat_text(std::string& out, std::string_view name, std::span<const std::string> lines,
                     bool transposed = false);

struct MatElement {
  std::uint64_t row = 0, column = 0;  ///< starting at 0
  double value = 0;
};
void append_mat_sparse(std::string& out, std::string_view name, std::uint64_t rows,
                       std::uint64_t columns, std::span<const MatElement> elements);

/// A matrix in a file.
struct MatMatrix : MatHeader {
  bool is_complex = false, is_big_endian = false;
  std::uint64_t at = 0;         ///< of its first element in the file
  std::uint64_t available = 0;  ///< elements; fewer than rows x columns if the file is cut off
  std::uint64_t size() const { return rows * columns; }
};

/// Reads matrices. Memory is only allocated for elements that the file contains.
class MatReader {
 public:
  /// Reads the headers.
  /// @throws Error(file) if it is not a MAT-file of version 4; the message names a way to convert
  /// other versions
  explicit MatReader(std::filesystem::path file);

  const std::vector<MatMatrix>& matrices() const { return matrices_; }
  const MatMatrix* find(std::string_view name) const;
  /// Bytes after the last matrix that are not the header of another one.
  std::uint64_t rest() const { return rest_; }
  /// Where they are.
  std::uint64_t rest_at() const { return rest_at_; }

  /// The real parts of elements from the given one on, in the order of the file.
  /// @pre the matrix has them
  /// @throws Error(file)
  void read(const MatMatrix& matrix, std::uint64_t first, std::span<double> to);
  /// All elements, column by column. @throws Error(file) if the file is cut off
  std::vector<double> numbers(const MatMatrix& matrix);
  /// The rows of a text, or its columns if `transposed`, without trailing blanks and zeros.
  std::vector<std::string> lines(const MatMatrix& matrix, bool transposed = false);

  const std::filesystem::path& path() const { return path_; }
  [[noreturn]] void refuse(const std::string& text, std::string hint = "") const;

 private:
  bool read_header(std::uint64_t at, MatMatrix& matrix);
  void refuse_other_formats();
  void take(std::uint64_t at, void* to, std::size_t bytes);

  std::filesystem::path path_;
  std::ifstream in_;
  std::uint64_t size_ = 0;  ///< of the file
  std::uint64_t rest_ = 0, rest_at_ = 0;
  std::vector<MatMatrix> matrices_;
  std::string buffer_;
};

}  // namespace tutti::results
