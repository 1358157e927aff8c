// Shared by the filter kernels: vectors of several filters, two channels each.
#pragma once

#include "filters.h"

#include <stdint.h>

#pragma STDC FP_CONTRACT OFF
#pragma clang diagnostic ignored "-Wpsabi"

#define INLINE static inline __attribute__((always_inline))
#define UNROLLED _Pragma("clang loop unroll(full)")
#define ROW (2 * FX_FILTERS_PER_PASS)

typedef double double4 __attribute__((ext_vector_type(4)));
typedef double double8 __attribute__((ext_vector_type(8)));
typedef float sample2 __attribute__((ext_vector_type(2)));
typedef int64_t mask4 __attribute__((ext_vector_type(4)));
typedef int64_t mask8 __attribute__((ext_vector_type(8)));

// A sample as the filters process it. NaN and samples that are too loud become silence: they would
// stay in the states.
INLINE float heard(float sample) {
  return __builtin_fabsf(sample) <= FX_LOUDEST_SAMPLE ? sample : 0;
}

// The input of a vector of filters: for the first filter the end of the previous vector, for each
// other filter its neighbour, all from one step ago.
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
