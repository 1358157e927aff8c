#include "ending.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static const char *volatile ending_name;
static volatile int ending_status;

static void say(const char *text) {
  // Nobody is left to be told of an error.
  if (write(STDERR_FILENO, text, strlen(text)) < 0) return;
}

/// Uses nothing that a signal handler may not.
static void leave(int signal) {
  const char *name = ending_name;
  say("warning: ");
  say(name ? name : "a plugin");
  say(signal == SIGALRM ? " did not come to its end" : " crashed while it was cleaned up");
  say(ending_status == 0 ? "; what was rendered is complete\n" : "\n");
  _exit(ending_status);
}

void fx_ending_of(const char *name) { ending_name = name; }

void fx_end_despite_crashes(int status, unsigned seconds) {
  static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGALRM};
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = leave;
  // No second line when a crash follows on a crash.
  sigfillset(&action.sa_mask);
  ending_status = status;
  sigset_t unblocked;
  sigemptyset(&unblocked);
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) {
    sigaction(crashes[i], &action, NULL);
    sigaddset(&unblocked, crashes[i]);
  }
  pthread_sigmask(SIG_UNBLOCK, &unblocked, NULL);
  alarm(seconds);
}
