// Fades in one step per block: its sound depends on the block size.
#include "../plugin.h"

typedef struct {
  Ports ports;
  float gain;
} Blocky;

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  return calloc(1, sizeof(Blocky));
}

static void run(LV2_Handle instance, uint32_t frames) {
  Blocky *self = (Blocky *)instance;
  self->gain += 0.1f * (1 - self->gain);
  for (uint32_t i = 0; i < frames; i++)
    self->ports.ports[1][i] = self->ports.ports[0][i] * self->gain;
}

PLUGIN("urn:fxrun:test:blocky", instantiate, NULL, run, NULL)
