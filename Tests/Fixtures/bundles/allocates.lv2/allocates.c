// Allocates and frees memory in `run`.
#include "../plugin.h"

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  return calloc(1, sizeof(Ports));
}

static void run(LV2_Handle instance, uint32_t frames) {
  float **ports = ((Ports *)instance)->ports;
  float *copy = malloc((frames + 1) * sizeof(float));
  if (!copy) return;
  memcpy(copy, ports[0], frames * sizeof(float));
  memcpy(ports[1], copy, frames * sizeof(float));
  free(copy);
}

PLUGIN("urn:fxrun:test:allocates", instantiate, NULL, run, NULL)
