// Requires a live host, and checks that the host has the feature `isLive`.
#include "../plugin.h"

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  return has_feature(features, LV2_CORE__isLive) ? calloc(1, sizeof(Ports)) : NULL;
}

static void run(LV2_Handle instance, uint32_t frames) {
  float **ports = ((Ports *)instance)->ports;
  memmove(ports[1], ports[0], frames * sizeof(float));
}

PLUGIN("urn:fxrun:test:liveonly", instantiate, NULL, run, NULL)
