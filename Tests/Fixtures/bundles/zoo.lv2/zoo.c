// Has control ports of every kind and outputs their values, one frame per port.
#include "../plugin.h"

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  return calloc(1, sizeof(Ports));
}

static void run(LV2_Handle instance, uint32_t frames) {
  float **ports = ((Ports *)instance)->ports;
  for (uint32_t i = 0; i < frames; i++) ports[1][i] = i >= 2 && i < 15 ? *ports[i] : 0;
  *ports[15] = *ports[2];
}

PLUGIN("urn:fxrun:test:zoo", instantiate, NULL, run, NULL)
