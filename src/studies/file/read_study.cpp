// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include "base/file_error.hpp"
#include "base/text.hpp"
#include "formats/files.hpp"
#include "studies/file/parse_study.hpp"

namespace tutti {
namespace {

namespace fs = std::filesystem;

fs::path below(const fs::path& folder, const fs::path& file) {
  return file.empty() ? fs::path() : (folder / file).lexically_normal();
}

std::string content_of(const fs::path& file) {
  std::error_code failed;
  if (!fs::exists(file, failed))
    throw file_error(file, ErrorCode::file, fmt::format("there is no file \"{}\"", file.string()));
  return formats::file_content(file);
}

/// Makes the paths of files that must exist absolute or relative to the current folder.
class StudyFiles {
 public:
  StudyFiles(const Study& study, const studies::KeyPlaces& places)
      : folder_(study.folder), places_(places) {}

  void find(fs::path& file, const std::string& key) {
    if (file.empty()) return;
    const std::string given = file.string();
    file = below(folder_, file);
    std::error_code failed;
    if (fs::exists(file, failed)) return;
    problems_.add(places_.at(key),
                  fmt::format("{} = \"{}\": there is no file \"{}\"", key, printable(given),
                              printable(file.string())),
                  {.key = key, .hint = "Paths are relative to the study file."});
  }
  void raise() const { problems_.raise(); }

 private:
  const fs::path& folder_;
  const studies::KeyPlaces& places_;
  system::Problems problems_;
};

}  // namespace

Study read_study(const std::filesystem::path& file, const Log& log) {
  studies::KeyPlaces places;
  Study study = studies::parse_study(content_of(file), file.string(), places);
  study.file = file;
  study.folder = file.parent_path();
  StudyFiles files(study, places);
  files.find(study.system, "system");
  for (std::size_t i = 0; i < study.experiments.size(); ++i) {
    files.find(study.experiments[i].data, fmt::format("experiments[{}].data", i + 1));
    files.find(study.experiments[i].inputs, fmt::format("experiments[{}].inputs", i + 1));
  }
  files.raise();
  const fs::path stem = file.stem();
  const auto result = [&](fs::path& results, const std::string& ending) {
    results = below(study.folder, results.empty() ? fs::path(stem.string() + ending) : results);
  };
  if (study.sweep) {
    result(study.sweep->results, ".csv");
    study.sweep->trajectories = below(study.folder, study.sweep->trajectories);
  }
  if (study.estimate) result(study.estimate->results, "-fit.toml");
  if (study.optimize) result(study.optimize->results, "-optimum.toml");
  if (!study.experiments.empty() && !study.estimate)
    log.info("", fmt::format("{}experiments have no effect without [estimate]",
                             system::at(study.experiments.front().place)));
  return study;
}

}  // namespace tutti
