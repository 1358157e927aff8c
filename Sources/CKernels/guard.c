// Render thread.
#include "guard.h"

#include <stdint.h>
#include <string.h>

static inline __attribute__((always_inline)) uint32_t bits_of(float sample) {
  uint32_t bits;
  memcpy(&bits, &sample, sizeof bits);
  return bits;
}

// The sign bit is the result: a float is finite unless all bits of its exponent are ones, and then
// adding one carries into the sign.
static inline __attribute__((always_inline)) uint32_t mark(float sample) {
  return (bits_of(sample) & 0x7fffffffu) + 0x00800000u;
}

typedef float float4 __attribute__((ext_vector_type(4)));
typedef float float8 __attribute__((ext_vector_type(8)));

// Zero times a finite number is zero, and the sum stays zero. Zero times anything else is NaN, and
// the sum stays NaN. Four sums, so that no step waits for the previous one.
#define DEFINE_IS_FINITE(NAME, VECTOR, WIDTH, ATTRIBUTES)                                      \
  ATTRIBUTES static int NAME(                                                                  \
      float *const *channels, long channel_count, long frame_count) {                          \
    VECTOR sums[4] = {0};                                                                      \
    uint32_t rest = 0;                                                                         \
    long whole = frame_count & -(4 * WIDTH);                                                   \
    for (long channel = 0; channel < channel_count; channel++) {                               \
      const float *samples = channels[channel];                                                \
      long frame = 0;                                                                          \
      _Pragma("clang loop unroll(disable)")                                                    \
      for (; frame < whole; frame += 4 * WIDTH) {                                              \
        VECTOR part[4];                                                                        \
        memcpy(part, samples + frame, sizeof part);                                            \
        for (int k = 0; k < 4; k++) sums[k] += part[k] * (VECTOR)0.0f;                         \
      }                                                                                        \
      if (whole == frame_count) continue;                                                      \
      for (; frame + WIDTH <= frame_count; frame += WIDTH) {                                   \
        VECTOR part;                                                                           \
        memcpy(&part, samples + frame, sizeof part);                                           \
        sums[0] += part * (VECTOR)0.0f;                                                        \
      }                                                                                        \
      _Pragma("clang loop vectorize(disable) unroll(disable)")                                 \
      for (; frame < frame_count; frame++) rest |= mark(samples[frame]);                       \
    }                                                                                          \
    VECTOR sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);                                    \
    return (__builtin_reduce_or(sum != sum) == 0) & (rest >> 31 == 0);                         \
  }

DEFINE_IS_FINITE(is_finite_baseline, float4, 4, )
#if defined(__x86_64__)
// Multiplications may be fused here: these sums are not part of the signal.
#pragma clang fp contract(fast)
DEFINE_IS_FINITE(is_finite_avx2, float8, 8, __attribute__((target("arch=x86-64-v3"))))
#endif

int fx_is_finite(int level, float *const *channels, long channel_count, long frame_count) {
#if defined(__x86_64__)
  if (level >= 1) return is_finite_avx2(channels, channel_count, frame_count);
#else
  (void)level;
#endif
  return is_finite_baseline(channels, channel_count, frame_count);
}

long fx_first_not_finite(
    float *const *channels, long channel_count, long frame_count, int *is_infinite) {
  long first = frame_count;
  for (long channel = 0; channel < channel_count; channel++) {
    for (long frame = 0; frame < first; frame++) {
      if (mark(channels[channel][frame]) >> 31 == 0) continue;
      first = frame;
      *is_infinite = (bits_of(channels[channel][frame]) & 0x007fffffu) == 0;
    }
  }
  return first;
}

long fx_clear_not_finite(float *const *channels, long channel_count, long frame_count) {
  long count = 0;
  for (long channel = 0; channel < channel_count; channel++) {
    for (long frame = 0; frame < frame_count; frame++) {
      if (mark(channels[channel][frame]) >> 31 == 0) continue;
      channels[channel][frame] = 0;
      count++;
    }
  }
  return count;
}

int fx_is_silent(const float *samples, long count) {
  uint32_t zero = count > 0 ? bits_of(samples[0]) : 0;
  if ((zero & 0x7fffffffu) != 0) return 0;
  long frame = 0;
  for (; frame + 64 <= count; frame += 64) {
    uint32_t differing = 0;
    for (long k = 0; k < 64; k++) differing |= bits_of(samples[frame + k]) ^ zero;
    if (differing != 0) return 0;
  }
  uint32_t differing = 0;
  for (; frame < count; frame++) differing |= bits_of(samples[frame]) ^ zero;
  return differing == 0;
}
