// Needs a function that no library has.
#include "../plugin.h"

void fxrun_test_nowhere(void);

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  return calloc(1, sizeof(Ports));
}

static void run(LV2_Handle instance, uint32_t frames) { fxrun_test_nowhere(); }

PLUGIN("urn:fxrun:test:unlinked", instantiate, NULL, run, NULL)
