// SPDX-License-Identifier: BSD-2-Clause
// The yardstick: one co-simulation FMU stepped by a loop written by hand, and nothing else.
//   hand_loop 2|3 LIBRARY TOKEN INPUT OUTPUT STEPS H
// INPUT and OUTPUT are value references; the input is the ramp u = t.
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint32_t Reference;
typedef void* Component;

static void fail(const char* what) {
  fprintf(stderr, "hand_loop: %s\n", what);
  exit(1);
}

static void* library;

static void bind(const char* name, void* function) {
  void* address = dlsym(library, name);
  if (!address) fail(dlerror());
  memcpy(function, &address, sizeof address);  // ISO C has no cast from object to function pointer
}

#define BIND(result, name, ...)       \
  result (*name)(__VA_ARGS__) = NULL; \
  bind(#name, &name)

static void check(int status, const char* what) {
  if (status != 0) fail(what);
}

struct Run {
  const char* token;
  Reference in, out;
  long steps;
  double h;
};

static void logger2(void* environment, const char* instance, int status, const char* category,
                    const char* message, ...) {
  (void)environment, (void)instance, (void)status, (void)category, (void)message;
}

static double run2(const struct Run* run) {
  struct {
    void (*logger)(void*, const char*, int, const char*, const char*, ...);
    void* (*allocate)(size_t, size_t);
    void (*release)(void*);
    void (*step_finished)(void*, int);
    void* environment;
  } callbacks = {logger2, calloc, free, NULL, NULL};
  BIND(Component, fmi2Instantiate, const char*, int, const char*, const char*, const void*, int,
       int);
  BIND(int, fmi2SetupExperiment, Component, int, double, double, int, double);
  BIND(int, fmi2EnterInitializationMode, Component);
  BIND(int, fmi2ExitInitializationMode, Component);
  BIND(int, fmi2SetReal, Component, const Reference*, size_t, const double*);
  BIND(int, fmi2GetReal, Component, const Reference*, size_t, double*);
  BIND(int, fmi2DoStep, Component, double, double, int);
  BIND(int, fmi2Terminate, Component);
  BIND(void, fmi2FreeInstance, Component);

  Component c = fmi2Instantiate("hand", 1, run->token, "", &callbacks, 0, 0);
  if (!c) fail("fmi2Instantiate");
  check(fmi2SetupExperiment(c, 0, 0, 0, 1, (double)run->steps * run->h), "fmi2SetupExperiment");
  check(fmi2EnterInitializationMode(c), "fmi2EnterInitializationMode");
  check(fmi2ExitInitializationMode(c), "fmi2ExitInitializationMode");
  double y = 0;
  for (long n = 0; n < run->steps; ++n) {
    const double t = (double)n * run->h;
    check(fmi2SetReal(c, &run->in, 1, &t), "fmi2SetReal");
    check(fmi2DoStep(c, t, run->h, 1), "fmi2DoStep");
    check(fmi2GetReal(c, &run->out, 1, &y), "fmi2GetReal");
  }
  fmi2Terminate(c);
  fmi2FreeInstance(c);
  return y;
}

static void logger3(void* environment, int status, const char* category, const char* message) {
  (void)environment, (void)status, (void)category, (void)message;
}

static double run3(const struct Run* run) {
  BIND(Component, fmi3InstantiateCoSimulation, const char*, const char*, const char*, bool, bool,
       bool, bool, const Reference*, size_t, void*, void (*)(void*, int, const char*, const char*),
       void*);
  BIND(int, fmi3EnterInitializationMode, Component, bool, double, double, bool, double);
  BIND(int, fmi3ExitInitializationMode, Component);
  BIND(int, fmi3SetFloat64, Component, const Reference*, size_t, const double*, size_t);
  BIND(int, fmi3GetFloat64, Component, const Reference*, size_t, double*, size_t);
  BIND(int, fmi3DoStep, Component, double, double, bool, bool*, bool*, bool*, double*);
  BIND(int, fmi3Terminate, Component);
  BIND(void, fmi3FreeInstance, Component);

  Component c = fmi3InstantiateCoSimulation("hand", run->token, "", false, false, false, false,
                                            NULL, 0, NULL, logger3, NULL);
  if (!c) fail("fmi3InstantiateCoSimulation");
  check(fmi3EnterInitializationMode(c, false, 0, 0, true, (double)run->steps * run->h),
        "fmi3EnterInitializationMode");
  check(fmi3ExitInitializationMode(c), "fmi3ExitInitializationMode");
  double y = 0;
  for (long n = 0; n < run->steps; ++n) {
    const double t = (double)n * run->h;
    bool event = false, terminate = false, early = false;
    double reached = 0;
    check(fmi3SetFloat64(c, &run->in, 1, &t, 1), "fmi3SetFloat64");
    check(fmi3DoStep(c, t, run->h, true, &event, &terminate, &early, &reached), "fmi3DoStep");
    if (terminate || early) fail("fmi3DoStep ended early");
    check(fmi3GetFloat64(c, &run->out, 1, &y, 1), "fmi3GetFloat64");
  }
  fmi3Terminate(c);
  fmi3FreeInstance(c);
  return y;
}

int main(int argc, char** argv) {
  if (argc != 8) fail("arguments: 2|3 LIBRARY TOKEN INPUT OUTPUT STEPS H");
  library = dlopen(argv[2], RTLD_LAZY | RTLD_LOCAL);
  if (!library) fail(dlerror());
  const struct Run run = {argv[3], (Reference)strtoul(argv[4], NULL, 10),
                          (Reference)strtoul(argv[5], NULL, 10), strtol(argv[6], NULL, 10),
                          strtod(argv[7], NULL)};
  printf("%.17g\n", argv[1][0] == '2' ? run2(&run) : run3(&run));
  return 0;
}
