// Never returns: from `run` after the number of frames in its control port, or from instantiation.
// Until then it outputs its input at half its level.
#include "../plugin.h"

enum { IN, OUT, AT };

typedef struct {
  Ports ports;
  float seen;
} Hang;

static volatile int forever = 1;

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  if (strstr(descriptor->URI, "instantiate")) while (forever) {}
  return calloc(1, sizeof(Hang));
}

static void run(LV2_Handle instance, uint32_t frames) {
  Hang *self = (Hang *)instance;
  float **ports = self->ports.ports;
  for (uint32_t i = 0; i < frames; i++) ports[OUT][i] = ports[IN][i] * 0.5f;
  self->seen += (float)frames;
  if (self->seen > *ports[AT]) while (forever) {}
}

static const LV2_Descriptor descriptors[] = {
    {"urn:fxrun:test:hang", instantiate, connect_port, NULL, run, NULL, cleanup, NULL},
    {"urn:fxrun:test:hang:instantiate", instantiate, connect_port, NULL, run, NULL, cleanup, NULL},
};

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
  return index < 2 ? &descriptors[index] : NULL;
}
