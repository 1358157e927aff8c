#define _GNU_SOURCE
#include "boundary.h"

#include "crash.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static pid_t process;
/// True once plugins may open files at any time: in their own threads, or while they render.
static atomic_int opens_any_time;
static int home = -1;
static int errors = -1;

void fx_boundary_keep_errors(void) {
  // A number higher than those that a plugin is likely to close one after another.
  if (errors < 0) errors = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 960);
}

void fx_boundary_begin(void) {
  process = getpid();
  if (home < 0) home = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  fx_boundary_keep_errors();
  fx_boundary_files_before();
}

int fx_boundary_error_stream(void) {
  return errors >= 0 && fcntl(errors, F_GETFD) != -1 ? errors : STDERR_FILENO;
}

/// The calling plugin, in a guarded process. A process that it has forked is not restricted.
static const struct fx_plugin_place *asking(void) {
  const struct fx_plugin_place *place = fx_plugin_here();
  return place && process != 0 && process == getpid() ? place : NULL;
}

// Threads

struct start {
  void *(*body)(void *);
  void *argument;
  const struct fx_plugin_place *origin;
};

typedef int creation(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
static creation *create;
static pthread_once_t create_once = PTHREAD_ONCE_INIT;
static void find_create(void) { *(void **)&create = dlsym(RTLD_NEXT, "pthread_create"); }

static void *begin(void *context) {
  struct start start = *(struct start *)context;
  free(context);
  fx_crash_thread_begins(start.origin);
  return start.body(start.argument);
}

int fx_boundary_thread(
    void *thread, const void *attributes, void *(*body)(void *), void *argument) {
  pthread_once(&create_once, find_create);
  if (!create) return EAGAIN;
  struct start *start = malloc(sizeof *start);
  if (!start) return EAGAIN;
  *start = (struct start){body, argument, fx_plugin_here()};
  if (start->origin) atomic_store(&opens_any_time, 1);
  int error = create((pthread_t *)thread, (const pthread_attr_t *)attributes, begin, start);
  if (error != 0) free(start);
  return error;
}

// The working folder

/// Returns 0 where the calling thread may change its working folder without affecting other
/// threads.
static int leave_home(void) {
  struct fx_plugin_thread *thread = &fx_this_plugin_thread;
  if (!asking()) return 0;
  if (!thread->is_apart && (home < 0 || unshare(CLONE_FS) != 0)) {
    errno = EACCES;
    return -1;
  }
  thread->is_apart = 1;
  thread->is_away = 1;
  return 0;
}

int fx_boundary_chdir(const char *path) {
  return leave_home() == 0 ? (int)syscall(SYS_chdir, path) : -1;
}

int fx_boundary_fchdir(int descriptor) {
  return leave_home() == 0 ? (int)syscall(SYS_fchdir, descriptor) : -1;
}

void fx_boundary_return(void) {
  fx_this_plugin_thread.is_away = 0;
  syscall(SYS_fchdir, home);
}

// Files

enum { FILES = 16384, WORD = 64 };
typedef _Atomic(uint64_t) set[FILES / WORD];
/// The descriptors that do not belong to plugins, and those that do.
static set ours, theirs;
static uint64_t open_before[FILES / WORD];

static int has(set files, int descriptor) {
  return (atomic_load(&files[descriptor / WORD]) >> (descriptor % WORD) & 1) != 0;
}
static void put(set files, int descriptor) {
  atomic_fetch_or(&files[descriptor / WORD], UINT64_C(1) << descriptor % WORD);
}
static void take(set files, int descriptor) {
  atomic_fetch_and(&files[descriptor / WORD], ~(UINT64_C(1) << descriptor % WORD));
}

static void list_open(uint64_t *list) {
  memset(list, 0, sizeof open_before);
  DIR *folder = opendir("/proc/self/fd");
  if (!folder) return;
  for (struct dirent *entry; (entry = readdir(folder));) {
    int descriptor = atoi(entry->d_name);
    if (entry->d_name[0] == '.' || descriptor >= FILES || descriptor == dirfd(folder)) continue;
    list[descriptor / WORD] |= UINT64_C(1) << descriptor % WORD;
  }
  closedir(folder);
}

void fx_boundary_files_before(void) {
  if (process == 0) return;
  list_open(open_before);
  // The owner of a file is known only while no plugin opens files.
  if (atomic_load(&opens_any_time)) return;
  for (size_t i = 0; i < FILES / WORD; i++)
    if (open_before[i]) atomic_fetch_or(&ours[i], open_before[i] & ~atomic_load(&theirs[i]));
}

void fx_boundary_note_files(void) {
  fx_boundary_files_before();
  atomic_store(&opens_any_time, 1);
}

void fx_boundary_files_after(void) {
  static uint64_t now[FILES / WORD];
  if (process == 0) return;
  list_open(now);
  for (size_t i = 0; i < FILES / WORD; i++) {
    uint64_t new = now[i] & ~open_before[i];
    if (!new) continue;
    atomic_fetch_or(&theirs[i], new);
    atomic_fetch_and(&ours[i], ~new);
  }
}

/// True for a descriptor that a plugin may not close.
static int is_kept(int descriptor) {
  if (descriptor < 0 || descriptor >= FILES || !has(ours, descriptor)) return 0;
  const struct fx_plugin_place *place = asking();
  if (!place) return 0;
  fx_crash_warn(place, " tries to close files that it has not opened; they stay open");
  return 1;
}

int fx_boundary_close(int descriptor) {
  if (is_kept(descriptor)) {
    errno = EBADF;
    return -1;
  }
  if (descriptor >= 0 && descriptor < FILES && process == getpid()) {
    take(ours, descriptor);
    take(theirs, descriptor);
  }
  return (int)syscall(SYS_close, descriptor);
}

int fx_boundary_close_range(unsigned first, unsigned last, int flags) {
  // Closing files on `exec` does no harm.
  if (flags == 0 && asking()) {
    for (unsigned i = first; i <= last && i < FILES; i++) fx_boundary_close((int)i);
    if (last < FILES) return 0;
    if (first < FILES) first = FILES;
  }
#ifdef SYS_close_range
  return (int)syscall(SYS_close_range, first, last, flags);
#else
  errno = ENOSYS;
  return -1;
#endif
}

int fx_boundary_has_lost_files(void) {
  for (int i = 0; i < FILES; i++)
    if (has(ours, i) && fcntl(i, F_GETFD) == -1) return 1;
  return 0;
}
