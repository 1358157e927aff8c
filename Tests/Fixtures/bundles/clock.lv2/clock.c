// A gain that depends on the time of the instantiation.
#include <time.h>
#include "../plugin.h"

typedef struct {
  Ports ports;
  float gain;
} Clock;

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  Clock *self = calloc(1, sizeof(Clock));
  if (self) self->gain = 0.5f + (float)(time(NULL) % 1000) / 4000;
  return self;
}

static void run(LV2_Handle instance, uint32_t frames) {
  Clock *self = (Clock *)instance;
  for (uint32_t i = 0; i < frames; i++)
    self->ports.ports[1][i] = self->ports.ports[0][i] * self->gain;
}

PLUGIN("urn:fxrun:test:clock", instantiate, NULL, run, NULL)
