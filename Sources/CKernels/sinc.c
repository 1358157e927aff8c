// Render thread.
#include "sinc.h"

#include <string.h>

#pragma STDC FP_CONTRACT OFF
#pragma clang diagnostic ignored "-Wpsabi"

#define CHUNK 8

typedef float float4 __attribute__((ext_vector_type(4)));

// Every fourth tap has its own sum, here as in `fx_sinc_between`: the bits are the same.
static inline __attribute__((always_inline)) void fixed(
    const float *restrict taps, const float *restrict input, float *restrict output,
    long frame_count) {
  long start = 0;
  for (; start + CHUNK <= frame_count; start += CHUNK) {
    float sums[4][CHUNK] = {{0}};
    for (int tap = 0; tap < FX_SINC_TAPS; tap++) {
      for (int k = 0; k < CHUNK; k++) sums[tap & 3][k] += taps[tap] * input[start + tap + k];
    }
    for (int k = 0; k < CHUNK; k++) {
      output[start + k] = (sums[0][k] + sums[1][k]) + (sums[2][k] + sums[3][k]);
    }
  }
  for (; start < frame_count; start++) {
    float sums[4] = {0};
    for (int tap = 0; tap < FX_SINC_TAPS; tap++) sums[tap & 3] += taps[tap] * input[start + tap];
    output[start] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }
}

#if defined(__x86_64__)
__attribute__((target("arch=x86-64-v3"))) static void fixed_avx2(
    const float *taps, const float *input, float *output, long frame_count) {
  fixed(taps, input, output, frame_count);
}
#endif

void fx_sinc_fixed(
    int level, const float *taps, const float *input, float *output, long frame_count) {
#if defined(__x86_64__)
  if (level > 0) {
    fixed_avx2(taps, input, output, frame_count);
    return;
  }
#else
  (void)level;
#endif
  fixed(taps, input, output, frame_count);
}

static inline __attribute__((always_inline)) float between(
    const float *rows, float share, const float *input) {
  float4 sum = 0;
  for (int tap = 0; tap < FX_SINC_TAPS; tap += 4) {
    float4 from, to, samples;
    memcpy(&from, rows + tap, sizeof from);
    memcpy(&to, rows + FX_SINC_TAPS + tap, sizeof to);
    memcpy(&samples, input + tap, sizeof samples);
    sum += (from + share * (to - from)) * samples;
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

float fx_sinc_between(const float *rows, float share, const float *input) {
  return between(rows, share, input);
}

static inline __attribute__((always_inline)) void moving(
    const float *rows, const float *ring, long capacity, long position,
    const fx_fractional_delay *delays, float *output, long frame_count) {
  for (long frame = 0; frame < frame_count; frame++) {
    fx_fractional_delay delay = delays[frame];
    long now = position + frame - delay.frames;
    if (!(delay.fraction > 0)) {
      output[frame] = ring[now & (capacity - 1)];
      continue;
    }
    float place = delay.fraction * FX_SINC_ROWS;
    long row = (long)place;
    long start = (now - FX_SINC_TAPS / 2) & (capacity - 1);
    const float *input = ring + start;
    float copy[FX_SINC_TAPS];
    if (start + FX_SINC_TAPS > capacity) {
      for (long k = 0; k < FX_SINC_TAPS; k++) copy[k] = ring[(start + k) & (capacity - 1)];
      input = copy;
    }
    output[frame] = between(rows + row * FX_SINC_TAPS, place - (float)row, input);
  }
}

#if defined(__x86_64__)
__attribute__((target("arch=x86-64-v3"))) static void moving_avx2(
    const float *rows, const float *ring, long capacity, long position,
    const fx_fractional_delay *delays, float *output, long frame_count) {
  moving(rows, ring, capacity, position, delays, output, frame_count);
}
#endif

void fx_sinc_moving(
    int level, const float *rows, const float *ring, long capacity, long position,
    const fx_fractional_delay *delays, float *output, long frame_count) {
#if defined(__x86_64__)
  if (level > 0) {
    moving_avx2(rows, ring, capacity, position, delays, output, frame_count);
    return;
  }
#else
  (void)level;
#endif
  moving(rows, ring, capacity, position, delays, output, frame_count);
}
