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
//
// While the numbers of a filter move, its first state is kept unscaled (s1 here is that one's g-th
// part), so that each of them can move by itself:
//
//     e1  = b * (x - s2) - c * s1
//     e2  = a * (x - s2) + b * s1
//     y   = d * x + (p * s1 + q * s2)
//     s1 += e1
//     s2 += e2
//
// A step never lengthens the vector (s1, s2) of a filter that hears nothing, whatever its frequency
// and damping, hence no mean of such steps does: a filter on a line between two others is stable.
#include "filters.h"

#include <stdint.h>

#pragma STDC FP_CONTRACT OFF
#pragma clang diagnostic ignored "-Wpsabi"

#define INLINE static inline __attribute__((always_inline))
#define UNROLLED _Pragma("clang loop unroll(full)")
#define ROW (2 * FX_FILTERS_PER_PASS)
#define CHUNK 64

typedef double double4 __attribute__((ext_vector_type(4)));
typedef double double8 __attribute__((ext_vector_type(8)));
typedef int64_t mask4 __attribute__((ext_vector_type(4)));
typedef int64_t mask8 __attribute__((ext_vector_type(8)));

// A sample as the filters hear it: silence for what is no number or no sound, which would stay in
// their states.
INLINE float heard(float sample) {
  return __builtin_fabsf(sample) <= FX_LOUDEST_SAMPLE ? sample : 0;
}

// What a vector of filters hears: the first filter the end of the vector before, each other one its
// neighbour, all one step ago.
#define SHIFTED4(before, own) __builtin_shufflevector(before, own, 2, 3, 4, 5)
#define SHIFTED8(before, own) __builtin_shufflevector(before, own, 6, 7, 8, 9, 10, 11, 12, 13)
#define FEED4(l, r) ((double4){0, 0, l, r})
#define FEED8(l, r) ((double8){0, 0, 0, 0, 0, 0, l, r})
// The filter of each lane in the first vector.
#define BANDS4 ((double4){0, 0, 1, 1})
#define BANDS8 ((double8){0, 0, 1, 1, 2, 2, 3, 3})

#define LOAD(VECTOR, FROM)                                                                     \
  ({                                                                                           \
    VECTOR loaded;                                                                             \
    __builtin_memcpy(&loaded, FROM, sizeof(VECTOR));                                           \
    loaded;                                                                                    \
  })

// The steps at the start or the end of a block, when some filters have no frame to work on: only
// the vectors that hold one that has, and in those only its lanes. Every other entry of `y` is a
// gap: without it the compiler would shift by one load across two entries, which waits for both to
// reach memory.
#define DEFINE_EDGE(VECTOR, MASK, LANES)                                                       \
  INLINE void edge##LANES(                                                                     \
      const double *coefficients, double *states, VECTOR *y, long vector_count,                \
      const float *left, const float *right, float *left_out, float *right_out,                \
      long frame_count, long from, long to) {                                                  \
    const long half = LANES / 2, lag = vector_count * half - 1;                                \
    for (long t = from; t < to; t++) {                                                         \
      double l = t < frame_count ? left[t] : 0, r = t < frame_count ? right[t] : 0;            \
      long last = t < lag ? t / half : vector_count - 1;                                       \
      long first = t < frame_count ? 0 : (t - frame_count + 1) / half;                         \
      for (long j = last; j >= first; j--) {                                                   \
        const double *row = coefficients + LANES * j;                                          \
        double *state = states + LANES * j;                                                    \
        VECTOR before = j > 0 ? y[2 * j - 2] : FEED##LANES(l, r);                                  \
        VECTOR x = SHIFTED##LANES(before, y[2 * j]);                                               \
        VECTOR s1 = LOAD(VECTOR, state), s2 = LOAD(VECTOR, state + ROW);                       \
        VECTOR e = LOAD(VECTOR, row) * (x - s2) - LOAD(VECTOR, row + ROW) * s1;                \
        y[2 * j] = LOAD(VECTOR, row + 2 * ROW) * x +                                               \
               (LOAD(VECTOR, row + 3 * ROW) * s1 + LOAD(VECTOR, row + 4 * ROW) * s2);          \
        VECTOR frame = (VECTOR)((double)(t - half * j)) - BANDS##LANES;                        \
        MASK inside = (frame >= 0) & (frame < (VECTOR)((double)frame_count));                  \
        s2 = inside ? (s2 + (s1 + s1)) + e : s2;                                               \
        s1 = inside ? s1 + e : s1;                                                             \
        __builtin_memcpy(state, &s1, sizeof(VECTOR));                                          \
        __builtin_memcpy(state + ROW, &s2, sizeof(VECTOR));                                    \
      }                                                                                        \
      if (t >= lag) {                                                                          \
        left_out[t - lag] = (float)y[2 * vector_count - 2][LANES - 2];                             \
        right_out[t - lag] = (float)y[2 * vector_count - 2][LANES - 1];                            \
      }                                                                                        \
    }                                                                                          \
  }

DEFINE_EDGE(double4, mask4, 4)
DEFINE_EDGE(double8, mask8, 8)

// Twice s1 is exact, so one rounding gives the bits of two.
#define ADD_TWICE(s2, s1) ((s2) + ((s1) + (s1)))
#define FUSED_ADD_TWICE(s2, s1) __builtin_elementwise_fma(s1, (__typeof__(s1))(2.0), s2)

// A whole block; between its edges everything stays in registers.
#define DEFINE_PASS(KIND, VECTOR, LANES, COUNT, ADD)                                           \
  INLINE void KIND##LANES##_##COUNT(                                                           \
      const double *coefficients, double *states, const float *left, const float *right,      \
      float *left_out, float *right_out, long frame_count) {                                   \
    const long lag = COUNT * LANES / 2 - 1;                                                    \
    VECTOR edge[2 * COUNT] = {0};                                                                  \
    edge##LANES(                                                                               \
        coefficients, states, edge, COUNT, left, right, left_out, right_out, frame_count, 0,   \
        lag);                                                                                  \
    if (frame_count > lag) {                                                                   \
      VECTOR a[COUNT], c[COUNT], d[COUNT], p[COUNT], q[COUNT], s1[COUNT], s2[COUNT], y[COUNT]; \
      UNROLLED for (int j = 0; j < COUNT; j++) {                                               \
        a[j] = LOAD(VECTOR, coefficients + LANES * j);                                         \
        c[j] = LOAD(VECTOR, coefficients + 1 * ROW + LANES * j);                               \
        d[j] = LOAD(VECTOR, coefficients + 2 * ROW + LANES * j);                               \
        p[j] = LOAD(VECTOR, coefficients + 3 * ROW + LANES * j);                               \
        q[j] = LOAD(VECTOR, coefficients + 4 * ROW + LANES * j);                               \
        s1[j] = LOAD(VECTOR, states + LANES * j);                                              \
        s2[j] = LOAD(VECTOR, states + ROW + LANES * j);                                        \
        y[j] = edge[2 * j];                                                                        \
      }                                                                                        \
      for (long t = lag; t < frame_count; t++) {                                               \
        VECTOR x[COUNT];                                                                       \
        x[0] = SHIFTED##LANES(FEED##LANES(left[t], right[t]), y[0]);                           \
        UNROLLED for (int j = 1; j < COUNT; j++) x[j] = SHIFTED##LANES(y[j - 1], y[j]);        \
        UNROLLED for (int j = 0; j < COUNT; j++) {                                             \
          VECTOR e = a[j] * (x[j] - s2[j]) - c[j] * s1[j];                                     \
          y[j] = d[j] * x[j] + (p[j] * s1[j] + q[j] * s2[j]);                                  \
          s2[j] = ADD(s2[j], s1[j]) + e;                                                       \
          s1[j] = s1[j] + e;                                                                   \
        }                                                                                      \
        left_out[t - lag] = (float)y[COUNT - 1][LANES - 2];                                    \
        right_out[t - lag] = (float)y[COUNT - 1][LANES - 1];                                   \
      }                                                                                        \
      UNROLLED for (int j = 0; j < COUNT; j++) {                                               \
        edge[2 * j] = y[j];                                                                        \
        __builtin_memcpy(states + LANES * j, &s1[j], sizeof(VECTOR));                          \
        __builtin_memcpy(states + ROW + LANES * j, &s2[j], sizeof(VECTOR));                    \
      }                                                                                        \
    }                                                                                          \
    edge##LANES(                                                                               \
        coefficients, states, edge, COUNT, left, right, left_out, right_out, frame_count,      \
        frame_count > lag ? frame_count : lag, frame_count + lag);                             \
  }

#define DEFINE_PASSES(KIND, ADD)                                                               \
  DEFINE_PASS(KIND, double4, 4, 1, ADD)                                                        \
  DEFINE_PASS(KIND, double4, 4, 2, ADD)                                                        \
  DEFINE_PASS(KIND, double4, 4, 3, ADD)                                                        \
  DEFINE_PASS(KIND, double4, 4, 4, ADD)                                                        \
  DEFINE_PASS(KIND, double4, 4, 5, ADD)                                                        \
  DEFINE_PASS(KIND, double4, 4, 6, ADD)

// Filters on the move, all of a block: such blocks are pieces of sixteen frames, most of them edge.
// Adding steps of 0 would not change a bit, as no number is -0, so vectors that stand still do not.
#define DEFINE_GLIDE(VECTOR, MASK, LANES)                                                      \
  INLINE void glide##LANES(                                                                    \
      const double *coefficients, double *states, long vector_count, const float *left,        \
      const float *right, float *left_out, float *right_out, long frame_count,                 \
      long position) {                                                                         \
    const long half = LANES / 2, lag = vector_count * half - 1;                                \
    VECTOR y[2 * ROW / LANES] = {0};                                                           \
    int moves[ROW / LANES];                                                                    \
    for (long j = 0; j < vector_count; j++) {                                                  \
      MASK any = {0};                                                                          \
      for (int number = 6; number < 12; number++)                                              \
        any |= LOAD(VECTOR, coefficients + number * ROW + LANES * j) != 0;                     \
      moves[j] = __builtin_reduce_or(any) != 0;                                                \
    }                                                                                          \
    for (long t = 0; t < frame_count + lag; t++) {                                             \
      double l = t < frame_count ? heard(left[t]) : 0;                                         \
      double r = t < frame_count ? heard(right[t]) : 0;                                        \
      long last = t < lag ? t / half : vector_count - 1;                                       \
      long first = t < frame_count ? 0 : (t - frame_count + 1) / half;                         \
      for (long j = last; j >= first; j--) {                                                   \
        const double *row = coefficients + LANES * j;                                          \
        double *state = states + LANES * j;                                                    \
        VECTOR frame = (VECTOR)((double)(t - half * j)) - BANDS##LANES;                        \
        VECTOR moved = frame + (VECTOR)((double)position);                                     \
        VECTOR before = j > 0 ? y[2 * j - 2] : FEED##LANES(l, r);                              \
        VECTOR x = SHIFTED##LANES(before, y[2 * j]);                                           \
        VECTOR s1 = LOAD(VECTOR, state), s2 = LOAD(VECTOR, state + ROW);                       \
        VECTOR a = LOAD(VECTOR, row), b = LOAD(VECTOR, row + ROW);                             \
        VECTOR c = LOAD(VECTOR, row + 2 * ROW), d = LOAD(VECTOR, row + 3 * ROW);               \
        VECTOR p = LOAD(VECTOR, row + 4 * ROW), q = LOAD(VECTOR, row + 5 * ROW);               \
        if (moves[j]) {                                                                        \
          const double *step = row + 6 * ROW;                                                  \
          a += moved * LOAD(VECTOR, step);                                                     \
          b += moved * LOAD(VECTOR, step + ROW);                                               \
          c += moved * LOAD(VECTOR, step + 2 * ROW);                                           \
          d += moved * LOAD(VECTOR, step + 3 * ROW);                                           \
          p += moved * LOAD(VECTOR, step + 4 * ROW);                                           \
          q += moved * LOAD(VECTOR, step + 5 * ROW);                                           \
        }                                                                                      \
        VECTOR u = x - s2;                                                                     \
        VECTOR e1 = b * u - c * s1;                                                            \
        VECTOR e2 = a * u + b * s1;                                                            \
        y[2 * j] = d * x + (p * s1 + q * s2);                                                  \
        MASK inside = (frame >= 0) & (frame < (VECTOR)((double)frame_count));                  \
        s1 = inside ? s1 + e1 : s1;                                                            \
        s2 = inside ? s2 + e2 : s2;                                                            \
        __builtin_memcpy(state, &s1, sizeof(VECTOR));                                          \
        __builtin_memcpy(state + ROW, &s2, sizeof(VECTOR));                                    \
      }                                                                                        \
      if (t >= lag) {                                                                          \
        left_out[t - lag] = (float)y[2 * vector_count - 2][LANES - 2];                         \
        right_out[t - lag] = (float)y[2 * vector_count - 2][LANES - 1];                        \
      }                                                                                        \
    }                                                                                          \
  }

DEFINE_GLIDE(double4, mask4, 4)
DEFINE_GLIDE(double8, mask8, 8)

#define PARAMETERS                                                                             \
  const double *coefficients, double *states, long count, const float *left,                  \
      const float *right, float *left_out, float *right_out, long frame_count
#define ARGUMENTS coefficients, states, left, right, left_out, right_out, frame_count

#define BY_TWO(KIND)                                                                           \
  switch ((count + 1) / 2) {                                                                   \
  case 1: KIND##4_1(ARGUMENTS); break;                                                         \
  case 2: KIND##4_2(ARGUMENTS); break;                                                         \
  case 3: KIND##4_3(ARGUMENTS); break;                                                         \
  case 4: KIND##4_4(ARGUMENTS); break;                                                         \
  case 5: KIND##4_5(ARGUMENTS); break;                                                         \
  default: KIND##4_6(ARGUMENTS); break;                                                        \
  }

DEFINE_PASSES(plain, ADD_TWICE)

static void pass_baseline(PARAMETERS) { BY_TWO(plain) }

#if defined(__x86_64__)
DEFINE_PASSES(fused, FUSED_ADD_TWICE)
DEFINE_PASS(fused, double8, 8, 2, FUSED_ADD_TWICE)
DEFINE_PASS(fused, double8, 8, 3, FUSED_ADD_TWICE)

__attribute__((target("arch=x86-64-v3"))) static void pass_avx2(PARAMETERS) {
  // More vectors leave no register for the 2.
  if (count <= 8) {
    BY_TWO(fused)
  } else {
    BY_TWO(plain)
  }
}

__attribute__((target("arch=x86-64-v4"))) static void pass_avx512(PARAMETERS) { BY_TWO(fused) }

__attribute__((target("arch=x86-64-v4"), min_vector_width(512))) static void pass_wide(PARAMETERS) {
  if (count <= 4) {
    BY_TWO(fused)
  } else if (count <= 8) {
    fused8_2(ARGUMENTS);
  } else {
    fused8_3(ARGUMENTS);
  }
}
#endif

#define GLIDE_PARAMETERS                                                                       \
  const double *coefficients, double *states, long count, const float *left,                   \
      const float *right, float *left_out, float *right_out, long frame_count, long position
#define GLIDE_ARGUMENTS(VECTORS)                                                               \
  coefficients, states, VECTORS, left, right, left_out, right_out, frame_count, position

static void glide_baseline(GLIDE_PARAMETERS) { glide4(GLIDE_ARGUMENTS((count + 1) / 2)); }

#if defined(__x86_64__)
__attribute__((target("arch=x86-64-v3"))) static void glide_avx2(GLIDE_PARAMETERS) {
  glide4(GLIDE_ARGUMENTS((count + 1) / 2));
}

__attribute__((target("arch=x86-64-v4"))) static void glide_avx512(GLIDE_PARAMETERS) {
  glide4(GLIDE_ARGUMENTS((count + 1) / 2));
}

__attribute__((target("arch=x86-64-v4"), min_vector_width(512))) static void glide_wide(
    GLIDE_PARAMETERS) {
  if (count <= 4) glide4(GLIDE_ARGUMENTS((count + 1) / 2));
  else glide8(GLIDE_ARGUMENTS((count + 3) / 4));
}
#endif

static void pass(int level, PARAMETERS) {
#if defined(__x86_64__)
  if (level == 3) {
    pass_wide(coefficients, states, count, left, right, left_out, right_out, frame_count);
    return;
  }
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

// 0 when a sample is not to be heard as it is.
INLINE int sound(const float *samples, long frame_count) {
  int32_t loudest = 0;
  float limit = FX_LOUDEST_SAMPLE;
  __builtin_memcpy(&loudest, &limit, sizeof loudest);
  int32_t louder = 0;
  for (long t = 0; t < frame_count; t++) {
    int32_t bits;
    __builtin_memcpy(&bits, samples + t, sizeof bits);
    louder |= (bits & 0x7fffffff) > loudest;
  }
  return !louder;
}

static int sound_baseline(const float *left, const float *right, long frame_count) {
  return sound(left, frame_count) && (right == left || sound(right, frame_count));
}

#if defined(__x86_64__)
__attribute__((target("arch=x86-64-v3"))) static int sound_avx2(
    const float *left, const float *right, long frame_count) {
  return sound(left, frame_count) && (right == left || sound(right, frame_count));
}
#endif

static int is_sound(int level, const float *left, const float *right, long frame_count) {
#if defined(__x86_64__)
  if (level > 0) return sound_avx2(left, right, frame_count);
#else
  (void)level;
#endif
  return sound_baseline(left, right, frame_count);
}

void fx_filter_pass(
    int level, const double *coefficients, double *states, long count, const float *left,
    const float *right, float *left_out, float *right_out, long frame_count) {
  if (frame_count <= 0) return;
  if (is_sound(level, left, right, frame_count)) {
    pass(level, coefficients, states, count, left, right, left_out, right_out, frame_count);
    return;
  }
  for (long start = 0; start < frame_count; start += CHUNK) {
    float heard_left[CHUNK], heard_right[CHUNK];
    long rest = frame_count - start, length = rest < CHUNK ? rest : CHUNK;
    for (long t = 0; t < length; t++) {
      heard_left[t] = heard(left[start + t]);
      heard_right[t] = heard(right[start + t]);
    }
    pass(
        level, coefficients, states, count, heard_left, heard_right, left_out + start,
        right_out + start, length);
  }
}

void fx_filter_glide(
    int level, const double *coefficients, double *states, long count, const float *left,
    const float *right, float *left_out, float *right_out, long frame_count, long position) {
  if (frame_count <= 0) return;
#if defined(__x86_64__)
  if (level == 3) {
    glide_wide(GLIDE_ARGUMENTS(count));
    return;
  }
  if (level == 2) {
    glide_avx512(GLIDE_ARGUMENTS(count));
    return;
  }
  if (level == 1) {
    glide_avx2(GLIDE_ARGUMENTS(count));
    return;
  }
#else
  (void)level;
#endif
  glide_baseline(GLIDE_ARGUMENTS(count));
}
