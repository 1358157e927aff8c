// The faults of a card. Its script causes them at a frame, its control file at once.
//
// A line of the script is `FRAME [capture] ACTION`, one of the control file `[capture] ACTION`:
//   xrun               the stream has run dry
//   suspend [MS]       suspended; resuming works after this time (without MS: never)
//   suspend lie        suspended; resuming reports success, but the pointer does not move
//   unplug [MS]        unplugged; opening fails for this time (without MS: until `plug`)
//   plug               plugged in again
//   busy [MS]          opening fails as if another program used the card (without MS: for ever)
//   stall [MS]         the pointer stops and no client is woken, without an error
//   hang CALL          the next CALL never returns: open, prepare, start, pointer, wait, drop, drain, close
//   eio [COUNT]        waiting fails with EIO this many times (without COUNT: always)
//   jump FRAMES        the pointer jumps ahead; if negative, it stops for that many frames
//   late MS            the next wake-up is late by this time
//   slow PPM           the clock is slower from now on
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "card.h"

static uint64_t after(double milliseconds, uint64_t now) {
  return milliseconds > 0 ? now + (uint64_t)(milliseconds * 1e6) : NEVER;
}

static void suspend(struct stream *stream, const char *how, double milliseconds, uint64_t now) {
  stream->resume_at = after(milliseconds, now);
  stream->resume = strcmp(how, "lie") == 0 ? resume_lies
                   : milliseconds > 0      ? resume_works
                                           : resume_never;
  snd_pcm_ioplug_set_state(&stream->io, SND_PCM_STATE_SUSPENDED);
  clock_arm(stream);
}

static void stall(struct stream *stream, double milliseconds, uint64_t now) {
  stream->is_stalled = true;
  stream->stalled_until = after(milliseconds, now);
  clock_arm(stream);
}

static void act_on_stream(struct stream *stream, const char *word, const char *argument) {
  double value = atof(argument);
  uint64_t now = clock_now();
  if (strcmp(word, "xrun") == 0) {
    stream->is_dry = true;
  } else if (strcmp(word, "suspend") == 0) {
    suspend(stream, argument, value, now);
  } else if (strcmp(word, "stall") == 0) {
    stall(stream, value, now);
  } else if (strcmp(word, "jump") == 0) {
    stream->first -= (uint64_t)(int64_t)value;
  } else if (strcmp(word, "late") == 0) {
    stream->late_until = clock_next_wake(stream) + (uint64_t)(value * 1e6);
  }
}

static void unplug(struct card *card, double milliseconds) {
  card->gone_until = after(milliseconds, clock_now());
  for (int direction = 0; direction < 2; direction++) {
    struct stream *stream = card->streams[direction];
    if (!stream) continue;
    stream->is_dead = true;
    snd_pcm_ioplug_set_state(&stream->io, SND_PCM_STATE_DISCONNECTED);
    clock_arm(stream);
  }
}

static bool act_on_card(struct card *card, const char *word, const char *argument) {
  double value = atof(argument);
  if (strcmp(word, "unplug") == 0) {
    unplug(card, value);
  } else if (strcmp(word, "plug") == 0) {
    card->gone_until = 0;
  } else if (strcmp(word, "busy") == 0) {
    card->busy_until = after(value, clock_now());
  } else if (strcmp(word, "hang") == 0) {
    free(card->hang);
    card->hang = strdup(argument);
  } else if (strcmp(word, "eio") == 0) {
    card->io_errors = value >= 1 ? (unsigned)value : UINT_MAX;
  } else if (strcmp(word, "slow") == 0) {
    clock_set_rate(card, card->rate * (1 - value * 1e-6));
  } else {
    return false;
  }
  return true;
}

void faults_act(struct card *card, int direction, const char *action) {
  char word[32] = "", argument[32] = "";
  sscanf(action, "%31s %31s", word, argument);
  card_log(card, direction, "fault %s%s%s", word, *argument ? " " : "", argument);
  if (act_on_card(card, word, argument)) return;
  if (card->streams[direction]) act_on_stream(card->streams[direction], word, argument);
}

/// The direction that a line names; moves the pointer to the line's action.
static int direction_of(char **line) {
  *line += strspn(*line, " \t");
  if (strncmp(*line, "capture ", 8) != 0) return SND_PCM_STREAM_PLAYBACK;
  *line += 8;
  return SND_PCM_STREAM_CAPTURE;
}

void faults_load(struct card *card) {
  FILE *file = card->settings.script ? fopen(card->settings.script, "r") : NULL;
  if (!file) return;
  char text[256];
  while (fgets(text, sizeof text, file)) {
    text[strcspn(text, "#\n")] = 0;
    char *line;
    uint64_t frame = strtoull(text, &line, 10);
    if (line == text) continue;
    struct life *life = &card->lives[direction_of(&line)];
    struct event *events = realloc(life->events, (life->event_count + 1) * sizeof *events);
    if (!events) break;
    life->events = events;
    events[life->event_count++] = (struct event){frame, strdup(line)};
  }
  fclose(file);
}

void faults_obey(struct card *card) {
  if (!card->settings.control) return;
  int file = open(card->settings.control, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  char text[512];
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  unlink(card->settings.control);
  if (length <= 0) return;
  text[length] = 0;
  char *rest = text, *line;
  while ((line = strsep(&rest, "\n"))) {
    if (!*line) continue;
    int direction = direction_of(&line);
    faults_act(card, direction, line);
  }
}

void faults_hang(const struct stream *stream, const char *call) {
  const char *hang = stream->card->hang;
  if (!hang || strcmp(hang, call) != 0) return;
  card_log(stream->card, stream->io.stream, "hangs in %s", call);
  for (;;) pause();
}
