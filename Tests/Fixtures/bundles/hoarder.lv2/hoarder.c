// Outputs how many bytes of its memory are not zero, although it has written none of them. The
// first 16 bytes of each block are not counted.
#include "../plugin.h"

enum { BLOCKS = 200 };

typedef struct {
  Ports ports;
  float dirt;
} Hoarder;

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  unsigned char *blocks[BLOCKS];
  float dirt = 0;
  for (int i = 0; i < BLOCKS; i++) {
    size_t size = 24 + 40 * i;
    blocks[i] = malloc(size);
    // Volatile, because the compiler knows that nothing was written there.
    for (size_t k = 16; blocks[i] && k < size; k++)
      dirt += *(volatile unsigned char *)(blocks[i] + k) != 0;
  }
  for (int i = 0; i < BLOCKS; i++) free(blocks[i]);
  Hoarder *self = calloc(1, sizeof(Hoarder));
  self->dirt = dirt;
  return self;
}

static void run(LV2_Handle instance, uint32_t frames) {
  Hoarder *self = (Hoarder *)instance;
  memmove(self->ports.ports[1], self->ports.ports[0], frames * sizeof(float));
  *self->ports.ports[2] = self->dirt;
}

PLUGIN("urn:fxrun:test:hoarder", instantiate, NULL, run, NULL)
