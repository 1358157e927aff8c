// Changes the floating-point mode in `instantiate` and `run`, and prints on standard output. It
// outputs 1 if `run` was called with denormals flushed to zero (FTZ and DAZ).
#include "../plugin.h"

#include <stdio.h>
#include <lv2/log/log.h>

static unsigned mode(void) {
#if defined(__x86_64__)
  return __builtin_ia32_stmxcsr();
#else
  return 0x8040;
#endif
}

static void spoil(void) {
#if defined(__x86_64__)
  // Denormals are kept, and values are rounded toward zero.
  __builtin_ia32_ldmxcsr(0x1f80 | 0x6000);
#endif
}

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  spoil();
  printf("rude: using block size\n");
  return calloc(1, sizeof(Ports));
}

static void run(LV2_Handle instance, uint32_t frames) {
  float **ports = ((Ports *)instance)->ports;
  memmove(ports[1], ports[0], frames * sizeof(float));
  *ports[2] = (mode() & 0x8040) == 0x8040;
  spoil();
}

PLUGIN("urn:fxrun:test:rude", instantiate, NULL, run, NULL)
