// The plugin of the mutations: one source, and switches for different builds.
//
//   MODEL        the effect: TRIM, DRIVE, LATENT, BLOCKY
//   COEFFICIENT  a factor of its output
//   LATE         additional latency in frames that it does not report
//   UNSTEADY     adds noise that differs in every render
//   FLIPPED      swaps its output channels
#include <lv2/core/lv2.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TRIM 1
#define DRIVE 2
#define LATENT 3
#define BLOCKY 4

#ifndef COEFFICIENT
#define COEFFICIENT 1.0f
#endif
#ifndef LATE
#define LATE 0
#endif

enum { IN_LEFT, IN_RIGHT, OUT_LEFT, OUT_RIGHT, AMOUNT, COLOUR, LATENCY, PORTS };
enum { REPORTED = 64, LINE = 256 };

typedef struct {
  float *ports[PORTS];
  float lines[2][LINE];
  float memory[2];
  float level;
  uint32_t position;
  uint32_t noise;
} Effect;

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  Effect *self = calloc(1, sizeof(Effect));
#ifdef UNSTEADY
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  self->noise = (uint32_t)now.tv_nsec ^ (uint32_t)(uintptr_t)self;
#endif
  return self;
}

static void connect_port(LV2_Handle instance, uint32_t port, void *data) {
  if (port < PORTS) ((Effect *)instance)->ports[port] = data;
}

static float shaped(Effect *self, int channel, float input, float amount, float colour) {
  switch (MODEL) {
  case DRIVE: {
    float driven = input * (1 + 7 * amount);
    driven = driven / (1 + fabsf(driven));
    self->memory[channel] += (1 - 0.9f * colour) * (driven - self->memory[channel]);
    return self->memory[channel];
  }
  case BLOCKY: return input * self->level;
  default: return input * amount;
  }
}

static void run(LV2_Handle instance, uint32_t frames) {
  Effect *self = instance;
  float amount = *self->ports[AMOUNT], colour = *self->ports[COLOUR];
  uint32_t late = (MODEL == LATENT ? REPORTED : 0) + LATE;
  // Once per call, independent of its length: the sound of BLOCKY depends on the block size.
  self->level += 0.1f * (amount - self->level);
  if (self->ports[LATENCY]) *self->ports[LATENCY] = MODEL == LATENT ? REPORTED : 0;
  for (uint32_t i = 0; i < frames; i++, self->position++) {
    for (int channel = 0; channel < 2; channel++) {
      float *line = self->lines[channel];
      line[self->position % LINE] =
          COEFFICIENT * shaped(self, channel, self->ports[IN_LEFT + channel][i], amount, colour);
    }
    for (int channel = 0; channel < 2; channel++) {
      float output = self->lines[channel][(self->position - late) % LINE];
#ifdef UNSTEADY
      self->noise = self->noise * 1664525u + 1013904223u;
      output += 1e-5f * ((float)(self->noise >> 8) / 8388608.0f - 1);
#endif
#ifdef FLIPPED
      self->ports[OUT_RIGHT - channel][i] = output;
#else
      self->ports[OUT_LEFT + channel][i] = output;
#endif
    }
  }
}

static void cleanup(LV2_Handle instance) { free(instance); }

static const LV2_Descriptor descriptor = {
    PLUGIN_URI, instantiate, connect_port, NULL, run, NULL, cleanup, NULL};

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
  return index == 0 ? &descriptor : NULL;
}
