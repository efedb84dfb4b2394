// SPDX-License-Identifier: BSD-2-Clause
#include "models/me_linear.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tutti/error.hpp>
#include <tutti/results.hpp>
#include <utility>

#include "base/number_type.hpp"
#include "base/step_outcome.hpp"
#include "models/fmu_model.hpp"
#include "models/me_problem.hpp"
#include "models/state_elements.hpp"
#include "models/value_set.hpp"
#include "solvers/linear/sparsity.hpp"

namespace tutti::models {
namespace {

// Central differences err by a second power of the increment and by rounding over it: the cube
// root of the precision balances them.
constexpr double step_of_doubles = 6e-6, step_of_floats = 5e-3;
constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

/// The matrix [A B; C D], by columns: states, then inputs. Rows: derivatives, then outputs.
class Columns {
 public:
  Columns(std::size_t rows, std::size_t columns) : rows_(rows), values_(columns) {}
  void set(std::size_t row, std::size_t column, double value) {
    if (value != 0) values_[column][row] = value;
  }
  void clear() {
    std::ranges::for_each(values_, [](auto& column) { column.clear(); });
  }
  /// Calls action(row, column, value).
  template <class Action>
  void visit(const Action& action) const {
    for (std::size_t j = 0; j < values_.size(); ++j)
      for (const auto& [i, value] : values_[j]) action(i, j, value);
  }
  bool fits(const SparsityPattern& pattern) const {
    bool fits = true;
    visit([&](std::size_t i, std::size_t j, double) {
      fits &= std::ranges::binary_search(pattern.rows_of(j), static_cast<std::int64_t>(i));
    });
    return fits;
  }
  /// The product with a vector, and the sum of the magnitudes of its terms.
  void multiply(std::span<const double> by, std::vector<double>& product,
                std::vector<double>& magnitude) const {
    product.assign(rows_, 0);
    magnitude.assign(rows_, 0);
    visit([&](std::size_t i, std::size_t j, double value) {
      product[i] += value * by[j];
      magnitude[i] += std::abs(value * by[j]);
    });
  }

 private:
  std::size_t rows_;
  std::vector<std::map<std::size_t, double>> values_;
};

class MeLinearization {
 public:
  MeLinearization(fmi::ModelExchange& fmu, const fmi::StructuralValues& structure, double t,
                  std::span<const double> x, const LinearQuestion& question)
      : fmu_(fmu),
        description_(fmu.description()),
        structure_(structure),
        question_(question),
        time_(t),
        x_(x.begin(), x.end()),
        inputs_(description_, variables_of(question.inputs, false), structure),
        parameters_(description_, variables_of(question.inputs, true), structure),
        outputs_(description_, variables_of(question.outputs, false), structure),
        solved_(fmu) {
    find_states();
    for (ValueSet* const set : {&inputs_, &parameters_})
      if (!set->empty()) set->get_from(fmu_);  // elements of arrays that are not asked for
    for (std::size_t j = 0; j < question.inputs.size(); ++j) write(j, question.u[j]);
    fmu_.set_time(t);
    evaluate(here_);
    check_finite();
  }

  LinearEquations run() {
    LinearEquations result;
    result.is_exact = plan_directions();
    Columns matrix(rows(), columns());
    const SparsityPattern pattern = described_pattern();
    fill(matrix, pattern, result.is_exact);
    if (pattern.entry_count() < rows() * columns() && !agrees(matrix, result.is_exact)) {
      matrix.clear();
      fill(matrix, full_pattern(), result.is_exact);
      if (!matrix.fits(pattern))
        result.notes.emplace_back(
            "its description omits dependencies of derivatives or outputs: all were evaluated");
    }
    evaluate(here_);
    describe(matrix, result);
    note_indicators(result);
    return result;
  }

 private:
  std::vector<std::int32_t> variables_of(const std::vector<RealElement>& elements,
                                         bool parameters) const {
    std::vector<std::int32_t> all;
    for (const RealElement& element : elements)
      if (is_parameter(element) == parameters) all.push_back(element.variable);
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }
  bool is_parameter(const RealElement& element) const {
    return variable(element.variable).causality == Causality::parameter;
  }
  static const Scalar& find(const ValueSet& set, const RealElement& wanted) {
    return *std::ranges::find_if(set.scalars(), [&](const Scalar& scalar) {
      return scalar.variable == wanted.variable && scalar.element == wanted.element;
    });
  }
  const Variable& variable(std::int32_t index) const {
    return description_.variables[static_cast<std::size_t>(index)];
  }
  std::size_t states() const { return kept_.size(); }
  std::size_t rows() const { return states() + question_.outputs.size(); }
  std::size_t columns() const { return states() + question_.inputs.size(); }

  /// Algebraic unknowns of a cluster are solved for: they are no states.
  void find_states() {
    const fmi::StateStructure* const known = fmu_.state_structure();
    for (std::size_t i = 0; i < x_.size(); ++i)
      if (known == nullptr || known->algebraic.empty() || known->algebraic[i] == 0)
        kept_.push_back(i);
    elements_ = find_state_elements(description_, structure_);
    if (elements_ && elements_->count != states()) elements_.reset();
    nominals_.assign(x_.size(), 1);
    if (!x_.empty()) fmu_.get_nominals(nominals_);
    scalars_.reserve(question_.inputs.size());
    for (const RealElement& input : question_.inputs)
      scalars_.push_back(&find(is_parameter(input) ? parameters_ : inputs_, input));
    for (const RealElement& output : question_.outputs)
      output_scalars_.push_back(&find(outputs_, output));
    for (const RealElement& output : question_.outputs)
      state_of_output_.push_back(state_number(output));
  }
  /// The number of the state that this variable is.
  std::size_t state_number(const RealElement& wanted) const {
    if (!elements_ || variable(wanted.variable).type != Type::float64) return nowhere;
    for (const StateElements::Array& array : elements_->arrays)
      if (array.state == wanted.variable) return array.first + wanted.element;
    return nowhere;
  }
  void write(std::size_t input, double value) {
    ValueSet& set = is_parameter(question_.inputs[input]) ? parameters_ : inputs_;
    const Scalar& scalar = *scalars_[input];
    if (&set == &parameters_ && as_real(scalar.type, set.read(scalar)) == value) return;
    has_new_parameters_ |= &set == &parameters_;
    set.write_real(scalar, value);
  }
  /// FMI 2.0, 3.2.1 and 3.0, 3.2.3: tunable parameters are set in event mode.
  void set_parameters() {
    if (!std::exchange(has_new_parameters_, false)) return;
    fmu_.enter_event_mode();
    parameters_.set_to(fmu_);
    if (settle_discrete_states(fmu_, time_).terminate)
      throw Error(ErrorCode::fmu, "it asks to end the run when a parameter changes");
    fmu_.enter_continuous_time_mode();
  }

  /// Derivatives, then outputs, at the present x_ and inputs_.
  void evaluate(std::vector<double>& values) {
    set_parameters();
    if (!x_.empty()) fmu_.set_continuous_states(x_);
    if (!inputs_.empty()) inputs_.set_to(fmu_);
    dx_.resize(x_.size());
    if (!x_.empty()) fmu_.get_derivatives(dx_);
    values.clear();
    for (const std::size_t i : kept_) values.push_back(dx_[i]);
    if (!outputs_.empty()) outputs_.get_from(fmu_);
    for (const Scalar* const scalar : output_scalars_)
      values.push_back(as_real(scalar->type, outputs_.read(*scalar)));
  }
  void check_finite() const {
    for (std::size_t i = 0; i < rows(); ++i)
      if (!std::isfinite(here_[i]))
        throw Error(ErrorCode::numeric,
                    fmt::format("{} is not finite ({}) at this point", row_name(i), here_[i]));
  }
  std::string state_name(std::size_t state) const {
    const fmi::StateStructure* const known = fmu_.state_structure();
    if (known != nullptr && kept_[state] < known->names.size()) return known->names[kept_[state]];
    if (!elements_) return fmt::format("state {}", state + 1);
    const StateElements::Array& array = array_of(state);
    return fmi::element_name(variable(array.state).name, array.shape, state - array.first);
  }
  const StateElements::Array& array_of(std::size_t state) const {
    return *std::prev(
        std::ranges::upper_bound(elements_->arrays, state, {}, &StateElements::Array::first));
  }
  std::string row_name(std::size_t row) const {
    if (row < states()) return fmt::format("the derivative of \"{}\"", state_name(row));
    return fmt::format("\"{}\"", output_scalars_[row - states()]->name);
  }

  // Directional derivatives

  /// The places of columns among the knowns and of rows among the unknowns of a directional
  /// derivative. False: the FMU has none, or not of these variables.
  bool plan_directions() {
    const Capabilities& can = fmu_.capabilities();
    if (!can.provides_directional_derivatives && !can.provides_adjoint_derivatives) return false;
    const auto is_double = [&](const RealElement& element) {
      return is_parameter(element) || (variable(element.variable).type == Type::float64 &&
                                       variable(element.variable).alias != AliasKind::negated);
    };
    if (!elements_ || !std::ranges::all_of(question_.inputs, is_double)) return false;
    const auto add = [&](std::int32_t index, std::uint64_t count,
                         std::vector<ValueReference>& references, std::size_t& size) {
      references.push_back(variable(index).value_reference);
      size += static_cast<std::size_t>(count);
    };
    known_at_.assign(columns(), nowhere);
    unknown_at_.assign(rows(), nowhere);
    for (const StateElements::Array& array : elements_->arrays)
      for (std::size_t e = 0; e < array.count; ++e)
        known_at_[array.first + e] = unknown_at_[array.first + e] = array.first + e;
    for (const StateElements::Array& array : elements_->arrays) {
      add(array.state, array.count, knowns_, known_count_);
      add(array.derivative, array.count, unknowns_, unknown_count_);
    }
    for (const std::int32_t index : inputs_.variables()) {
      for (std::size_t j = 0; j < question_.inputs.size(); ++j)
        if (question_.inputs[j].variable == index)
          known_at_[states() + j] =
              known_count_ + static_cast<std::size_t>(question_.inputs[j].element);
      add(index, count_of(index), knowns_, known_count_);
    }
    for (const std::int32_t index : outputs_.variables()) {
      if (!is_listed_output(index) || !is_double({index, 0})) continue;
      for (std::size_t i = 0; i < question_.outputs.size(); ++i)
        if (question_.outputs[i].variable == index && state_of_output_[i] == nowhere)
          unknown_at_[states() + i] =
              unknown_count_ + static_cast<std::size_t>(question_.outputs[i].element);
      add(index, count_of(index), unknowns_, unknown_count_);
    }
    return true;
  }
  std::uint64_t count_of(std::int32_t index) const {
    return fmi::element_count(fmi::shape_of(description_, variable(index), structure_));
  }
  /// FMI allows directional derivatives of those alone (2.0.4, 2.1.9; 3.0, 2.2.11).
  bool is_listed_output(std::int32_t index) const {
    return std::ranges::any_of(description_.structure.outputs,
                               [&](const Unknown& row) { return row.variable == index; });
  }
  /// The product with a seed, by columns; for rows without a place, nothing.
  void direct(std::span<const double> seed, std::vector<double>& product) {
    std::vector<double> known(known_count_);
    sensitivity_.assign(unknown_count_, 0);
    for (std::size_t j = 0; j < columns(); ++j)
      if (known_at_[j] != nowhere) known[known_at_[j]] += seed[j];
    product.assign(rows(), 0);
    if (unknown_count_ == 0 || known_count_ == 0) return;
    fmu_.directional_derivative(unknowns_, knowns_, known, sensitivity_);
    for (std::size_t i = 0; i < rows(); ++i)
      if (unknown_at_[i] != nowhere) product[i] = sensitivity_[unknown_at_[i]];
  }
  void fill_by_rows(Columns& matrix) {
    std::vector<double> seed(unknown_count_), row(known_count_);
    for (std::size_t i = 0; i < rows(); ++i) {
      if (unknown_at_[i] == nowhere) continue;
      seed[unknown_at_[i]] = 1;
      fmu_.adjoint_derivative(unknowns_, knowns_, seed, row);
      seed[unknown_at_[i]] = 0;
      for (std::size_t j = 0; j < columns(); ++j)
        if (known_at_[j] != nowhere) matrix.set(i, j, row[known_at_[j]]);
    }
  }

  // Differences

  double size_of(std::size_t column) const {
    if (column < states()) {
      const std::size_t i = kept_[column];
      return std::max(std::abs(x_[i]), std::abs(nominals_[i]));
    }
    const std::size_t j = column - states();
    const double nominal =
        std::abs(variable(question_.inputs[j].variable).attributes.nominal.value_or(1));
    return std::max(std::abs(question_.u[j]), nominal > 0 ? nominal : 1);
  }
  double increment_of(std::size_t column) const {
    const bool is_float =
        column >= states() &&
        variable(question_.inputs[column - states()].variable).type == Type::float32;
    return size_of(column) * (is_float ? step_of_floats : step_of_doubles);
  }
  bool try_at(std::span<const double> steps, double sign, std::vector<double>& values) {
    const std::vector<double> x = x_;
    for (std::size_t j = 0; j < states(); ++j) x_[kept_[j]] += sign * steps[j];
    for (std::size_t j = 0; j < question_.inputs.size(); ++j)
      write(j, question_.u[j] + sign * steps[states() + j]);
    bool possible = true;
    try {
      evaluate(values);
    } catch (const Discarded&) {
      possible = false;
    }
    x_ = x;
    for (std::size_t j = 0; j < question_.inputs.size(); ++j) write(j, question_.u[j]);
    return possible && std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
  }
  /// The change of all rows for twice these steps; at the edge of the model's domain from one side.
  void difference(std::span<const double> steps, std::vector<double>& product) {
    std::vector<double> above, below;
    bool has_above = try_at(steps, 1, above), has_below = try_at(steps, -1, below);
    if (!has_above && !has_below)
      throw Error(ErrorCode::numeric, "it cannot be evaluated near this point");
    const double factor = has_above && has_below ? 1 : 2;
    if (!has_above) above = here_;
    if (!has_below) below = here_;
    product.resize(rows());
    for (std::size_t i = 0; i < rows(); ++i) product[i] = factor * (above[i] - below[i]);
  }

  // Both

  /// All columns, in groups that share no row.
  void fill(Columns& matrix, const SparsityPattern& pattern, bool exact) {
    const bool by_rows = exact && !fmu_.capabilities().provides_directional_derivatives;
    if (by_rows) fill_by_rows(matrix);
    const auto has_difference = [&](std::size_t i, std::size_t j) {
      if (!exact || known_at_[j] == nowhere) return true;
      return unknown_at_[i] == nowhere && state_of_output_[i - states()] == nowhere;
    };
    std::vector<double> seed(columns()), product;
    for (const std::vector<std::size_t>& group : solvers::color_columns(pattern)) {
      bool has_direct = false, differs = false;
      for (const std::size_t j : group)
        for (const std::int64_t i : pattern.rows_of(j))
          (has_difference(static_cast<std::size_t>(i), j) ? differs : has_direct) = true;
      const auto take = [&](bool differences, const auto& scale) {
        for (const std::size_t j : group)
          for (const std::int64_t row : pattern.rows_of(j)) {
            const auto i = static_cast<std::size_t>(row);
            if (has_difference(i, j) == differences) matrix.set(i, j, product[i] / scale(j));
          }
      };
      if (has_direct && !by_rows) {
        for (const std::size_t j : group) seed[j] = 1;
        direct(seed, product);
        take(false, [](std::size_t) { return 1.0; });
      }
      if (differs) {
        for (const std::size_t j : group) seed[j] = increment_of(j);
        difference(seed, product);
        take(true, [&](std::size_t j) { return 2 * seed[j]; });
        if (exact) evaluate(here_);  // directional derivatives are those of the present point
      }
      for (const std::size_t j : group) seed[j] = 0;
    }
    if (exact)
      for (std::size_t i = 0; i < state_of_output_.size(); ++i)
        if (state_of_output_[i] != nowhere) matrix.set(states() + i, state_of_output_[i], 1);
  }

  /// A combination of all columns: entries outside of the pattern show up.
  bool agrees(const Columns& matrix, bool exact) {
    constexpr double golden = 0.6180339887498949;
    std::vector<double> seed(columns()), product, expected, magnitude;
    for (std::size_t j = 0; j < seed.size(); ++j)
      if (j < states() || !is_parameter(question_.inputs[j - states()]))
        seed[j] = (1 + std::fmod(golden * static_cast<double>(j + 1), 1)) * size_of(j);
    const auto is_near = [&](std::size_t i, double tolerance, double rounding) {
      return std::abs(product[i] - expected[i]) <= tolerance * magnitude[i] + rounding;
    };
    if (exact && fmu_.capabilities().provides_directional_derivatives) {
      matrix.multiply(seed, expected, magnitude);
      direct(seed, product);
      for (std::size_t i = 0; i < rows(); ++i)
        if (unknown_at_[i] != nowhere && !is_near(i, 1e-9, 0)) return false;
    }
    // Curvature and rounding of the difference: a missing entry is mostly much larger.
    for (double& s : seed) s *= step_of_doubles;
    matrix.multiply(seed, expected, magnitude);
    difference(seed, product);
    evaluate(here_);
    for (double& p : product) p /= 2;
    for (std::size_t i = 0; i < rows(); ++i)
      if (!is_near(i, 1e-3, 1e-13 * std::abs(here_[i]))) return false;
    return true;
  }

  // Patterns

  SparsityPattern pattern_of(const std::vector<std::vector<std::size_t>>& columns_of_rows) const {
    std::vector<std::vector<std::int64_t>> by_column(columns());
    for (std::size_t i = 0; i < columns_of_rows.size(); ++i)
      for (const std::size_t j : columns_of_rows[i])
        by_column[j].push_back(static_cast<std::int64_t>(i));
    SparsityPattern pattern;
    pattern.row_count = rows();
    pattern.column_start.push_back(0);
    for (const auto& column : by_column) {
      pattern.row_index.insert(pattern.row_index.end(), column.begin(), column.end());
      pattern.column_start.push_back(static_cast<std::int64_t>(pattern.row_index.size()));
    }
    return pattern;
  }
  SparsityPattern full_pattern() const {
    std::vector<std::size_t> all(columns());
    for (std::size_t j = 0; j < all.size(); ++j) all[j] = j;
    return pattern_of(std::vector(rows(), all));
  }
  /// What ModelStructure states: of arrays, every element depends on all elements.
  SparsityPattern described_pattern() const {
    if (!elements_ || description_.version == FmiVersion::v1) return full_pattern();
    std::map<ValueReference, std::vector<std::size_t>> columns_of;  // a dependency may be an alias
    for (const StateElements::Array& array : elements_->arrays)
      for (std::size_t e = 0; e < array.count; ++e)
        columns_of[variable(array.state).value_reference].push_back(array.first + e);
    for (std::size_t j = 0; j < question_.inputs.size(); ++j)
      columns_of[variable(question_.inputs[j].variable).value_reference].push_back(states() + j);
    std::vector<std::size_t> all(columns());
    for (std::size_t j = 0; j < all.size(); ++j) all[j] = j;
    std::vector<std::size_t> parameters;  // not among the dependencies that are listed
    for (std::size_t j = 0; j < question_.inputs.size(); ++j)
      if (is_parameter(question_.inputs[j])) parameters.push_back(states() + j);
    const auto columns_for = [&](const Unknown* row) {
      if (row == nullptr || !row->dependencies) return all;
      std::vector<std::size_t> found = parameters;
      for (const std::int32_t index : *row->dependencies)
        if (const auto known = columns_of.find(variable(index).value_reference);
            known != columns_of.end() && is_float(variable(index).type))
          found.insert(found.end(), known->second.begin(), known->second.end());
      std::ranges::sort(found);
      found.erase(std::unique(found.begin(), found.end()), found.end());
      return found;
    };
    std::vector<std::vector<std::size_t>> columns_of_rows(rows());
    for (std::size_t a = 0; a < elements_->arrays.size(); ++a) {
      const StateElements::Array& array = elements_->arrays[a];
      const auto columns = columns_for(&description_.structure.derivatives[a]);
      for (std::size_t e = 0; e < array.count; ++e) columns_of_rows[array.first + e] = columns;
    }
    for (std::size_t i = 0; i < question_.outputs.size(); ++i) {
      const auto row = std::ranges::find(description_.structure.outputs,
                                         question_.outputs[i].variable, &Unknown::variable);
      columns_of_rows[states() + i] =
          state_of_output_[i] != nowhere
              ? std::vector{state_of_output_[i]}
              : columns_for(row == description_.structure.outputs.end() ? nullptr : &*row);
    }
    return pattern_of(columns_of_rows);
  }

  // The result

  void describe(const Columns& matrix, LinearEquations& result) const {
    for (std::size_t i = 0; i < states(); ++i) {
      LinearEquations::State state{state_name(i), "", -1, x_[kept_[i]], here_[i]};
      if (elements_) {
        state.variable = array_of(i).state;
        state.unit = variable(state.variable).attributes.unit;
      }
      result.states.push_back(std::move(state));
    }
    result.y.assign(here_.begin() + static_cast<std::ptrdiff_t>(states()), here_.end());
    matrix.visit([&](std::size_t i, std::size_t j, double value) {
      if (!std::isfinite(value))
        throw Error(ErrorCode::numeric,
                    fmt::format("a partial derivative of {} is not finite", row_name(i)));
      const bool is_state = i < states(), of_state = j < states();
      auto& part = is_state ? (of_state ? result.a : result.b) : (of_state ? result.c : result.d);
      part.push_back({is_state ? i : i - states(), of_state ? j : j - states(), value});
    });
  }
  /// One that is zero there: the model switches.
  void note_indicators(LinearEquations& result) {
    std::vector<double> z(fmu_.event_indicator_count());
    if (z.empty()) return;
    fmu_.get_event_indicators(z);
    result.is_at_event = std::ranges::any_of(z, [](double v) { return std::abs(v) < 1e-12; });
  }

  fmi::ModelExchange& fmu_;
  const ModelDescription& description_;
  const fmi::StructuralValues& structure_;
  const LinearQuestion& question_;
  double time_;
  bool has_new_parameters_ = false;  ///< not yet set
  std::vector<double> x_, nominals_, dx_;
  std::vector<std::size_t> kept_;          ///< by state, its number in x_
  std::optional<StateElements> elements_;  ///< nothing: the description does not list them
  ValueSet inputs_, parameters_, outputs_;
  std::vector<const Scalar*> scalars_, output_scalars_;  ///< of the question, in the sets
  std::vector<std::size_t> state_of_output_;             ///< nowhere: it is none
  std::vector<double> here_;                             ///< derivatives and outputs at the point
  // Of directional derivatives:
  std::vector<ValueReference> knowns_, unknowns_;
  std::size_t known_count_ = 0, unknown_count_ = 0;  ///< elements
  std::vector<std::size_t> known_at_, unknown_at_;   ///< by column and row; nowhere: not available
  std::vector<double> sensitivity_;
  SolvedUnknowns solved_;
};

}  // namespace

LinearEquations linearize(fmi::ModelExchange& fmu, const fmi::StructuralValues& structure, double t,
                          std::span<const double> x, const LinearQuestion& question) {
  return MeLinearization(fmu, structure, t, x, question).run();
}

}  // namespace tutti::models
