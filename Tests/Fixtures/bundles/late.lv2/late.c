// Is forty frames late and does not report it.
#include "../plugin.h"

typedef struct {
  Ports ports;
  float line[64];
  uint32_t position;
} Late;

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  return calloc(1, sizeof(Late));
}

static void run(LV2_Handle instance, uint32_t frames) {
  Late *self = (Late *)instance;
  for (uint32_t i = 0; i < frames; i++) {
    self->line[self->position & 63] = self->ports.ports[0][i];
    self->ports.ports[1][i] = self->line[(self->position - 40) & 63];
    self->position++;
  }
}

PLUGIN("urn:fxrun:test:late", instantiate, NULL, run, NULL)
