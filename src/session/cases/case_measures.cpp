// SPDX-License-Identifier: BSD-2-Clause
#include "session/cases/case_measures.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tutti::session {

CaseMeasures::CaseMeasures(std::span<const Measure> measures) {
  for (const Measure& measure : measures) {
    if (measure.times.empty())
      formulas_.emplace_back(std::in_place_type<results::ResultFormula>, measure.formula);
    else
      formulas_.emplace_back(std::in_place_type<results::SampledFormula>, measure.formula,
                             measure.times);
    std::visit(
        [&](const auto& formula) {
          for (const std::string& name : formula.names())
            if (std::ranges::find(names_, name) == names_.end()) names_.push_back(name);
        },
        formulas_.back());
  }
}

void CaseMeasures::find_in(PreparedSystem& prepared) {
  found_.clear();
  std::vector<Column> columns;
  for (const std::string& name : names_) {
    FoundVariable variable = find_variable(prepared, name);
    const VariableInfo& info = variable.info;
    if (is_text(info.type) || info.type == Type::clock || !info.shape.empty())
      throw Error(ErrorCode::usage,
                  fmt::format("\"{}\" is {}, which a formula of results cannot use", info.name,
                              info.shape.empty() ? "a text or a clock" : "an array"),
                  {.variable = info.name,
                   .hint = info.shape.empty() ? "" : "Name one element of the array: y[1]."});
    prepared.fetch(variable.component, variable.selection.index);
    columns.push_back({name, info.type, info.unit, info.variability != Variability::continuous});
    found_.push_back(std::move(variable));
  }
  for (Formula& formula : formulas_) std::visit([&](auto& one) { one.bind(columns); }, formula);
  row_.resize(names_.size());
}

void CaseMeasures::start(const master::Ensemble& running) {
  holds_ = false;
  held_.clear();
  sources_.clear();
  const std::vector<master::Ensemble::Shown> shown = running.shown();
  for (const FoundVariable& variable : found_) {
    Source source;
    const master::Ensemble::Shown& sets = shown[variable.component];
    for (const models::ValueSet* set : {sets.outputs, sets.inputs})
      if (source.scalar == nullptr)
        if (const auto scalars = scalars_of(variable, *set); !scalars.empty())
          source = {nullptr, set, scalars.front()};
    if (source.scalar == nullptr)
      throw Error(ErrorCode::usage,
                  fmt::format("the value of \"{}\" is not available in this run: it has another "
                              "size",
                              variable.info.name),
                  {.variable = variable.info.name});
    if (variable.info.type == Type::float64)
      source.number = reinterpret_cast<const double*>(source.values->address(*source.scalar));
    sources_.push_back(source);
  }
  for (Formula& formula : formulas_) std::visit([](auto& one) { one.start(); }, formula);
}

std::vector<double> CaseMeasures::values() {
  std::vector<double> all;
  for (Formula& formula : formulas_)
    if (auto* const one = std::get_if<results::ResultFormula>(&formula)) {
      all.push_back(one->value());
    } else {
      const std::vector<double>& several = std::get<results::SampledFormula>(formula).values();
      all.insert(all.end(), several.begin(), several.end());
    }
  return all;
}

void CaseMeasures::record(double t) {
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const Source& source = sources_[i];
    row_[i] = source.number != nullptr
                  ? *source.number
                  : as_real(source.scalar->type, source.values->read(*source.scalar));
  }
  if (holds_)
    held_.push_back({t, row_});
  else
    add_row(t, row_);
}

void CaseMeasures::add_row(double t, std::span<const double> values) {
  for (Formula& formula : formulas_) std::visit([&](auto& one) { one.row(t, values); }, formula);
}

void CaseMeasures::release() {
  holds_ = false;
  for (const Held& row : held_) add_row(row.time, row.values);
  held_.clear();
}

void CaseMeasures::drop() {
  holds_ = false;
  held_.clear();
}

}  // namespace tutti::session
