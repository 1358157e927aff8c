// The preprocessor of libspeexdsp. What runs on the render thread neither allocates nor locks: the
// library has all its memory from the beginning.
#pragma once

#include <speex/speex_preprocess.h>

#define FX_SPEEX static inline __attribute__((swift_attr("@_noLocks")))

/// Takes the noise out of a frame, in place.
FX_SPEEX void fx_speex_run(SpeexPreprocessState *_Nonnull state, short *_Nonnull samples) {
  speex_preprocess_run(state, samples);
}

/// Sets how far noise is turned down, in decibels below zero.
FX_SPEEX void fx_speex_suppress(SpeexPreprocessState *_Nonnull state, int decibels) {
  speex_preprocess_ctl(state, SPEEX_PREPROCESS_SET_NOISE_SUPPRESS, &decibels);
}
