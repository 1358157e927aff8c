// Becomes louder with each instance in its process.
#include "../plugin.h"

typedef struct {
  Ports ports;
  float gain;
} Counts;

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  static int instances = 0;
  Counts *self = calloc(1, sizeof(Counts));
  if (self) self->gain = 0.5f + 0.001f * (float)instances++;
  return self;
}

static void run(LV2_Handle instance, uint32_t frames) {
  Counts *self = (Counts *)instance;
  for (uint32_t i = 0; i < frames; i++)
    self->ports.ports[1][i] = self->ports.ports[0][i] * self->gain;
}

PLUGIN("urn:fxrun:test:counts", instantiate, NULL, run, NULL)
