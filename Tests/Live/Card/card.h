// A virtual sound card for tests: an ALSA plugin (type fxrun_card) that is paced by the clock, keeps
// what is played, loops it back to capture and fails when it is told to. README.md in the folder
// above says how it is used.
#pragma once

#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { maximum_choices = 16, loop_frames = 1 << 17 };
#define NEVER UINT64_MAX

/// A list of what a card offers; empty for everything.
struct choices {
  unsigned values[maximum_choices];
  unsigned count;
};

/// What a definition in an asoundrc says.
struct settings {
  char *card, *record, *input, *log, *script, *control;
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

/// What a direction of a card has been through since the process began, however often it was opened.
struct life {
  uint64_t frame;
  struct event *events;
  unsigned event_count, next_event;
};

struct stream;

/// A card: what outlives its streams. Found by its name, never freed.
struct card {
  struct card *next;
  char *name;
  struct settings settings;
  struct stream *streams[2];
  struct life lives[2];
  // The clock that both directions share: `epoch_frame` was at `epoch` nanoseconds.
  double rate;
  uint64_t epoch, epoch_frame;
  uint64_t gone_until, busy_until;  // nanoseconds, NEVER: until it is told
  char *hang;                       // the call that does not return
  unsigned io_errors;               // waits that are still to fail with EIO
  // What was played, by the frame of the card's clock at which it left the plug.
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
/// Makes the position be what it is now.
void clock_anchor(struct stream *stream, uint64_t time);
/// When the client can write or read its next piece, or the script goes on.
uint64_t clock_next_wake(const struct stream *stream);
/// Sets the timer to when the client has something to do.
void clock_arm(struct stream *stream);
void clock_disarm(struct stream *stream);

// transfer.c
/// Moves audio between the ring and the world up to a time. 0, or -EPIPE once it is dry.
int transfer_advance(struct stream *stream, uint64_t time);
snd_pcm_uframes_t transfer_available(const struct stream *stream);
int transfer_prepare_loop(struct stream *stream);

// faults.c
void faults_load(struct card *card);
/// Does what the control file says, once.
void faults_obey(struct card *card);
void faults_act(struct card *card, int direction, const char *action);
/// Does not return when the card hangs in this call.
void faults_hang(const struct stream *stream, const char *call);

// log.c
void card_log(const struct card *card, int direction, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
