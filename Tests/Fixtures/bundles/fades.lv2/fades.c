// A filter that fades out through all denormal numbers.
#include "../plugin.h"

typedef struct {
  Ports ports;
  float state;
} Fades;

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  return calloc(1, sizeof(Fades));
}

static void run(LV2_Handle instance, uint32_t frames) {
  Fades *self = (Fades *)instance;
  for (uint32_t i = 0; i < frames; i++) {
    self->state = 0.995f * self->state + 0.005f * self->ports.ports[0][i];
    self->ports.ports[1][i] = self->state;
  }
}

PLUGIN("urn:fxrun:test:fades", instantiate, NULL, run, NULL)
