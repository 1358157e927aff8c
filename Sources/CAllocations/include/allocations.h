#ifndef FX_ALLOCATIONS_H
#define FX_ALLOCATIONS_H

#include <stdbool.h>
#include <stdint.h>

/// True where this program's calls of malloc and free can be counted: not under a sanitizer, which replaces
/// them itself.
bool fx_counts_allocations(void);

/// Counts the calls of this thread from now on.
void fx_begin_counting_allocations(void);

/// The calls of malloc, calloc, realloc, aligned_alloc, posix_memalign and free since then.
int64_t fx_end_counting_allocations(void);

#endif
