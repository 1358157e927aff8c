// Vector operations that Swift's SIMD types compile to long sequences, but the processor has as one
// instruction. They import as SIMD2, SIMD4 and SIMD8 of Float and inline into their caller.
#pragma once

#pragma STDC FP_CONTRACT OFF

typedef float fx_f2 __attribute__((ext_vector_type(2)));
typedef float fx_f4 __attribute__((ext_vector_type(4)));
typedef float fx_f8 __attribute__((ext_vector_type(8)));
typedef double fx_d2 __attribute__((ext_vector_type(2)));

#define FX_VECTOR static inline __attribute__((always_inline, swift_attr("@_noLocks")))

FX_VECTOR fx_f4 fx_min4(fx_f4 a, fx_f4 b) { return a < b ? a : b; }
FX_VECTOR fx_f4 fx_max4(fx_f4 a, fx_f4 b) { return a > b ? a : b; }
FX_VECTOR fx_f8 fx_min8(fx_f8 a, fx_f8 b) { return a < b ? a : b; }
FX_VECTOR fx_f8 fx_max8(fx_f8 a, fx_f8 b) { return a > b ? a : b; }
FX_VECTOR fx_d2 fx_max_d2(fx_d2 a, fx_d2 b) { return a > b ? a : b; }
FX_VECTOR fx_f4 fx_abs4(fx_f4 a) { return __builtin_elementwise_abs(a); }
FX_VECTOR fx_f8 fx_abs8(fx_f8 a) { return __builtin_elementwise_abs(a); }
FX_VECTOR fx_f4 fx_sqrt4(fx_f4 a) { return __builtin_elementwise_sqrt(a); }

/// IEEE square roots: one instruction, the same bits everywhere.
FX_VECTOR float fx_sqrt(float a) { return __builtin_sqrtf(a); }
FX_VECTOR double fx_sqrt_double(double a) { return __builtin_sqrt(a); }
