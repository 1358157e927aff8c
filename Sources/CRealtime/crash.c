#define _GNU_SOURCE
#include "crash.h"

#include "ending.h"
#include "keeping.h"
#include "libraries.h"
#include "terminal.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

__thread struct fx_plugin_thread fx_this_plugin_thread;

enum { FILES = 1024 };
/// Three strings in a row: the path, and the start and the end of the partial name.
static _Atomic(char *) files[FILES];
static pthread_mutex_t files_lock = PTHREAD_MUTEX_INITIALIZER;
static int crash_status;
static volatile int keeps_files;
static volatile int json_descriptor = -1;
static atomic_int reporter;

/// The text of the report, built in parts; nothing here allocates.
static char message[4096];
static size_t message_length;

static void add(const char *text) {
  while (*text && message_length < sizeof message - 1) message[message_length++] = *text++;
}

static void add_number(int number) {
  char digits[12];
  int i = sizeof digits - 1;
  unsigned left = number < 0 ? 0u - (unsigned)number : (unsigned)number;
  digits[i] = 0;
  do digits[--i] = (char)('0' + left % 10);
  while (left /= 10);
  if (number < 0) digits[--i] = '-';
  add(digits + i);
}

static void put(int descriptor, const char *text, size_t length) {
  while (length > 0) {
    ssize_t count = write(descriptor, text, length);
    // There is nobody left to report an error to.
    if (count <= 0) return;
    text += count;
    length -= (size_t)count;
  }
}

static void say(int descriptor, const char *text) { put(descriptor, text, strlen(text)); }

/// Writes a text as the contents of a JSON string.
static void say_quoted(int descriptor, const char *text, size_t length) {
  static const char digits[] = "0123456789abcdef";
  for (size_t i = 0; i < length; i++) {
    unsigned char byte = (unsigned char)text[i];
    char unicode[] = {'\\', 'u', '0', '0', digits[byte >> 4], digits[byte & 15]};
    if (byte < 32) {
      put(descriptor, unicode, sizeof unicode);
    } else {
      if (byte == '"' || byte == '\\') say(descriptor, "\\");
      put(descriptor, text + i, 1);
    }
  }
}

static void say_json(int descriptor, const char *kind, const char *code) {
  say(descriptor, "{\n  \"error\": {\n    \"kind\": \"");
  say(descriptor, kind);
  say(descriptor, "\",\n    \"code\": \"");
  say(descriptor, code);
  say(descriptor, "\",\n    \"message\": \"");
  say_quoted(descriptor, message, message_length);
  say(descriptor, "\"\n  }\n}\n");
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

/// True in this process, false in one that a plugin has forked.
static int is_own(void) { return atomic_load(&reporter) == getpid(); }

int fx_crash_is_reporting(void) { return atomic_load(&reporter) != 0; }

static void add_plugin(const struct fx_plugin_place *place) {
  if (!place) {
    add("a plugin");
  } else if (place->node[0]) {
    add("'");
    add(place->node);
    add("' (");
    add(place->uri);
    add(")");
  } else {
    add("LV2 plugin '");
    add(place->uri);
    add("'");
  }
}

void fx_crash_files_leave(void) {
  for (int i = 0; i < FILES; i++) {
    const char *path = atomic_load(&files[i]);
    if (!path) continue;
    const char *stem = path + strlen(path) + 1;
    // A file that cannot be renamed keeps its hidden name, for the next start.
    if (keeps_files)
      fx_keep_partial(path, stem, stem + strlen(stem) + 1, NULL, 0);
    else
      unlink(path);
  }
}

/// Ends the process with `message`. Uses only async-signal-safe functions.
static void end_process(const char *kind, const char *code, int status) {
  fx_terminal_restore();
  fx_crash_files_leave();
  if (json_descriptor >= 0) {
    say_json(json_descriptor, kind, code);
  } else {
    int errors = fx_boundary_error_stream();
    say(errors, "error: ");
    put(errors, message, message_length);
    say(errors, "\n");
  }
  syscall(SYS_exit_group, status);
}

/// Ends the process with `message`, which is about a plugin.
static void leave(const char *code) {
  add("\n  with \"isolated\": true its node runs in a process of its own");
  end_process("plugin", code, crash_status);
}

/// True for the one thread that may report; any other thread waits here for the end.
static int may_report(void) {
  static atomic_flag has_begun = ATOMIC_FLAG_INIT;
  static __thread int is_reporting;
  if (is_reporting) return 0;
  is_reporting = 1;
  while (atomic_flag_test_and_set(&has_begun)) pause();
  return 1;
}

static void crashed(int signal, siginfo_t *info, void *context) {
  if (is_own()) {
    const struct fx_plugin_place *place = fx_plugin_here();
    if (!place) place = fx_place_of_crash(context);
    // The parent asks every thread which plugin it runs.
    if (!place && signal == SIGABRT && info->si_code == SI_TKILL && info->si_pid == getppid()) return;
    if (!place) {
      fx_terminal_restore();
      fx_crash_files_leave();
    } else if (may_report()) {
      add_plugin(place);
      add(" crashed: ");
      add(name_of(signal));
      leave("crashed");
    }
  }
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_DFL;
  sigaction(signal, &action, NULL);
  raise(signal);
}

enum { STACK = 64 * 1024 };
static pthread_key_t stack_key;
static pthread_once_t stack_once = PTHREAD_ONCE_INIT;

static void free_stack(void *stack) {
  stack_t none = {.ss_flags = SS_DISABLE};
  sigaltstack(&none, NULL);
  munmap(stack, STACK);
}

static void make_stack_key(void) { pthread_key_create(&stack_key, free_stack); }

void fx_crash_thread_begins(const struct fx_plugin_place *origin) {
  fx_this_plugin_thread.origin = origin;
  fx_this_plugin_thread.is_known = 1;
  pthread_once(&stack_once, make_stack_key);
  stack_t known;
  if (sigaltstack(NULL, &known) != 0 || !(known.ss_flags & SS_DISABLE)) return;
  void *memory = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  stack_t stack = {.ss_sp = memory, .ss_size = STACK};
  if (sigaltstack(&stack, NULL) != 0 || pthread_setspecific(stack_key, memory) != 0)
    free_stack(memory);
}

/// fxrun itself never calls `exit`.
static void exited(int status) {
  if (!is_own()) return;
  const struct fx_plugin_place *place = fx_plugin_here();
  fx_end_after_exit();
  if (!may_report()) return;
  add_plugin(place);
  add(" ended the program: exit status ");
  add_number(status & 255);
  leave("exited");
}

static void at_exit(int status, void *unused) { exited(status); }

void fx_plugin_exits(int status) {
  if (fx_plugin_here()) exited(status);
  while (1) syscall(SYS_exit_group, status);
}

void fx_report_plugin_crashes(int status) {
  static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP};
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = crashed;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  crash_status = status;
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
    sigaction(crashes[i], &action, NULL);
  if (atomic_exchange(&reporter, getpid()) == 0) on_exit(at_exit, NULL);
  fx_crash_thread_begins(NULL);
  fx_crash_libraries_of(NULL);
  fx_boundary_begin();
}

void fx_report_plugin_crashes_as_json(int descriptor) { json_descriptor = descriptor; }

void fx_crash_keeps_files(void) { keeps_files = 1; }

void fx_crash_file_begins(const char *path, const char *stem, const char *end) {
  size_t length = strlen(path) + 1, stem_length = strlen(stem) + 1;
  char *copy = malloc(length + stem_length + strlen(end) + 1);
  if (!copy) return;
  memcpy(copy, path, length);
  memcpy(copy + length, stem, stem_length);
  strcpy(copy + length + stem_length, end);
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
