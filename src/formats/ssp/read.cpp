// SPDX-License-Identifier: BSD-2-Clause
#include "formats/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tutti/error.hpp>

#include "base/text.hpp"
#include "fmi/archive.hpp"
#include "formats/files.hpp"
#include "formats/ssp/read_structure.hpp"
#include "formats/ssp/structure.hpp"
#include "formats/toml/read.hpp"
#include "system/package_paths.hpp"

namespace tutti::formats::ssp {
namespace fs = std::filesystem;
namespace {

/// The folders of one package and of the packages inside it.
class Unpacked {
 public:
  explicit Unpacked(const Surroundings& surroundings)
      : surroundings_(surroundings), folder_(std::make_shared<fmi::TemporaryFolder>()) {}

  fs::path add(const fs::path& file) {
    const fmi::Archive archive(file, surroundings_.open, surroundings_.log, fmi::ssp_archive);
    fs::path to = folder_->path();
    if (count_++ > 0) {
      to /= fmt::format("package-{}", count_);
      fs::create_directory(to);
    }
    archive.extract(to);
    return to;
  }
  std::shared_ptr<const fs::path> folder() const { return {folder_, &folder_->path()}; }

 private:
  const Surroundings& surroundings_;
  std::shared_ptr<fmi::TemporaryFolder> folder_;
  int count_ = 0;
};

/// Settings that SSP cannot represent, from the annotation of Tutti.
void add_settings(System& system, const Structure& structure, const Surroundings& surroundings,
                  const fs::path& folder) {
  if (structure.settings.empty()) return;
  const Place& place = structure.settings_place;
  read_toml_settings(system, structure.settings,
                     fmt::format("{}:{}: settings of Tutti", place.file, place.line),
                     surroundings.words, surroundings.log);
  const auto locate = [&](fs::path& path) {
    if (!path.empty()) path = folder / path;
  };
  if (folder.empty()) return;
  locate(system.inputs.file);
  for (InputFile& table : system.inputs.tables) locate(table.file);
}

std::vector<std::string> descriptions_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed))
    if (entry.path().extension() == ".ssd" && entry.is_regular_file(failed))
      names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

}  // namespace

bool is_unpacked(const fs::path& folder) {
  std::error_code failed;
  return fs::is_directory(folder, failed) &&
         fs::is_regular_file(folder / fmi::ssp_archive.root_file, failed);
}

std::string chosen_description(const fs::path& folder, const std::string& shown,
                               const Surroundings& surroundings) {
  const std::string standard(fmi::ssp_archive.root_file), &wanted = surroundings.open.structure;
  std::vector<std::string> all = descriptions_in(folder);
  if (wanted.empty()) {
    std::erase(all, standard);
    if (!all.empty())
      surroundings.log.warning("", fmt::format("{} has other descriptions besides {}: {}. "
                                               "--structure NAME reads one of them.",
                                               shown, standard, fmt::join(all, ", ")));
    return standard;
  }
  for (const std::string& name : {wanted, wanted + ".ssd"})
    if (std::ranges::binary_search(all, name)) return name;
  throw Error(ErrorCode::usage,
              fmt::format("{} has no description \"{}\"; expected one of: {}", shown,
                          printable(wanted), fmt::join(all, ", ")),
              {.key = "structure"});
}

System read_ssd(const fs::path& file, const Surroundings& surroundings) {
  std::optional<Unpacked> packages;
  StructureReader reader(surroundings, [&](const fs::path& package) {
    if (!packages) packages.emplace(surroundings);
    return packages->add(package);
  });
  const fs::path folder = file.parent_path();
  const Structure structure = reader.read(file_content(file), file.string(), {folder, {}});
  System system = flatten(structure, folder, surroundings);
  if (packages) system.package = packages->folder();
  add_settings(system, structure, surroundings, {});
  return system;
}

namespace {

System read_package(const fs::path& file, Unpacked& packages, const Surroundings& surroundings) {
  StructureReader reader(surroundings,
                         [&](const fs::path& package) { return packages.add(package); });
  const fs::path root = packages.add(file);
  const std::string description = chosen_description(root, file.string(), surroundings);
  const Structure structure =
      reader.read(file_content(root / description),
                  fmt::format("{}/{}", file.string(), description), {root, root});
  System system = flatten(structure, root, surroundings);
  system.package = packages.folder();
  system.package_file = file;
  add_settings(system, structure, surroundings, root);
  return system;
}

}  // namespace

System read_ssp(const fs::path& file, const Surroundings& surroundings) {
  Unpacked packages(surroundings);
  const system::PackagePaths paths(*packages.folder(), file);
  const Surroundings inside{surroundings.words, surroundings.open, paths.shown(surroundings.log)};
  return paths.during([&] { return read_package(file, packages, inside); });
}

}  // namespace tutti::formats::ssp
