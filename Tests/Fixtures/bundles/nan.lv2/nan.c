// Copies its input for a number of frames after its activation. Then it outputs values that are not
// numbers, or infinite, until it is activated again.
#include "../plugin.h"

#include <math.h>

enum { IN, OUT, AFTER, TIMES, INFINITE };

typedef struct {
  Ports ports;
  uint32_t position;
  uint32_t activations;
} Nan;

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  return calloc(1, sizeof(Nan));
}

static void activate(LV2_Handle instance) {
  Nan *self = (Nan *)instance;
  self->position = 0;
  self->activations++;
}

static void run(LV2_Handle instance, uint32_t frames) {
  Nan *self = (Nan *)instance;
  float **ports = self->ports.ports;
  int is_bad = self->activations <= (uint32_t)*ports[TIMES];
  for (uint32_t i = 0; i < frames; i++, self->position++) {
    ports[OUT][i] = ports[IN][i];
    if (is_bad && self->position >= (uint32_t)*ports[AFTER])
      ports[OUT][i] = *ports[INFINITE] > 0 ? -INFINITY : NAN;
  }
}

PLUGIN("urn:fxrun:test:nan", instantiate, activate, run, NULL)
