// Render thread. Plain loops over independent numbers, so that every vector width gives the same
// bits; products and sums are never fused.
//
// Source: the self-sorting algorithm of T. G. Stockham, in the form of C. Van Loan, "Computational
// Frameworks for the Fast Fourier Transform", SIAM (1992), section 1.7.
#include "fft.h"

#pragma STDC FP_CONTRACT OFF

#define INLINE static inline __attribute__((always_inline))
#define VECTORS _Pragma("clang loop vectorize(enable) interleave(enable)")

// Computes four numbers of the next step from four numbers of one group.
#define BUTTERFLY(AT0, AT1, AT2, AT3, TO0, TO1, TO2, TO3, W1R, W1I, W2R, W2I, W3R, W3I) \
  do {                                                                                  \
    float ar = real[AT0], ai = imaginary[AT0], br = real[AT1], bi = imaginary[AT1];     \
    float cr = real[AT2], ci = imaginary[AT2], dr = real[AT3], di = imaginary[AT3];     \
    float sr = ar + cr, si = ai + ci, tr = ar - cr, ti = ai - ci;                       \
    float ur = br + dr, ui = bi + di, vr = bi - di, vi = dr - br;                       \
    float er = tr + vr, ei = ti + vi;                                                   \
    float fr = sr - ur, fi = si - ui;                                                   \
    float gr = tr - vr, gi = ti - vi;                                                   \
    real_out[TO0] = sr + ur;                                                            \
    imaginary_out[TO0] = si + ui;                                                       \
    real_out[TO1] = er * W1R - ei * W1I;                                                \
    imaginary_out[TO1] = er * W1I + ei * W1R;                                           \
    real_out[TO2] = fr * W2R - fi * W2I;                                                \
    imaginary_out[TO2] = fr * W2I + fi * W2R;                                           \
    real_out[TO3] = gr * W3R - gi * W3I;                                                \
    imaginary_out[TO3] = gr * W3I + gi * W3R;                                           \
  } while (0)

INLINE void radix4_first(
    long count, const float *restrict w, const float *restrict real,
    const float *restrict imaginary, float *restrict real_out, float *restrict imaginary_out) {
  VECTORS for (long p = 0; p < count; p++) {
    BUTTERFLY(
        p, p + count, p + 2 * count, p + 3 * count, 4 * p, 4 * p + 1, 4 * p + 2, 4 * p + 3, w[p],
        w[count + p], w[2 * count + p], w[3 * count + p], w[4 * count + p], w[5 * count + p]);
  }
}

INLINE void radix4_by(
    long count, long stride, const float *restrict w, const float *restrict real,
    const float *restrict imaginary, float *restrict real_out, float *restrict imaginary_out) {
  for (long p = 0; p < count; p++) {
    float w1r = w[p], w1i = w[count + p], w2r = w[2 * count + p], w2i = w[3 * count + p];
    float w3r = w[4 * count + p], w3i = w[5 * count + p];
    long from = stride * p, quarter = stride * count, to = 4 * stride * p;
    VECTORS for (long q = 0; q < stride; q++) {
      BUTTERFLY(
          from + q, from + quarter + q, from + 2 * quarter + q, from + 3 * quarter + q, to + q,
          to + stride + q, to + 2 * stride + q, to + 3 * stride + q, w1r, w1i, w2r, w2i, w3r, w3i);
    }
  }
}

INLINE void radix4(
    long count, long stride, const float *w, const float *real, const float *imaginary,
    float *real_out, float *imaginary_out) {
  if (stride == 1) {
    radix4_first(count, w, real, imaginary, real_out, imaginary_out);
  } else if (stride == 4) {
    radix4_by(count, 4, w, real, imaginary, real_out, imaginary_out);
  } else {
    radix4_by(count, stride, w, real, imaginary, real_out, imaginary_out);
  }
}

INLINE void radix2(
    long stride, const float *restrict real, const float *restrict imaginary,
    float *restrict real_out, float *restrict imaginary_out) {
  VECTORS for (long q = 0; q < stride; q++) {
    float ar = real[q], ai = imaginary[q], br = real[q + stride], bi = imaginary[q + stride];
    real_out[q] = ar + br;
    imaginary_out[q] = ai + bi;
    real_out[q + stride] = ar - br;
    imaginary_out[q + stride] = ai - bi;
  }
}

// Bin k and its mirror image are processed together:
//
//     even = Z[k] + conj Z[n - k]     odd = -i * (Z[k] - conj Z[n - k])
//     X[k] = (even + w * odd) / 2     X[n - k] = conj (even - w * odd) / 2
//     w = exp(-i * pi * k / n)
// `low` and `high` are the same arrays: `low` points to the first number, `high` to one after the
// last.
INLINE void split_halves(
    long count, float sign, float factor, const float *restrict cosines,
    const float *restrict sines, float *restrict low_real, float *restrict low_imaginary,
    float *restrict high_real, float *restrict high_imaginary) {
  VECTORS for (long k = 1; k < count / 2; k++) {
    float er = low_real[k] + high_real[-k], ei = low_imaginary[k] - high_imaginary[-k];
    float dr = low_real[k] - high_real[-k], di = low_imaginary[k] + high_imaginary[-k];
    float c = cosines[k], s = sign * sines[k];
    // -i times the difference; i times the difference for the inverse.
    float turned_r = sign * di, turned_i = -sign * dr;
    float wr = c * turned_r + s * turned_i, wi = c * turned_i - s * turned_r;
    low_real[k] = factor * (er + wr);
    low_imaginary[k] = factor * (ei + wi);
    high_real[-k] = factor * (er - wr);
    high_imaginary[-k] = factor * (wi - ei);
  }
}

INLINE void split(
    long count, float sign, float factor, const float *w, float *real, float *imaginary) {
  split_halves(
      count, sign, factor, w, w + count / 2, real, imaginary, real + count, imaginary + count);
  // The bin in the middle is its own mirror image.
  real[count / 2] *= 2 * factor;
  imaginary[count / 2] *= -2 * factor;
}

#if defined(__x86_64__)
#define AVX2 __attribute__((target("arch=x86-64-v3")))
AVX2 static void radix4_avx2(
    long count, long stride, const float *w, const float *real, const float *imaginary,
    float *real_out, float *imaginary_out) {
  radix4(count, stride, w, real, imaginary, real_out, imaginary_out);
}
AVX2 static void radix2_avx2(
    long stride, const float *real, const float *imaginary, float *real_out,
    float *imaginary_out) {
  radix2(stride, real, imaginary, real_out, imaginary_out);
}
AVX2 static void split_avx2(
    long count, float sign, float factor, const float *w, float *real, float *imaginary) {
  split(count, sign, factor, w, real, imaginary);
}
#define ON_AVX2(CALL)  \
  if (level > 0) {     \
    CALL;              \
    return;            \
  }
#else
#define ON_AVX2(CALL) (void)level;
#endif

void fx_fft_radix4(
    int level, long count, long stride, const float *twiddles, const float *real,
    const float *imaginary, float *real_out, float *imaginary_out) {
  ON_AVX2(radix4_avx2(count, stride, twiddles, real, imaginary, real_out, imaginary_out))
  radix4(count, stride, twiddles, real, imaginary, real_out, imaginary_out);
}

void fx_fft_radix2(
    int level, long stride, const float *real, const float *imaginary, float *real_out,
    float *imaginary_out) {
  ON_AVX2(radix2_avx2(stride, real, imaginary, real_out, imaginary_out))
  radix2(stride, real, imaginary, real_out, imaginary_out);
}

void fx_fft_split(
    int level, long count, int is_inverse, const float *twiddles, float *real, float *imaginary) {
  float sign = is_inverse ? -1 : 1, factor = is_inverse ? 1 : 0.5f;
  ON_AVX2(split_avx2(count, sign, factor, twiddles, real, imaginary))
  split(count, sign, factor, twiddles, real, imaginary);
}
