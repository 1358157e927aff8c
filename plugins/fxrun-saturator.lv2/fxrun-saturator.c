// fxrun-saturator: soft saturation, four times oversampled behind linear-phase filters.
//
// A channel goes through an interpolating filter, the curve, and the same filter again on the way
// down. The filter is a windowed sinc of 129 taps that is exactly one at its centre and zero at
// every fourth tap from it (a Nyquist filter), so one of the four interpolated phases is the input
// itself. Both ways together delay by 64 + 64 samples of the high rate: 32 frames, at every rate.

#include <lv2/core/lv2.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// The same last bits on processors with fused multiply-add.
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

#define MONO_URI "urn:fxrun:saturator:mono"
#define STEREO_URI "urn:fxrun:saturator:stereo"

#define FACTOR 4
#define HALF 64
#define TAPS (2 * HALF + 1)
/// Taps of one of the four phases; the first phase has one more, which is zero.
#define PHASE_TAPS (TAPS / FACTOR)
#define LATENCY (2 * HALF / FACTOR)

enum { DRIVE, MIX, OUTPUT, ENABLED, REPORTED_LATENCY, FIRST_AUDIO, PORT_COUNT = FIRST_AUDIO + 4 };

/// What one channel remembers. Histories are written twice, one length apart, so that the newest
/// samples are always in one piece.
typedef struct {
  float input[2 * PHASE_TAPS];
  float high[2 * (TAPS + FACTOR)];
  float dry[LATENCY];
  uint32_t input_position;
  uint32_t high_position;
  uint32_t dry_position;
} Channel;

/// A control's value on its way to where it is set, a little closer every frame.
typedef struct {
  float value;
  float target;
} Smoothed;

typedef struct {
  const float *controls[FIRST_AUDIO];
  float *latency;
  float *audio[4];
  int channel_count;
  /// phase[p][k] is tap p + 4k of the interpolating filter, newest sample last.
  float phase[FACTOR][PHASE_TAPS];
  float decimator[TAPS];
  Channel channels[2];
  float smoothing;
  int starts;
  Smoothed drive, wet, dry;
} Saturator;

/// Modified Bessel function of the first kind, order 0 (for the Kaiser window).
static double bessel(double x) {
  double sum = 1, term = 1;
  for (int k = 1; k < 60; k++) {
    term *= (x / (2 * k)) * (x / (2 * k));
    sum += term;
  }
  return sum;
}

/// Designs both filters: stop band below -80 dB from 0.58 of the sample rate.
static void design(Saturator *self) {
  const double pi = 3.14159265358979323846, beta = 7.857;
  double taps[TAPS], sums[FACTOR] = {0}, sum = 0;
  for (int i = 0; i < TAPS; i++) {
    double t = (double)(i - HALF);
    double x = t / HALF;
    double sinc = i == HALF ? 1 : i % FACTOR == 0 ? 0 : sin(pi * t / FACTOR) / (pi * t / FACTOR);
    taps[i] = sinc * bessel(beta * sqrt(1 - x * x)) / bessel(beta);
    sums[i % FACTOR] += taps[i];
    sum += taps[i];
  }
  // Every phase on its own passes a steady level as it is.
  for (int p = 0; p < FACTOR; p++)
    for (int k = 0; k < PHASE_TAPS; k++)
      self->phase[p][PHASE_TAPS - 1 - k] = (float)(taps[p + FACTOR * k] / sums[p]);
  for (int i = 0; i < TAPS; i++) self->decimator[i] = (float)(taps[i] / sum);
}

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  (void)bundle;
  (void)features;
  if (!(rate > 0)) return NULL;
  Saturator *self = calloc(1, sizeof(Saturator));
  if (!self) return NULL;
  self->channel_count = strcmp(descriptor->URI, STEREO_URI) == 0 ? 2 : 1;
  // Controls arrive within about ten milliseconds.
  self->smoothing = (float)(1 - exp(-1 / (0.003 * rate)));
  design(self);
  return self;
}

static void connect_port(LV2_Handle instance, uint32_t port, void *data) {
  Saturator *self = instance;
  if (port == REPORTED_LATENCY) {
    self->latency = data;
  } else if (port < FIRST_AUDIO) {
    self->controls[port] = data;
  } else if (port < PORT_COUNT) {
    self->audio[port - FIRST_AUDIO] = data;
  }
}

static void activate(LV2_Handle instance) {
  Saturator *self = instance;
  for (int i = 0; i < 2; i++) self->channels[i] = (Channel){0};
  self->starts = 1;
}

/// A rational tanh: unity gain at 0, reaches one at 3 with a level tangent.
static inline float curve(float x) {
  x = x < -3 ? -3 : x > 3 ? 3 : x;
  float square = x * x;
  return x * (27 + square) / (27 + 9 * square);
}

static inline float dot(const float *a, const float *b, int count) {
  float sums[8] = {0};
  int i = 0;
  for (; i + 8 <= count; i += 8)
    for (int k = 0; k < 8; k++) sums[k] += a[i + k] * b[i + k];
  float sum = (sums[0] + sums[4]) + (sums[1] + sums[5]) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
  for (; i < count; i++) sum += a[i] * b[i];
  return sum;
}

/// One frame of one channel: the saturated signal, LATENCY frames late.
static inline float saturate(const Saturator *self, Channel *channel, float input, float drive) {
  // Up: the newest sample goes in behind the others.
  uint32_t at = channel->input_position;
  channel->input[at] = channel->input[at + PHASE_TAPS] = input;
  channel->input_position = at = at + 1 == PHASE_TAPS ? 0 : at + 1;
  const float *recent = channel->input + at;
  uint32_t position = channel->high_position;
  for (int p = 0; p < FACTOR; p++) {
    // The first phase is the sample in the middle as it stands.
    float high = p == 0 ? recent[PHASE_TAPS - 1 - HALF / FACTOR]
                        : dot(recent, self->phase[p], PHASE_TAPS);
    high = curve(high * drive);
    channel->high[position] = channel->high[position + TAPS + FACTOR] = high;
    position = position + 1 == TAPS + FACTOR ? 0 : position + 1;
  }
  channel->high_position = position;
  // Down: the newest of the four is three samples after the frame's own.
  return dot(channel->high + position + 1, self->decimator, TAPS);
}

static inline float step(Smoothed *control, float smoothing) {
  float left = control->target - control->value;
  // What is left is no longer heard; it must not linger as a denormal either.
  if (left < 1e-6f && left > -1e-6f) control->value = control->target;
  else control->value += left * smoothing;
  return control->value;
}

/// A control's value within its range, whatever a host writes there.
static inline float control(const Saturator *self, int port, float low, float high, float standard) {
  if (!self->controls[port]) return standard;
  float value = *self->controls[port];
  return value >= low ? (value <= high ? value : high) : value < low ? low : standard;
}

static void run(LV2_Handle instance, uint32_t frame_count) {
  Saturator *self = instance;
  float mix = control(self, MIX, 0, 100, 100) / 100;
  float output = powf(10, control(self, OUTPUT, -24, 12, 0) / 20);
  if (control(self, ENABLED, 0, 1, 1) <= 0) mix = 0, output = 1;
  self->drive.target = powf(10, control(self, DRIVE, 0, 36, 6) / 20);
  self->wet.target = mix * output;
  self->dry.target = (1 - mix) * output;
  if (self->starts) {
    self->starts = 0;
    self->drive.value = self->drive.target;
    self->wet.value = self->wet.target;
    self->dry.value = self->dry.target;
  }
  if (self->latency) *self->latency = LATENCY;
  for (uint32_t frame = 0; frame < frame_count; frame++) {
    float drive = step(&self->drive, self->smoothing);
    float wet = step(&self->wet, self->smoothing);
    float dry = step(&self->dry, self->smoothing);
    // All inputs are read before any output is written: a host may use one buffer for both.
    float samples[2] = {0};
    for (int i = 0; i < self->channel_count; i++) samples[i] = self->audio[2 * i][frame];
    for (int i = 0; i < self->channel_count; i++) {
      Channel *channel = &self->channels[i];
      float sample = samples[i];
      // What is not a number would stay in the histories for ever.
      if (!(sample > -1e15f && sample < 1e15f)) sample = 0;
      float late = channel->dry[channel->dry_position];
      channel->dry[channel->dry_position] = sample;
      channel->dry_position = channel->dry_position + 1 == LATENCY ? 0 : channel->dry_position + 1;
      self->audio[2 * i + 1][frame] =
          saturate(self, channel, sample, drive) * wet + late * dry;
    }
  }
}

static void cleanup(LV2_Handle instance) { free(instance); }

static const LV2_Descriptor mono = {
    MONO_URI, instantiate, connect_port, activate, run, NULL, cleanup, NULL};
static const LV2_Descriptor stereo = {
    STEREO_URI, instantiate, connect_port, activate, run, NULL, cleanup, NULL};

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
  switch (index) {
  case 0: return &mono;
  case 1: return &stereo;
  default: return NULL;
  }
}
