#define _GNU_SOURCE
#include "signals.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

/// On any thread; uses only async-signal-safe functions.
static void end(int signal) {
  static atomic_flag was_limited = ATOMIC_FLAG_INIT;
  // The system repeats SIGXCPU every second, and a second request ends fxrun at once.
  if (signal == SIGXCPU && atomic_flag_test_and_set(&was_limited)) return;
  int code = errno;
  kill(getpid(), SIGTERM);
  errno = code;
}

static int ends_process(int signal) {
  switch (signal) {
    case SIGUSR1:
    case SIGUSR2:
    case SIGALRM:
    case SIGVTALRM:
    case SIGPROF:
    case SIGIO:
    case SIGPWR:
    case SIGXCPU:
    case SIGSTKFLT: return 1;
    default: return signal >= SIGRTMIN && signal <= SIGRTMAX;
  }
}

void fx_signals_end_in_order(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = end;
  action.sa_flags = SA_RESTART;
  for (int signal = 1; signal <= SIGRTMAX; signal++) {
    struct sigaction before;
    if (!ends_process(signal) || sigaction(signal, NULL, &before) != 0) continue;
    if (before.sa_handler == SIG_DFL) sigaction(signal, &action, NULL);
  }
}
