#define _GNU_SOURCE
#include "libraries.h"

#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

/// The code ranges of libraries; entries before `library_count` are complete.
enum { LIBRARIES = 1024 };
static struct library {
  uintptr_t start, end;
  /// NULL for libraries from before any plugin.
  const struct fx_plugin_place *place;
} libraries[LIBRARIES];
static atomic_int library_count;

static const struct fx_plugin_place *place_of(uintptr_t address) {
  int count = atomic_load(&library_count);
  for (int i = 0; i < count; i++)
    if (address >= libraries[i].start && address < libraries[i].end) return libraries[i].place;
  return NULL;
}

static int note_library(struct dl_phdr_info *info, size_t size, void *place) {
  uintptr_t start = UINTPTR_MAX, end = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD) continue;
    uintptr_t first = info->dlpi_addr + part->p_vaddr, last = first + part->p_memsz;
    if (first < start) start = first;
    if (last > end) end = last;
  }
  int count = atomic_load(&library_count);
  for (int i = 0; i < count; i++)
    if (libraries[i].start == start && libraries[i].end == end) return 0;
  if (start >= end || count == LIBRARIES) return 0;
  libraries[count] = (struct library){start, end, place};
  atomic_store(&library_count, count + 1);
  return 0;
}

void fx_crash_libraries_of(const struct fx_plugin_place *place) {
  if (!fx_crash_is_reporting()) return;
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  dl_iterate_phdr(note_library, (void *)place);
  pthread_mutex_unlock(&lock);
}

const struct fx_plugin_place *fx_place_of_crash(const void *signal_context) {
  const ucontext_t *context = signal_context;
#if defined(__x86_64__)
  uintptr_t code = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
  uintptr_t stack = (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
  uintptr_t code = context->uc_mcontext.pc, stack = context->uc_mcontext.sp;
#else
  uintptr_t code = 0, stack = 0;
#endif
  const struct fx_plugin_place *place = place_of(code);
  if (place || fx_this_plugin_thread.is_known) return place;
  static uintptr_t words[2048];
  struct iovec to = {words, sizeof words}, from = {(void *)stack, sizeof words};
  // Unlike a direct read, this returns an error where there is no memory.
  ssize_t length = process_vm_readv(getpid(), &to, 1, &from, 1, 0);
  for (ssize_t i = 0; !place && i < length / (ssize_t)sizeof *words; i++) place = place_of(words[i]);
  return place;
}
