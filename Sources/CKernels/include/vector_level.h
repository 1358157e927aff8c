// The vectors that the kernels of this library use.
#pragma once

/// The fastest vectors of this processor: 0 for the baseline that every processor has, 1 for AVX2,
/// 2 for AVX-512 with vectors of 256 bits, 3 with vectors of 512. The environment variable
/// FXRUN_CPU (`baseline`, `avx2`, `avx512`: 0, 1, 3) limits the level.
__attribute__((swift_attr("@_noLocks"))) static inline int fx_vector_level(void) {
  extern int fx_level_of_this_processor;
  return fx_level_of_this_processor;
}
