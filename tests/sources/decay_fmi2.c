/* SPDX-License-Identifier: BSD-2-Clause */
/* x' = -k x with x(0) = 1, solved exactly over each step: a source FMU for FMI 2.0 that comes
   without the headers of the standard. The prefix is what the standard asks of sources
   (section 2.1.1). */
#define FMI2_FUNCTION_PREFIX SourceDecay_
#include <math.h>
#include <string.h>

#include "fmi2Functions.h"

typedef struct {
  double x, k;
} Decay;

const char* fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }
const char* fmi2GetVersion(void) { return fmi2Version; }
fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n,
                               const fmi2String categories[]) {
  (void)c, (void)on, (void)n, (void)categories;
  return fmi2OK;
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions* functions, fmi2Boolean visible,
                              fmi2Boolean logging) {
  Decay* decay;
  (void)name, (void)resources, (void)functions, (void)visible, (void)logging;
  if (type != fmi2CoSimulation || strcmp(guid, "decay-2") != 0) return NULL;
  decay = calloc(1, sizeof *decay);
  fmi2Reset(decay);
  return decay;
}
void fmi2FreeInstance(fmi2Component c) { free(c); }
fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance,
                               fmi2Real start, fmi2Boolean has_stop, fmi2Real stop) {
  (void)c, (void)has_tolerance, (void)tolerance, (void)start, (void)has_stop, (void)stop;
  return fmi2OK;
}
fmi2Status fmi2EnterInitializationMode(fmi2Component c) { return c ? fmi2OK : fmi2Error; }
fmi2Status fmi2ExitInitializationMode(fmi2Component c) { return c ? fmi2OK : fmi2Error; }
fmi2Status fmi2Terminate(fmi2Component c) { return c ? fmi2OK : fmi2Error; }
fmi2Status fmi2Reset(fmi2Component c) {
  Decay* decay = c;
  decay->x = 1;
  decay->k = 1;
  return fmi2OK;
}

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Real values[]) {
  const Decay* decay = c;
  for (size_t i = 0; i < n; ++i) values[i] = r[i] == 0 ? decay->x : decay->k;
  return fmi2OK;
}
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference r[], size_t n,
                       const fmi2Real values[]) {
  Decay* decay = c;
  for (size_t i = 0; i < n; ++i) *(r[i] == 0 ? &decay->x : &decay->k) = values[i];
  return fmi2OK;
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean no_return) {
  Decay* decay = c;
  (void)t, (void)no_return;
  decay->x *= exp(-decay->k * h);
  return fmi2OK;
}
