// Adds a DC offset.
#include "../plugin.h"

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  return calloc(1, sizeof(Ports));
}

static void run(LV2_Handle instance, uint32_t frames) {
  float **ports = ((Ports *)instance)->ports;
  for (uint32_t i = 0; i < frames; i++) ports[1][i] = ports[0][i] + 0.05f;
}

PLUGIN("urn:fxrun:test:offset", instantiate, NULL, run, NULL)
