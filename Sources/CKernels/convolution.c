// Render thread. Plain loops over independent numbers, so that every vector width gives the same
// bits; products and sums are never fused.
#include "convolution.h"

#pragma STDC FP_CONTRACT OFF

#define INLINE static inline __attribute__((always_inline))

// COUNT sums stay in registers.
#define DEFINE_DIRECT(COUNT)                                                           \
  INLINE void direct_##COUNT(                                                          \
      const float *restrict taps, long tap_count, const float *restrict newest,        \
      float *restrict output) {                                                        \
    float sum[COUNT] = {0};                                                            \
    for (long tap = 0; tap < tap_count; tap++) {                                       \
      for (int k = 0; k < COUNT; k++) sum[k] += taps[tap] * newest[k - tap];           \
    }                                                                                  \
    for (int k = 0; k < COUNT; k++) output[k] = sum[k];                                \
  }

DEFINE_DIRECT(32)
DEFINE_DIRECT(8)
DEFINE_DIRECT(1)

INLINE void direct(
    const float *taps, long tap_count, const float *newest, float *output, long frame_count) {
  long at = 0;
  for (; at + 32 <= frame_count; at += 32) direct_32(taps, tap_count, newest + at, output + at);
  for (; at + 8 <= frame_count; at += 8) {
    direct_8(taps, tap_count, newest + at, output + at);
  }
  for (; at < frame_count; at++) direct_1(taps, tap_count, newest + at, output + at);
}

#define DEFINE_PRODUCTS(COUNT)                                                          \
  INLINE void products_##COUNT(                                                         \
      long bin_count, long first, long end, const float *restrict spectra, long newest, \
      long ring_count, const float *restrict responses, float *restrict sum) {          \
    float re[COUNT], im[COUNT];                                                         \
    for (int k = 0; k < COUNT; k++) re[k] = sum[k];                                     \
    for (int k = 0; k < COUNT; k++) im[k] = sum[bin_count + k];                         \
    for (long p = first; p < end; p++) {                                                \
      long place = newest >= p ? newest - p : newest - p + ring_count;                  \
      const float *s = spectra + 2 * bin_count * place;                                 \
      const float *r = responses + 2 * bin_count * p;                                   \
      for (int k = 0; k < COUNT; k++) {                                                 \
        float sr = s[k], si = s[bin_count + k], rr = r[k], ri = r[bin_count + k];       \
        re[k] += sr * rr - si * ri;                                                     \
        im[k] += sr * ri + si * rr;                                                     \
      }                                                                                 \
    }                                                                                   \
    for (int k = 0; k < COUNT; k++) sum[k] = re[k];                                     \
    for (int k = 0; k < COUNT; k++) sum[bin_count + k] = im[k];                         \
  }

DEFINE_PRODUCTS(32)
DEFINE_PRODUCTS(1)

INLINE void products(
    long bin_count, long first, long end, const float *spectra, long newest, long ring_count,
    const float *responses, float *sum) {
  long bin = 0;
  for (; bin + 32 <= bin_count; bin += 32) {
    products_32(
        bin_count, first, end, spectra + bin, newest, ring_count, responses + bin, sum + bin);
  }
  for (; bin < bin_count; bin++) {
    products_1(
        bin_count, first, end, spectra + bin, newest, ring_count, responses + bin, sum + bin);
  }
}

INLINE void deinterleave(
    const float *restrict both, float *restrict evens, float *restrict odds, long count) {
  for (long k = 0; k < count; k++) {
    evens[k] = both[2 * k];
    odds[k] = both[2 * k + 1];
  }
}

INLINE void interleave(
    const float *restrict evens, const float *restrict odds, float scale, float *restrict both,
    long count) {
  for (long k = 0; k < count; k++) {
    both[2 * k] = scale * evens[k];
    both[2 * k + 1] = scale * odds[k];
  }
}

#if defined(__x86_64__)
#define AVX2 __attribute__((target("arch=x86-64-v3")))
AVX2 static void direct_avx2(
    const float *taps, long tap_count, const float *newest, float *output, long frame_count) {
  direct(taps, tap_count, newest, output, frame_count);
}
AVX2 static void products_avx2(
    long bin_count, long first, long end, const float *spectra, long newest, long ring_count,
    const float *responses, float *sum) {
  products(bin_count, first, end, spectra, newest, ring_count, responses, sum);
}
AVX2 static void deinterleave_avx2(const float *both, float *evens, float *odds, long count) {
  deinterleave(both, evens, odds, count);
}
AVX2 static void interleave_avx2(
    const float *evens, const float *odds, float scale, float *both, long count) {
  interleave(evens, odds, scale, both, count);
}
#define ON_AVX2(CALL) \
  if (level > 0) {    \
    CALL;             \
    return;           \
  }
#else
#define ON_AVX2(CALL) (void)level;
#endif

void fx_convolve_directly(
    int level, const float *taps, long tap_count, const float *newest, float *output,
    long frame_count) {
  ON_AVX2(direct_avx2(taps, tap_count, newest, output, frame_count))
  direct(taps, tap_count, newest, output, frame_count);
}

void fx_add_products(
    int level, long bin_count, long first, long end, const float *spectra, long newest,
    long ring_count, const float *responses, float *sum) {
  ON_AVX2(products_avx2(
      bin_count, first, end, spectra, newest, ring_count, responses, sum))
  products(bin_count, first, end, spectra, newest, ring_count, responses, sum);
}

void fx_deinterleave(int level, const float *both, float *evens, float *odds, long count) {
  ON_AVX2(deinterleave_avx2(both, evens, odds, count))
  deinterleave(both, evens, odds, count);
}

void fx_interleave(
    int level, const float *evens, const float *odds, float scale, float *both, long count) {
  ON_AVX2(interleave_avx2(evens, odds, scale, both, count))
  interleave(evens, odds, scale, both, count);
}
