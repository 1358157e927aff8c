// Render thread. One step of filter b at frame t, the trapezoidal state variable filter in state
// space form (see FilterSection.swift):
//
//     e   = a * (x - s2) - c * s1
//     y   = d * x + (p * s1 + q * s2)
//     s2 += 2 * s1 + e
//     s1 += e
//
// The lanes of the vectors are skewed in time: while filter b works on frame t, filter b + 1 works
// on frame t - 1, so all filters of a pass run at once and each takes what its predecessor gave one
// step before. At both ends of a block the lanes whose frame lies outside are held still, which
// makes a block's edges invisible in the result.
#include "filters.h"

#include <stdint.h>

#pragma STDC FP_CONTRACT OFF
#pragma clang diagnostic ignored "-Wpsabi"

#define INLINE static inline __attribute__((always_inline))
#define UNROLLED _Pragma("clang loop unroll(full)")
#define ROW (2 * FX_FILTERS_PER_PASS)

typedef double double4 __attribute__((ext_vector_type(4)));
typedef double double8 __attribute__((ext_vector_type(8)));
typedef int64_t mask4 __attribute__((ext_vector_type(4)));
typedef int64_t mask8 __attribute__((ext_vector_type(8)));

// What a vector of filters hears: the first filter the end of the vector before, each other one its
// neighbour, all one step ago.
#define SHIFTED4(before, own) __builtin_shufflevector(before, own, 2, 3, 4, 5)
#define SHIFTED8(before, own) __builtin_shufflevector(before, own, 6, 7, 8, 9, 10, 11, 12, 13)
#define FEED4(l, r) ((double4){0, 0, l, r})
#define FEED8(l, r) ((double8){0, 0, 0, 0, 0, 0, l, r})
#define BANDS4(j) ((mask4){2 * (j), 2 * (j), 2 * (j) + 1, 2 * (j) + 1})
#define BANDS8(j)                                                                              \
  ((mask8){4 * (j), 4 * (j), 4 * (j) + 1, 4 * (j) + 1, 4 * (j) + 2, 4 * (j) + 2, 4 * (j) + 3, \
           4 * (j) + 3})

// Moves every vector on by one step. `HELD` lanes keep their state.
#define STEP(VECTOR, MASK, LANES, COUNT, L, R, KEEP)                                           \
  {                                                                                            \
    VECTOR x[COUNT];                                                                           \
    x[0] = SHIFTED##LANES(FEED##LANES(L, R), y[0]);                                            \
    UNROLLED for (int j = 1; j < COUNT; j++) x[j] = SHIFTED##LANES(y[j - 1], y[j]);            \
    UNROLLED for (int j = 0; j < COUNT; j++) {                                                 \
      VECTOR e = a[j] * (x[j] - s2[j]) - c[j] * s1[j];                                         \
      y[j] = d[j] * x[j] + (p[j] * s1[j] + q[j] * s2[j]);                                      \
      VECTOR n2 = (s2[j] + (s1[j] + s1[j])) + e, n1 = s1[j] + e;                               \
      s1[j] = KEEP(n1, s1[j]);                                                                 \
      s2[j] = KEEP(n2, s2[j]);                                                                 \
    }                                                                                          \
  }
#define ALL(new, old) new
#define INSIDE(new, old) (inside[j] ? new : old)

#define EDGE_STEP(VECTOR, MASK, LANES, COUNT, L, R)                                            \
  {                                                                                            \
    MASK inside[COUNT];                                                                        \
    UNROLLED for (int j = 0; j < COUNT; j++) {                                                 \
      MASK frame = (MASK)(t) - BANDS##LANES(j);                                                \
      inside[j] = (frame >= 0) & (frame < (MASK)(frame_count));                                \
    }                                                                                          \
    STEP(VECTOR, MASK, LANES, COUNT, L, R, INSIDE)                                             \
  }

#define DEFINE_PASS(VECTOR, MASK, LANES, COUNT)                                                \
  INLINE void pass##LANES##_##COUNT(                                                           \
      const double *coefficients, double *states, const float *left, const float *right,      \
      float *left_out, float *right_out, long frame_count) {                                   \
    VECTOR a[COUNT], c[COUNT], d[COUNT], p[COUNT], q[COUNT], s1[COUNT], s2[COUNT], y[COUNT];   \
    UNROLLED for (int j = 0; j < COUNT; j++) {                                                 \
      __builtin_memcpy(&a[j], coefficients + 0 * ROW + LANES * j, sizeof(VECTOR));             \
      __builtin_memcpy(&c[j], coefficients + 1 * ROW + LANES * j, sizeof(VECTOR));             \
      __builtin_memcpy(&d[j], coefficients + 2 * ROW + LANES * j, sizeof(VECTOR));             \
      __builtin_memcpy(&p[j], coefficients + 3 * ROW + LANES * j, sizeof(VECTOR));             \
      __builtin_memcpy(&q[j], coefficients + 4 * ROW + LANES * j, sizeof(VECTOR));             \
      __builtin_memcpy(&s1[j], states + LANES * j, sizeof(VECTOR));                            \
      __builtin_memcpy(&s2[j], states + ROW + LANES * j, sizeof(VECTOR));                      \
      y[j] = 0;                                                                                \
    }                                                                                          \
    const long lag = COUNT * LANES / 2 - 1;                                                    \
    long t = 0;                                                                                \
    for (; t < lag; t++) {                                                                     \
      double l = t < frame_count ? left[t] : 0, r = t < frame_count ? right[t] : 0;            \
      EDGE_STEP(VECTOR, MASK, LANES, COUNT, l, r)                                              \
    }                                                                                          \
    for (; t < frame_count; t++) {                                                             \
      STEP(VECTOR, MASK, LANES, COUNT, (double)left[t], (double)right[t], ALL)                 \
      left_out[t - lag] = (float)y[COUNT - 1][LANES - 2];                                      \
      right_out[t - lag] = (float)y[COUNT - 1][LANES - 1];                                     \
    }                                                                                          \
    for (; t < frame_count + lag; t++) {                                                       \
      EDGE_STEP(VECTOR, MASK, LANES, COUNT, 0.0, 0.0)                                          \
      left_out[t - lag] = (float)y[COUNT - 1][LANES - 2];                                      \
      right_out[t - lag] = (float)y[COUNT - 1][LANES - 1];                                     \
    }                                                                                          \
    UNROLLED for (int j = 0; j < COUNT; j++) {                                                 \
      __builtin_memcpy(states + LANES * j, &s1[j], sizeof(VECTOR));                            \
      __builtin_memcpy(states + ROW + LANES * j, &s2[j], sizeof(VECTOR));                      \
    }                                                                                          \
  }

DEFINE_PASS(double4, mask4, 4, 1)
DEFINE_PASS(double4, mask4, 4, 2)
DEFINE_PASS(double4, mask4, 4, 3)
DEFINE_PASS(double4, mask4, 4, 4)
DEFINE_PASS(double4, mask4, 4, 5)
DEFINE_PASS(double4, mask4, 4, 6)
DEFINE_PASS(double8, mask8, 8, 2)
DEFINE_PASS(double8, mask8, 8, 3)

#define PARAMETERS                                                                             \
  const double *coefficients, double *states, long count, const float *left,                  \
      const float *right, float *left_out, float *right_out, long frame_count
#define ARGUMENTS coefficients, states, left, right, left_out, right_out, frame_count

INLINE void pass_by_two(PARAMETERS) {
  switch ((count + 1) / 2) {
  case 1: pass4_1(ARGUMENTS); break;
  case 2: pass4_2(ARGUMENTS); break;
  case 3: pass4_3(ARGUMENTS); break;
  case 4: pass4_4(ARGUMENTS); break;
  case 5: pass4_5(ARGUMENTS); break;
  default: pass4_6(ARGUMENTS); break;
  }
}

static void pass_baseline(PARAMETERS) {
  pass_by_two(coefficients, states, count, left, right, left_out, right_out, frame_count);
}

#if defined(__x86_64__)
__attribute__((target("arch=x86-64-v3"))) static void pass_avx2(PARAMETERS) {
  pass_by_two(coefficients, states, count, left, right, left_out, right_out, frame_count);
}

__attribute__((target("arch=x86-64-v4"))) static void pass_avx512(PARAMETERS) {
  switch ((count + 3) / 4) {
  case 1:
    if (count <= 2) pass4_1(ARGUMENTS); else pass4_2(ARGUMENTS);
    break;
  case 2: pass8_2(ARGUMENTS); break;
  default: pass8_3(ARGUMENTS); break;
  }
}
#endif

int fx_vector_level(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("x86-64-v4")) return 2;
  if (__builtin_cpu_supports("x86-64-v3")) return 1;
#endif
  return 0;
}

void fx_filter_pass(
    int level, const double *coefficients, double *states, long count, const float *left,
    const float *right, float *left_out, float *right_out, long frame_count) {
  if (frame_count <= 0) return;
#if defined(__x86_64__)
  if (level == 2) {
    pass_avx512(coefficients, states, count, left, right, left_out, right_out, frame_count);
    return;
  }
  if (level == 1) {
    pass_avx2(coefficients, states, count, left, right, left_out, right_out, frame_count);
    return;
  }
#else
  (void)level;
#endif
  pass_baseline(coefficients, states, count, left, right, left_out, right_out, frame_count);
}
