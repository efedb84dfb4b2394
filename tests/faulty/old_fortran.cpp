// SPDX-License-Identifier: BSD-2-Clause
// Was linked with libgfortran.so.3, which is not in the archive. FAULT, set in CMakeLists.txt,
// chooses what it calls there.
#include <fmukit/model.hpp>

#include <cstring>

extern "C" {
int _gfortran_pow_i4_i4(int base, int exponent);
int _gfortran_compare_string(int n1, const char* s1, int n2, const char* s2);
void _gfortran_concat_string(int n, char* to, int n1, const char* s1, int n2, const char* s2);
double _gfortran_erfc_scaled_r8(double x);
}

namespace {

enum class Fault { as_lapack, more };
constexpr Fault fault = Fault::FAULT;

/// y counts the calls that gave the right answer.
class OldFortran final : public fmukit::Model {
 public:
  int y = 0;

  static void describe(fmukit::Description<OldFortran>& d) {
    d.text("Needs the Fortran library of former times")
        .default_experiment({.start = 0, .stop = 1, .step = 0.1});
    d.output("y", &OldFortran::y).exact().depends_on({});
  }
  fmukit::StepResult do_step(double) override {
    char name[4];
    _gfortran_concat_string(4, name, 1, "D", 2, "GE");
    const bool good = _gfortran_pow_i4_i4(2, 10) == 1024 && std::memcmp(name, "DGE ", 4) == 0 &&
                      _gfortran_compare_string(3, name, 4, "DGE ") == 0;
    if (good) ++y;
    if (fault == Fault::more && _gfortran_erfc_scaled_r8(0) == 1) ++y;
    return {};
  }
};

}  // namespace

FMUKIT_EXPORT(OldFortran)
