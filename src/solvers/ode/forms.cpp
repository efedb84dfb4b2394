// SPDX-License-Identifier: BSD-2-Clause
#include "solvers/ode/forms.hpp"

#include <algorithm>

namespace tutti::solvers {
namespace {

SparsityPattern diagonal_pattern(std::size_t n) {
  return pattern_of_rows(std::vector<std::vector<std::size_t>>(n));
}

SparsityPattern united(const SparsityPattern& a, const SparsityPattern& b) {
  std::vector<std::vector<std::size_t>> rows(a.row_count);
  for (const SparsityPattern* pattern : {&a, &b})
    for (std::size_t j = 0; j < pattern->column_count(); ++j)
      for (const std::int64_t row : pattern->rows_of(j))
        rows[static_cast<std::size_t>(row)].push_back(j);
  return pattern_of_rows(rows, false);
}

/// The places of the values of `inner` among those of `outer`; null: all elements, column by
/// column.
std::vector<std::size_t> places_of(const SparsityPattern* inner, const SparsityPattern* outer,
                                   std::size_t n) {
  std::vector<std::size_t> places;
  for (std::size_t j = 0; j < n; ++j) {
    const auto add = [&](std::size_t row) {
      if (outer == nullptr) {
        places.push_back(j * n + row);
        return;
      }
      const auto rows = outer->rows_of(j);
      const auto found = std::ranges::lower_bound(rows, static_cast<std::int64_t>(row));
      places.push_back(static_cast<std::size_t>(outer->column_start[j] + (found - rows.begin())));
    };
    if (inner == nullptr)
      for (std::size_t row = 0; row < n; ++row) add(row);
    else
      for (const std::int64_t row : inner->rows_of(j)) add(static_cast<std::size_t>(row));
  }
  return places;
}

}  // namespace

ImplicitForm::ImplicitForm(OdeProblem& problem)
    : problem_(problem), size_(problem.size()), jacobian_(problem) {
  find_patterns();
  if (!has_mass()) none_.assign(size(), 0);
}

void ImplicitForm::find_patterns() {
  const std::size_t n = size();
  const SparsityPattern diagonal = diagonal_pattern(n);
  const SparsityPattern* const mass = has_mass() ? problem_.mass_pattern() : &diagonal;
  const SparsityPattern* const rhs = jacobian_.pattern();
  if (mass != nullptr && rhs != nullptr) pattern_ = united(*mass, *rhs);
  mass_places_ = places_of(mass, jacobian_pattern(), n);
  jacobian_places_ = places_of(rhs, jacobian_pattern(), n);
  mass_.assign(mass_places_.size(), 1);
  jacobian_values_.resize(jacobian_places_.size());
}

std::span<const std::uint8_t> ImplicitForm::algebraic() const {
  return has_mass() ? problem_.algebraic() : none_;
}

bool ImplicitForm::has_jacobian() const {
  return problem_.has_exact_jacobian() &&
         (!has_mass() || problem_.has_constant_mass() || jacobian_pattern() != nullptr);
}

bool ImplicitForm::update_mass(double t, std::span<const double> y) {
  if (!has_mass() || (knows_mass_ && problem_.has_constant_mass())) return true;
  knows_mass_ = problem_.mass(t, y, mass_);
  return knows_mass_;
}

void ImplicitForm::add_mass_times(std::span<const double> yp, std::span<double> r) const {
  const std::size_t n = size();
  if (!has_mass()) {
    for (std::size_t i = 0; i < n; ++i) r[i] += yp[i];
    return;
  }
  const SparsityPattern* const pattern = problem_.mass_pattern();
  const double* value = mass_.data();
  for (std::size_t j = 0; j < n; ++j) {
    if (pattern == nullptr)
      for (std::size_t i = 0; i < n; ++i) r[i] += *value++ * yp[j];
    else
      for (const std::int64_t i : pattern->rows_of(j))
        r[static_cast<std::size_t>(i)] += *value++ * yp[j];
  }
}

bool ImplicitForm::residual(double t, std::span<const double> y, std::span<const double> yp,
                            std::span<double> r) {
  if (!problem_.evaluate(t, y, r) || !update_mass(t, y)) return false;
  for (double& value : r) value = -value;
  add_mass_times(yp, r);
  return true;
}

bool ImplicitForm::residual_jacobian(double t, std::span<const double> y, std::span<const double>,
                                     double c, std::span<double> values) {
  if (!update_mass(t, y) || !jacobian_.evaluate(t, y, {}, {}, jacobian_values_)) return false;
  std::ranges::fill(values, 0.0);
  for (std::size_t k = 0; k < mass_.size(); ++k) values[mass_places_[k]] = c * mass_[k];
  for (std::size_t k = 0; k < jacobian_values_.size(); ++k)
    values[jacobian_places_[k]] -= jacobian_values_[k];
  return true;
}

}  // namespace tutti::solvers
