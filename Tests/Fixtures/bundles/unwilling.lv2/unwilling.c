// Refuses to be instantiated, and prints the reason on standard output as real plugins do.
#include "../plugin.h"

#include <stdio.h>

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  printf("unwilling: I would rather not\n");
  return NULL;
}

static void run(LV2_Handle instance, uint32_t frames) {}

PLUGIN("urn:fxrun:test:unwilling", instantiate, NULL, run, NULL)
