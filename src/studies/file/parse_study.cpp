// SPDX-License-Identifier: BSD-2-Clause
#include "studies/file/parse_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "formats/toml/read.hpp"
#include "studies/file/study_keys.hpp"

namespace tutti::studies {
namespace {

using formats::Value;

/// Reads a tree of values by the table of keys.
class StudyReader {
 public:
  StudyReader(Study& study, KeyPlaces& places)
      : target_{.study = study, .key = {{}, words_}}, places_(places) {}

  void read(const Value& root) {
    for (const Value::Entry& entry : root.entries) read_entry("", "", entry);
    require("", "", "the study", root.place);
  }
  system::Problems& problems() { return problems_; }

 private:
  /// `path` as in the table, `shown` with the numbers of entries.
  void read_entry(const std::string& path, const std::string& shown, const Value::Entry& entry) {
    const std::string here = path.empty() ? entry.key : path + "." + entry.key;
    const std::string name = shown.empty() ? entry.key : shown + "." + entry.key;
    if (const StudyKey* const key = find_study_key(here))
      apply(*key, name, entry);
    else if (begins_key(here + "[]"))
      read_list(here + "[]", name, entry.value);
    else if (begins_key(here + "."))
      read_section(here, name, entry);
    else
      refuse_key(path, name, entry);
  }
  static bool begins_key(const std::string& path) {
    return std::ranges::any_of(study_keys(),
                               [&](const StudyKey& key) { return key.path.starts_with(path); });
  }

  void refuse_key(const std::string& path, const std::string& shown, const Value::Entry& entry) {
    const std::vector<std::string_view> known = study_names_below(path);
    std::string all;
    for (const std::string_view name : known)
      all += fmt::format("{}{}", all.empty() ? "" : ", ", name);
    problems_.add(entry.place, fmt::format("unknown key \"{}\".", printable(shown)),
                  {.key = printable(shown),
                   .hint = fmt::format("{} Expected one of{}: {}.", did_you_mean(entry.key, known),
                                       path.empty() ? "" : " the keys of " + path, all)});
  }

  void apply(const StudyKey& key, const std::string& shown, const Value::Entry& entry) {
    places_.add(shown, entry.value.place);
    problems_.attempt(
        [&] {
          target_.key.path = shown;
          key.read(target_, entry.value);
          if (key.path == "parameters[].values") values_ = entry.value;
        },
        {.key = shown});
  }

  void read_section(const std::string& path, const std::string& shown, const Value::Entry& entry) {
    places_.add(shown, entry.place);
    if (!entry.value.is(Value::Kind::table)) {
      problems_.add(entry.value.place, fmt::format("{} must be a table, not {}", shown,
                                                   formats::described(entry.value)));
      return;
    }
    Study& study = target_.study;
    if (path == "sweep") study.sweep.emplace();
    if (path == "estimate") study.estimate.emplace();
    if (path == "optimize") study.optimize.emplace();
    for (const Value::Entry& inner : entry.value.entries) read_entry(path, shown, inner);
    require(path, shown, shown, entry.place);
  }

  void read_list(const std::string& path, const std::string& shown, const Value& list) {
    places_.add(shown, list.place);
    if (!list.is(Value::Kind::list)) {
      problems_.add(list.place, fmt::format("{} must be a list of tables, [[{}]], not {}", shown,
                                            shown, formats::described(list)));
      return;
    }
    if (list.items.empty())
      problems_.add(list.place, fmt::format("{} is an empty list: add an entry or omit it", shown));
    for (std::size_t i = 0; i < list.items.size(); ++i)
      read_item(path, fmt::format("{}[{}]", shown, i + 1), list.items[i]);
  }

  void read_item(const std::string& path, const std::string& shown, const Value& item) {
    places_.add(shown, item.place);
    start_part(path, item.place);
    if (item.is(Value::Kind::table)) {
      for (const Value::Entry& entry : item.entries) read_entry(path, shown, entry);
      require(path, shown, shown, item.place);
    } else if (const StudyKey* const key = find_study_key(path)) {
      apply(*key, shown, {"", item.place, item});
    } else {
      problems_.add(item.place,
                    fmt::format("{} must be a table, not {}", shown, formats::described(item)));
    }
    if (path == "parameters[]") take_values(shown);
  }
  void start_part(const std::string& path, const Place& place) {
    Study& study = target_.study;
    if (path == "parameters[]") {
      target_.parameter = &study.parameters.emplace_back();
      target_.parameter->place = place;
    } else if (path == "outputs[]") {
      target_.output = &study.outputs.emplace_back();
      target_.output->place = place;
    } else if (path == "experiments[]") {
      target_.experiment = &study.experiments.emplace_back();
      target_.experiment->place = place;
    } else {
      target_.signal = &target_.experiment->signals.emplace_back();
      target_.signal->place = place;
    }
  }
  /// How values are written depends on the name of the parameter, which may follow them.
  void take_values(const std::string& shown) {
    const Value values = std::exchange(values_, {});
    target_.key.path = shown + ".values";
    StudyParameter& parameter = *target_.parameter;
    for (const Value& value : values.items)
      problems_.attempt(
          [&] { parameter.values.push_back(setting_text(target_.key, parameter.name, value)); });
  }

  void require(const std::string& path, const std::string& shown, const std::string& what,
               const Place& place) {
    for (const StudyKey& key : study_keys()) {
      if (key.fallback != formats::required) continue;
      std::string_view name = key.path;
      if (!path.empty()) name = formats::rest_of_part(key.path, path);
      if (name.starts_with('.')) name.remove_prefix(1);
      if (name.empty() || name.find_first_of(".[") != name.npos) continue;
      if (!places_.has(shown.empty() ? std::string(name) : fmt::format("{}.{}", shown, name)))
        problems_.add(place, fmt::format("{} lacks the key \"{}\": {}", what, name, key.text),
                      {.key = std::string(key.path)});
    }
  }

  const formats::Words words_;
  StudyTarget target_;
  KeyPlaces& places_;
  Value values_;  ///< of the present parameter
  system::Problems problems_;
};

}  // namespace

const Place* KeyPlaces::find(std::string_view path) const {
  const auto found = std::ranges::find(places_, path, &std::pair<std::string, Place>::first);
  return found == places_.end() ? nullptr : &found->second;
}

Place KeyPlaces::at(std::string_view path) const {
  while (true) {
    if (const Place* const place = find(path)) return *place;
    const std::size_t end = path.find_last_of(".[");
    if (end == std::string_view::npos) return {};
    path = path.substr(0, end);
  }
}

Study parse_study(std::string_view text, const std::string& file, KeyPlaces& places) {
  Study study;
  StudyReader reader(study, places);
  reader.read(formats::parse_toml(text, file));
  for (StudyOutput& output : study.outputs)
    if (output.name.empty()) output.name = output.measure.formula;
  for (StudyExperiment& experiment : study.experiments)
    for (MeasuredSignal& signal : experiment.signals)
      if (signal.column.empty()) signal.column = signal.formula;
  check_study(study, places, reader.problems());
  reader.problems().raise();
  return study;
}

}  // namespace tutti::studies
