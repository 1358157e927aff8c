// Render thread.
#include "mix.h"

#pragma STDC FP_CONTRACT OFF

#define CHUNK 32

static inline __attribute__((always_inline)) void fir(
    const float *restrict taps, long pair_count, const float *restrict input,
    float *restrict output, long frame_count) {
  const long oldest = 2 * pair_count - 1;
  long start = 0;
  for (; start + CHUNK <= frame_count; start += CHUNK) {
    float sum[CHUNK] = {0};
    for (long pair = 0; pair < pair_count; pair++) {
      const float *newer = input + start - pair, *older = input + start - oldest + pair;
      float tap = taps[pair];
      for (int k = 0; k < CHUNK; k++) sum[k] += tap * (newer[k] + older[k]);
    }
    for (int k = 0; k < CHUNK; k++) output[start + k] = sum[k];
  }
  for (; start < frame_count; start++) {
    float sum = 0;
    for (long pair = 0; pair < pair_count; pair++) {
      sum += taps[pair] * (input[start - pair] + input[start - oldest + pair]);
    }
    output[start] = sum;
  }
}

#if defined(__x86_64__)
__attribute__((target("arch=x86-64-v3"))) static void fir_avx2(
    const float *taps, long pair_count, const float *input, float *output, long frame_count) {
  fir(taps, pair_count, input, output, frame_count);
}
#endif

void fx_fir_symmetric(
    int level, const float *taps, long pair_count, const float *input, float *output,
    long frame_count) {
#if defined(__x86_64__)
  if (level > 0) {
    fir_avx2(taps, pair_count, input, output, frame_count);
    return;
  }
#else
  (void)level;
#endif
  fir(taps, pair_count, input, output, frame_count);
}
