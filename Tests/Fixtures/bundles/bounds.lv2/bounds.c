// Copies its input; its control ports have bounds that 32 bits represent only approximately.
#include "../plugin.h"

enum { IN, OUT };

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  return calloc(1, sizeof(Ports));
}

static void run(LV2_Handle instance, uint32_t frames) {
  Ports *ports = (Ports *)instance;
  memmove(ports->ports[OUT], ports->ports[IN], frames * sizeof(float));
}

PLUGIN("urn:fxrun:test:bounds", instantiate, NULL, run, NULL)
