// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>

namespace tutti::fmi {

/// A folder that only this user can enter (mode 0700), below TMPDIR or /tmp, named
/// tutti-run-XXXXXX. It is removed with its content by the destructor; if the process is killed, by
/// the next process that makes such a folder there.
class TemporaryFolder {
 public:
  /// @throws Error (file) when it cannot be made.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept;

  const std::filesystem::path& path() const { return path_; }  ///< absolute; empty once moved from

 private:
  void remove() noexcept;
  std::filesystem::path path_;
  int lock_ = -1;  ///< descriptor of the folder, locked during the lifetime of its owner
};

/// Sets where the folders of this process are made from now on, instead of TMPDIR or /tmp.
void set_temporary_parent(const std::filesystem::path& parent);

/// Removes all folders of this process, for a process that ends without calling destructors.
void remove_temporary_folders() noexcept;

}  // namespace tutti::fmi
