// The card's interface to alsa-lib: opening it, and the calls of a client.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "card.h"

/// Held while a card changes: one direction may move the other.
pthread_mutex_t card_lock = PTHREAD_MUTEX_INITIALIZER;
static struct card *cards;

static snd_pcm_sframes_t on_pointer(snd_pcm_ioplug_t *io) {
  struct stream *stream = io->private_data;
  struct card *card = stream->card;
  faults_hang(stream, "pointer");
  pthread_mutex_lock(&card_lock);
  faults_obey(card);
  uint64_t now = clock_now();
  // Playback advances first: the capture reads frames that it puts into the loop.
  struct stream *player = card->streams[SND_PCM_STREAM_PLAYBACK];
  if (stream->settings.loops && player && player != stream) transfer_advance(player, now);
  int code = transfer_advance(stream, now);
  pthread_mutex_unlock(&card_lock);
  return code < 0 ? code : (snd_pcm_sframes_t)stream->position;
}

static int on_start(snd_pcm_ioplug_t *io) {
  struct stream *stream = io->private_data;
  faults_hang(stream, "start");
  if (stream->is_dead) return -ENODEV;
  clock_anchor(stream, clock_now());
  card_log(stream->card, io->stream, "start");
  // The library sets the state after this call; the first wait sets the timer.
  return 0;
}

static int on_stop(snd_pcm_ioplug_t *io) {
  struct stream *stream = io->private_data;
  faults_hang(stream, "drop");
  clock_disarm(stream);
  card_log(stream->card, io->stream, "stop");
  return 0;
}

static int on_prepare(snd_pcm_ioplug_t *io) {
  struct stream *stream = io->private_data;
  faults_hang(stream, "prepare");
  if (stream->is_dead) return -ENODEV;
  stream->position = 0;
  stream->is_dry = stream->is_stalled = false;
  card_log(stream->card, io->stream, "prepare");
  return 0;
}

static int on_drain(snd_pcm_ioplug_t *io) {
  struct stream *stream = io->private_data;
  faults_hang(stream, "drain");
  card_log(stream->card, io->stream, "drain");
  // Like a real card, this never returns if the clock is stopped.
  while (!stream->is_dead && transfer_available(stream) < io->buffer_size) {
    pthread_mutex_lock(&card_lock);
    transfer_advance(stream, clock_now());
    pthread_mutex_unlock(&card_lock);
    usleep(500);
  }
  return stream->is_dead ? -ENODEV : 0;
}

/// alsa-lib 1.2.8 ignores this result and returns 0 to the client, which must check the state.
static int on_resume(snd_pcm_ioplug_t *io) {
  struct stream *stream = io->private_data;
  if (stream->is_dead) return -ENODEV;
  if (stream->resume == resume_never) return -ENOSYS;
  uint64_t now = clock_now();
  if (stream->resume == resume_works && now < stream->resume_at) return -EAGAIN;
  snd_pcm_ioplug_set_state(io, SND_PCM_STATE_RUNNING);
  clock_anchor(stream, now);
  if (stream->resume == resume_lies) {
    stream->is_stalled = true;
    stream->stalled_until = NEVER;
  }
  clock_arm(stream);
  card_log(stream->card, io->stream, "resume");
  return 0;
}

static int on_hw_params(snd_pcm_ioplug_t *io, snd_pcm_hw_params_t *parameters) {
  (void)parameters;
  struct stream *stream = io->private_data;
  struct card *card = stream->card;
  if (stream->is_dead) return -ENODEV;
  stream->sample_bytes = (size_t)snd_pcm_format_physical_width(io->format) / 8;
  stream->frame_bytes = stream->sample_bytes * io->channels;
  free(stream->scratch);
  stream->scratch = calloc(io->buffer_size, stream->frame_bytes);
  if (!stream->scratch) return -ENOMEM;
  double rate = io->rate * card->settings.speed * (1 + card->settings.ppm * 1e-6);
  const struct stream *other = card->streams[!io->stream];
  if (other && other->frame_bytes) {
    // One clock for both directions.
    if (other->io.rate != io->rate) return -EINVAL;
  } else {
    clock_set_rate(card, rate);
  }
  card_log(card, io->stream, "agreed %s %u Hz %u channels period %lu buffer %lu %s",
           snd_pcm_format_name(io->format), io->rate, io->channels, io->period_size,
           io->buffer_size, snd_pcm_access_name(io->access));
  return transfer_prepare_loop(stream);
}

static int on_sw_params(snd_pcm_ioplug_t *io, snd_pcm_sw_params_t *parameters) {
  struct stream *stream = io->private_data;
  snd_pcm_sw_params_get_stop_threshold(parameters, &stream->stop_threshold);
  snd_pcm_sw_params_get_avail_min(parameters, &stream->wake_at);
  return 0;
}

static int on_descriptors(snd_pcm_ioplug_t *io, struct pollfd *descriptors, unsigned count) {
  struct stream *stream = io->private_data;
  if (count < 1) return 0;
  clock_arm(stream);
  descriptors[0] = (struct pollfd){.fd = stream->timer, .events = POLLIN};
  return 1;
}

/// The library calls this when the timer has fired.
static int on_events(snd_pcm_ioplug_t *io, struct pollfd *descriptors, unsigned count,
                     unsigned short *events) {
  (void)descriptors, (void)count;
  struct stream *stream = io->private_data;
  struct card *card = stream->card;
  unsigned short ready = io->stream == SND_PCM_STREAM_CAPTURE ? POLLIN : POLLOUT;
  faults_hang(stream, "wait");
  *events = 0;
  // Moves the library's own pointer too, and with it the state.
  snd_pcm_avail_update(io->pcm);
  if (card->io_errors > 0) {
    if (card->io_errors != (unsigned)-1) card->io_errors--;
    return -EIO;
  }
  switch (io->state) {
    case SND_PCM_STATE_RUNNING:
    case SND_PCM_STATE_DRAINING:
      if (transfer_available(stream) >= stream->wake_at) {
        *events = ready;
      } else {
        clock_arm(stream);
      }
      return 0;
    case SND_PCM_STATE_PREPARED:
      *events = ready;
      return 0;
    default:
      *events = POLLERR | ready;
      return 0;
  }
}

static int on_delay(snd_pcm_ioplug_t *io, snd_pcm_sframes_t *delay) {
  struct stream *stream = io->private_data;
  snd_pcm_sframes_t available = snd_pcm_avail_update(io->pcm);
  if (available < 0) return (int)available;
  bool is_capture = io->stream == SND_PCM_STREAM_CAPTURE;
  *delay = (is_capture ? available : (snd_pcm_sframes_t)io->buffer_size - available) +
           (snd_pcm_sframes_t)stream->settings.latency;
  return 0;
}

static void stream_free(struct stream *stream) {
  if (stream->timer >= 0) close(stream->timer);
  if (stream->record >= 0) close(stream->record);
  if (stream->input >= 0) close(stream->input);
  free(stream->scratch);
  settings_free(&stream->settings);
  free(stream);
}

static int on_close(snd_pcm_ioplug_t *io) {
  struct stream *stream = io->private_data;
  faults_hang(stream, "close");
  card_log(stream->card, io->stream, "close");
  pthread_mutex_lock(&card_lock);
  stream->card->streams[io->stream] = NULL;
  pthread_mutex_unlock(&card_lock);
  stream_free(stream);
  return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .start = on_start, .stop = on_stop, .pointer = on_pointer, .close = on_close,
    .hw_params = on_hw_params, .sw_params = on_sw_params, .prepare = on_prepare,
    .drain = on_drain, .resume = on_resume, .poll_descriptors = on_descriptors,
    .poll_revents = on_events, .delay = on_delay,
};

static struct card *find_card(const struct settings *settings) {
  for (struct card *card = cards; card; card = card->next) {
    if (strcmp(card->name, settings->card) == 0) return card;
  }
  struct card *card = calloc(1, sizeof *card);
  if (!card) return NULL;
  card->name = strdup(settings->card);
  card->settings = *settings;
  // The card needs its own copies: the stream's are freed with it.
  card->settings.log = settings->log ? strdup(settings->log) : NULL;
  card->settings.script = settings->script ? strdup(settings->script) : NULL;
  card->settings.control = settings->control ? strdup(settings->control) : NULL;
  card->next = cards;
  cards = card;
  faults_load(card);
  return card;
}

/// 0, or the error code if the card cannot be opened now.
static int refusal(struct stream *stream, int direction) {
  struct card *card = stream->card;
  uint64_t now = clock_now();
  faults_obey(card);
  if (now < card->gone_until) return -ENODEV;
  if (now < card->busy_until || card->streams[direction]) return -EBUSY;
  return 0;
}

static int open_files(struct stream *stream, snd_pcm_stream_t direction) {
  const struct settings *settings = &stream->settings;
  stream->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  if (stream->timer < 0) return -errno;
  if (direction == SND_PCM_STREAM_PLAYBACK && settings->record) {
    stream->record = open(settings->record, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (stream->record < 0) return -errno;
  }
  if (direction == SND_PCM_STREAM_CAPTURE && settings->input) {
    stream->input = open(settings->input, O_RDONLY | O_CLOEXEC);
    if (stream->input < 0) return -errno;
  }
  return 0;
}

static int create(struct stream *stream, const char *name, snd_pcm_stream_t direction, int mode) {
  snd_pcm_ioplug_t *io = &stream->io;
  io->version = SND_PCM_IOPLUG_VERSION;
  io->name = stream->settings.title ? stream->settings.title : "fxrun's virtual card";
  io->mmap_rw = 1;
  io->callback = &callbacks;
  io->private_data = stream;
  io->poll_fd = stream->timer;
  io->poll_events = POLLIN;
  io->flags = SND_PCM_IOPLUG_FLAG_MONOTONIC | SND_PCM_IOPLUG_FLAG_BOUNDARY_WA;
  int code = snd_pcm_ioplug_create(io, name, direction, mode);
  if (code < 0) {
    stream_free(stream);
    return code;
  }
  code = settings_offer(&stream->settings, io);
  // Closing frees the stream.
  if (code < 0) snd_pcm_ioplug_delete(io);
  return code;
}

SND_PCM_PLUGIN_DEFINE_FUNC(fxrun_card) {
  (void)root;
  struct stream *new = calloc(1, sizeof *new);
  if (!new) return -ENOMEM;
  new->timer = new->record = new->input = -1;
  int code = settings_read(&new->settings, name ? name : "card", conf);
  pthread_mutex_lock(&card_lock);
  if (code >= 0 && !(new->card = find_card(&new->settings))) code = -ENOMEM;
  if (code >= 0) code = refusal(new, stream);
  pthread_mutex_unlock(&card_lock);
  if (code >= 0) {
    new->io.stream = stream;
    faults_hang(new, "open");
    code = open_files(new, stream);
  }
  if (new->card) card_log(new->card, stream, "open%s%s", code < 0 ? ": " : "",
                          code < 0 ? snd_strerror(code) : "");
  if (code < 0) {
    stream_free(new);
    return code;
  }
  code = create(new, name, stream, mode);
  if (code < 0) return code;
  pthread_mutex_lock(&card_lock);
  new->card->streams[stream] = new;
  pthread_mutex_unlock(&card_lock);
  *pcmp = new->io.pcm;
  return 0;
}
SND_PCM_PLUGIN_SYMBOL(fxrun_card);
