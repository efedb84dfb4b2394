// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/temporary_folder.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <mutex>
#include <set>
#include <string>
#include <system_error>
#include <tutti/error.hpp>
#include <utility>

namespace tutti::fmi {
namespace fs = std::filesystem;
namespace {

/// A folder without write or search permission hides what is in it from remove_all.
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

/// Those that exist.
struct FolderList {
  std::mutex mutex;
  std::set<fs::path> paths;
};
FolderList& folder_list() {
  static FolderList& list = *new FolderList;  // never freed: needed while the process ends
  return list;
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  const char* variable = std::getenv("TMPDIR");
  const fs::path parent = variable != nullptr && *variable != '\0' ? variable : "/tmp";
  std::error_code failed;
  std::string name = (fs::absolute(parent, failed) / "tutti-XXXXXX").string();
  if (failed || mkdtemp(name.data()) == nullptr) {
    const std::string reason = failed ? failed.message() : std::generic_category().message(errno);
    throw Error(
        ErrorCode::file,
        fmt::format("cannot make a temporary folder in \"{}\": {}", parent.string(), reason),
        {.hint = "Set TMPDIR to a folder that you can write to."});
  }
  path_ = name;
  const std::lock_guard lock(folder_list().mutex);
  folder_list().paths.insert(path_);
}

TemporaryFolder::~TemporaryFolder() { remove(); }

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})) {}

TemporaryFolder& TemporaryFolder::operator=(TemporaryFolder&& other) noexcept {
  if (this != &other) {
    remove();
    path_ = std::exchange(other.path_, {});
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
}

void remove_temporary_folders() noexcept {
  const std::lock_guard lock(folder_list().mutex);
  for (const fs::path& path : folder_list().paths) remove_folder(path);
  folder_list().paths.clear();
}

}  // namespace tutti::fmi
