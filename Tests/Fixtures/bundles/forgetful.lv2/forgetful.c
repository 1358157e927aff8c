// Adds what it finds in memory that it has not written: in its own when it is made, or in what it
// takes when it runs first.
#include "../plugin.h"

typedef struct {
  Ports ports;
  unsigned char left[4096];
} Forgetful;

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  return malloc(sizeof(Forgetful));
}

// Volatile, because a compiler knows that nothing was written there.
static float sum(volatile unsigned char *left) {
  float sum = 0;
  for (int i = 64; i < 4096; i++) sum += left[i];
  return sum / (4096 * 255);
}

static void pass(LV2_Handle instance, uint32_t frames, float offset) {
  float **ports = ((Ports *)instance)->ports;
  for (uint32_t i = 0; i < frames; i++) ports[1][i] = ports[0][i] * (1 + offset);
}

static void run(LV2_Handle instance, uint32_t frames) {
  pass(instance, frames, sum(((Forgetful *)instance)->left));
}

static void run_later(LV2_Handle instance, uint32_t frames) {
  unsigned char *memory = malloc(4096);
  if (!memory) return;
  pass(instance, frames, sum(memory));
  free(memory);
}

static const LV2_Descriptor descriptors[] = {
    {"urn:fxrun:test:forgetful", instantiate, connect_port, NULL, run, NULL, cleanup, NULL},
    {"urn:fxrun:test:forgetful:run", instantiate, connect_port, NULL, run_later, NULL, cleanup,
     NULL}};

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
  return index < 2 ? &descriptors[index] : NULL;
}
