#define _GNU_SOURCE
#include "crash.h"

#include "terminal.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__thread const char *fx_plugin_in_charge;

enum { FILES = 64 };
/// Two strings, one behind the other: the path and the partial name.
static _Atomic(char *) files[FILES];
static pthread_mutex_t files_lock = PTHREAD_MUTEX_INITIALIZER;
static int crash_status;
static volatile int keeps_files;

static void say(const char *text) {
  // Nobody is left to be told of an error.
  if (write(STDERR_FILENO, text, strlen(text)) < 0) return;
}

static const char *name_of(int signal) {
  switch (signal) {
    case SIGSEGV: return "segmentation fault (SIGSEGV)";
    case SIGBUS: return "bus error (SIGBUS)";
    case SIGILL: return "illegal instruction (SIGILL)";
    case SIGFPE: return "arithmetic error (SIGFPE)";
    case SIGABRT: return "abort (SIGABRT)";
    default: return "trap (SIGTRAP)";
  }
}

/// Uses nothing that a signal handler may not.
static void leave(int signal) {
  fx_terminal_restore();
  const char *plugin = fx_plugin_in_charge;
  if (plugin) {
    for (int i = 0; i < FILES; i++) {
      const char *path = atomic_load(&files[i]);
      if (!path) continue;
      if (!keeps_files || rename(path, path + strlen(path) + 1) != 0) unlink(path);
    }
    say("error: LV2 plugin '");
    say(plugin);
    say("' crashed: ");
    say(name_of(signal));
    say("\n  with \"isolated\": true its node runs in a process of its own\n");
    _exit(crash_status);
  }
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_DFL;
  sigaction(signal, &action, NULL);
  raise(signal);
}

void fx_report_plugin_crashes(int status) {
  static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP};
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = leave;
  crash_status = status;
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
    sigaction(crashes[i], &action, NULL);
}

void fx_crash_keeps_files(void) { keeps_files = 1; }

void fx_crash_file_begins(const char *path, const char *partial) {
  size_t length = strlen(path) + 1;
  char *copy = malloc(length + strlen(partial) + 1);
  if (!copy) return;
  memcpy(copy, path, length);
  strcpy(copy + length, partial);
  pthread_mutex_lock(&files_lock);
  int i = 0;
  while (i < FILES && atomic_load(&files[i])) i++;
  if (i < FILES) atomic_store(&files[i], copy);
  pthread_mutex_unlock(&files_lock);
  if (i == FILES) free(copy);
}

void fx_crash_file_ends(const char *path) {
  pthread_mutex_lock(&files_lock);
  char *found = NULL;
  for (int i = 0; i < FILES && !found; i++) {
    char *known = atomic_load(&files[i]);
    if (!known || strcmp(known, path) != 0) continue;
    atomic_store(&files[i], NULL);
    found = known;
  }
  pthread_mutex_unlock(&files_lock);
  free(found);
}
