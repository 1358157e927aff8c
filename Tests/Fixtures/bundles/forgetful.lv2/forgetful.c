// Its gain depends on memory that it has not written: its own, or what it allocates in `run`.
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

// The byte that fills the memory, as a share of 255. If the bytes differ, the result is 0: data of
// earlier uses varies from run to run. Volatile and in a function of its own, because the compiler
// knows that nothing was written there.
__attribute__((noinline)) static float fill(volatile unsigned char *left) {
  for (int i = 65; i < 4096; i++)
    if (left[i] != left[64]) return 0;
  return left[64] / 255.0f;
}

static void pass(LV2_Handle instance, uint32_t frames, float offset) {
  float **ports = ((Ports *)instance)->ports;
  for (uint32_t i = 0; i < frames; i++) ports[1][i] = ports[0][i] * (1 + offset);
}

static void run(LV2_Handle instance, uint32_t frames) {
  pass(instance, frames, fill(((Forgetful *)instance)->left));
}

static void run_later(LV2_Handle instance, uint32_t frames) {
  unsigned char *memory = malloc(4096);
  if (!memory) return;
  pass(instance, frames, fill(memory));
  free(memory);
}

static const LV2_Descriptor descriptors[] = {
    {"urn:fxrun:test:forgetful", instantiate, connect_port, NULL, run, NULL, cleanup, NULL},
    {"urn:fxrun:test:forgetful:run", instantiate, connect_port, NULL, run_later, NULL, cleanup,
     NULL}};

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
  return index < 2 ? &descriptors[index] : NULL;
}
