// SPDX-License-Identifier: BSD-2-Clause
// The baseline: co-simulation FMUs stepped by a hand-written loop, and nothing else.
//   hand_loop 2|3 LIBRARY TOKEN INPUT OUTPUT STEPS H [ring|chain|states|free COUNT]
// INPUT and OUTPUT are value references. One FMU has the ramp u = t as input. Of several, each has
// the output of the one before it; the first one of a ring that of the last. With `states` they are
// saved and restored STEPS times instead, each time as new states; with `free` no input is set.
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
  bool ring, states, free;
  size_t count;  // 0: one, driven by the ramp
};

// The functions have the same types in FMI 2.0 and 3.0.
static void save_and_restore(const struct Run* run, const Component* c, const char* get_name,
                             const char* set_name, const char* free_name) {
  int (*get)(Component, void**) = NULL;
  int (*set)(Component, void*) = NULL;
  int (*release)(Component, void**) = NULL;
  bind(get_name, &get);
  bind(set_name, &set);
  bind(free_name, &release);
  void** const states = calloc(run->count, sizeof *states);
  if (!states) fail("malloc");
  for (long n = 0; n < run->steps; ++n) {
    for (size_t i = 0; i < run->count; ++i) check(get(c[i], &states[i]), get_name);
    for (size_t i = 0; i < run->count; ++i) check(set(c[i], states[i]), set_name);
    for (size_t i = 0; i < run->count; ++i) check(release(c[i], &states[i]), free_name);
  }
  free(states);
}

static void logger2(void* environment, const char* instance, int status, const char* category,
                    const char* message, ...) {
  (void)environment, (void)instance, (void)status, (void)category, (void)message;
}

// Values must not be zero: a ring starts with an output of 1, a chain has an input of 1.
static void start2(const struct Run* run, Component c,
                   int (*set)(Component, const Reference*, size_t, const double*), double* y) {
  const double one = 1;
  if (!run->ring) *y = 1;
  check(set(c, run->ring ? &run->out : &run->in, 1, &one), "fmi2SetReal");
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

  const size_t count = run->count > 0 ? run->count : 1;
  Component* const c = malloc(count * sizeof *c);
  // y[0] drives the first one.
  double* const y = calloc(count + 1, sizeof *y);
  if (!c || !y) fail("malloc");
  for (size_t i = 0; i < count; ++i) {
    c[i] = fmi2Instantiate("hand", 1, run->token, "", &callbacks, 0, 0);
    if (!c[i]) fail("fmi2Instantiate");
    if (run->count > 0 && i == 0 && !run->free) start2(run, c[i], fmi2SetReal, y);
    check(fmi2SetupExperiment(c[i], 0, 0, 0, 1, (double)run->steps * run->h),
          "fmi2SetupExperiment");
    check(fmi2EnterInitializationMode(c[i]), "fmi2EnterInitializationMode");
    check(fmi2ExitInitializationMode(c[i]), "fmi2ExitInitializationMode");
    check(fmi2GetReal(c[i], &run->out, 1, &y[i + 1]), "fmi2GetReal");
  }
  if (run->states)
    save_and_restore(run, c, "fmi2GetFMUstate", "fmi2SetFMUstate", "fmi2FreeFMUstate");
  for (long n = 0; n < run->steps && !run->states; ++n) {
    const double t = (double)n * run->h;
    if (run->count == 0) y[0] = t;
    if (run->ring) y[0] = y[count];
    for (size_t i = 0; i < count; ++i) {
      if (!run->free) check(fmi2SetReal(c[i], &run->in, 1, &y[i]), "fmi2SetReal");
      check(fmi2DoStep(c[i], t, run->h, 1), "fmi2DoStep");
      check(fmi2GetReal(c[i], &run->out, 1, &y[i + 1]), "fmi2GetReal");
    }
  }
  for (size_t i = 0; i < count; ++i) {
    fmi2Terminate(c[i]);
    fmi2FreeInstance(c[i]);
  }
  return y[count];
}

static void logger3(void* environment, int status, const char* category, const char* message) {
  (void)environment, (void)status, (void)category, (void)message;
}

static void start3(const struct Run* run, Component c,
                   int (*set)(Component, const Reference*, size_t, const double*, size_t),
                   double* y) {
  const double one = 1;
  if (!run->ring) *y = 1;
  check(set(c, run->ring ? &run->out : &run->in, 1, &one, 1), "fmi3SetFloat64");
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

  const size_t count = run->count > 0 ? run->count : 1;
  Component* const c = malloc(count * sizeof *c);
  double* const y = calloc(count + 1, sizeof *y);
  if (!c || !y) fail("malloc");
  for (size_t i = 0; i < count; ++i) {
    c[i] = fmi3InstantiateCoSimulation("hand", run->token, "", false, false, false, false, NULL, 0,
                                       NULL, logger3, NULL);
    if (!c[i]) fail("fmi3InstantiateCoSimulation");
    if (run->count > 0 && i == 0 && !run->free) start3(run, c[i], fmi3SetFloat64, y);
    check(fmi3EnterInitializationMode(c[i], false, 0, 0, true, (double)run->steps * run->h),
          "fmi3EnterInitializationMode");
    check(fmi3ExitInitializationMode(c[i]), "fmi3ExitInitializationMode");
    check(fmi3GetFloat64(c[i], &run->out, 1, &y[i + 1], 1), "fmi3GetFloat64");
  }
  if (run->states)
    save_and_restore(run, c, "fmi3GetFMUState", "fmi3SetFMUState", "fmi3FreeFMUState");
  for (long n = 0; n < run->steps && !run->states; ++n) {
    const double t = (double)n * run->h;
    if (run->count == 0) y[0] = t;
    if (run->ring) y[0] = y[count];
    for (size_t i = 0; i < count; ++i) {
      bool event = false, terminate = false, early = false;
      double reached = 0;
      if (!run->free) check(fmi3SetFloat64(c[i], &run->in, 1, &y[i], 1), "fmi3SetFloat64");
      check(fmi3DoStep(c[i], t, run->h, true, &event, &terminate, &early, &reached), "fmi3DoStep");
      if (terminate || early) fail("fmi3DoStep ended early");
      check(fmi3GetFloat64(c[i], &run->out, 1, &y[i + 1], 1), "fmi3GetFloat64");
    }
  }
  for (size_t i = 0; i < count; ++i) {
    fmi3Terminate(c[i]);
    fmi3FreeInstance(c[i]);
  }
  return y[count];
}

int main(int argc, char** argv) {
  if (argc != 8 && argc != 10)
    fail("arguments: 2|3 LIBRARY TOKEN INPUT OUTPUT STEPS H [ring|chain|states|free COUNT]");
  library = dlopen(argv[2], RTLD_LAZY | RTLD_LOCAL);
  if (!library) fail(dlerror());
  const struct Run run = {argv[3],
                          (Reference)strtoul(argv[4], NULL, 10),
                          (Reference)strtoul(argv[5], NULL, 10),
                          strtol(argv[6], NULL, 10),
                          strtod(argv[7], NULL),
                          argc == 10 && argv[8][0] == 'r',
                          argc == 10 && argv[8][0] == 's',
                          argc == 10 && argv[8][0] == 'f',
                          argc == 10 ? strtoul(argv[9], NULL, 10) : 0};
  printf("%.17g\n", argv[1][0] == '2' ? run2(&run) : run3(&run));
  return 0;
}
