// SPDX-License-Identifier: BSD-2-Clause
// Writes rows of numbers to a result file, and prints the seconds on standard error, where
// peak_memory does not hide them.
//   results FILE ROWS COLUMNS [compress]
// FILE.bin: the same bytes without a format, for comparison.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <tutti/results.hpp>
#include <vector>

namespace {

/// Values as of a simulation: all bits vary, and neighbours are similar.
class Waves {
 public:
  explicit Waves(std::size_t columns) : cells_(columns) {
    for (std::size_t i = 0; i < period; ++i)
      samples_.push_back(std::sin(2 * 3.14159265358979 * static_cast<double>(i) / period));
  }
  tutti::Row row(std::uint64_t k) {
    for (std::size_t i = 0; i < cells_.size(); ++i)
      cells_[i].real = samples_[(k + 7 * i) % period] + static_cast<double>(i);
    return {1e-3 * static_cast<double>(k), cells_, {}};
  }

 private:
  static constexpr std::size_t period = 10'007;
  std::vector<double> samples_;
  std::vector<tutti::Cell> cells_;
};

void write_plain(const char* path, std::uint64_t rows, Waves& waves) {
  std::FILE* const file = std::fopen(path, "wb");
  if (file == nullptr) std::exit(1);
  std::setvbuf(file, nullptr, _IOFBF, 1 << 18);
  for (std::uint64_t k = 0; k < rows; ++k) {
    const tutti::Row row = waves.row(k);
    if (std::fwrite(&row.time, sizeof row.time, 1, file) != 1 ||
        std::fwrite(row.cells.data(), sizeof(tutti::Cell), row.cells.size(), file) !=
            row.cells.size())
      std::exit(1);
  }
  if (std::fclose(file) != 0) std::exit(1);
}

void write_results(const char* path, bool compress, std::uint64_t rows, std::size_t columns,
                   Waves& waves) {
  const std::unique_ptr<tutti::Observer> writer =
      tutti::make_result_writer(path, {.compress = compress});
  std::vector<tutti::Column> names;
  for (std::size_t i = 0; i < columns; ++i)
    names.push_back({"component.y[" + std::to_string(i) + "]", tutti::Type::float64, "m"});
  writer->begin(names);
  for (std::uint64_t k = 0; k < rows; ++k) writer->row(waves.row(k));
  writer->finish();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const std::string path = argv[1];
  const std::uint64_t rows = std::strtoull(argv[2], nullptr, 10);
  const std::size_t columns = std::strtoull(argv[3], nullptr, 10);
  Waves waves(columns);
  const auto start = std::chrono::steady_clock::now();
  if (path.ends_with(".bin"))
    write_plain(path.c_str(), rows, waves);
  else
    write_results(path.c_str(), argc > 4, rows, columns, waves);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  std::fprintf(stderr, "%.3f\n", taken.count());
}
