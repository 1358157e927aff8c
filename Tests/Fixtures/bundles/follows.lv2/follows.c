// Outputs the values of its control inputs for musical time.
#include "../plugin.h"

enum { IN, TEMPO, BEAT, TEMPO_IN, BEAT_IN, SPEED_IN };

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  return calloc(1, sizeof(Ports));
}

static void run(LV2_Handle instance, uint32_t frames) {
  float **ports = ((Ports *)instance)->ports;
  for (uint32_t n = 0; n < frames; n++) {
    ports[TEMPO][n] = *ports[TEMPO_IN] * *ports[SPEED_IN];
    ports[BEAT][n] = *ports[BEAT_IN];
  }
}

PLUGIN("urn:fxrun:test:follows", instantiate, NULL, run, NULL)
