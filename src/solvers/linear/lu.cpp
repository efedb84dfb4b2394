// SPDX-License-Identifier: BSD-2-Clause
#include "solvers/linear/lu.hpp"

#include <klu.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace tutti::solvers {

template <class Scalar>
struct Lu<Scalar>::Factors {
  virtual ~Factors() = default;
  virtual std::span<Scalar> values() = 0;
  virtual bool factorize() = 0;
  virtual void solve(std::span<Scalar> x) = 0;
  std::size_t singular_column = 0;
};

namespace {

template <class Scalar>
class DenseFactors final : public Lu<Scalar>::Factors {
 public:
  explicit DenseFactors(std::size_t size)
      : matrix_(static_cast<Eigen::Index>(size), static_cast<Eigen::Index>(size)),
        right_(matrix_.rows()),
        lu_(matrix_.rows()) {}

  std::span<Scalar> values() override {
    return {matrix_.data(), static_cast<std::size_t>(matrix_.size())};
  }
  bool factorize() override {
    lu_.compute(matrix_);
    const auto& factors = lu_.matrixLU();
    for (Eigen::Index i = 0; i < factors.rows(); ++i) {
      const double pivot = std::abs(factors(i, i));
      if (std::isfinite(pivot) && pivot > 0) continue;
      this->singular_column = static_cast<std::size_t>(i);
      return false;
    }
    return true;
  }
  void solve(std::span<Scalar> x) override {
    Eigen::Map<Vector> solution(x.data(), right_.size());
    right_ = solution;
    solution = lu_.solve(right_);
  }

 private:
  using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
  Matrix matrix_;
  Vector right_;
  Eigen::PartialPivLU<Matrix> lu_;
};

/// T. A. Davis, E. Palamadai Natarajan, Algorithm 907: KLU, ACM TOMS 37, 2010.
template <class Scalar>
class KluFactors final : public Lu<Scalar>::Factors {
 public:
  KluFactors(std::size_t size, const SparsityPattern& pattern)
      : columns_(pattern.column_start.begin(), pattern.column_start.end()),
        rows_(pattern.row_index.begin(), pattern.row_index.end()),
        values_(pattern.entry_count()) {
    if (pattern.entry_count() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
      throw std::length_error("a sparse matrix with more than 2^31 elements");
    klu_defaults(&common_);
    symbolic_ = klu_analyze(static_cast<int>(size), columns_.data(), rows_.data(), &common_);
    if (symbolic_ == nullptr) throw std::bad_alloc();
  }
  ~KluFactors() override {
    drop();
    klu_free_symbolic(&symbolic_, &common_);
  }

  std::span<Scalar> values() override { return values_; }
  bool factorize() override {
    if (numeric_ != nullptr && refactorize()) return true;
    drop();
    numeric_ = is_real ? klu_factor(columns_.data(), rows_.data(), numbers(values_.data()),
                                    symbolic_, &common_)
                       : klu_z_factor(columns_.data(), rows_.data(), numbers(values_.data()),
                                      symbolic_, &common_);
    if (common_.status == KLU_OUT_OF_MEMORY) throw std::bad_alloc();
    if (numeric_ != nullptr && common_.status == KLU_OK) return true;
    this->singular_column = static_cast<std::size_t>(std::max(common_.singular_col, 0));
    drop();
    return false;
  }
  void solve(std::span<Scalar> x) override {
    const auto size = static_cast<int>(x.size());
    is_real ? klu_solve(symbolic_, numeric_, size, 1, numbers(x.data()), &common_)
            : klu_z_solve(symbolic_, numeric_, size, 1, numbers(x.data()), &common_);
  }

 private:
  static constexpr bool is_real = std::is_same_v<Scalar, double>;
  /// A complex number is an array of two (C++ standard, [complex.numbers]).
  static double* numbers(Scalar* values) { return reinterpret_cast<double*>(values); }

  /// With the previous pivots. False: they are not accurate for these values.
  bool refactorize() {
    // The limit of SUNDIALS (sunlinsol_klu.c).
    static const double least = std::pow(std::numeric_limits<double>::epsilon(), 2.0 / 3.0);
    const int done = is_real
                         ? klu_refactor(columns_.data(), rows_.data(), numbers(values_.data()),
                                        symbolic_, numeric_, &common_)
                         : klu_z_refactor(columns_.data(), rows_.data(), numbers(values_.data()),
                                          symbolic_, numeric_, &common_);
    if (!done || common_.status != KLU_OK) return false;
    is_real ? klu_rcond(symbolic_, numeric_, &common_) : klu_z_rcond(symbolic_, numeric_, &common_);
    return common_.rcond > least;
  }
  void drop() {
    if (numeric_ == nullptr) return;
    is_real ? klu_free_numeric(&numeric_, &common_) : klu_z_free_numeric(&numeric_, &common_);
  }

  std::vector<int> columns_, rows_;
  std::vector<Scalar> values_;
  klu_common common_{};
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
};

}  // namespace

template <class Scalar>
Lu<Scalar>::Lu(std::size_t size, const SparsityPattern* pattern) {
  if (pattern != nullptr)
    factors_ = std::make_unique<KluFactors<Scalar>>(size, *pattern);
  else
    factors_ = std::make_unique<DenseFactors<Scalar>>(size);
}

template <class Scalar>
Lu<Scalar>::~Lu() = default;

template <class Scalar>
std::span<Scalar> Lu<Scalar>::values() {
  return factors_->values();
}
template <class Scalar>
bool Lu<Scalar>::factorize() {
  return factors_->factorize();
}
template <class Scalar>
std::size_t Lu<Scalar>::singular_column() const {
  return factors_->singular_column;
}
template <class Scalar>
void Lu<Scalar>::solve(std::span<Scalar> x) {
  factors_->solve(x);
}

template class Lu<double>;
template class Lu<std::complex<double>>;

}  // namespace tutti::solvers
