// Sleeps in every `run` up to a number of frames. Control ports set the frames and the time in ms.
#include "../plugin.h"

#include <time.h>

enum { IN, OUT, TIME, UNTIL };

typedef struct {
  Ports ports;
  float seen;
} Sleeps;

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  return calloc(1, sizeof(Sleeps));
}

static void run(LV2_Handle instance, uint32_t frames) {
  Sleeps *self = (Sleeps *)instance;
  float **ports = self->ports.ports;
  for (uint32_t i = 0; i < frames; i++) ports[OUT][i] = ports[IN][i] * 0.5f;
  self->seen += (float)frames;
  if (self->seen > *ports[UNTIL]) return;
  struct timespec time = {.tv_nsec = (long)(*ports[TIME] * 1e6f)};
  nanosleep(&time, NULL);
}

PLUGIN("urn:fxrun:test:sleeps", instantiate, NULL, run, NULL)
