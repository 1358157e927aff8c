// Render thread.
#include "dynamics.h"

#include <math.h>

#include "elementary.h"
#include "filters.h"
#include "lanes.h"

typedef double double4 __attribute__((ext_vector_type(4)));

INLINE double4 load_doubles(const double *from) {
  double4 vector;
  memcpy(&vector, from, sizeof vector);
  return vector;
}

INLINE float8 least8(float8 a, float8 b) { return a < b ? a : b; }

INLINE int are_all_one(const float *values, long count) {
  int differ = 0;
  for (long i = 0; i < count; i++) differ |= values[i] != 1;
  return !differ;
}

INLINE void needed_gains(const float *ceilings, float share, float *peaks, long count) {
  for (long i = 0; i < count; i++) {
    float peak = peaks[i], ceiling = ceilings[i] * share, needed = ceiling / peak;
    peaks[i] = peak > ceiling ? needed : 1;
  }
}

INLINE void apply_limit(const float *gains, const float *ceilings, float *samples, long count) {
  for (long i = 0; i < count; i++) {
    float ceiling = ceilings[i], product = samples[i] * gains[i];
    float sample = fabsf(product) <= FX_LOUDEST_SAMPLE ? product : 0;
    float upper = sample < ceiling ? sample : ceiling;
    samples[i] = upper > -ceiling ? upper : -ceiling;
  }
}

INLINE float least_of(const float *values, float least, long count) {
  long i = 0;
  float8 lanes = least;
  for (; i + 8 <= count; i += 8) lanes = least8(load(values + i), lanes);
  for (int lane = 0; lane < 8; lane++) least = lanes[lane] < least ? lanes[lane] : least;
  for (; i < count; i++) least = values[i] < least ? values[i] : least;
  return least;
}

// The value that is shifted into a vector where nothing is known yet.
#define NONE ((float8)INFINITY)

INLINE void scan_minimum(
    const float *previous, float *current, float *minimum, float *values, long count) {
  float least = *minimum;
  long i = 0;
  for (; i + 8 <= count; i += 8) {
    float8 x = load(values + i);
    store(x, current + i);
    x = least8(x, __builtin_shufflevector(x, NONE, 8, 0, 1, 2, 3, 4, 5, 6));
    x = least8(x, __builtin_shufflevector(x, NONE, 8, 8, 0, 1, 2, 3, 4, 5));
    x = least8(x, __builtin_shufflevector(x, NONE, 8, 8, 8, 8, 0, 1, 2, 3));
    x = least8(x, least);
    least = x[7];
    store(least8(x, load(previous + i)), values + i);
  }
  for (; i < count; i++) {
    float value = values[i];
    current[i] = value;
    least = value < least ? value : least;
    values[i] = least < previous[i] ? least : previous[i];
  }
  *minimum = least;
}

INLINE void least_to_end(const float *values, float *least, long count) {
  float found = INFINITY;
  long i = count;
  for (; i >= 8; i -= 8) {
    float8 x = load(values + i - 8);
    x = least8(x, __builtin_shufflevector(x, NONE, 1, 2, 3, 4, 5, 6, 7, 8));
    x = least8(x, __builtin_shufflevector(x, NONE, 2, 3, 4, 5, 6, 7, 8, 8));
    x = least8(x, __builtin_shufflevector(x, NONE, 4, 5, 6, 7, 8, 8, 8, 8));
    x = least8(x, found);
    found = x[0];
    store(x, least + i - 8);
  }
  for (; i > 0; i--) {
    found = values[i - 1] < found ? values[i - 1] : found;
    least[i - 1] = found;
  }
}

// A value as steps of 2^-26, rounded down: adding 1.5 * 2^52 rounds to a whole number.
#define STEPS(VALUE) (((VALUE) * 67108864.0 - 0.5 + 6755399441055744.0) - 6755399441055744.0)

// The sum of each lane and all lanes before it.
INLINE double4 summed(double4 x) {
  x += __builtin_shufflevector(x, (double4){0}, 4, 0, 1, 2);
  return x + __builtin_shufflevector(x, (double4){0}, 4, 4, 0, 1);
}

INLINE void smooth_twice(
    const double *values, double *first, double *second, double *sums, double scale, float *output,
    long count) {
  double one = sums[0], two = sums[1];
  long i = 0;
  for (; i + 4 <= count; i += 4) {
    double4 value = STEPS(load_doubles(values + i));
    double4 inner = summed(value - load_doubles(first + i)) + one;
    memcpy(first + i, &value, sizeof value);
    double4 outer = summed(inner - load_doubles(second + i)) + two;
    memcpy(second + i, &inner, sizeof inner);
    one = inner[3];
    two = outer[3];
    outer *= scale;
    for (int lane = 0; lane < 4; lane++) output[i + lane] = (float)outer[lane];
  }
  for (; i < count; i++) {
    double value = STEPS(values[i]);
    one += value - first[i];
    first[i] = value;
    two += one - second[i];
    second[i] = one;
    output[i] = (float)(two * scale);
  }
  sums[0] = one;
  sums[1] = two;
}

INLINE float reduction(const fx_curve *curve, float level) {
  float over = level - curve->threshold, sum = over + curve->half_knee;
  float into_knee = sum > 0 ? sum : 0;
  float curved = curve->knee_factor * into_knee * into_knee, straight = curve->slope * over;
  return over > curve->half_knee ? straight : curved;
}

INLINE void reduce(const fx_curve *curve, int are_powers, float *levels, long count) {
  const fx_curve own = *curve;
  if (are_powers) {
    for (long i = 0; i < count; i++) {
      float level = levels[i] > 1e-18f ? levels[i] : 1e-18f;
      levels[i] = reduction(&own, 0.5f * fx_log2(level < 1e18f ? level : 1e18f));
    }
  } else {
    for (long i = 0; i < count; i++) {
      float level = levels[i] > 1e-9f ? levels[i] : 1e-9f;
      levels[i] = reduction(&own, fx_log2(level < 1e9f ? level : 1e9f));
    }
  }
}

INLINE void gains_of_reductions(float makeup, float *reductions, long count) {
  if (makeup == 1) {
    for (long i = 0; i < count; i++) reductions[i] = fx_exp2(-reductions[i]);
  } else {
    for (long i = 0; i < count; i++) reductions[i] = fx_exp2(-reductions[i]) * makeup;
  }
}

INLINE void magnitudes(const float *samples, int keeps_larger, float *levels, long count) {
  if (keeps_larger) {
    for (long i = 0; i < count; i++) {
      float magnitude = fabsf(samples[i]), level = levels[i];
      levels[i] = magnitude > level ? magnitude : level;
    }
  } else {
    for (long i = 0; i < count; i++) {
      float magnitude = fabsf(samples[i]);
      levels[i] = magnitude > 0 ? magnitude : 0;
    }
  }
}

LEVELS(int, are_all_one, (const float *values, long count), values, count)
int fx_are_all_one(int level, const float *values, long count) {
  CALL(level, are_all_one, values, count);
}

LEVELS(
    void, needed_gains, (const float *ceilings, float share, float *peaks, long count), ceilings,
    share, peaks, count)
void fx_needed_gains(int level, const float *ceilings, float share, float *peaks, long count) {
  CALL(level, needed_gains, ceilings, share, peaks, count);
}

LEVELS(
    void, apply_limit, (const float *gains, const float *ceilings, float *samples, long count),
    gains, ceilings, samples, count)
void fx_apply_limit(
    int level, const float *gains, const float *ceilings, float *samples, long count) {
  CALL(level, apply_limit, gains, ceilings, samples, count);
}

LEVELS(float, least_of, (const float *values, float least, long count), values, least, count)
float fx_least(int level, const float *values, float least, long count) {
  CALL(level, least_of, values, least, count);
}

LEVELS(
    void, scan_minimum,
    (const float *previous, float *current, float *minimum, float *values, long count), previous,
    current, minimum, values, count)
void fx_scan_minimum(
    int level, const float *previous, float *current, float *minimum, float *values, long count) {
  CALL(level, scan_minimum, previous, current, minimum, values, count);
}

LEVELS(void, least_to_end, (const float *values, float *least, long count), values, least, count)
void fx_least_to_end(int level, const float *values, float *least, long count) {
  CALL(level, least_to_end, values, least, count);
}

LEVELS(
    void, smooth_twice,
    (const double *values, double *first, double *second, double *sums, double scale,
     float *output, long count),
    values, first, second, sums, scale, output, count)
void fx_smooth_twice(
    int level, const double *values, double *first, double *second, double *sums, double scale,
    float *output, long count) {
  CALL(level, smooth_twice, values, first, second, sums, scale, output, count);
}

LEVELS(
    void, reduce, (const fx_curve *curve, int are_powers, float *levels, long count), curve,
    are_powers, levels, count)
void fx_reduce(int level, const fx_curve *curve, int are_powers, float *levels, long count) {
  CALL(level, reduce, curve, are_powers, levels, count);
}

LEVELS(
    void, gains_of_reductions, (float makeup, float *reductions, long count), makeup, reductions,
    count)
void fx_gains_of_reductions(int level, float makeup, float *reductions, long count) {
  CALL(level, gains_of_reductions, makeup, reductions, count);
}

LEVELS(
    void, magnitudes, (const float *samples, int keeps_larger, float *levels, long count), samples,
    keeps_larger, levels, count)
void fx_magnitudes(
    int level, const float *samples, int keeps_larger, float *levels, long count) {
  CALL(level, magnitudes, samples, keeps_larger, levels, count);
}
