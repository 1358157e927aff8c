// Elementary functions of single precision for one number, four and eight. Each uses the same steps
// in the same order, so a vector lane has the same bits as the scalar. Only IEEE additions,
// multiplications, divisions and square roots, never contracted, so every processor and every build
// agrees. `Math` in FxAudio gives them their Swift names and documents their errors.
#pragma once

#include "realtime.h"

#pragma STDC FP_CONTRACT OFF

typedef float fx_float4 __attribute__((ext_vector_type(4)));
typedef float fx_float8 __attribute__((ext_vector_type(8)));
typedef int32_t fx_int4 __attribute__((ext_vector_type(4)));
typedef int32_t fx_int8 __attribute__((ext_vector_type(8)));
typedef uint32_t fx_uint4 __attribute__((ext_vector_type(4)));
typedef uint32_t fx_uint8 __attribute__((ext_vector_type(8)));

#define FX_ELEMENTARY static inline __attribute__((always_inline, swift_attr("@_noLocks")))

// The constants are minimax fits: 2^f on -0.5...0.5, log2(1 + f) / f on
// sqrt(1/2) - 1...sqrt(2) - 1, and (tanh(x) / x - 1) / x^2 as a polynomial of x^2 up to x = 0.625.
//
// Adding 1.5 * 2^23 to a small number leaves its nearest integer in the low bits of the sum.
#define FX_DEFINE_ELEMENTARY(FLOAT, INT, UINT, NAME)                                           \
  FX_ELEMENTARY FLOAT fx_exp2##NAME(FLOAT x) {                                                 \
    union { FLOAT f; UINT u; } sum, scale;                                                     \
    x = x < -127.0f ? -127.0f : x;                                                             \
    x = x > 128.0f ? 128.0f : x;                                                               \
    sum.f = x + 12582912.0f;                                                                   \
    FLOAT f = x - (sum.f - 12582912.0f);                                                       \
    scale.u = (sum.u - (0x4b400000u - 127u)) << 23;                                            \
    FLOAT p = 0x1.44138ap-13f;                                                                 \
    p = p * f + 0x1.5f0890p-10f;                                                               \
    p = p * f + 0x1.3b2a54p-7f;                                                                \
    p = p * f + 0x1.c6af6cp-5f;                                                                \
    p = p * f + 0x1.ebfbe0p-3f;                                                                \
    p = p * f + 0x1.62e430p-1f;                                                                \
    return (p * f + 1.0f) * scale.f;                                                           \
  }                                                                                            \
  FX_ELEMENTARY FLOAT fx_log2##NAME(FLOAT x) {                                                 \
    union { FLOAT f; UINT u; } bits, mantissa, sum;                                            \
    bits.f = x;                                                                                \
    UINT exponent = (UINT)((INT)(bits.u - 0x3f3504f3u) >> 23);                                 \
    mantissa.u = bits.u - (exponent << 23);                                                    \
    sum.u = exponent + 0x4b400000u;                                                            \
    FLOAT f = mantissa.f - 1.0f;                                                               \
    FLOAT p = 0x1.f841dcp-4f;                                                                  \
    p = p * f - 0x1.a59aeap-3f;                                                                \
    p = p * f + 0x1.ba8738p-3f;                                                                \
    p = p * f - 0x1.e9d1e6p-3f;                                                                \
    p = p * f + 0x1.26d01cp-2f;                                                                \
    p = p * f - 0x1.715994p-2f;                                                                \
    p = p * f + 0x1.ec73dep-2f;                                                                \
    p = p * f - 0x1.715474p-1f;                                                                \
    p = p * f + 0x1.715476p+0f;                                                                \
    FLOAT y = p * f + (sum.f - 12582912.0f);                                                   \
    y = x < 0x1p-126f ? -__builtin_inff() : y;                                                 \
    return x <= 0x1.fffffep127f ? y : x;                                                       \
  }                                                                                            \
  FX_ELEMENTARY FLOAT fx_tanh##NAME(FLOAT x) {                                                 \
    FLOAT a = x < 0.0f ? -x : x;                                                               \
    FLOAT s = x * x;                                                                           \
    FLOAT p = -0x1.8f8de4p-8f;                                                                 \
    p = p * s + 0x1.58048ep-6f;                                                                \
    p = p * s - 0x1.b9258ap-5f;                                                                \
    p = p * s + 0x1.110e1cp-3f;                                                                \
    p = p * s - 0x1.555552p-2f;                                                                \
    FLOAT small = p * s * x + x;                                                               \
    FLOAT large = 1.0f - 2.0f / (fx_exp2##NAME(a * 0x1.715476p+1f) + 1.0f);                    \
    large = x < 0.0f ? -large : large;                                                         \
    return a < 0.625f ? small : large;                                                         \
  }

// The warning is about passing eight floats to a function; all functions here are inlined.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"

FX_DEFINE_ELEMENTARY(float, int32_t, uint32_t, )
FX_DEFINE_ELEMENTARY(fx_float4, fx_int4, fx_uint4, _4)
FX_DEFINE_ELEMENTARY(fx_float8, fx_int8, fx_uint8, _8)

FX_ELEMENTARY float fx_square_root(float x) { return __builtin_sqrtf(x); }
FX_ELEMENTARY double fx_square_root_double(double x) { return __builtin_sqrt(x); }
FX_ELEMENTARY fx_float4 fx_square_root_4(fx_float4 x) { return __builtin_elementwise_sqrt(x); }
FX_ELEMENTARY fx_float8 fx_square_root_8(fx_float8 x) { return __builtin_elementwise_sqrt(x); }

#pragma clang diagnostic pop
