// Render thread.
#include "true_peak.h"

#pragma STDC FP_CONTRACT OFF

#define WIDTH 16

/// The wave at a quarter, a half and three quarters of a frame after each of WIDTH frames.
static inline __attribute__((always_inline)) void interpolate(
    const float *restrict taps, const float *restrict input, float quarter[WIDTH],
    float half[WIDTH], float last[WIDTH]) {
  float even[WIDTH] = {0}, odd[WIDTH] = {0}, middle[WIDTH] = {0};
  for (long tap = 0; tap < FX_PEAK_TAPS; tap++) {
    const float *before = input - tap, *after = input + 1 + tap;
    float first = taps[tap], second = taps[FX_PEAK_TAPS + tap], third = taps[2 * FX_PEAK_TAPS + tap];
    for (int k = 0; k < WIDTH; k++) {
      float sum = before[k] + after[k], difference = before[k] - after[k];
      even[k] += first * sum;
      odd[k] += second * difference;
      middle[k] += third * sum;
    }
  }
  for (int k = 0; k < WIDTH; k++) {
    quarter[k] = __builtin_fabsf(even[k] + odd[k]);
    half[k] = __builtin_fabsf(middle[k]);
    last[k] = __builtin_fabsf(even[k] - odd[k]);
  }
}

static inline __attribute__((always_inline)) void peaks_of(
    const float *restrict taps, const float *restrict input, float *restrict peaks,
    long frame_count, int keeps_larger) {
  float quarter[WIDTH], half[WIDTH], last[WIDTH + 1], found[WIDTH];
  // Of these, only the wave just before the first frame is needed.
  interpolate(taps, input - 1, quarter, half, last);
  float before = last[0];
  for (long start = 0; start < frame_count; start += WIDTH) {
    const float *samples = input + start;
    interpolate(taps, samples, quarter, half, last + 1);
    last[0] = before;
    before = last[WIDTH];
    for (int k = 0; k < WIDTH; k++) {
      float left = last[k], peak = __builtin_fabsf(samples[k]), right = quarter[k];
      int later = quarter[k] > peak;
      left = later ? peak : left;
      right = later ? half[k] : right;
      peak = later ? quarter[k] : peak;
      later = half[k] > peak;
      left = later ? quarter[k] : left;
      right = later ? last[k + 1] : right;
      peak = later ? half[k] : peak;
      later = last[k + 1] > peak;
      left = later ? half[k] : left;
      right = later ? __builtin_fabsf(samples[k + 1]) : right;
      peak = later ? last[k + 1] : peak;
      float bend = 2 * peak - left - right, slope = left - right;
      float more = slope * slope / (8 * bend + 1e-30f);
      int is_peak = (peak >= left) & (peak >= right);
      found[k] = peak + (is_peak ? more : 0);
    }
    long count = frame_count - start < WIDTH ? frame_count - start : WIDTH;
    if (keeps_larger) {
      for (long k = 0; k < count; k++) {
        peaks[start + k] = found[k] > peaks[start + k] ? found[k] : peaks[start + k];
      }
    } else {
      for (long k = 0; k < count; k++) peaks[start + k] = found[k];
    }
  }
}

#if defined(__x86_64__)
__attribute__((target("arch=x86-64-v3"))) static void peaks_avx2(
    const float *taps, const float *input, float *peaks, long frame_count, int keeps_larger) {
  peaks_of(taps, input, peaks, frame_count, keeps_larger);
}
#endif

void fx_true_peaks(
    int level, const float *taps, const float *input, float *peaks, long frame_count,
    int keeps_larger) {
#if defined(__x86_64__)
  if (level > 0) {
    peaks_avx2(taps, input, peaks, frame_count, keeps_larger);
    return;
  }
#else
  (void)level;
#endif
  peaks_of(taps, input, peaks, frame_count, keeps_larger);
}
