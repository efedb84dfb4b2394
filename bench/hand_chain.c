// SPDX-License-Identifier: BSD-2-Clause
// The floor of clusters.py: a chain of masses evaluated by a hand-written loop with one FMU per
// mass, and by the FMU that has the whole chain. Only the calls that FMI 2.0 needs are made, and
// nothing else: of each mass time, states, inputs, the output that is connected, derivatives.
//   hand_chain COUNT EVALUATIONS ELEMENT TOKEN X_LEFT V_LEFT PULL S WHOLE TOKEN
// ELEMENT and WHOLE are libraries, X_LEFT to S value references. Prints nanoseconds per evaluation
// and mass of both, the fastest of several rounds.
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint32_t Reference;
typedef void* Component;

static void fail(const char* what) {
  fprintf(stderr, "hand_chain: %s\n", what);
  exit(1);
}

static void check(int status) {
  if (status != 0) fail("a function of an FMU has failed");
}

struct Fmu {
  void* library;
  const char* token;
  int (*set_time)(Component, double);
  int (*set_states)(Component, const double*, size_t);
  int (*set)(Component, const Reference*, size_t, const double*);
  int (*get)(Component, const Reference*, size_t, double*);
  int (*derivatives)(Component, double*, size_t);
};

// ISO C has no cast from object to function pointer.
static void bind(void* library, const char* name, void* function) {
  void* address = dlsym(library, name);
  if (!address) fail(dlerror());
  memcpy(function, &address, sizeof address);
}

static struct Fmu load(const char* library, const char* token) {
  struct Fmu fmu = {.library = dlopen(library, RTLD_LAZY | RTLD_LOCAL), .token = token};
  if (!fmu.library) fail(dlerror());
  bind(fmu.library, "fmi2SetTime", &fmu.set_time);
  bind(fmu.library, "fmi2SetContinuousStates", &fmu.set_states);
  bind(fmu.library, "fmi2SetReal", &fmu.set);
  bind(fmu.library, "fmi2GetReal", &fmu.get);
  bind(fmu.library, "fmi2GetDerivatives", &fmu.derivatives);
  return fmu;
}

static void logger(void* environment, const char* instance, int status, const char* category,
                   const char* message, ...) {
  (void)environment, (void)instance, (void)status, (void)category, (void)message;
}

// An instance in continuous-time mode.
static Component start(const struct Fmu* fmu) {
  static const struct {
    void (*logger)(void*, const char*, int, const char*, const char*, ...);
    void* (*allocate)(size_t, size_t);
    void (*release)(void*);
    void (*step_finished)(void*, int);
    void* environment;
  } callbacks = {logger, calloc, free, NULL, NULL};
  Component (*instantiate)(const char*, int, const char*, const char*, const void*, int, int) =
      NULL;
  int (*setup)(Component, int, double, double, int, double) = NULL;
  int (*enter)(Component) = NULL;
  int (*leave)(Component) = NULL;
  int (*update)(Component, void*) = NULL;
  int (*go_on)(Component) = NULL;
  bind(fmu->library, "fmi2Instantiate", &instantiate);
  bind(fmu->library, "fmi2SetupExperiment", &setup);
  bind(fmu->library, "fmi2EnterInitializationMode", &enter);
  bind(fmu->library, "fmi2ExitInitializationMode", &leave);
  bind(fmu->library, "fmi2NewDiscreteStates", &update);
  bind(fmu->library, "fmi2EnterContinuousTimeMode", &go_on);
  Component const c = instantiate("hand", 0, fmu->token, "", &callbacks, 0, 0);
  if (!c) fail("fmi2Instantiate");
  check(setup(c, 0, 0, 0, 0, 0));
  check(enter(c));
  check(leave(c));
  double event_info[8];  // larger than fmi2EventInfo
  check(update(c, event_info));
  check(go_on(c));
  return c;
}

// The inputs of a mass are the states of the one before it and the force of the one behind it:
// from the last to the first, each has all of them at its turn.
static void evaluate_members(const struct Fmu* fmu, const Component* c, const Reference* inputs,
                             Reference output, size_t count, double t, const double* x,
                             double* dx) {
  double pull = 0;
  for (size_t i = count; i-- > 0;) {
    const double u[] = {i > 0 ? x[2 * i - 2] : 0, i > 0 ? x[2 * i - 1] : 0, pull};
    check(fmu->set_time(c[i], t));
    check(fmu->set_states(c[i], &x[2 * i], 2));
    check(fmu->set(c[i], inputs, 3, u));
    check(fmu->get(c[i], &output, 1, &pull));
    check(fmu->derivatives(c[i], &dx[2 * i], 2));
  }
}

static void evaluate_whole(const struct Fmu* fmu, Component c, size_t count, double t,
                           const double* x, double* dx) {
  check(fmu->set_time(c, t));
  check(fmu->set_states(c, x, 2 * count));
  check(fmu->derivatives(c, dx, 2 * count));
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char** argv) {
  if (argc != 11)
    fail("arguments: COUNT EVALUATIONS ELEMENT TOKEN X_LEFT V_LEFT PULL S WHOLE TOKEN");
  const size_t count = strtoul(argv[1], NULL, 10);
  const long evaluations = strtol(argv[2], NULL, 10);
  const struct Fmu element = load(argv[3], argv[4]), whole = load(argv[9], argv[10]);
  Reference references[4];
  for (size_t k = 0; k < 4; ++k) references[k] = (Reference)strtoul(argv[5 + k], NULL, 10);

  Component* const members = calloc(count, sizeof *members);
  double* const x = calloc(2 * count, sizeof *x);
  double* const dx = calloc(2 * count, sizeof *dx);
  double* const expected = calloc(2 * count, sizeof *expected);
  if (!members || !x || !dx || !expected) fail("calloc");
  for (size_t i = 0; i < count; ++i) members[i] = start(&element);
  Component const one = start(&whole);

  double fastest[2] = {INFINITY, INFINITY};
  const int rounds = 20;
  for (int round = 0; round < rounds; ++round) {
    for (int kind = 0; kind < 2; ++kind) {
      const double before = seconds();
      for (long n = 0; n < evaluations; ++n) {
        const double t = 1e-3 * (double)n;
        x[(size_t)n % (2 * count)] = t;
        if (kind == 0)
          evaluate_members(&element, members, references, references[3], count, t, x, dx);
        else
          evaluate_whole(&whole, one, count, t, x, expected);
      }
      const double spent = (seconds() - before) / (double)evaluations / (double)count;
      fastest[kind] = fmin(fastest[kind], spent);
    }
  }
  for (size_t i = 0; i < 2 * count; ++i)
    if (dx[i] != expected[i]) fail("the members and the whole chain have different derivatives");
  printf("%.3f %.3f\n", 1e9 * fastest[0], 1e9 * fastest[1]);
  return 0;
}
