// Prints on standard output in `run`, without buffering.
#include "../plugin.h"

#include <stdio.h>

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  return calloc(1, sizeof(Ports));
}

static void run(LV2_Handle instance, uint32_t frames) {
  float **ports = ((Ports *)instance)->ports;
  memmove(ports[1], ports[0], frames * sizeof(float));
  printf("printer: %u frames\n", frames);
  fflush(stdout);
}

PLUGIN("urn:fxrun:test:printer", instantiate, NULL, run, NULL)
