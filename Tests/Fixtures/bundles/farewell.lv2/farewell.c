// Crashes in `cleanup`.
#include "../plugin.h"

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  return calloc(1, sizeof(Ports));
}

static void run(LV2_Handle instance, uint32_t frames) {
  float **ports = ((Ports *)instance)->ports;
  memmove(ports[1], ports[0], frames * sizeof(float));
}

static void crash(LV2_Handle instance) {
  cleanup(instance);
  abort();
}

static const LV2_Descriptor descriptor = {
    "urn:fxrun:test:farewell", instantiate, connect_port, NULL, run, NULL, crash, NULL};

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
  return index == 0 ? &descriptor : NULL;
}
