// SPDX-License-Identifier: BSD-2-Clause
#include "formats/registry.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <set>
#include <tutti/error.hpp>

#include "base/text.hpp"
#include "fmi/file_cache.hpp"
#include "fmi/temporary_folder.hpp"
#include "fmi/zip.hpp"
#include "formats/files.hpp"
#include "formats/ssp/write_structure.hpp"
#include "formats/value.hpp"
#include "system/component_kind.hpp"
#include "system/patterns.hpp"
#include "system/system_files.hpp"

namespace tutti::formats::ssp {
namespace fs = std::filesystem;
namespace {

Models read_models(const System& system, const Surroundings& surroundings) {
  Models models;
  for (const Component& component : system.components)
    models.push_back(system::description_of(component, system.folder, surroundings.open));
  return models;
}

/// SSP has no patterns on connections.
void expand_patterns(System& system, const Models& models, const Log& log) {
  std::vector<const ModelDescription*> descriptions;
  for (const auto& model : models) descriptions.push_back(model.get());
  const std::size_t written = system.connections.size();
  system.connections = system::expanded_connections(system, descriptions);
  if (system.connections.size() != written)
    log.info("", fmt::format("SSP has no patterns on connections: {} is written as {}",
                             counted(written, "connection"), system.connections.size()));
}

/// SSP represents a constant input as an unconnected input with a start value.
void make_constants_start_values(System& system) {
  for (const auto& [to, value] : system.inputs.constants) {
    const std::int32_t index = system.find(to.component);
    if (index < 0) continue;
    set_value(system.components[static_cast<std::size_t>(index)].set, to.variable, value);
  }
  system.inputs.constants.clear();
}

/// Puts files into resources/ of a package, each once, under names of their own.
class Packer {
 public:
  explicit Packer(const fs::path& file) : zip_(file) {}

  /// Returns the path in the package.
  fs::path add(const fs::path& file) {
    const auto [found, is_new] = known_.try_emplace(file.lexically_normal());
    if (!is_new) return found->second;
    const bool folder = fs::is_directory(file);
    std::string stem = file.stem().string(), extension = file.extension().string();
    if (folder) {
      stem = (file.has_filename() ? file : file.parent_path()).filename().string();
      extension = ".fmu";
    }
    std::string name = stem + extension;
    for (int n = 2; !names_.insert(name).second; ++n)
      name = fmt::format("{}_{}{}", stem, n, extension);
    found->second = fs::path("resources") / name;
    zip_.add_file(found->second.generic_string(), folder ? packed(file, name) : file,
                  extension != ".fmu");
    return found->second;
  }
  void finish(std::string description) {
    zip_.add_text("SystemStructure.ssd", std::move(description));
    zip_.finish();
  }

 private:
  /// An unpacked FMU as an archive.
  fs::path packed(const fs::path& folder, const std::string& name) {
    if (!temporary_) temporary_.emplace();
    fs::path file = temporary_->path() / name;
    fmi::ZipWriter zip(file);
    zip.add_folder("", folder);
    zip.finish();
    return file;
  }

  std::optional<fmi::TemporaryFolder> temporary_;  // until the package is written
  fmi::ZipWriter zip_;
  std::map<fs::path, fs::path> known_;
  std::set<std::string> names_;
};

}  // namespace

void write_ssd(const System& system, const fs::path& file, const Surroundings& surroundings) {
  System moved = moved_to(system, file.parent_path());
  const Models models = read_models(moved, surroundings);
  expand_patterns(moved, models, surroundings.log);
  make_constants_start_values(moved);
  write_file(file, structure_text(moved, models, surroundings.log));
}

void write_ssp(const System& system, const fs::path& file, const Surroundings& surroundings) {
  System packed = system;
  const Models models = read_models(system, surroundings);
  expand_patterns(packed, models, surroundings.log);
  make_constants_start_values(packed);
  Packer packer(file);
  system::for_each_file(packed, [&](fs::path& path) { path = packer.add(system.folder / path); });
  packer.finish(structure_text(packed, models, surroundings.log));
}

}  // namespace tutti::formats::ssp
