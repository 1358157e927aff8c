// Ports in groups, out of order. The main output is the main input minus the side-chain. The rear
// output is the extra input in one channel and its inverse in the other.
#include "../plugin.h"

enum { AUX, IN_L, IN_R, HIDDEN, REAR_L, OUT_L, OUT_R, REAR_R };

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  return calloc(1, sizeof(Ports));
}

static void run(LV2_Handle instance, uint32_t frames) {
  float **ports = ((Ports *)instance)->ports;
  for (uint32_t n = 0; n < frames; n++) {
    float aux = ports[AUX][n], left = ports[IN_L][n], right = ports[IN_R][n];
    float hidden = ports[HIDDEN][n];
    ports[OUT_L][n] = left - hidden;
    ports[OUT_R][n] = right - hidden;
    ports[REAR_L][n] = aux;
    ports[REAR_R][n] = -aux;
  }
}

PLUGIN("urn:fxrun:test:groups", instantiate, NULL, run, NULL)
