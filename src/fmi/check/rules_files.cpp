// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "fmi/check/reporter.hpp"

namespace tutti::fmi::rules {
namespace {

bool has_files_below(const Subject& fmu, std::string_view folder) {
  return std::ranges::any_of(fmu.archive.entries(), [&](const ArchiveEntry& entry) {
    return !entry.folder && entry.path.starts_with(folder);
  });
}

}  // namespace

void archive_entries(const Subject& fmu, Reporter& report) {
  for (const std::string& warning : fmu.archive.warnings()) report.file("", "{}", warning);
}

void archive_layout(const Subject& fmu, Reporter& report) {
  constexpr std::array<std::string_view, 9> known = {"modelDescription.xml",
                                                     "model.png",
                                                     "documentation",
                                                     "sources",
                                                     "binaries",
                                                     "resources",
                                                     "extra",
                                                     "terminalsAndIcons",
                                                     "licenses"};
  std::set<std::string_view> reported;
  for (const ArchiveEntry& entry : fmu.archive.entries()) {
    const std::string_view path = entry.path;
    const std::string_view top = path.substr(0, path.find('/'));
    if (top.empty() || std::ranges::find(known, top) != known.end()) continue;
    if (reported.insert(top).second) {
      report.file(top, "the standard has no such file or folder at the top of an FMU");
    }
  }
}

void archive_name(const Subject& fmu, Reporter& report) {
  if (fmu.archive.is_folder() || fmu.path.extension() == ".fmu") return;
  report.file("", "the file is called \"{}\", which does not end with \".fmu\"",
              fmu.path.filename().string());
}

void binary_name(const Subject& fmu, Reporter& report) {
  for (const std::string& platform : fmu.archive.platforms()) {
    const std::string_view suffix = library_suffix(fmu.version, platform);
    if (suffix.empty()) continue;
    std::set<std::string_view> reported;
    for (const auto& [element, can] : fmu.interfaces()) {
      const std::string file =
          fmt::format("binaries/{}/{}{}", platform, can->model_identifier, suffix);
      if (fmu.archive.contains(file) || !reported.insert(can->model_identifier).second) continue;
      report.file(file, "it is missing: the library of <{}> is named after its modelIdentifier",
                  element);
    }
  }
}

void build_description(const Subject& fmu, Reporter& report) {
  constexpr std::string_view file = "sources/buildDescription.xml";
  if (has_files_below(fmu, "sources/") && !fmu.archive.contains(file)) {
    report.file(file, "it is missing: sources cannot be built without it");
  }
}

void documentation(const Subject& fmu, Reporter& report) {
  const std::string_view entry =
      fmu.version == FmiVersion::v1 ? "documentation/_main.html" : "documentation/index.html";
  const bool has_pages = std::ranges::any_of(fmu.archive.entries(), [](const ArchiveEntry& item) {
    return !item.folder && item.path.starts_with("documentation/") &&
           !item.path.starts_with("documentation/licenses/");
  });
  if (has_pages && !fmu.archive.contains(entry)) {
    report.file(entry, "it is missing: the documentation has no entry point");
  }
}

void implementation(const Subject& fmu, Reporter& report) {
  if (!fmu.archive.platforms().empty() || has_files_below(fmu, "sources/")) return;
  report.file("", "there is neither a binary nor a source: the FMU cannot run");
}

void licenses(const Subject& fmu, Reporter& report) {
  constexpr std::string_view folder = "documentation/licenses/";
  if (!has_files_below(fmu, folder)) return;
  for (const char* const name : {"license.txt", "license.html", "license.spdx"}) {
    if (fmu.archive.contains(std::string(folder) + name)) return;
  }
  report.file(folder, "it has no license.txt, license.html or license.spdx as its entry point");
}

void pictures(const Subject& fmu, Reporter& report) {
  for (const char* const name : {"terminalsAndIcons/icon", "documentation/diagram"}) {
    const std::string base = name;
    if (fmu.archive.contains(base + ".svg") && !fmu.archive.contains(base + ".png")) {
      report.file(base + ".svg", "the same image as .png is missing");
    }
  }
}

void platform_name(const Subject& fmu, Reporter& report) {
  for (const std::string& platform : fmu.archive.platforms()) {
    if (!library_suffix(fmu.version, platform).empty()) continue;
    // A folder for static libraries (3.0) has a third part.
    const std::size_t last = platform.rfind('-');
    const std::string_view shared = std::string_view(platform).substr(0, last);
    if (last != platform.npos && !library_suffix(fmu.version, shared).empty()) continue;
    report.file("binaries/" + platform, "the standard does not name this platform ({} are)",
                fmu.version == FmiVersion::v3 ? "x86_64-linux, x86_64-windows, ..."
                                              : "linux64, win64, darwin64, ...");
  }
}

void source_files(const Subject& fmu, Reporter& report) {
  for (const auto& [element, can] : fmu.interfaces()) {
    const pugi::xml_node list = fmu.xml->root().child(element.data()).child("SourceFiles");
    for (const pugi::xml_node file : list.children("File")) {
      const std::string path = fmt::format("sources/{}", file.attribute("name").value());
      if (!fmu.archive.contains(path)) {
        report.element(file, "<{}> lists \"{}\", which is not in the FMU", element, path);
      }
    }
  }
}

}  // namespace tutti::fmi::rules
