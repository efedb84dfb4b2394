// SPDX-License-Identifier: BSD-2-Clause
// Brings functions with the names of well-known libraries, as an FMU with its own copies of them
// does. They are exported and called like any function of another library, so the dynamic linker
// decides whose function is reached: it must be ours.
#include <fmukit/model.hpp>

namespace {
int reached = 0;  // how many of our own functions were called
}

#define CLASHING extern "C" __attribute__((visibility("default"), noipa))

// SUNDIALS.
CLASHING void* CVodeCreate(int, void*) {
  ++reached;
  return nullptr;
}
CLASHING int SUNDIALSGetVersionNumber(int*, int*, int*, char*, int) {
  ++reached;
  return 0;
}
// libzip.
CLASHING void* zip_open(const char*, int, int*) {
  ++reached;
  return nullptr;
}
CLASHING void* zip_fopen_index(void*, unsigned long, unsigned) {
  ++reached;
  return nullptr;
}
// pugixml: the constructor pugi::xml_document::xml_document().
CLASHING void _ZN4pugi12xml_documentC1Ev(void*) { ++reached; }

/// clash: how many of the functions were not our own, so 0 is right.
class SymbolClash final : public fmukit::Model {
 public:
  double u = 1, y = 0;
  int clash = -1;

  static void describe(fmukit::Description<SymbolClash>& d) {
    d.text("Functions with the names of well-known libraries")
        .default_experiment({.start = 0, .stop = 1, .step = 0.1});
    d.input("u", &SymbolClash::u);
    d.output("y", &SymbolClash::y).exact().depends_on({});
    d.output("clash", &SymbolClash::clash).text("functions that were not our own").exact();
  }

  fmukit::StepResult do_step(double h) override {
    y += h * u;
    int number = 0;
    char text[64];
    alignas(16) char document[4096];
    reached = 0;
    CVodeCreate(1, nullptr);
    SUNDIALSGetVersionNumber(&number, &number, &number, text, sizeof text);
    zip_open("", 0, &number);
    zip_fopen_index(nullptr, 0, 0);
    _ZN4pugi12xml_documentC1Ev(document);
    clash = 5 - reached;
    return {};
  }
};

FMUKIT_EXPORT(SymbolClash)
