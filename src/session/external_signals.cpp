// SPDX-License-Identifier: BSD-2-Clause
#include "session/external_signals.hpp"

#include <algorithm>
#include <map>

#include "models/start_values.hpp"

namespace tutti::session {
namespace {

/// A scalar input, or an element of an array.
struct Element {
  std::uint32_t component = 0;
  std::string name;
};

/// The signals from tables, by table and component; -1 is the input file.
using Columns =
    std::map<std::pair<std::int32_t, std::uint32_t>, std::vector<models::InputTable::Column>>;

master::ExternalSignals make_signals(std::uint32_t component, models::InputTable table,
                                     const SystemModels& models,
                                     SamplePoint sample = SamplePoint::start) {
  auto owned = std::make_unique<models::InputTable>(std::move(table));
  auto values = std::make_unique<models::ValueSet>(
      *models.descriptions[component], owned->variables(), models.structures[component]);
  return {component, std::move(owned), std::move(values), sample == SamplePoint::end};
}

/// A table of one row: a value for each element, or one for all.
models::InputTable constant_table(const std::vector<Element>& elements, const std::string& text,
                                  const SystemModels& models) {
  std::vector<std::string_view> values = {text};
  if (elements.size() > 1) values = models::split_elements(text);
  if (values.size() == 1) values.resize(elements.size(), values.front());
  std::string header = "time", row = "0";
  for (std::size_t i = 0; i < elements.size(); ++i) {
    append_csv_text(header += ',', elements[i].name);
    append_csv_text(row += ',', values[i]);
  }
  const std::uint32_t c = elements.front().component;
  return {CsvTable::parse(header + "\n" + row + "\n", "constant"), *models.descriptions[c],
          models.structures[c]};
}

/// `file`: null: the input file of the system.
models::InputTable make_table(const CsvTable& csv, const InputFile* file,
                              std::vector<models::InputTable::Column> columns,
                              std::uint32_t component, const SystemModels& models) {
  for (models::InputTable::Column& column : columns) {
    if (file == nullptr) {
      ++column.index;  // the time is the first one
      continue;
    }
    const InputColumn& from = file->columns[column.index];
    column = {models::find_column(csv, from.column), column.name, from.factor, from.offset};
  }
  return {csv, columns, *models.descriptions[component], models.structures[component],
          file != nullptr ? file->time_factor : 1};
}

}  // namespace

std::vector<master::ExternalSignals> make_external_signals(const System& system,
                                                           const system::Plan& plan,
                                                           const SystemModels& models,
                                                           const TimeGrid& grid) {
  Columns columns;
  std::map<std::uint32_t, std::vector<Element>> constants;
  for (const system::ExternalInput& external : plan.external) {
    const std::uint32_t c = external.to.component;
    const Variable& v =
        models.descriptions[c]->variables[static_cast<std::size_t>(external.to.variable)];
    const auto shape = fmi::shape_of(*models.descriptions[c], v, models.structures[c]);
    const std::string name = fmi::element_name(v.name, shape, external.to.element);
    if (external.is_constant)
      constants[external.source].push_back({c, name});
    else
      columns[{external.table, c}].push_back({external.source, name});
  }
  std::vector<master::ExternalSignals> all;
  for (const auto& [source, elements] : constants) {
    const std::string& text = system.inputs.constants[source].second;
    all.push_back(
        make_signals(elements.front().component, constant_table(elements, text, models), models));
  }
  for (const auto& [source, from] : columns) {
    const auto& [index, component] = source;
    const bool is_table = index >= 0;
    const auto i = static_cast<std::size_t>(index);
    const InputFile* const file = is_table ? &system.inputs.tables[i] : nullptr;
    const CsvTable& csv = is_table ? *models.tables[i] : *models.input_file;
    models::InputTable table = make_table(csv, file, from, component, models);
    table.align(grid);
    all.push_back(make_signals(component, std::move(table), models,
                               file != nullptr ? file->sample : SamplePoint::start));
  }
  return all;
}

void follow_table(std::vector<master::ExternalSignals>& all, std::size_t component) {
  const auto drives = [&](const master::ExternalSignals& e) { return e.component == component; };
  const auto count = std::count_if(all.begin(), all.end(), drives);
  if (count > 1) return;
  if (count == 0)
    all.push_back({static_cast<std::uint32_t>(component), std::make_unique<models::InputTable>(),
                   std::make_unique<models::ValueSet>()});
  std::find_if(all.begin(), all.end(), drives)->is_followed = true;
}

}  // namespace tutti::session
