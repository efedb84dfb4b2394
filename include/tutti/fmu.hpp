// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <tutti/export.hpp>
#include <tutti/log.hpp>
#include <tutti/model_description.hpp>
#include <vector>

namespace tutti {

/// The interface of an FMU that is used; automatic: co-simulation if available.
enum class FmuKind : std::uint8_t { automatic, co_simulation, model_exchange };
constexpr WordList<3> list_words(FmuKind) { return {"auto", "cs", "me"}; }
constexpr std::string_view interface_word(bool is_model_exchange) {
  return to_string(is_model_exchange ? FmuKind::model_exchange : FmuKind::co_simulation);
}

/// Limits of an archive and its description, against decompression bombs.
struct ArchiveLimits {
  std::uint64_t total_bytes = 8ull << 30;  ///< unpacked, all entries together
  std::uint64_t entries = 200'000;
  std::uint64_t ratio = 250;  ///< unpacked : packed of one entry...
  std::uint64_t ratio_free_bytes = 64ull
                                   << 20;  ///< ...checked above this size; XML has high ratios
  // modelDescription.xml; at the limits, reading needs about 2 GB of memory.
  std::uint64_t description_bytes = 512ull << 20;
  std::uint64_t description_elements = 3'000'000;     ///< and seven times this number of attributes
  std::uint64_t description_depth = 256;              ///< elements inside elements
  std::uint64_t description_value_bytes = 64u << 20;  ///< of one attribute: start values of arrays
};

/// Whether and how the sources of an FMU without a binary for this machine are compiled.
struct CompileOptions {
  bool allowed = false;
  double timeout = 600;         ///< seconds of wall time; 0: no limit
  std::filesystem::path cache;  ///< empty: $XDG_CACHE_HOME/tutti, else ~/.cache/tutti
};

class FileCache;
/// File contents shared by several calls: each file is read once. The files must not change while
/// the cache is used. Thread-safe.
TUTTI_API std::shared_ptr<FileCache> make_file_cache();

struct FmuOptions {
  ArchiveLimits limits;
  CompileOptions compile;
  /// Polled while unpacking; when it turns true, opening ends with ErrorCode::interrupted.
  const std::atomic<bool>* stop = nullptr;
  /// Of a package (.ssp) with several descriptions, the one to read; empty: SystemStructure.ssd.
  std::string structure = {};
  std::shared_ptr<FileCache> cache = {};  ///< empty: every call reads files again
};

/// Reads the model description of an FMU, from an archive or an unpacked folder. Loads and unpacks
/// nothing else. Harmless violations of the standard go to the log as warnings.
/// @throws Error (file, archive, description)
TUTTI_API ModelDescription read_description(const std::filesystem::path& fmu,
                                            const FmuOptions& options = {}, const Log& log = {});

/// The content of an FMU besides its description.
struct FmuContents {
  std::vector<std::string> platforms;  ///< folders with files below binaries/, sorted: "linux64"
  bool has_sources = false;
  bool has_documentation = false;
  std::size_t files = 0;
  std::uint64_t bytes = 0;  ///< unpacked
};

/// Lists without unpacking. @throws Error (file, archive)
TUTTI_API FmuContents list_contents(const std::filesystem::path& fmu,
                                    const FmuOptions& options = {});

}  // namespace tutti
