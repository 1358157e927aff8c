// A mono gain that counts its frames.
#include "../plugin.h"

#include <math.h>

enum { IN, OUT, GAIN, FRAMES };

typedef struct {
  Ports ports;
  float frames;
} Gain;

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  return calloc(1, sizeof(Gain));
}

static void run(LV2_Handle instance, uint32_t frames) {
  Gain *self = (Gain *)instance;
  float **ports = self->ports.ports;
  float factor = powf(10, *ports[GAIN] / 20);
  for (uint32_t i = 0; i < frames; i++) ports[OUT][i] = ports[IN][i] * factor;
  self->frames += frames;
  *ports[FRAMES] = self->frames;
}

PLUGIN("urn:fxrun:test:gain", instantiate, NULL, run, NULL)
