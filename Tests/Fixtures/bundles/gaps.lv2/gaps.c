// Copies its input. Its description numbers its ports with a gap.
#include "../plugin.h"

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  return calloc(1, sizeof(Ports));
}

static void run(LV2_Handle instance, uint32_t frames) {
  float **ports = ((Ports *)instance)->ports;
  memmove(ports[1], ports[0], frames * sizeof(float));
}

PLUGIN("urn:fxrun:test:gaps", instantiate, NULL, run, NULL)
