#include "vector_level.h"

#include <stdlib.h>
#include <string.h>

int fx_level_of_this_processor;

#if defined(__x86_64__)
// FXRUN_CPU selects narrower vectors than the processor has: for valgrind, and for comparisons. Zen
// 4 processes 512 bits in two halves, so only the larger number of registers helps there.
__attribute__((constructor)) static void find_vector_level(void) {
  const char *widest = getenv("FXRUN_CPU");
  if (widest && strcmp(widest, "baseline") == 0) return;
  int is_avx2 = widest && strcmp(widest, "avx2") == 0;
  int is_avx512 = widest && strcmp(widest, "avx512") == 0;
  __builtin_cpu_init();
  if (__builtin_cpu_supports("x86-64-v4") && !is_avx2)
    fx_level_of_this_processor = __builtin_cpu_is("amdfam19h") && !is_avx512 ? 2 : 3;
  else if (__builtin_cpu_supports("x86-64-v3")) fx_level_of_this_processor = 1;
}
#endif
