// The log of a card: one line for each event, `SECONDS CARD play|capture FRAME WORDS`.
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "card.h"

void card_log(const struct card *card, int direction, const char *format, ...) {
  if (!card->settings.log) return;
  char line[512];
  int length = snprintf(line, sizeof line - 1, "%.6f %s %s %llu ", clock_now() * 1e-9, card->name,
                        direction ? "capture" : "play",
                        (unsigned long long)card->lives[direction].frame);
  va_list arguments;
  va_start(arguments, format);
  length += vsnprintf(line + length, sizeof line - 1 - length, format, arguments);
  va_end(arguments);
  if (length > (int)sizeof line - 2) length = sizeof line - 2;
  line[length++] = '\n';
  // One write per line, so that lines of several processes do not mix.
  int file = open(card->settings.log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0) return;
  if (write(file, line, length) < 0) perror("card log");
  close(file);
}
