// SPDX-License-Identifier: BSD-2-Clause
#include "results/result_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <tutti/error.hpp>
#include <utility>
#include <vector>

#include "base/file_error.hpp"
#include "results/result_format.hpp"

namespace tutti::results {

namespace fs = std::filesystem;

ResultFile::ResultFile(fs::path path) : path_(std::move(path)) {
  struct stat status {};
  const bool exists = ::stat(path_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    errno = EISDIR;
    fail("write");
  }
  if (exists && !S_ISREG(status.st_mode)) {
    if (::access(path_.c_str(), W_OK) != 0) fail("write");
    return;
  }
  while (!open_and_lock()) continue;
}

/// False: the file was removed meanwhile, by a run that wrote nothing.
bool ResultFile::open_and_lock() {
  constexpr int flags = O_WRONLY | O_CLOEXEC;
  handle_ = ::open(path_.c_str(), flags | O_CREAT | O_EXCL, 0666);
  is_new_ = handle_ >= 0;
  if (!is_new_ && errno == EEXIST) handle_ = ::open(path_.c_str(), flags | O_CREAT, 0666);
  if (handle_ < 0) fail("write");
  if (::flock(handle_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(std::exchange(handle_, -1));
    throw file_error(path_, ErrorCode::usage,
                     fmt::format("another run is writing to \"{}\"", path_.string()),
                     {.key = "output", .hint = "Choose another file with %key%."});
  }  // a file system without locks is accepted
  struct stat ours {
  }, present{};
  ::fstat(handle_, &ours);
  if (::stat(path_.c_str(), &present) == 0 && present.st_ino == ours.st_ino &&
      present.st_dev == ours.st_dev)
    return true;
  ::close(std::exchange(handle_, -1));
  return false;
}

ResultFile::~ResultFile() {
  if (handle_ < 0) return;
  if (is_new_ && !is_begun_) ::unlink(path_.c_str());
  ::close(handle_);
}

void ResultFile::begin() {
  if (handle_ < 0) handle_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (handle_ < 0) fail("open");
  if (::ftruncate(handle_, 0) != 0 && errno != EINVAL) fail("write");  // of what is no file
  remove_metadata(path_);  // it describes the previous results
  is_begun_ = true;
}

bool ResultFile::begin_behind(std::string_view first_line, std::uint64_t lines,
                              std::string_view last_line) {
  const auto holds = [this](off_t at, std::string_view text) {
    return read(static_cast<std::uint64_t>(at), text.size()) == text;
  };
  const off_t end = end_of_lines(lines);
  const off_t last = end - static_cast<off_t>(last_line.size());
  if (end < 0 || last < 0 || !holds(0, first_line) || !holds(last, last_line)) return false;
  is_begun_ = ::lseek(handle_, end, SEEK_SET) == end && ::ftruncate(handle_, end) == 0;
  return is_begun_;
}

std::size_t ResultFile::write(std::string_view text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::write(handle_, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;
    done += static_cast<std::size_t>(count);
  }
  return done;
}

void ResultFile::remove_last(std::size_t bytes) {
  const int cause = errno;
  const off_t end = ::lseek(handle_, 0, SEEK_CUR) - static_cast<off_t>(bytes);
  if (end >= 0 && ::ftruncate(handle_, end) == 0) ::lseek(handle_, end, SEEK_SET);
  errno = cause;
}

bool ResultFile::restart() {
  return ::lseek(handle_, 0, SEEK_SET) == 0 && ::ftruncate(handle_, 0) == 0;
}

bool ResultFile::keep_lines(std::uint64_t lines) {
  const off_t end = end_of_lines(lines);
  return end >= 0 && ::lseek(handle_, end, SEEK_SET) == end && ::ftruncate(handle_, end) == 0;
}

bool ResultFile::keep_bytes(std::uint64_t bytes) {
  const auto end = static_cast<off_t>(bytes);
  return ::lseek(handle_, end, SEEK_SET) == end && ::ftruncate(handle_, end) == 0;
}

bool ResultFile::overwrite(std::uint64_t at, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(handle_, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    at += static_cast<std::uint64_t>(count);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

bool ResultFile::reserve(std::uint64_t bytes) {
  struct stat status {};
  if (::fstat(handle_, &status) != 0) return false;
  struct rlimit most {};
  if (::getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur != RLIM_INFINITY &&
      static_cast<std::uint64_t>(status.st_size) + bytes > most.rlim_cur) {
    errno = EFBIG;
    return false;
  }
  int result = 0;
  do result = ::fallocate(handle_, FALLOC_FL_KEEP_SIZE, status.st_size, static_cast<off_t>(bytes));
  while (result != 0 && errno == EINTR);
  return result == 0 || errno == EOPNOTSUPP || errno == ENOSYS;
}

void ResultFile::trim() {
  struct stat status {};
  if (::fstat(handle_, &status) != 0) return;
  // A failure only leaves the file larger on the disk.
  [[maybe_unused]] const int ignored = ::ftruncate(handle_, status.st_size);
}

std::string ResultFile::read(std::uint64_t at, std::size_t size) const {
  std::ifstream in(path_, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(at));
  std::string found(size, '\0');
  in.read(found.data(), static_cast<std::streamsize>(size));
  return in ? found : std::string();
}

off_t ResultFile::end_of_lines(std::uint64_t lines) const {
  std::ifstream in(path_, std::ios::binary);
  std::vector<char> part(1 << 16);
  off_t end = 0;
  bool quoted = false;  // a text may have line breaks
  while (lines > 0 && in) {
    in.read(part.data(), static_cast<std::streamsize>(part.size()));
    for (std::streamsize i = 0; i < in.gcount() && lines > 0; ++i, ++end) {
      const char c = part[static_cast<std::size_t>(i)];
      quoted ^= c == '"';
      if (c == '\n' && !quoted) --lines;
    }
  }
  return lines == 0 ? end : -1;
}

void ResultFile::close() {
  if (::close(std::exchange(handle_, -1)) != 0 && errno != EINTR) fail("write");
}

void ResultFile::fail(std::string_view what, std::string_view more) const {
  throw file_error(
      path_, ErrorCode::file,
      fmt::format("cannot {} \"{}\": {}{}", what, path_.string(), std::strerror(errno), more));
}

}  // namespace tutti::results
