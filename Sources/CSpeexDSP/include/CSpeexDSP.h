// The preprocessor and the echo canceller of libspeexdsp. What runs on the render thread neither
// allocates nor locks: the library has all its memory from the beginning.
#pragma once

#include <speex/speex_echo.h>
#include <speex/speex_preprocess.h>

#define FX_SPEEX static inline __attribute__((swift_attr("@_noLocks")))

/// Takes the noise out of a frame, in place. Returns whether it is speech, where that is asked for.
FX_SPEEX int fx_speex_run(SpeexPreprocessState *_Nonnull state, short *_Nonnull samples) {
  return speex_preprocess_run(state, samples);
}

/// Sets how far noise is turned down, in decibels below zero.
FX_SPEEX void fx_speex_suppress(SpeexPreprocessState *_Nonnull state, int decibels) {
  speex_preprocess_ctl(state, SPEEX_PREPROCESS_SET_NOISE_SUPPRESS, &decibels);
}

/// Sets how far the rest of an echo is turned down, in decibels below zero: alone, and beside speech.
FX_SPEEX void fx_speex_suppress_echo(
    SpeexPreprocessState *_Nonnull state, int alone, int beside_speech) {
  speex_preprocess_ctl(state, SPEEX_PREPROCESS_SET_ECHO_SUPPRESS, &alone);
  speex_preprocess_ctl(state, SPEEX_PREPROCESS_SET_ECHO_SUPPRESS_ACTIVE, &beside_speech);
}

/// Takes the echo of `played`, interleaved, out of a frame of one microphone.
FX_SPEEX void fx_speex_cancel(
    SpeexEchoState *_Nonnull state, const short *_Nonnull recorded, const short *_Nonnull played,
    short *_Nonnull output) {
  speex_echo_cancellation(state, recorded, played, output);
}

FX_SPEEX void fx_speex_forget(SpeexEchoState *_Nonnull state) { speex_echo_state_reset(state); }

/// Lets a preprocessor know the echo that a canceller leaves.
static inline void fx_speex_join(
    SpeexPreprocessState *_Nonnull state, SpeexEchoState *_Nonnull canceller, int sample_rate) {
  speex_echo_ctl(canceller, SPEEX_ECHO_SET_SAMPLING_RATE, &sample_rate);
  speex_preprocess_ctl(state, SPEEX_PREPROCESS_SET_ECHO_STATE, canceller);
}
