// Render thread.
#include "mix.h"

#pragma STDC FP_CONTRACT OFF

#define CHUNK 32

static inline __attribute__((always_inline)) void mix(
    const float *const *inputs, const float *gains, long input_count, float gain,
    float *restrict output, long frame_count) {
  long start = 0;
  for (; start + CHUNK <= frame_count; start += CHUNK) {
    float sum[CHUNK] = {0};
    for (long i = 0; i < input_count; i++) {
      const float *input = inputs[i] + start;
      float factor = gains[i];
      for (int k = 0; k < CHUNK; k++) sum[k] += factor * input[k];
    }
    for (int k = 0; k < CHUNK; k++) output[start + k] = sum[k] * gain;
  }
  for (; start < frame_count; start++) {
    float sum = 0;
    for (long i = 0; i < input_count; i++) sum += gains[i] * inputs[i][start];
    output[start] = sum * gain;
  }
}

#if defined(__x86_64__)
__attribute__((target("arch=x86-64-v3"))) static void mix_avx2(
    const float *const *inputs, const float *gains, long input_count, float gain, float *output,
    long frame_count) {
  mix(inputs, gains, input_count, gain, output, frame_count);
}
#endif

void fx_mix(
    int level, const float *const *inputs, const float *gains, long input_count, float gain,
    float *output, long frame_count) {
#if defined(__x86_64__)
  if (level > 0) {
    mix_avx2(inputs, gains, input_count, gain, output, frame_count);
    return;
  }
#else
  (void)level;
#endif
  mix(inputs, gains, input_count, gain, output, frame_count);
}
