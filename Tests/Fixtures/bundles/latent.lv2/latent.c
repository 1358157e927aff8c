// A delay that reports its length as latency, in `run` only, and marks its instance's first block.
#include "../plugin.h"

enum { IN, OUT, LENGTH, LATENCY };

typedef struct {
  Ports ports;
  float line[1024];
  uint32_t position;
  uint32_t runs;
} Latent;

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  return calloc(1, sizeof(Latent));
}

static void run(LV2_Handle instance, uint32_t frames) {
  Latent *self = (Latent *)instance;
  float **ports = self->ports.ports;
  uint32_t length = (uint32_t)*ports[LENGTH];
  *ports[LATENCY] = (float)length;
  for (uint32_t i = 0; i < frames; i++) {
    self->line[self->position & 1023] = ports[IN][i];
    ports[OUT][i] = self->line[(self->position - length) & 1023];
    self->position++;
  }
  // The mark is missing from the output if the instance has run before.
  if (self->runs++ == 0 && frames > 0) ports[OUT][0] += 100;
}

PLUGIN("urn:fxrun:test:latent", instantiate, NULL, run, NULL)
