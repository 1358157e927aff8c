// Loads, stores and transposes vectors of floats for kernels.
#pragma once

#include <string.h>

#pragma STDC FP_CONTRACT OFF
// Everything is inlined, so how a vector would be passed does not matter.
#pragma clang diagnostic ignored "-Wpsabi"

#define INLINE static inline __attribute__((always_inline))
#define UNROLLED _Pragma("clang loop unroll(full)")

typedef float float4 __attribute__((ext_vector_type(4)));
typedef float float8 __attribute__((ext_vector_type(8)));

INLINE float8 load(const float *from) {
  float8 vector;
  memcpy(&vector, from, sizeof vector);
  return vector;
}

INLINE void store(float8 vector, float *to) { memcpy(to, &vector, sizeof vector); }

INLINE float4 load4(const float *from) {
  float4 vector;
  memcpy(&vector, from, sizeof vector);
  return vector;
}

INLINE void store4(float4 vector, float *to) { memcpy(to, &vector, sizeof vector); }

// Transposes four rows of four numbers, in each half separately.
INLINE void transpose(float8 *a, float8 *b, float8 *c, float8 *d) {
  float8 ab = __builtin_shufflevector(*a, *b, 0, 8, 1, 9, 4, 12, 5, 13);
  float8 cd = __builtin_shufflevector(*c, *d, 0, 8, 1, 9, 4, 12, 5, 13);
  float8 AB = __builtin_shufflevector(*a, *b, 2, 10, 3, 11, 6, 14, 7, 15);
  float8 CD = __builtin_shufflevector(*c, *d, 2, 10, 3, 11, 6, 14, 7, 15);
  *a = __builtin_shufflevector(ab, cd, 0, 1, 8, 9, 4, 5, 12, 13);
  *b = __builtin_shufflevector(ab, cd, 2, 3, 10, 11, 6, 7, 14, 15);
  *c = __builtin_shufflevector(AB, CD, 0, 1, 8, 9, 4, 5, 12, 13);
  *d = __builtin_shufflevector(AB, CD, 2, 3, 10, 11, 6, 7, 14, 15);
}

// Compiles each kernel once for all processors, and once more with vectors of eight floats.
#if defined(__x86_64__)
#define LEVELS(RESULT, NAME, PARAMETERS, ...)                                                  \
  __attribute__((target("arch=x86-64-v3"))) static RESULT NAME##_avx2 PARAMETERS {             \
    return NAME(__VA_ARGS__);                                                                  \
  }                                                                                            \
  static RESULT NAME##_baseline PARAMETERS { return NAME(__VA_ARGS__); }
#define CALL(LEVEL, NAME, ...)                                                                 \
  return (LEVEL) > 0 ? NAME##_avx2(__VA_ARGS__) : NAME##_baseline(__VA_ARGS__)
#else
#define LEVELS(RESULT, NAME, PARAMETERS, ...)                                                  \
  static RESULT NAME##_baseline PARAMETERS { return NAME(__VA_ARGS__); }
#define CALL(LEVEL, NAME, ...)                                                                 \
  (void)(LEVEL);                                                                               \
  return NAME##_baseline(__VA_ARGS__)
#endif
