#include "live_memory.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>

static pthread_mutex_t lockers_lock = PTHREAD_MUTEX_INITIALIZER;
static int lockers = 0;

int fx_lock_memory(void) {
  // Locked pages still move: to form huge pages, the kernel unmaps and copies two megabytes at a
  // time, and occupies its processor meanwhile.
  prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
  pthread_mutex_lock(&lockers_lock);
  int failure = mlockall(MCL_CURRENT | MCL_FUTURE) == 0 ? 0 : errno;
  if (failure == 0) lockers++;
  pthread_mutex_unlock(&lockers_lock);
  return failure;
}

void fx_unlock_memory(void) {
  pthread_mutex_lock(&lockers_lock);
  if (--lockers == 0) munlockall();
  pthread_mutex_unlock(&lockers_lock);
}

static pthread_mutex_t keepers_lock = PTHREAD_MUTEX_INITIALIZER;
static int keepers = 0;

void fx_keep_freed_memory(void) {
  pthread_mutex_lock(&keepers_lock);
  if (keepers++ == 0) {
    // Large blocks get no mapping of their own, and the end of the heap is never trimmed.
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, -1);
    // A second arena consists of heaps of 64 MB, which are unmapped when they are empty. New
    // threads share the existing arenas; glibc does not undo this.
    mallopt(M_ARENA_MAX, 1);
  }
  pthread_mutex_unlock(&keepers_lock);
}

void fx_return_freed_memory(void) {
  pthread_mutex_lock(&keepers_lock);
  if (--keepers == 0) {
    // The initial values of glibc's malloc.
    mallopt(M_MMAP_MAX, 65536);
    mallopt(M_TRIM_THRESHOLD, 128 * 1024);
    malloc_trim(0);
  }
  pthread_mutex_unlock(&keepers_lock);
}
