// SPDX-License-Identifier: BSD-2-Clause
// The corpus of the fuzzers as ordinary tests: seeds, and what once was a finding. A file that
// crashes, hangs or trips a sanitizer fails here, in every build and without libFuzzer.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <string>
#include <vector>

#include "fuzz/targets.hpp"
#include "support/places.hpp"

namespace tutti::fuzz {

std::ostream& operator<<(std::ostream& out, const Target& target) { return out << target.name; }

namespace {

namespace fs = std::filesystem;

class Corpus : public ::testing::TestWithParam<Target> {};
INSTANTIATE_TEST_SUITE_P(Fuzz, Corpus, ::testing::ValuesIn(targets().begin(), targets().end()),
                         [](const auto& tested) { return std::string(tested.param.name); });

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST_P(Corpus, IsUnderstoodOrRefused) {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(tutti::places::source_folder() /
                                                  "tests/fuzz/corpus" / GetParam().name)) {
    SCOPED_TRACE(entry.path().string());
    GetParam().run(read(entry.path()));
    ++count;
  }
  EXPECT_GT(count, 0u);
}

// Cutting a file anywhere is the damage that happens most.
TEST_P(Corpus, IsUnderstoodOrRefusedWhenItIsCut) {
  for (const auto& entry : fs::directory_iterator(tutti::places::source_folder() /
                                                  "tests/fuzz/corpus" / GetParam().name)) {
    const std::string bytes = read(entry.path());
    const std::size_t stride = std::max<std::size_t>(1, bytes.size() / 50);
    for (std::size_t size = 0; size < bytes.size(); size += stride) {
      SCOPED_TRACE(entry.path().string() + " cut at " + std::to_string(size));
      GetParam().run(std::string_view(bytes).substr(0, size));
    }
  }
}

}  // namespace
}  // namespace tutti::fuzz
