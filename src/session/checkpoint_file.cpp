// SPDX-License-Identifier: BSD-2-Clause
#include "session/checkpoint_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <tutti/system_file.hpp>

#include "base/build_id.hpp"
#include "base/codec.hpp"
#include "base/file_error.hpp"
#include "base/file_hash.hpp"
#include "base/hash.hpp"
#include "session/messages.hpp"
#include "system/component_kind.hpp"
#include "system/system_files.hpp"

namespace tutti::session {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view signature = "Tutti checkpoint\n";

std::vector<SourceFile> sources_of(const System& system) {
  std::vector<fs::path> files;
  system::for_each_file(system, [&](const fs::path& file) { files.push_back(file); });
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  std::vector<SourceFile> sources;
  for (const fs::path& file : files) sources.push_back({file, hash_of_path(system.folder / file)});
  return sources;
}

/// The data of the whole run in a checkpoint.
struct Description {
  System system;
  fs::path package;  ///< folder of its unpacked package
  fs::path results;
  std::vector<SourceFile> sources;
};

[[noreturn]] void refuse_file(const fs::path& file, std::string_view why,
                              std::string hint = "Restart the run.") {
  throw file_error(file, ErrorCode::file,
                   fmt::format("\"{}\" cannot be resumed: {}", file.string(), why),
                   {.key = "resume", .hint = std::move(hint)});
}

fs::path next_of(const fs::path& file) { return file.string() + ".new"; }

[[noreturn]] void fail_to_write(const fs::path& file) {
  throw file_error(
      file, ErrorCode::file,
      fmt::format("cannot write the checkpoint \"{}\": {}", file.string(), std::strerror(errno)));
}

void sync_file(const fs::path& file) {
  const int handle = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (handle < 0) return;  // no results yet, or they go to a pipe
  ::fsync(handle);
  ::close(handle);
}

void write_whole(const fs::path& file, std::string_view text) {
  const int handle = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (handle < 0) fail_to_write(file);
  while (!text.empty()) {
    const ssize_t count = ::write(handle, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  const bool is_good = text.empty() && ::fsync(handle) == 0;
  const int cause = errno;
  ::close(handle);
  errno = cause;
  if (is_good) return;
  ::unlink(file.c_str());
  errno = cause;
  fail_to_write(file);
}

/// The files of a package are in the folder where it is now unpacked.
void unpack_again(Description& description, const FmuOptions& open) {
  System& system = description.system;
  if (system.package_file.empty()) return;
  const System fresh = read_system(system.package_file, open, {});
  const std::string old = description.package.string();
  const auto move = [&](fs::path& path) {
    if (path.string().starts_with(old))
      path = fresh.package->string() + path.string().substr(old.size());
  };
  system.package = fresh.package;
  move(system.folder);
  system::for_each_file(system, move);
  for (SourceFile& source : description.sources) move(source.file);
}

}  // namespace
}  // namespace tutti::session

namespace tutti {

TUTTI_FIELDS(session::SourceFile, 2);
TUTTI_FIELDS(session::Description, 4);

Checkpoint read_checkpoint(const std::filesystem::path& file, const FmuOptions& open) {
  using namespace session;
  const std::string text = file_bytes(file);
  if (!text.starts_with(signature)) refuse_file(file, "it is not a checkpoint");
  Unpacker in(std::string_view(text).substr(signature.size()));
  const auto id = in.take<std::string>();
  if (id != build_id())
    refuse_file(file, "it was written by another build of Tutti",
                "Resume it with the program that wrote it, or restart the run.");
  const auto hash = in.take<std::uint64_t>();
  const auto payload = in.take<std::string>();
  if (!in.is_empty() || hash_of(payload) != hash) refuse_file(file, "it is damaged");
  Unpacker inner(payload);
  auto description = inner.take<Description>();
  unpack_again(description, open);
  for (const SourceFile& source : description.sources) {
    const fs::path path = description.system.folder / source.file;
    if (!fs::exists(path))
      refuse_file(file, fmt::format("the file \"{}\" no longer exists", path.string()));
    if (hash_of_path(path) != source.hash)
      refuse_file(file, fmt::format("\"{}\" has changed since", path.string()));
  }
  Checkpoint checkpoint;
  checkpoint.system = std::move(description.system);
  checkpoint.results = std::move(description.results);
  inner(checkpoint.time, checkpoint.rows, checkpoint.last_row, checkpoint.state);
  return checkpoint;
}

}  // namespace tutti

namespace tutti::session {

CheckpointWriter::CheckpointWriter(const System& system, CheckpointOptions options)
    : system_(system), options_(std::move(options)) {
  if (const Component* const object = system::find_object(system))
    throw Error(
        ErrorCode::capability,
        fmt::format(
            "component \"{}\" is a {} of this program; its state cannot be written to a checkpoint",
            object->name, system::kind_of(*object).name),
        {.component = object->name, .key = "checkpoint"});
  system_.folder = fs::absolute(system_.folder.empty() ? "." : system_.folder);
  if (!system_.package_file.empty()) system_.package_file = fs::absolute(system_.package_file);
  sources_ = sources_of(system_);  // as they are now, not when the first file is written
  if (fs::is_directory(options_.file)) {
    errno = EISDIR;
    fail_to_write(options_.file);
  }
  write_whole(next_of(options_.file), "");
  fs::remove(next_of(options_.file));
}

void CheckpointWriter::start(const RunOutline& outline, bool is_new) {
  if (is_new) remove();
  // Another stop time must not change the step derived from the first.
  if (!system_.simulation.step && outline.report.statistics.step > 0)
    system_.simulation.step = outline.report.statistics.step;
}

const std::string& CheckpointWriter::description() {
  if (!description_.empty()) return description_;
  const fs::path package = system_.package ? *system_.package : fs::path();
  const fs::path results = options_.results.empty() ? fs::path() : fs::absolute(options_.results);
  description_ = Packer()(Description{system_, package, results, sources_}).bytes();
  return description_;
}

void CheckpointWriter::write(double time, std::uint64_t rows, std::string_view last_row,
                             std::string_view state) {
  const std::string payload = description() + Packer()(time, rows, last_row, state).bytes();
  if (!options_.results.empty()) sync_file(options_.results);
  const fs::path next = next_of(options_.file);
  write_whole(next,
              std::string(signature) + Packer()(build_id(), hash_of(payload), payload).bytes());
  std::error_code failed;
  fs::rename(next, options_.file, failed);
  if (!failed) return;
  fs::remove(next, failed);
  errno = EISDIR;
  fail_to_write(options_.file);
}

void CheckpointWriter::remove() const {
  std::error_code ignored;
  fs::remove(options_.file, ignored);
}

}  // namespace tutti::session
