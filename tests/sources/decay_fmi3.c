/* SPDX-License-Identifier: BSD-2-Clause */
/* x' = -RATE x with x(0) = 1, for FMI 3.0: needs its definition, its include folder, its C++ part
   and the headers of the standard. */
#define FMI3_FUNCTION_PREFIX SourceDecay_
#include <stdlib.h>
#include <string.h>

#include "decay.h"
#include "fmi3Functions.h"

const char* fmi3GetVersion(void) { return fmi3Version; }
fmi3Status fmi3SetDebugLogging(fmi3Instance c, fmi3Boolean on, size_t n,
                               const fmi3String categories[]) {
  (void)c, (void)on, (void)n, (void)categories;
  return fmi3OK;
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                         fmi3Boolean visible, fmi3Boolean logging,
                                         fmi3Boolean event_mode, fmi3Boolean early_return,
                                         const fmi3ValueReference intermediate[], size_t n,
                                         fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback log,
                                         fmi3IntermediateUpdateCallback update) {
  (void)name, (void)resources, (void)visible, (void)logging, (void)event_mode, (void)early_return;
  (void)intermediate, (void)n, (void)environment, (void)log, (void)update;
  if (strcmp(token, "decay-3") != 0) return NULL;
  double* x = malloc(sizeof *x);
  *x = 1;
  return x;
}
void fmi3FreeInstance(fmi3Instance c) { free(c); }
fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean has_tolerance,
                                       fmi3Float64 tolerance, fmi3Float64 start,
                                       fmi3Boolean has_stop, fmi3Float64 stop) {
  (void)has_tolerance, (void)tolerance, (void)start, (void)has_stop, (void)stop;
  return c ? fmi3OK : fmi3Error;
}
fmi3Status fmi3ExitInitializationMode(fmi3Instance c) { return c ? fmi3OK : fmi3Error; }
fmi3Status fmi3Terminate(fmi3Instance c) { return c ? fmi3OK : fmi3Error; }
fmi3Status fmi3Reset(fmi3Instance c) {
  *(double*)c = 1;
  return fmi3OK;
}

fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference r[], size_t n,
                          fmi3Float64 values[], size_t count) {
  (void)r, (void)n;
  for (size_t i = 0; i < count; ++i) values[i] = *(double*)c;
  return fmi3OK;
}

fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference r[], size_t n,
                          const fmi3Float64 values[], size_t count) {
  (void)c, (void)r, (void)n, (void)values, (void)count;
  return fmi3Error;
}

fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 t, fmi3Float64 h, fmi3Boolean no_return,
                      fmi3Boolean* event, fmi3Boolean* terminate, fmi3Boolean* early,
                      fmi3Float64* reached) {
  (void)no_return;
  *(double*)c *= decay_over(h * RATE);
  *event = *terminate = *early = false;
  *reached = t + h;
  return fmi3OK;
}
