// A delay whose length and reported latency may change while it runs.
#include "../plugin.h"

#include <math.h>

enum { IN, OUT, LENGTH, REPORT, LATENCY };

#define LINE (1u << 18)

typedef struct {
  Ports ports;
  float line[LINE];
  uint32_t position;
} Delay;

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  return calloc(1, sizeof(Delay));
}

static void activate(LV2_Handle instance) {
  Delay *self = (Delay *)instance;
  memset(self->line, 0, sizeof self->line);
}

static void run(LV2_Handle instance, uint32_t frames) {
  Delay *self = (Delay *)instance;
  float **ports = self->ports.ports;
  uint32_t length = (uint32_t)*ports[LENGTH];
  // The reported latency: correct, impossible, or far too long.
  switch ((int)*ports[REPORT]) {
    case 1: *ports[LATENCY] = NAN; break;
    case 2: *ports[LATENCY] = -5; break;
    case 3: *ports[LATENCY] = 1e30f; break;
    default: *ports[LATENCY] = (float)length;
  }
  for (uint32_t i = 0; i < frames; i++) {
    self->line[self->position & (LINE - 1)] = ports[IN][i];
    ports[OUT][i] = self->line[(self->position - length) & (LINE - 1)];
    self->position++;
  }
}

PLUGIN("urn:fxrun:test:latency", instantiate, activate, run, NULL)
