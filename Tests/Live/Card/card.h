// A virtual sound card for tests: an ALSA plugin (type fxrun_card). The clock sets its pace. It
// records the played frames, loops them back to capture, and fails on request. README.md in the
// folder above describes its use.
#pragma once

#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { maximum_choices = 16, loop_frames = 1 << 17 };
#define NEVER UINT64_MAX

/// The supported values of one setting; empty if all are supported.
struct choices {
  unsigned values[maximum_choices];
  unsigned count;
};

/// A card's definition in an asoundrc.
struct settings {
  char *card, *record, *input, *log, *script, *control, *title;
  struct choices formats, rates, channels;
  unsigned period_minimum, period_maximum;  // frames
  unsigned periods_minimum, periods_maximum;
  bool has_rw, has_mmap, loops;
  double speed, ppm;
  unsigned steps;    // frames between two values of the pointer
  unsigned latency;  // frames between pointer and plug, as the delay reports it
};

/// One line of a script.
struct event {
  uint64_t frame;
  char *action;
};

/// The frame count and the faults of one direction since the process started. Reopening does not
/// reset them.
struct life {
  uint64_t frame;
  struct event *events;
  unsigned event_count, next_event;
};

struct stream;

/// A card. It outlives its streams, is found by name, and is never freed.
struct card {
  struct card *next;
  char *name;
  struct settings settings;
  struct stream *streams[2];
  struct life lives[2];
  // The clock that both directions share: frame `epoch_frame` was at time `epoch` in nanoseconds.
  double rate;
  uint64_t epoch, epoch_frame;
  uint64_t gone_until, busy_until;  // nanoseconds; NEVER: until an action ends it
  char *hang;                       // the call that does not return
  unsigned io_errors;               // number of next waits that fail with EIO
  // Played frames, indexed by the card's frame at which each left the plug.
  unsigned char *loop;
  uint64_t *loop_tags;
  size_t loop_frame_bytes;
};

enum resume { resume_works, resume_never, resume_lies };

/// One opening of one direction.
struct stream {
  snd_pcm_ioplug_t io;
  struct card *card;
  struct settings settings;
  int timer, record, input;
  size_t sample_bytes, frame_bytes;
  unsigned char *scratch;  // one buffer of interleaved frames
  snd_pcm_uframes_t stop_threshold, wake_at;
  uint64_t first;     // the card's frame at which position 0 was at the pointer
  uint64_t position;  // frames since the start
  bool is_dead, is_dry, is_stalled;
  uint64_t stalled_until, late_until;
  enum resume resume;
  uint64_t resume_at;
};

extern pthread_mutex_t card_lock;

// settings.c
int settings_read(struct settings *settings, const char *name, snd_config_t *definition);
int settings_offer(const struct settings *settings, snd_pcm_ioplug_t *io);
void settings_free(struct settings *settings);

// clock.c
uint64_t clock_now(void);
uint64_t clock_frame(const struct card *card, uint64_t time);
void clock_set_rate(struct card *card, double rate);
/// The position that a stream has at a time.
uint64_t clock_position(struct stream *stream, uint64_t time);
/// Sets the stream's origin so that the current position belongs to this time.
void clock_anchor(struct stream *stream, uint64_t time);
/// The time when the client can write or read again, or when the script's next fault is due.
uint64_t clock_next_wake(const struct stream *stream);
/// Sets the timer to the client's next wake-up.
void clock_arm(struct stream *stream);
void clock_disarm(struct stream *stream);

// transfer.c
/// Moves audio between the ring, the files and the loop, up to a time. Returns 0, or -EPIPE after
/// an xrun.
int transfer_advance(struct stream *stream, uint64_t time);
snd_pcm_uframes_t transfer_available(const struct stream *stream);
int transfer_prepare_loop(struct stream *stream);

// faults.c
void faults_load(struct card *card);
/// Carries out the control file's actions once.
void faults_obey(struct card *card);
void faults_act(struct card *card, int direction, const char *action);
/// Does not return when the card hangs in this call.
void faults_hang(const struct stream *stream, const char *call);

// log.c
void card_log(const struct card *card, int direction, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
