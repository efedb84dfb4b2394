// SPDX-License-Identifier: BSD-2-Clause
#include "master/change.hpp"

#include <algorithm>

namespace tutti::master {

namespace {

void copy_values(const Change& from, models::ValueSet& to) {
  for (const std::uint64_t number : from.scalars) {
    const models::Scalar& scalar = to.scalars()[number];
    if (is_text(scalar.type))
      to.write_text(scalar, from.values.text(scalar));
    else
      to.write(scalar, from.values.read(scalar));
  }
}

}  // namespace

models::ValueSet Change::values_in(models::Instance& instance) const {
  if (scalars.size() == values.scalars().size()) return values;
  models::ValueSet present = values;
  instance.read(present);
  copy_values(*this, present);
  return present;
}

void add(std::vector<Change>& changes, const Change& change) {
  const auto known = std::ranges::find_if(changes, [&](const Change& other) {
    return other.component == change.component && other.variable() == change.variable();
  });
  if (known == changes.end()) {
    changes.push_back(change);
    return;
  }
  copy_values(change, known->values);
  for (const std::uint64_t number : change.scalars)
    if (std::ranges::find(known->scalars, number) == known->scalars.end())
      known->scalars.push_back(number);
}

}  // namespace tutti::master
