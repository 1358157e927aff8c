// Outputs values that are not numbers after the number of frames in its control port.
#include "../plugin.h"

#include <math.h>

enum { IN, OUT, AT };

typedef struct {
  Ports ports;
  float seen;
} Invalid;

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  return calloc(1, sizeof(Invalid));
}

static void run(LV2_Handle instance, uint32_t frames) {
  Invalid *self = (Invalid *)instance;
  float **ports = self->ports.ports;
  for (uint32_t i = 0; i < frames; i++) {
    ports[OUT][i] = self->seen < *ports[AT] ? ports[IN][i] * 0.5f : NAN;
    self->seen += 1;
  }
}

PLUGIN("urn:fxrun:test:invalid", instantiate, NULL, run, NULL)
