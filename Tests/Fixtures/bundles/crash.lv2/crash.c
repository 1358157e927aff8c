// Ends with a segmentation fault: in `run` after the number of frames in its control port, or
// during instantiation or cleanup. Until then it outputs its input at half its level.
#include "../plugin.h"

#include <signal.h>

enum { IN, OUT, AT };

typedef struct {
  Ports ports;
  float seen;
} Crash;

static void crash(void) { raise(SIGSEGV); }

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  if (strstr(descriptor->URI, "instantiate")) crash();
  if (strstr(descriptor->URI, "exit")) _Exit(7);
  return calloc(1, sizeof(Crash));
}

static void run(LV2_Handle instance, uint32_t frames) {
  Crash *self = (Crash *)instance;
  float **ports = self->ports.ports;
  for (uint32_t i = 0; i < frames; i++) ports[OUT][i] = ports[IN][i] * 0.5f;
  self->seen += (float)frames;
  if (self->seen > *ports[AT]) crash();
}

static void clean(LV2_Handle instance) {
  free(instance);
  crash();
}

#define ENTRY(uri, cleanup) {uri, instantiate, connect_port, NULL, run, NULL, cleanup, NULL}

static const LV2_Descriptor descriptors[] = {
    ENTRY("urn:fxrun:test:crash", cleanup),
    ENTRY("urn:fxrun:test:crash:instantiate", cleanup),
    ENTRY("urn:fxrun:test:crash:exit", cleanup),
    ENTRY("urn:fxrun:test:crash:cleanup", clean),
};

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
  return index < sizeof descriptors / sizeof *descriptors ? &descriptors[index] : NULL;
}
