// The plugin of a developer, built in different ways:
//
//   GAIN      a factor of its output
//   LATENCY   delays its output by so many frames and reports them
//   SEEDED    its gain depends on the second of its instantiation
//   RAMPS     reaches its gain only after half a second (at 48 kHz)
//   FAREWELL  crashes in `cleanup`
//   HANGS     never returns from `run` after so many frames
//   CRASHES   crashes in `run` after so many frames
#include <lv2/core/lv2.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#ifndef GAIN
#define GAIN 0.5f
#endif
#ifndef LATENCY
#define LATENCY 0
#endif

enum { IN, OUT, AMOUNT, REPORTED, PORTS };
enum { LINE = 4096 };

typedef struct {
  float *ports[PORTS];
  float line[LINE];
  float gain;
  uint32_t position;
} Own;

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  Own *self = calloc(1, sizeof(Own));
  if (!self) return NULL;
  self->gain = GAIN;
#ifdef SEEDED
  self->gain *= 1 + (float)(time(NULL) % 1000) / 1000;
#endif
  return self;
}

static void connect_port(LV2_Handle instance, uint32_t port, void *data) {
  if (port < PORTS) ((Own *)instance)->ports[port] = data;
}

static void run(LV2_Handle instance, uint32_t frames) {
  Own *self = instance;
#ifdef HANGS
  volatile uint32_t forever = self->position >= HANGS;
  while (forever) continue;
#endif
#ifdef CRASHES
  if (self->position >= CRASHES) abort();
#endif
  *self->ports[REPORTED] = LATENCY;
  for (uint32_t i = 0; i < frames; i++, self->position++) {
    float gain = self->gain * *self->ports[AMOUNT];
#ifdef RAMPS
    if (self->position < 24000) gain *= self->position / 24000.0f;
#endif
    self->line[self->position % LINE] = self->ports[IN][i] * gain;
    self->ports[OUT][i] = self->line[(self->position - LATENCY) % LINE];
  }
}

static void cleanup(LV2_Handle instance) {
  free(instance);
#ifdef FAREWELL
  abort();
#endif
}

static const LV2_Descriptor descriptor = {
    "urn:fxrun:test:own", instantiate, connect_port, NULL, run, NULL, cleanup, NULL};

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
  return index == 0 ? &descriptor : NULL;
}
