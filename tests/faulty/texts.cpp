// SPDX-License-Identifier: BSD-2-Clause
// Texts of which nobody is the owner (FMI 1.0 and 2.0). FAULT, set in CMakeLists.txt, chooses how.
#include "fmi/abi/fmi1.hpp"
#include "fmi/abi/fmi2.hpp"
#include "plain.hpp"

#include <cstdio>
#include <map>

namespace {

enum class Fault { keeps_pointers, one_buffer };
constexpr Fault fault = Fault::FAULT;

/// Its texts live in the functions below, not in the members.
class Texts final : public fmukit::Model {
 public:
  std::string text = "none", a, b;
  int steps = 0;

  static void describe(fmukit::Description<Texts>& d) {
    d.text("Misbehaves with texts").default_experiment({.start = 0, .stop = 1, .step = 0.1});
    d.parameter("text", &Texts::text);
    d.output("a", &Texts::a).depends_on({});
    d.output("b", &Texts::b).depends_on({});
    d.output("steps", &Texts::steps).exact().depends_on({});
  }
  fmukit::StepResult do_step(double) override {
    ++steps;
    return {};
  }
};

std::map<unsigned, const char*>& kept() {
  static std::map<unsigned, const char*> pointers;
  return pointers;
}

void set(const unsigned* references, std::size_t count, const char* const* values) {
  for (std::size_t i = 0; i < count; ++i) kept()[references[i]] = values[i];
}

void get(const unsigned* references, std::size_t count, const char** values) {
  static char buffer[32];
  for (std::size_t i = 0; i < count; ++i) {
    if (fault == Fault::keeps_pointers) {
      values[i] = kept()[references[i]];
    } else {
      std::snprintf(buffer, sizeof buffer, "text-%u", references[i]);
      values[i] = buffer;
    }
  }
}

}  // namespace

namespace f1 = fmi_abi::v1;
namespace f2 = fmi_abi::v2;

FAULTY_API f1::Status FAULTY_FMI1(fmiSetString)(f1::Component, const f1::ValueReference* references,
                                                std::size_t count, const f1::String* values) {
  set(references, count, values);
  return f1::ok;
}
FAULTY_API f1::Status FAULTY_FMI1(fmiGetString)(f1::Component, const f1::ValueReference* references,
                                                std::size_t count, f1::String* values) {
  get(references, count, values);
  return f1::ok;
}
FAULTY_API f2::Status fmi2SetString(f2::Component, const f2::ValueReference* references,
                                    std::size_t count, const f2::String* values) {
  set(references, count, values);
  return f2::ok;
}
FAULTY_API f2::Status fmi2GetString(f2::Component, const f2::ValueReference* references,
                                    std::size_t count, f2::String* values) {
  get(references, count, values);
  return f2::ok;
}

FMUKIT_EXPORT(Texts)
