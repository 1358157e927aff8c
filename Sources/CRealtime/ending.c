#define _GNU_SOURCE
#include "ending.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *volatile ending_name;
static volatile int ending_status;
static volatile int is_ending;

static void say(const char *text) {
  // There is nobody left to report an error to.
  if (write(STDERR_FILENO, text, strlen(text)) < 0) return;
}

/// Uses only async-signal-safe functions.
static void leave(const char *what) {
  const char *name = ending_name;
  say("warning: ");
  say(name ? name : "a plugin");
  say(what);
  say(ending_status == 0 ? "; what was rendered is complete\n" : "\n");
  syscall(SYS_exit_group, ending_status);
}

static void take(int signal) {
  leave(signal == SIGALRM ? " did not come to its end" : " crashed while it was cleaned up");
}

void fx_end_after_exit(void) {
  if (is_ending) leave(" ended the program while it was cleaned up");
}

void fx_ending_of(const char *name) { ending_name = name; }

void fx_end_despite_crashes(int status, unsigned seconds) {
  static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGALRM};
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = take;
  action.sa_flags = SA_ONSTACK;
  // A second crash prints no second line.
  sigfillset(&action.sa_mask);
  ending_status = status;
  is_ending = 1;
  sigset_t unblocked;
  sigemptyset(&unblocked);
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) {
    sigaction(crashes[i], &action, NULL);
    sigaddset(&unblocked, crashes[i]);
  }
  pthread_sigmask(SIG_UNBLOCK, &unblocked, NULL);
  alarm(seconds);
}
