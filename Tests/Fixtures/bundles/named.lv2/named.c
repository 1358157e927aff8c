// A gain whose ports have short symbols and long names, with two readings: the largest sample of the
// last block, and the frames so far.
#include "../plugin.h"

enum { IN, OUT, ATTACK_LEVEL, ATTACK, RELEASE_LEVEL, MAKEUP, ENABLED, LEVEL, COUNT };

typedef struct {
  Ports ports;
  float count;
} Named;

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  return calloc(1, sizeof(Named));
}

static void run(LV2_Handle instance, uint32_t frames) {
  Named *self = (Named *)instance;
  float **ports = self->ports.ports;
  const float *in = ports[IN];
  float *out = ports[OUT];
  const float gain = *ports[MAKEUP];
  float peak = 0;
  for (uint32_t frame = 0; frame < frames; frame++) {
    out[frame] = in[frame] * gain;
    const float level = out[frame] < 0 ? -out[frame] : out[frame];
    if (level > peak) peak = level;
  }
  self->count += (float)frames;
  *ports[LEVEL] = peak;
  *ports[COUNT] = self->count;
}

PLUGIN("urn:fxrun:test:named", instantiate, NULL, run, NULL)
