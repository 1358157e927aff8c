// Which vectors the kernels of this library use.
#pragma once

/// The fastest vectors of this processor: 0 those that every one has, 1 AVX2, 2 AVX-512 with vectors
/// of 256 bits, 3 with vectors of 512. The environment's FXRUN_CPU (`baseline`, `avx2`, `avx512`: 0,
/// 1, 3) keeps to no more than these.
__attribute__((swift_attr("@_noLocks"))) static inline int fx_vector_level(void) {
  extern int fx_level_of_this_processor;
  return fx_level_of_this_processor;
}
