// Render thread. One step of filter b at frame t, the trapezoidal state variable filter in state
// space form (see FilterSection.swift):
//
//     e   = a * (x - s2) - c * s1
//     y   = d * x + (p * s1 + q * s2)
//     s2 += 2 * s1 + e
//     s1 += e
//
// The lanes of the vectors are skewed in time: while filter b works on frame t, filter b + 1 works
// on frame t - 1. So all filters of a pass run at once, and each uses the output of its predecessor
// from the previous step. At both ends of a block, lanes whose frame lies outside keep their
// states, so the edges of blocks do not change the result.
//
// Filters of several units may share a pass. A unit ends with a vector. The next unit receives its
// output in single precision, as in a pass of its own.
#include "filter_vectors.h"

#include <string.h>

#define CHUNK 64

// The arguments of a pass.
struct pass {
  const double *coefficients;
  double *states;
  long count;
  // Each of the first `joints` vectors ends a unit, whose last two samples are stored.
  long joints;
  float *last;
  const float *left, *right;
  float *left_out, *right_out;
  long frame_count;
};

// The input of a unit, from the last vector of the unit before it.
#define DEFINE_SAMPLED(VECTOR, LANES)                                                          \
  INLINE VECTOR sampled##LANES(VECTOR y) {                                                     \
    sample2 last = {(float)y[LANES - 2], (float)y[LANES - 1]};                                 \
    last = __builtin_elementwise_abs(last) <= FX_LOUDEST_SAMPLE ? last : 0;                    \
    y[LANES - 2] = last[0];                                                                    \
    y[LANES - 1] = last[1];                                                                    \
    return y;                                                                                  \
  }

DEFINE_SAMPLED(double4, 4)
DEFINE_SAMPLED(double8, 8)

// The steps at the start or the end of a block, when some filters have no frame. Only the vectors
// with an active filter are processed, and in those only its lanes change. Every other entry of `y`
// is a gap: without it the compiler would shift by one load across two entries, which waits until
// both have reached memory.
#define DEFINE_EDGE(VECTOR, MASK, LANES)                                                       \
  INLINE void edge##LANES(                                                                     \
      const struct pass *pass, VECTOR *y, long vector_count, long from, long to) {             \
    const long frame_count = pass->frame_count;                                                \
    const long half = LANES / 2, lag = vector_count * half - 1;                                \
    for (long t = from; t < to; t++) {                                                         \
      double l = t < frame_count ? pass->left[t] : 0;                                          \
      double r = t < frame_count ? pass->right[t] : 0;                                         \
      long top = t < lag ? t / half : vector_count - 1;                                        \
      long first = t < frame_count ? 0 : (t - frame_count + 1) / half;                         \
      for (long j = top; j >= first; j--) {                                                    \
        const double *row = pass->coefficients + LANES * j;                                    \
        double *state = pass->states + LANES * j;                                              \
        VECTOR before = j > 0 ? y[2 * j - 2] : FEED##LANES(l, r);                              \
        if (j > 0 && j <= pass->joints) before = sampled##LANES(before);                       \
        VECTOR x = SHIFTED##LANES(before, y[2 * j]);                                           \
        VECTOR s1 = LOAD(VECTOR, state), s2 = LOAD(VECTOR, state + ROW);                       \
        VECTOR e = LOAD(VECTOR, row) * (x - s2) - LOAD(VECTOR, row + ROW) * s1;                \
        y[2 * j] = LOAD(VECTOR, row + 2 * ROW) * x +                                           \
                   (LOAD(VECTOR, row + 3 * ROW) * s1 + LOAD(VECTOR, row + 4 * ROW) * s2);      \
        VECTOR frame = (VECTOR)((double)(t - half * j)) - BANDS##LANES;                        \
        MASK inside = (frame >= 0) & (frame < (VECTOR)((double)frame_count));                  \
        s2 = inside ? (s2 + (s1 + s1)) + e : s2;                                               \
        s1 = inside ? s1 + e : s1;                                                             \
        __builtin_memcpy(state, &s1, sizeof(VECTOR));                                          \
        __builtin_memcpy(state + ROW, &s2, sizeof(VECTOR));                                    \
        if (j < pass->joints && t == frame_count + half * (j + 1) - 2) {                       \
          pass->last[2 * j] = (float)y[2 * j][LANES - 2];                                      \
          pass->last[2 * j + 1] = (float)y[2 * j][LANES - 1];                                  \
        }                                                                                      \
      }                                                                                        \
      if (t >= lag) {                                                                          \
        pass->left_out[t - lag] = (float)y[2 * vector_count - 2][LANES - 2];                   \
        pass->right_out[t - lag] = (float)y[2 * vector_count - 2][LANES - 1];                  \
      }                                                                                        \
    }                                                                                          \
  }

DEFINE_EDGE(double4, mask4, 4)
DEFINE_EDGE(double8, mask8, 8)

// Twice s1 is exact, so one rounding gives the bits of two.
#define ADD_TWICE(s2, s1) ((s2) + ((s1) + (s1)))
#define FUSED_ADD_TWICE(s2, s1) __builtin_elementwise_fma(s1, (__typeof__(s1))(2.0), s2)

// A whole block; between its edges everything stays in registers.
#define DEFINE_PASS(NAME, VECTOR, LANES, COUNT, JOINTS, ADD)                                   \
  INLINE void NAME##LANES##_##COUNT(const struct pass *pass) {                                 \
    const double *coefficients = pass->coefficients;                                           \
    double *states = pass->states;                                                             \
    const float *left = pass->left, *right = pass->right;                                      \
    float *left_out = pass->left_out, *right_out = pass->right_out;                            \
    const long frame_count = pass->frame_count, lag = COUNT * LANES / 2 - 1;                   \
    VECTOR edge[2 * COUNT] = {0};                                                              \
    edge##LANES(pass, edge, COUNT, 0, lag);                                                    \
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
        y[j] = edge[2 * j];                                                                    \
      }                                                                                        \
      for (long t = lag; t < frame_count; t++) {                                               \
        VECTOR x[COUNT];                                                                       \
        x[0] = SHIFTED##LANES(FEED##LANES(left[t], right[t]), y[0]);                           \
        UNROLLED for (int j = 1; j < COUNT; j++) {                                             \
          VECTOR before = j > JOINTS ? y[j - 1] : sampled##LANES(y[j - 1]);                    \
          x[j] = SHIFTED##LANES(before, y[j]);                                                 \
        }                                                                                      \
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
        edge[2 * j] = y[j];                                                                    \
        __builtin_memcpy(states + LANES * j, &s1[j], sizeof(VECTOR));                          \
        __builtin_memcpy(states + ROW + LANES * j, &s2[j], sizeof(VECTOR));                    \
      }                                                                                        \
    }                                                                                          \
    edge##LANES(pass, edge, COUNT, frame_count > lag ? frame_count : lag, frame_count + lag);  \
  }

#define DEFINE_PASSES(KIND, ADD)                                                               \
  DEFINE_PASS(KIND, double4, 4, 1, 0, ADD)                                                     \
  DEFINE_PASS(KIND, double4, 4, 2, 0, ADD)                                                     \
  DEFINE_PASS(KIND, double4, 4, 3, 0, ADD)                                                     \
  DEFINE_PASS(KIND, double4, 4, 4, 0, ADD)                                                     \
  DEFINE_PASS(KIND, double4, 4, 5, 0, ADD)                                                     \
  DEFINE_PASS(KIND, double4, 4, 6, 0, ADD)                                                     \
  DEFINE_PASS(KIND##_pair, double4, 4, 2, 1, ADD)                                              \
  DEFINE_PASS(KIND##_pair, double4, 4, 3, 1, ADD)                                              \
  DEFINE_PASS(KIND##_pair, double4, 4, 4, 1, ADD)                                              \
  DEFINE_PASS(KIND##_pair, double4, 4, 5, 1, ADD)                                              \
  DEFINE_PASS(KIND##_pair, double4, 4, 6, 1, ADD)                                              \
  DEFINE_PASS(KIND##_each, double4, 4, 3, 2, ADD)                                              \
  DEFINE_PASS(KIND##_each, double4, 4, 4, 3, ADD)                                              \
  DEFINE_PASS(KIND##_each, double4, 4, 5, 4, ADD)                                              \
  DEFINE_PASS(KIND##_each, double4, 4, 6, 5, ADD)

#define BY_COUNT(ONE, TWO, MORE)                                                               \
  switch ((pass->count + 1) / 2) {                                                             \
  case 1: ONE##4_1(pass); break;                                                               \
  case 2: TWO##4_2(pass); break;                                                               \
  case 3: MORE##4_3(pass); break;                                                              \
  case 4: MORE##4_4(pass); break;                                                              \
  case 5: MORE##4_5(pass); break;                                                              \
  default: MORE##4_6(pass); break;                                                             \
  }

// A single unit; a unit of at most two filters before another one; or units of at most two filters.
#define BY_JOINTS(KIND)                                                                        \
  if (pass->joints == 0) {                                                                     \
    BY_COUNT(KIND, KIND, KIND)                                                                 \
  } else if (pass->joints == 1) {                                                              \
    BY_COUNT(KIND, KIND##_pair, KIND##_pair)                                                   \
  } else {                                                                                     \
    BY_COUNT(KIND, KIND##_pair, KIND##_each)                                                   \
  }

DEFINE_PASSES(plain, ADD_TWICE)

static void pass_baseline(const struct pass *pass) { BY_JOINTS(plain) }

#if defined(__x86_64__)
DEFINE_PASSES(fused, FUSED_ADD_TWICE)
DEFINE_PASS(fused, double8, 8, 2, 0, FUSED_ADD_TWICE)
DEFINE_PASS(fused, double8, 8, 3, 0, FUSED_ADD_TWICE)

__attribute__((target("arch=x86-64-v3"))) static void pass_avx2(const struct pass *pass) {
  // With more vectors, no register is left for the constant 2.
  if (pass->count <= 8) {
    BY_JOINTS(fused)
  } else {
    BY_JOINTS(plain)
  }
}

__attribute__((target("arch=x86-64-v4"))) static void pass_avx512(const struct pass *pass) {
  BY_JOINTS(fused)
}

__attribute__((target("arch=x86-64-v4"), min_vector_width(512))) static void pass_wide(
    const struct pass *pass) {
  if (pass->count <= 4 || pass->joints != 0) {
    BY_JOINTS(fused)
  } else if (pass->count <= 8) {
    fused8_2(pass);
  } else {
    fused8_3(pass);
  }
}
#endif

static void run(int level, const struct pass *pass) {
#if defined(__x86_64__)
  if (level == 3) return pass_wide(pass);
  if (level == 2) return pass_avx512(pass);
  if (level == 1) return pass_avx2(pass);
#else
  (void)level;
#endif
  pass_baseline(pass);
}

// Returns 0 when a sample must not be processed as it is.
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

// Runs a pass. A sample that is NaN, or too loud, counts as silence.
static void run_heard(int level, struct pass *pass) {
  if (is_sound(level, pass->left, pass->right, pass->frame_count)) {
    run(level, pass);
    return;
  }
  for (long rest = pass->frame_count; rest > 0; rest -= CHUNK) {
    float left[CHUNK], right[CHUNK];
    struct pass piece = *pass;
    piece.frame_count = rest < CHUNK ? rest : CHUNK;
    for (long t = 0; t < piece.frame_count; t++) {
      left[t] = heard(pass->left[t]);
      right[t] = heard(pass->right[t]);
    }
    piece.left = left;
    piece.right = right;
    run(level, &piece);
    pass->left += CHUNK;
    pass->right += CHUNK;
    pass->left_out += CHUNK;
    pass->right_out += CHUNK;
  }
}

void fx_filter_pass(
    int level, const double *coefficients, double *states, long count, const float *left,
    const float *right, float *left_out, float *right_out, long frame_count) {
  if (frame_count <= 0) return;
  struct pass pass = {
      coefficients, states, count, 0, 0, left, right, left_out, right_out, frame_count};
  run_heard(level, &pass);
}

void fx_filter_pass_joined(
    int level, const fx_filter_unit *units, long unit_count, const float *left,
    const float *right, float *left_out, float *right_out, long frame_count) {
  if (frame_count <= 0) return;
  double coefficients[5 * ROW] = {0}, states[2 * ROW] = {0};
  float last[ROW];
  struct pass pass = {
      coefficients, states, 0, 0, last, left, right, left_out, right_out, frame_count};
  for (long lane = 0; lane < ROW; lane++) coefficients[2 * ROW + lane] = 1;
  for (const fx_filter_unit *unit = units; unit < units + unit_count; unit++) {
    const size_t size = 2 * sizeof(double) * unit->count;
    for (long row = 0; row < 5 * ROW; row += ROW)
      memcpy(coefficients + row + 2 * pass.count, unit->coefficients + row, size);
    for (long row = 0; row < 2 * ROW; row += ROW)
      memcpy(states + row + 2 * pass.count, unit->states + row, size);
    pass.count += (unit->count + 1) & ~1l;
  }
  pass.joints = unit_count - 1;
  run_heard(level, &pass);
  long first = 0;
  for (const fx_filter_unit *unit = units; unit < units + unit_count; unit++) {
    const size_t size = 2 * sizeof(double) * unit->count;
    for (long row = 0; row < 2 * ROW; row += ROW)
      memcpy(unit->states + row, states + row + 2 * first, size);
    first += (unit->count + 1) & ~1l;
    if (unit < units + unit_count - 1) memcpy(unit->last, last + first - 2, sizeof(float[2]));
  }
}
