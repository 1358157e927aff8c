#define _GNU_SOURCE
#include "terminal.h"

#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <termios.h>
#include <unistd.h>

static struct termios original;
/// The descriptor of `original` plus 1; 0 for none.
static atomic_int listening;

int fx_terminal_is_in_front(int descriptor) {
  pid_t front = tcgetpgrp(descriptor);
  // A terminal that controls no process has no foreground process.
  return front == -1 || front == getpgrp();
}

int fx_terminal_listen(int descriptor) {
  // Changing a terminal from the background stops the process.
  if (!isatty(descriptor) || !fx_terminal_is_in_front(descriptor)) return 0;
  struct termios now;
  if (tcgetattr(descriptor, &now) != 0) return 0;
  if (atomic_load(&listening) == 0) {
    original = now;
    atomic_store(&listening, descriptor + 1);
  }
  if ((now.c_lflag & (tcflag_t)(ICANON | ECHO)) == 0) return 1;
  now.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
  now.c_cc[VMIN] = 1;
  now.c_cc[VTIME] = 0;
  return tcsetattr(descriptor, TCSANOW, &now) == 0;
}

int fx_terminal_key(int descriptor) {
  struct pollfd request = {.fd = descriptor, .events = POLLIN};
  unsigned char key = 0;
  if (!fx_terminal_is_in_front(descriptor) || poll(&request, 1, 0) <= 0) return 0;
  return read(descriptor, &key, 1) == 1 ? key : 0;
}

void fx_terminal_restore(void) {
  int descriptor = atomic_exchange(&listening, 0) - 1;
  if (descriptor < 0 || !fx_terminal_is_in_front(descriptor)) return;
  tcsetattr(descriptor, TCSANOW, &original);
}
