// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/temporary_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <tutti/error.hpp>
#include <utility>

namespace tutti::fmi {
namespace fs = std::filesystem;
namespace {

/// remove_all cannot remove the content of a folder without write or search permission.
void open_up(const fs::path& folder) noexcept {
  std::error_code ignored;
  fs::permissions(folder, fs::perms::owner_all, ignored);
  for (fs::directory_iterator it(folder, ignored), end; it != end; it.increment(ignored)) {
    if (it->is_directory(ignored) && !it->is_symlink(ignored)) open_up(it->path());
  }
}

void remove_folder(const fs::path& folder) noexcept {
  std::error_code failed;
  fs::remove_all(folder, failed);
  if (!failed) return;
  open_up(folder);
  fs::remove_all(folder, failed);
}

/// The existing folders.
struct FolderList {
  std::mutex mutex;
  fs::path parent;  ///< empty: the usual one
  std::set<fs::path> paths;
};
FolderList& folder_list() {
  static FolderList& list = *new FolderList;  // never freed: needed while the process ends
  return list;
}

fs::path usual_parent() {
  const char* variable = std::getenv("TMPDIR");
  return variable != nullptr && *variable != '\0' ? variable : "/tmp";
}

/// Locks a folder of this user and returns its descriptor; negative: it is locked by another
/// process, or not usable.
int lock_folder(const fs::path& folder) {
  const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (opened < 0) return opened;
  const int descriptor = ::fcntl(opened, F_DUPFD_CLOEXEC, 10);  // not a standard stream
  ::close(opened);
  struct stat status {};
  if (::fstat(descriptor, &status) == 0 && status.st_uid == ::geteuid() &&
      ::flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    return descriptor;
  ::close(descriptor);
  return -1;
}

constexpr std::string_view prefix = "tutti-run-";

/// Removes the folders of processes that were killed.
void remove_abandoned(const fs::path& parent) {
  std::error_code ignored;
  for (fs::directory_iterator it(parent, ignored), end; it != end; it.increment(ignored)) {
    if (!it->path().filename().string().starts_with(prefix)) continue;
    const int descriptor = lock_folder(it->path());
    if (descriptor < 0) continue;
    remove_folder(it->path());
    ::close(descriptor);
  }
}

/// Makes a folder and locks it before others can take it for an abandoned one.
fs::path make_locked(const fs::path& parent, int& lock) {
  std::error_code failed;
  const fs::path absolute = fs::absolute(parent, failed);
  std::string name = (absolute / "tutti-new-XXXXXX").string();
  if (!failed && ::mkdtemp(name.data()) != nullptr) {
    lock = lock_folder(name);
    const fs::path path = absolute / (std::string(prefix) + name.substr(name.size() - 6));
    if (::rename(name.c_str(), path.c_str()) == 0) return path;
  }
  const std::string reason = failed ? failed.message() : std::generic_category().message(errno);
  throw Error(ErrorCode::file,
              fmt::format("cannot make a temporary folder in \"{}\": {}", parent.string(), reason),
              {.hint = "Set TMPDIR to a folder that you can write to."});
}

}  // namespace

void set_temporary_parent(const fs::path& parent) {
  const std::lock_guard lock(folder_list().mutex);
  folder_list().parent = parent;
}

TemporaryFolder::TemporaryFolder() {
  const fs::path given = [] {
    const std::lock_guard lock(folder_list().mutex);
    return folder_list().parent;
  }();
  const fs::path parent = given.empty() ? usual_parent() : given;
  static std::once_flag once;
  if (given.empty()) std::call_once(once, remove_abandoned, parent);
  path_ = make_locked(parent, lock_);
  const std::lock_guard lock(folder_list().mutex);
  folder_list().paths.insert(path_);
}

TemporaryFolder::~TemporaryFolder() { remove(); }

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::exchange(other.lock_, -1)) {}

TemporaryFolder& TemporaryFolder::operator=(TemporaryFolder&& other) noexcept {
  if (this != &other) {
    remove();
    path_ = std::exchange(other.path_, {});
    lock_ = std::exchange(other.lock_, -1);
  }
  return *this;
}

void TemporaryFolder::remove() noexcept {
  if (path_.empty()) return;
  {
    const std::lock_guard lock(folder_list().mutex);
    folder_list().paths.erase(path_);
  }
  remove_folder(path_);
  path_.clear();
  if (lock_ >= 0) ::close(lock_);
  lock_ = -1;
}

void remove_temporary_folders() noexcept {
  const std::lock_guard lock(folder_list().mutex);
  for (const fs::path& path : folder_list().paths) remove_folder(path);
  folder_list().paths.clear();
}

}  // namespace tutti::fmi
