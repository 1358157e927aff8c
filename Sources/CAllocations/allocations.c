#include "allocations.h"

#include <errno.h>
#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define FX_SANITIZED 1
#endif
#endif

static _Thread_local bool isCounting;
static _Thread_local int64_t count;

void fx_begin_counting_allocations(void) {
  count = 0;
  isCounting = true;
}

int64_t fx_end_counting_allocations(void) {
  isCounting = false;
  return count;
}

#ifdef FX_SANITIZED

bool fx_counts_allocations(void) { return false; }

#else

bool fx_counts_allocations(void) { return true; }

// The program's definitions take the place of the C library's, for all libraries of the process. These are the
// C library's own names of the same functions.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static inline void note(void) {
  if (isCounting) count += 1;
}

void *malloc(size_t size) {
  note();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  note();
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  note();
  return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  note();
  return __libc_memalign(alignment, size);
}

void *memalign(size_t alignment, size_t size) {
  note();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  note();
  if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
  void *found = __libc_memalign(alignment, size);
  if (found == NULL) return ENOMEM;
  *memory = found;
  return 0;
}

void free(void *memory) {
  if (memory != NULL) note();
  __libc_free(memory);
}

#endif
