// Render thread.
//
// The clipper, and the soft curve if requested, is the mean of its curve over the straight line
// between two samples, from differences of the curve's antiderivative: J. D. Parker, V. Zavalishin
// and E. Le Bivic, "Reducing the aliasing of nonlinear waveshaping using continuous-time
// convolution", DAFx-16.
#include "shaper.h"

#pragma STDC FP_CONTRACT OFF

#define INLINE static inline __attribute__((always_inline))
#define CHUNK 64
#define ROOT(x) __builtin_elementwise_sqrt(x)

INLINE float hypotenuse(float x) { return ROOT(1.0f + x * x); }
INLINE float soft(float x) { return x / hypotenuse(x); }

// The mean of the soft curve from one sample to the next, without a difference of two large
// numbers: its antiderivative is the hypotenuse.
INLINE float soft_mean(float x, float before) {
  return (x + before) / (hypotenuse(x) + hypotenuse(before));
}

// The soft curve around a bias of 0.3, scaled to a slope of 1 there.
#define BIAS 0.3f
#define BIASED 0.28734788f
#define UNBIASED 1.13799340947125f
INLINE float tube(float x) { return (soft(x + BIAS) - BIASED) * UNBIASED; }

INLINE float transistor(float x) {
  float square = x * x;
  return x / ROOT(ROOT(1.0f + square * square));
}

// sin(x): the turn is reduced to -1/4...1/4, then Taylor's series to the eleventh power.
INLINE float fold(float x) {
  float turns = 0.15915494309189535f * x;
  float whole = (turns + 12582912.0f) - 12582912.0f;
  float turn = turns - whole;
  float half = turn < 0 ? -0.5f : 0.5f;
  turn = __builtin_fabsf(turn) > 0.25f ? half - turn : turn;
  float angle = 6.283185307179586f * turn;
  float square = angle * angle;
  float sum = -2.505210838544172e-8f;
  sum = sum * square + 2.7557319223985893e-6f;
  sum = sum * square - 1.984126984126984e-4f;
  sum = sum * square + 8.333333333333333e-3f;
  sum = sum * square - 0.16666666666666666f;
  return angle + angle * square * sum;
}

#define EACH(CURVE) for (long i = 0; i < count; i++) samples[i] = CURVE(samples[i])

INLINE void shape_mean(float bias, float zero, float slope, float *last, float *restrict samples,
                       long count) {
  for (long start = 0; start < count; start += CHUNK) {
    long end = count - start < CHUNK ? count - start : CHUNK;
    float *chunk = samples + start;
    float x[CHUNK + 1];
    x[0] = *last + bias;
    for (long i = 0; i < end; i++) x[i + 1] = chunk[i] + bias;
    *last = chunk[end - 1];
    for (long i = 0; i < end; i++) chunk[i] = (soft_mean(x[i + 1], x[i]) - zero) * slope;
  }
}

INLINE void shape(int curve, float *last, float *restrict samples, long count) {
  if (last && curve == FX_CURVE_SOFT) return shape_mean(0, 0, 1, last, samples, count);
  if (last && curve == FX_CURVE_TUBE)
    return shape_mean(BIAS, BIASED, UNBIASED, last, samples, count);
  switch (curve) {
  case FX_CURVE_TUBE: EACH(tube); break;
  case FX_CURVE_TRANSISTOR: EACH(transistor); break;
  case FX_CURVE_FOLD: EACH(fold); break;
  default: EACH(soft); break;
  }
}

// The part of the knee below a level, and then the curve itself.
INLINE double bent(double level, double low, double width) {
  double above = level - low;
  above = above > 0 ? above : 0;
  return above < width ? above : width;
}

INLINE double clipped(double x, double low, double high, double width, double square) {
  double level = __builtin_fabs(x), part = bent(level, low, width);
  double value = (level < high ? level : high) - part * part * square;
  return x < 0 ? -value : value;
}

INLINE void clip(float knee, float *last, float *restrict samples, long count) {
  const double low = 1.0 - knee, high = 1.0 + knee, width = 2.0 * knee;
  const double cube = knee > 0 ? 1 / (12.0 * knee) : 0, square = knee > 0 ? 1 / (4.0 * knee) : 0;
  if (!last) {
    for (long i = 0; i < count; i++)
      samples[i] = (float)clipped(samples[i], low, high, width, square);
    return;
  }
  for (long start = 0; start < count; start += CHUNK) {
    long end = count - start < CHUNK ? count - start : CHUNK;
    float *chunk = samples + start;
    double x[CHUNK + 1], area[CHUNK + 1];
    x[0] = *last;
    for (long i = 0; i < end; i++) x[i + 1] = chunk[i];
    *last = chunk[end - 1];
    for (long i = 0; i <= end; i++) {
      double level = __builtin_fabs(x[i]), part = bent(level, low, width);
      double inner = level < high ? level : high;
      double over = level - high;
      area[i] = 0.5 * inner * inner - part * part * part * cube + (over > 0 ? over : 0);
    }
    for (long i = 0; i < end; i++) {
      double step = x[i + 1] - x[i];
      double value = clipped(0.5 * (x[i + 1] + x[i]), low, high, width, square);
      int moves = __builtin_fabs(step) > 1e-5;
      double mean = (area[i + 1] - area[i]) / (moves ? step : 1);
      chunk[i] = (float)(moves ? mean : value);
    }
  }
}

#if defined(__x86_64__)
#define AVX2 __attribute__((target("arch=x86-64-v3")))
AVX2 static void shape_avx2(int curve, float *last, float *samples, long count) {
  shape(curve, last, samples, count);
}
AVX2 static void clip_avx2(float knee, float *last, float *samples, long count) {
  clip(knee, last, samples, count);
}
#endif

void fx_shape(int level, int curve, float *last, float *samples, long count) {
#if defined(__x86_64__)
  if (level > 0) return shape_avx2(curve, last, samples, count);
#else
  (void)level;
#endif
  shape(curve, last, samples, count);
}

void fx_clip(int level, float knee, float *last, float *samples, long count) {
#if defined(__x86_64__)
  if (level > 0) return clip_avx2(knee, last, samples, count);
#else
  (void)level;
#endif
  clip(knee, last, samples, count);
}

// The output of a tube stage after the coupling capacitor, for the next stage.
INLINE double coupled(double x, double *held, double share) {
  double y = x - *held;
  *held += share * y;
  return y;
}

// Parts without memory are computed for many samples at once, between the parts with memory.
#define STAGE_CHUNK 512

// A Butterworth low-pass of second order, of gain c[0] (1 + z⁻¹)² / (1 + c[1] z⁻¹ + c[2] z⁻²).
INLINE double low_passed(double x, double *held, const double *c) {
  double y = c[0] * x + held[0];
  held[0] = 2 * c[0] * x - c[1] * y + held[1];
  held[1] = c[0] * x - c[2] * y;
  return y;
}

INLINE void tubes(float *last, float *restrict x, long count, int is_band_limited) {
  if (is_band_limited) return shape_mean(BIAS, BIASED, UNBIASED, last, x, count);
  for (long i = 0; i < count; i++) x[i] = tube(x[i]);
}

INLINE void amplify(
    const fx_amplifier *amplifier, fx_amplifier_state *state, double power, double sag,
    float *restrict samples, long count, int is_band_limited, int is_load_bounded) {
  const double *b = amplifier->stack.b, *a = amplifier->stack.a, *low = amplifier->lowPass;
  const double coupling = amplifier->coupling;
  const double attack = amplifier->attack, release = amplifier->release;
  const float give = (float)sag;
  float loads[STAGE_CHUNK];
  fx_amplifier_state s = *state;
  for (long start = 0; start < count; start += STAGE_CHUNK) {
    long end = count - start < STAGE_CHUNK ? count - start : STAGE_CHUNK;
    float *x = samples + start;
    tubes(&s.lasts[0], x, end, is_band_limited);
    // Each stage inverts the wave, so that the second one bends its other side.
    for (long i = 0; i < end; i++) {
      double first = -4 * coupled(x[i], &s.couplings[0], coupling);
      x[i] = (float)(is_band_limited ? low_passed(first, s.lowPasses, low) : first);
    }
    tubes(&s.lasts[1], x, end, is_band_limited);
    for (long i = 0; i < end; i++) {
      double second = coupled(-x[i], &s.couplings[1], coupling);
      if (is_band_limited) second = low_passed(second, s.lowPasses + 2, low);
      double toned = b[0] * second + s.stack[0];
      s.stack[0] = b[1] * second - a[1] * toned + s.stack[1];
      s.stack[1] = b[2] * second - a[2] * toned + s.stack[2];
      s.stack[2] = b[3] * second - a[3] * toned;
      double driven = power * toned;
      double magnitude = __builtin_fabs(is_load_bounded ? soft((float)driven) : driven);
      s.load += (magnitude > s.load ? attack : release) * (magnitude - s.load);
      x[i] = (float)driven;
      loads[i] = (float)s.load;
    }
    if (is_band_limited) {
      for (long i = 0; i < end; i++) x[i] *= 1 + give * loads[i];
      shape_mean(0, 0, 1, &s.lasts[2], x, end);
      for (long i = 0; i < end; i++) x[i] /= 1 + give * loads[i];
      continue;
    }
    for (long i = 0; i < end; i++) {
      float weakness = 1 + give * loads[i];
      x[i] = soft(x[i] * weakness) / weakness;
    }
  }
  *state = s;
}

// A low-pass between the curves goes with a bounded load.
INLINE void amplify_either(
    const fx_amplifier *amplifier, fx_amplifier_state *state, double power, double sag,
    float *samples, long count) {
  if (amplifier->isBandLimited) amplify(amplifier, state, power, sag, samples, count, 1, 1);
  else if (amplifier->isLoadBounded) amplify(amplifier, state, power, sag, samples, count, 0, 1);
  else amplify(amplifier, state, power, sag, samples, count, 0, 0);
}

#if defined(__x86_64__)
AVX2 static void amplify_avx2(
    const fx_amplifier *amplifier, fx_amplifier_state *state, double power, double sag,
    float *samples, long count) {
  amplify_either(amplifier, state, power, sag, samples, count);
}
#endif

void fx_amplify(
    int level, const fx_amplifier *amplifier, fx_amplifier_state *state, double power, double sag,
    float *samples, long count) {
#if defined(__x86_64__)
  if (level > 0) return amplify_avx2(amplifier, state, power, sag, samples, count);
#else
  (void)level;
#endif
  amplify_either(amplifier, state, power, sag, samples, count);
}
