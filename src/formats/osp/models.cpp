// SPDX-License-Identifier: BSD-2-Clause
#include "formats/osp/models.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tutti/error.hpp>

#include "base/text.hpp"
#include "fmi/file_cache.hpp"
#include "formats/address.hpp"
#include "formats/files.hpp"

namespace tutti::formats::osp {
namespace fs = std::filesystem;
namespace {

/// The path of an FMU that a `source` names. One behind a proxy on this machine is the file that
/// the proxy would load.
fs::path path_of(const Simulator& simulator, const Log& log) {
  const std::string& source = simulator.source;
  constexpr std::string_view scheme = "proxyfmu:", local = "proxyfmu://localhost";
  if (!source.starts_with(scheme)) return resolve(source, {});
  const std::size_t query = source.find("?file=");
  const std::string_view host = std::string_view(source).substr(0, source.find_first_of("?:", 9));
  if (host != local || query == source.npos)
    throw Error(ErrorCode::usage,
                fmt::format("\"{}\" is an FMU in a process of another machine, which is not "
                            "supported",
                            printable(source)),
                {.hint = "Name the file: source=\"model.fmu\"."});
  const std::string file = source.substr(query + 6);
  log.info("",
           fmt::format("{}\"{}\" needs no proxy: \"{}\" runs in a worker process, like all FMUs",
                       system::at(simulator.place), simulator.name, printable(file)));
  return resolve(file, {});
}

void collect_inside(const std::vector<VariableGroup>& groups, const std::string& name,
                    std::vector<const VariableGroup*>& found) {
  for (const VariableGroup& group : groups) {
    for (const VariableGroup& inner : group.groups)
      if (inner.name == name) found.push_back(&inner);
    collect_inside(group.groups, name, found);
  }
}

std::vector<std::string_view> names_of_all(const std::vector<VariableGroup>& groups) {
  std::vector<std::string_view> names;
  for (const VariableGroup& group : groups) {
    names.push_back(group.name);
    const std::vector<std::string_view> inner = names_of_all(group.groups);
    names.insert(names.end(), inner.begin(), inner.end());
  }
  return names;
}

}  // namespace

Models::Models(const std::vector<Simulator>& simulators, const fs::path& folder,
               const Surroundings& surroundings, system::Problems& problems)
    : simulators_(simulators), folder_(folder), surroundings_(surroundings) {
  for (const Simulator& simulator : simulators) {
    fs::path& fmu = fmus_.emplace_back();
    auto& model = models_.emplace_back();
    try {
      fmu = path_of(simulator, surroundings.log);
      model = fmi::description_of(folder / fmu, surroundings.open);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::interrupted) throw;
      problems.add(simulator.place, fmt::format("simulator \"{}\"", simulator.name),
                   error.as(ErrorCode::usage), {.component = simulator.name});
    }
  }
}

std::size_t Models::index(const End& end) const {
  const auto found = std::ranges::find(simulators_, end.owner, &Simulator::name);
  if (found == simulators_.end())
    throw Error(ErrorCode::usage,
                fmt::format("there is no simulator \"{}\".{}", printable(end.owner),
                            did_you_mean(end.owner, names_of(simulators_))),
                system::where(end.place));
  return static_cast<std::size_t>(found - simulators_.begin());
}

const Variable* Models::find(const End& end) const {
  return description(index(end)).find(end.name);
}

/// As libcosim: beside the FMU, or else beside the system.
const std::vector<VariableGroup>& Models::groups_of(std::size_t simulator, const End& end) {
  const auto [known, is_new] = groups_.try_emplace(simulator);
  if (!is_new) return known->second;
  const fs::path fmu = folder_ / fmus_[simulator];
  std::vector<std::string> tried;
  for (const std::string& name : {models_[simulator]->model_name, fmu.stem().string()}) {
    for (const fs::path& folder : {fmu.parent_path(), folder_}) {
      const fs::path file = folder / (name + "_OspModelDescription.xml");
      std::error_code failed;
      if (fs::is_regular_file(file, failed)) {
        known->second = parse_groups(file_content(file), file.string(), surroundings_.open.limits);
        return known->second;
      }
      if (std::ranges::find(tried, file.string()) == tried.end()) tried.push_back(file.string());
    }
  }
  groups_.erase(known);
  throw Error(ErrorCode::usage,
              fmt::format("the groups of variables of simulator \"{}\" are not described: there is "
                          "no file {}",
                          end.owner, fmt::join(tried, ", ")),
              system::where(end.place, {.component = end.owner}));
}

const VariableGroup& Models::group(const End& end) {
  const std::vector<VariableGroup>& groups = groups_of(index(end), end);
  const auto top = std::ranges::find(groups, end.name, &VariableGroup::name);
  if (top != groups.end()) return *top;
  std::vector<const VariableGroup*> found;
  collect_inside(groups, end.name, found);
  if (found.size() == 1) return *found.front();
  const std::string which = fmt::format("simulator \"{}\" has ", end.owner);
  throw Error(ErrorCode::usage,
              found.empty()
                  ? fmt::format("{}no group of variables \"{}\".{}", which, printable(end.name),
                                did_you_mean(end.name, names_of_all(groups)))
                  : fmt::format("{}{} groups of variables \"{}\" inside others; name the "
                                "outer group",
                                which, found.size(), printable(end.name)),
              system::where(end.place, {.component = end.owner}));
}

}  // namespace tutti::formats::osp
