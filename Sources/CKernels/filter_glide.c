// Render thread. Filters with changing coefficients (see filters.c for constant ones).
//
// While the coefficients of a filter change, its first state is kept unscaled (s1 here is that
// one's g-th part), so that each coefficient can change by itself:
//
//     e1  = b * (x - s2) - c * s1
//     e2  = a * (x - s2) + b * s1
//     y   = d * x + (p * s1 + q * s2)
//     s1 += e1
//     s2 += e2
//
// Without input, a step never lengthens the vector (s1, s2) of a filter, whatever its frequency and
// damping. So no mean of such steps does: a filter on a line between two others is stable.
#include "filter_vectors.h"

// Filters with changing coefficients, for a whole block: such blocks are pieces of sixteen frames,
// most of them edge. Vectors with constant coefficients skip the increments: adding 0 would not
// change a bit, as no coefficient is -0.
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
