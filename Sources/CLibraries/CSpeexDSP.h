// The preprocessor and the echo canceller of libspeexdsp. The calls on the render thread neither
// allocate nor lock: the library allocates all its memory at the start.
#pragma once

#include <speex/speex_echo.h>
#include <speex/speex_preprocess.h>

#define FX_SPEEX static inline __attribute__((swift_attr("@_noLocks")))

/// Removes noise from a frame, in place. Returns whether it is speech, if that is requested.
FX_SPEEX int fx_speex_run(SpeexPreprocessState *_Nonnull state, short *_Nonnull samples) {
  return speex_preprocess_run(state, samples);
}

/// Sets the reduction of noise, in decibels below zero.
FX_SPEEX void fx_speex_suppress(SpeexPreprocessState *_Nonnull state, int decibels) {
  speex_preprocess_ctl(state, SPEEX_PREPROCESS_SET_NOISE_SUPPRESS, &decibels);
}

/// Sets the reduction of the remaining echo, in decibels below zero: alone, and during speech.
FX_SPEEX void fx_speex_suppress_echo(
    SpeexPreprocessState *_Nonnull state, int alone, int beside_speech) {
  speex_preprocess_ctl(state, SPEEX_PREPROCESS_SET_ECHO_SUPPRESS, &alone);
  speex_preprocess_ctl(state, SPEEX_PREPROCESS_SET_ECHO_SUPPRESS_ACTIVE, &beside_speech);
}

/// Removes the echo of `played` (interleaved) from a frame of one microphone.
FX_SPEEX void fx_speex_cancel(
    SpeexEchoState *_Nonnull state, const short *_Nonnull recorded, const short *_Nonnull played,
    short *_Nonnull output) {
  speex_echo_cancellation(state, recorded, played, output);
}

FX_SPEEX void fx_speex_forget(SpeexEchoState *_Nonnull state) { speex_echo_state_reset(state); }

/// Connects a preprocessor to a canceller, so that it knows the remaining echo.
static inline void fx_speex_join(
    SpeexPreprocessState *_Nonnull state, SpeexEchoState *_Nonnull canceller, int sample_rate) {
  speex_echo_ctl(canceller, SPEEX_ECHO_SET_SAMPLING_RATE, &sample_rate);
  speex_preprocess_ctl(state, SPEEX_PREPROCESS_SET_ECHO_STATE, canceller);
}
