#define _GNU_SOURCE
#include "boundary.h"

#include "crash.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static pid_t process;
/// The working folder at the start.
static int home = -1;
static struct stat home_status;
static int errors = -1;

void fx_boundary_keep_errors(void) {
  // A number higher than those that a plugin is likely to close one after another.
  if (errors < 0) errors = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 960);
}

void fx_boundary_begin(void) {
  process = getpid();
  if (home < 0) home = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (home >= 0 && fstat(home, &home_status) != 0) home = -1;
  fx_boundary_keep_errors();
}

int fx_boundary_has_lost_files(void) {
  struct stat now;
  if (home < 0) return 0;
  return fstat(home, &now) != 0 || now.st_dev != home_status.st_dev ||
         now.st_ino != home_status.st_ino;
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
