// A gain by control voltage that also outputs one, and a source of control voltage.
#include "../plugin.h"

enum { AMOUNT, IN, OUT, LEVEL };
enum { START, VALUE };

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  return calloc(1, sizeof(Ports));
}

static void run(LV2_Handle instance, uint32_t frames) {
  float **ports = ((Ports *)instance)->ports;
  for (uint32_t n = 0; n < frames; n++) {
    float amount = ports[AMOUNT][n], input = ports[IN][n];
    ports[OUT][n] = input * amount;
    ports[LEVEL][n] = input * 2;
  }
}

static void run_source(LV2_Handle instance, uint32_t frames) {
  float **ports = ((Ports *)instance)->ports;
  for (uint32_t n = 0; n < frames; n++) ports[VALUE][n] = ports[START][n] / 4;
}

static const LV2_Descriptor descriptors[] = {
    {"urn:fxrun:test:cv", instantiate, connect_port, NULL, run, NULL, cleanup, NULL},
    {"urn:fxrun:test:cv-source", instantiate, connect_port, NULL, run_source, NULL, cleanup, NULL},
};

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
  return index < 2 ? &descriptors[index] : NULL;
}
