// A card's clock: frames derived from the monotonic clock, and the timer that wakes its client.
#include <math.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>

#include "card.h"

uint64_t clock_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t clock_frame(const struct card *card, uint64_t time) {
  if (time <= card->epoch) return card->epoch_frame;
  return card->epoch_frame + (uint64_t)((double)(time - card->epoch) * 1e-9 * card->rate);
}

static uint64_t time_of(const struct card *card, uint64_t frame) {
  if (frame <= card->epoch_frame) return card->epoch;
  return card->epoch + (uint64_t)ceil((double)(frame - card->epoch_frame) / card->rate * 1e9) + 1;
}

void clock_set_rate(struct card *card, double rate) {
  uint64_t now = clock_now();
  uint64_t frame = card->rate > 0 ? clock_frame(card, now) : 1 << 20;
  card->epoch = now;
  card->epoch_frame = frame;
  card->rate = rate;
}

void clock_anchor(struct stream *stream, uint64_t time) {
  stream->first = clock_frame(stream->card, time) - stream->position;
}

uint64_t clock_position(struct stream *stream, uint64_t time) {
  if (stream->is_stalled) {
    if (time < stream->stalled_until) return stream->position;
    clock_anchor(stream, stream->stalled_until);
    stream->is_stalled = false;
  }
  uint64_t frame = clock_frame(stream->card, time);
  uint64_t position = frame > stream->first ? frame - stream->first : 0;
  position -= position % stream->settings.steps;
  return position > stream->position ? position : stream->position;
}

static void set_timer(struct stream *stream, uint64_t time) {
  struct itimerspec timer;
  memset(&timer, 0, sizeof timer);
  timer.it_value.tv_sec = (time_t)(time / 1000000000u);
  timer.it_value.tv_nsec = (long)(time % 1000000000u);
  timerfd_settime(stream->timer, TFD_TIMER_ABSTIME, &timer, NULL);
}

void clock_disarm(struct stream *stream) { set_timer(stream, 0); }

/// The position at which the client can write or read its next piece.
static uint64_t next_position(const struct stream *stream) {
  const snd_pcm_ioplug_t *io = &stream->io;
  uint64_t wanted = io->appl_ptr + stream->wake_at;
  if (io->stream == SND_PCM_STREAM_CAPTURE) return wanted;
  if (io->state == SND_PCM_STATE_DRAINING) return io->appl_ptr;
  return wanted > io->buffer_size ? wanted - io->buffer_size : 0;
}

uint64_t clock_next_wake(const struct stream *stream) {
  uint64_t position = next_position(stream);
  uint64_t steps = stream->settings.steps;
  position = (position + steps - 1) / steps * steps;
  const struct life *life = &stream->card->lives[stream->io.stream];
  if (life->next_event < life->event_count) {
    uint64_t frame = life->events[life->next_event].frame;
    uint64_t left = frame > life->frame ? frame - life->frame : 0;
    if (stream->position + left < position) position = stream->position + left;
  }
  return time_of(stream->card, stream->first + position);
}

void clock_arm(struct stream *stream) {
  snd_pcm_state_t state = stream->io.state;
  if (state != SND_PCM_STATE_RUNNING && state != SND_PCM_STATE_DRAINING) {
    set_timer(stream, 1);
  } else if (stream->is_stalled) {
    set_timer(stream, stream->stalled_until == NEVER ? 0 : stream->stalled_until);
  } else {
    uint64_t wake = clock_next_wake(stream);
    set_timer(stream, wake > stream->late_until ? wake : stream->late_until);
  }
}
