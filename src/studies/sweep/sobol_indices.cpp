// SPDX-License-Identifier: BSD-2-Clause
#include "studies/sweep/sobol_indices.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/csv.hpp"
#include "base/text.hpp"
#include "base/whole_file.hpp"
#include "studies/sweep/sweep_table.hpp"

namespace tutti::studies {
namespace {

/// The terms whose means determine the indices. Notation: a, b, c_i: values of a sample from A, B,
/// and A with column i from B; m: the mean of a and b over all samples.
///   variance         V   = mean of ((a - m)^2 + (b - m)^2)/2
///   first order      S_i = mean of (b - m)(c_i - a) / V           Saltelli et al. 2010, table 2
///   total            T_i = mean of (a - c_i)^2 / (2 V)        Jansen 1999
struct Terms {
  double variance;
  std::vector<double> first, total;

  Terms(SampleValues y, double m) {
    const double a = y[0], b = y[1];
    variance = ((a - m) * (a - m) + (b - m) * (b - m)) / 2;
    for (const double c : y.subspan(2)) {
      first.push_back((b - m) * (c - a));
      total.push_back((a - c) * (a - c) / 2);
    }
  }
};

bool is_finite(SampleValues y) {
  return std::ranges::all_of(y, [](double value) { return std::isfinite(value); });
}

/// Column `output` of the table, sample by sample.
EachSample samples_of(const SweepMeta& meta, const std::filesystem::path& table,
                      std::size_t output) {
  return [&meta, table, output](const std::function<void(SampleValues)>& action) {
    const std::size_t block = meta.parameters.size() + 2;
    const std::size_t column = 1 + meta.parameters.size() + output;
    SweepReader reader(table, table_header(meta.columns()));
    std::vector<double> values;
    for (StoredRow row; reader.next(row);) {
      double value = std::numeric_limits<double>::quiet_NaN();
      parse_number(split_row(row.line)[column], value);
      values.push_back(value);
      if (values.size() < block) continue;
      action(values);
      values.clear();
    }
  };
}

}  // namespace

std::vector<SobolIndex> sobol_indices(std::size_t parameters, const EachSample& each_sample,
                                      std::uint64_t& samples) {
  samples = 0;
  double sum = 0;
  each_sample([&](SampleValues y) {
    if (!is_finite(y)) return;
    ++samples;
    sum += (y[0] + y[1]) / 2;
  });
  const auto n = static_cast<double>(samples);
  const double m = sum / n;
  double variance = 0;
  std::vector<SobolIndex> indices(parameters);
  each_sample([&](SampleValues y) {
    if (!is_finite(y)) return;
    const Terms terms(y, m);
    variance += terms.variance / n;
    for (std::size_t i = 0; i < parameters; ++i) {
      indices[i].first += terms.first[i] / n;
      indices[i].total += terms.total[i] / n;
    }
  });
  // The variance of a constant is that of rounding.
  if (!(variance > 1e-24 * m * m)) variance = std::numeric_limits<double>::quiet_NaN();
  for (SobolIndex& index : indices) {
    index.first /= variance;
    index.total /= variance;
  }
  // An index is the ratio of two means. To first order it changes with each sample by
  // (term - index * variance term)/V, whose deviation gives the standard error.
  each_sample([&](SampleValues y) {
    if (!is_finite(y)) return;
    const Terms terms(y, m);
    for (std::size_t i = 0; i < parameters; ++i) {
      SobolIndex& index = indices[i];
      index.first_error += std::pow((terms.first[i] - index.first * terms.variance) / variance, 2);
      index.total_error += std::pow((terms.total[i] - index.total * terms.variance) / variance, 2);
    }
  });
  for (SobolIndex& index : indices) {
    index.first_error = std::sqrt(index.first_error / (n * (n - 1)));
    index.total_error = std::sqrt(index.total_error / (n * (n - 1)));
  }
  return indices;
}

void add_indices(const SweepMeta& meta, SweepReport& report) {
  const std::vector<std::string> columns = meta.columns();
  std::string text = "output,parameter,first,first_error,total,total_error\n";
  for (std::size_t k = meta.parameters.size(); k < columns.size(); ++k) {
    std::uint64_t samples = 0;
    std::vector<SobolIndex> indices =
        sobol_indices(meta.parameters.size(),
                      samples_of(meta, report.results, k - meta.parameters.size()), samples);
    for (std::size_t i = 0; i < indices.size(); ++i) {
      SobolIndex& index = indices[i];
      index.output = columns[k];
      index.parameter = meta.parameters[i].name;
      index.samples = samples;
      append_csv_text(text, index.output);
      text += ',';
      append_csv_text(text, index.parameter);
      for (const double number : {index.first, index.first_error, index.total, index.total_error}) {
        text += ',';
        append_number(text, number);
      }
      text += '\n';
      report.indices.push_back(std::move(index));
    }
  }
  report.indices_file =
      report.results.parent_path() / (report.results.stem().string() + "-indices.csv");
  write_whole_file(report.indices_file, text);
}

}  // namespace tutti::studies
