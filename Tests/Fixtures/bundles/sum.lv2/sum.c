// A mono running sum: the output shows the whole input of this instance.
#include "../plugin.h"

enum { IN, OUT };

typedef struct {
  Ports ports;
  float sum;
} Sum;

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  return calloc(1, sizeof(Sum));
}

static void run(LV2_Handle instance, uint32_t frames) {
  Sum *self = (Sum *)instance;
  for (uint32_t i = 0; i < frames; i++) {
    self->sum += self->ports.ports[IN][i];
    self->ports.ports[OUT][i] = self->sum;
  }
}

PLUGIN("urn:fxrun:test:sum", instantiate, NULL, run, NULL)
