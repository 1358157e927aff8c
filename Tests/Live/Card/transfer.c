// Moves audio between a client's ring and the file of played frames, the file of frames to capture,
// and the loop from playback to capture.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "card.h"

int transfer_prepare_loop(struct stream *stream) {
  struct card *card = stream->card;
  if (!stream->settings.loops) return 0;
  // Both directions have the same format, as with a cable.
  const struct stream *other = card->streams[!stream->io.stream];
  if (other && other->frame_bytes && other->frame_bytes != stream->frame_bytes) return -EINVAL;
  if (card->loop && card->loop_frame_bytes == stream->frame_bytes) return 0;
  free(card->loop);
  free(card->loop_tags);
  card->loop = calloc(loop_frames, stream->frame_bytes);
  card->loop_tags = calloc(loop_frames, sizeof *card->loop_tags);
  card->loop_frame_bytes = stream->frame_bytes;
  return card->loop && card->loop_tags ? 0 : -ENOMEM;
}

snd_pcm_uframes_t transfer_available(const struct stream *stream) {
  const snd_pcm_ioplug_t *io = &stream->io;
  if (io->stream == SND_PCM_STREAM_CAPTURE) return stream->position - io->appl_ptr;
  return io->buffer_size - (io->appl_ptr - stream->position);
}

/// Copies frames between the ring, from the position on, and the scratch.
static void copy_ring(struct stream *stream, snd_pcm_uframes_t count, bool to_ring) {
  const snd_pcm_channel_area_t *areas = snd_pcm_ioplug_mmap_areas(&stream->io);
  if (!areas) return;
  for (snd_pcm_uframes_t frame = 0; frame < count; frame++) {
    uint64_t offset = (stream->position + frame) % stream->io.buffer_size;
    for (unsigned channel = 0; channel < stream->io.channels; channel++) {
      const snd_pcm_channel_area_t *area = &areas[channel];
      unsigned char *ring = (unsigned char *)area->addr + (area->first + offset * area->step) / 8;
      unsigned char *sample =
          stream->scratch + frame * stream->frame_bytes + channel * stream->sample_bytes;
      memcpy(to_ring ? ring : sample, to_ring ? sample : ring, stream->sample_bytes);
    }
  }
}

static void play(struct stream *stream, snd_pcm_uframes_t count) {
  struct card *card = stream->card;
  copy_ring(stream, count, false);
  if (stream->record >= 0 &&
      write(stream->record, stream->scratch, count * stream->frame_bytes) < 0) {
    perror("card record");
  }
  if (!stream->settings.loops || !card->loop) return;
  uint64_t start = stream->first + stream->position + stream->settings.latency;
  for (snd_pcm_uframes_t frame = 0; frame < count; frame++) {
    uint64_t slot = (start + frame) % loop_frames;
    memcpy(card->loop + slot * stream->frame_bytes, stream->scratch + frame * stream->frame_bytes,
           stream->frame_bytes);
    card->loop_tags[slot] = start + frame;
  }
}

static void capture(struct stream *stream, snd_pcm_uframes_t count) {
  struct card *card = stream->card;
  memset(stream->scratch, 0, count * stream->frame_bytes);
  if (stream->input >= 0 &&
      read(stream->input, stream->scratch, count * stream->frame_bytes) < 0) {
    perror("card input");
  }
  if (stream->settings.loops && card->loop) {
    uint64_t start = stream->first + stream->position - stream->settings.latency;
    for (snd_pcm_uframes_t frame = 0; frame < count; frame++) {
      uint64_t slot = (start + frame) % loop_frames;
      if (card->loop_tags[slot] != start + frame) continue;
      memcpy(stream->scratch + frame * stream->frame_bytes, card->loop + slot * stream->frame_bytes,
             stream->frame_bytes);
    }
  }
  copy_ring(stream, count, true);
}

/// Advances by `count` frames, in pieces of at most one buffer.
static void move(struct stream *stream, uint64_t count) {
  while (count > 0) {
    snd_pcm_uframes_t piece = count < stream->io.buffer_size ? count : stream->io.buffer_size;
    if (stream->io.stream == SND_PCM_STREAM_CAPTURE) {
      capture(stream, piece);
    } else {
      play(stream, piece);
    }
    stream->position += piece;
    stream->card->lives[stream->io.stream].frame += piece;
    count -= piece;
  }
}

/// Advances to a position, or as far as there is audio or free space. Returns false when the ring
/// runs empty (playback) or full (capture).
static bool move_to(struct stream *stream, uint64_t position) {
  const snd_pcm_ioplug_t *io = &stream->io;
  bool is_capture = io->stream == SND_PCM_STREAM_CAPTURE;
  // With a stop threshold above the buffer size the client asks not to be stopped.
  bool runs_free = stream->stop_threshold > io->buffer_size;
  uint64_t end = is_capture ? io->appl_ptr + io->buffer_size : io->appl_ptr;
  if (position < end || runs_free) {
    move(stream, position - stream->position);
    return true;
  }
  if (end > stream->position) move(stream, end - stream->position);
  return false;
}

int transfer_advance(struct stream *stream, uint64_t time) {
  struct life *life = &stream->card->lives[stream->io.stream];
  while (stream->io.state == SND_PCM_STATE_RUNNING ||
         stream->io.state == SND_PCM_STATE_DRAINING) {
    if (stream->is_dry) return -EPIPE;
    uint64_t position = clock_position(stream, time);
    bool has_event = false;
    if (life->next_event < life->event_count) {
      uint64_t frame = life->events[life->next_event].frame;
      uint64_t left = frame > life->frame ? frame - life->frame : 0;
      has_event = position - stream->position >= left;
      if (has_event) position = stream->position + left;
    }
    if (!move_to(stream, position)) {
      if (stream->io.state == SND_PCM_STATE_DRAINING) return 0;
      stream->is_dry = true;
      card_log(stream->card, stream->io.stream, "xrun");
      return -EPIPE;
    }
    if (!has_event) return 0;
    faults_act(stream->card, stream->io.stream, life->events[life->next_event++].action);
  }
  return 0;
}
