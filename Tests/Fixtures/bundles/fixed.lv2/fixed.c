// Two plugins that require blocks of a fixed length; the second requires a power of two. They
// output the length of the block.
#include "../plugin.h"

enum { IN, OUT };

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  return calloc(1, sizeof(Ports));
}

static void run(LV2_Handle instance, uint32_t frames) {
  float **ports = ((Ports *)instance)->ports;
  for (uint32_t n = 0; n < frames; n++) ports[OUT][n] = (float)frames;
}

static const LV2_Descriptor descriptors[] = {
    {"urn:fxrun:test:fixed", instantiate, connect_port, NULL, run, NULL, cleanup, NULL},
    {"urn:fxrun:test:fixed-power", instantiate, connect_port, NULL, run, NULL, cleanup, NULL},
};

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
  return index < 2 ? &descriptors[index] : NULL;
}
