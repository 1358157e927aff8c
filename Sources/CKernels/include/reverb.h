// The late part of a reverb: sixteen delay lines that feed each other. See `ReverbNetwork` in FxDSP
// for what the numbers mean.
#pragma once

#include <stdint.h>

#include "vectors.h"

#define FX_REVERB_KERNEL __attribute__((swift_attr("@_noLocks")))

#define FX_REVERB_LINES 16
/// The first lines, whose delays move.
#define FX_REVERB_MOVING 4
/// Weights of a moving delay: a cubic's four, and one more for a delay that passes a whole frame.
#define FX_REVERB_TAPS 5
/// Frames of one call at most, within one stretch of a moving delay.
#define FX_REVERB_CHUNK 32
/// Readable samples behind every ring and every row of `heard`.
#define FX_REVERB_PAD 8

typedef struct {
  /// `capacity` + FX_REVERB_PAD samples.
  float *_Nonnull samples;
  int64_t capacity;
  /// Where the next frame is written.
  int64_t position;
  /// The delay in frames; of a moving line the one of its newest tap at the moment.
  int64_t delay;
} fx_reverb_line;

typedef struct {
  fx_reverb_line *_Nonnull lines;
  /// Rows of one number a line: what a frame feeds into the low pass, what the low pass keeps, the
  /// level of the bass to add; then what each frame of a stretch adds to the three.
  const float *_Nonnull losses;
  /// Whether any of those steps is not 0.
  int32_t is_moving;
  /// Whether any line's level of the bass is not 0.
  int32_t has_bass;
  /// The instructions to use, see `fx_vector_level`; the bits do not depend on it.
  int32_t level;
  /// The one-pole low pass that finds the bass.
  float bass;
  /// By tap a row of one weight a moving line at the start of the stretch, then such rows of what each
  /// frame adds to them.
  const float *_Nonnull weights;
  /// Two rows of one number a line: the low passes.
  float *_Nonnull states;
  /// What the lines give in this call: a row of FX_REVERB_CHUNK + FX_REVERB_PAD a line.
  float *_Nonnull heard;
} fx_reverb_network;

/// Sets the delay of each moving line, in frames, at the start and at the end of a stretch: less than
/// a frame apart, at least FX_REVERB_CHUNK + 2. `weights` are the network's.
FX_REVERB_KERNEL void fx_reverb_place(
    const fx_reverb_network *_Nonnull network, fx_f4 start, fx_f4 end, float *_Nonnull weights);

/// Reads so many frames of every line through its losses into `heard`; `place` is the first one's
/// frame in the stretch.
FX_REVERB_KERNEL void fx_reverb_read(
    const fx_reverb_network *_Nonnull network, long place, long frame_count);

/// Writes the sum of the lines of one side, the even (0) or the odd (1) ones, each turned over
/// where its number in the side and `pattern` have an odd number of bits in common, and of the early
/// part times its level.
FX_REVERB_KERNEL void fx_reverb_sum(
    const fx_reverb_network *_Nonnull network, long side, long pattern,
    const float *_Nonnull early, float level, float *_Nonnull output, long frame_count);

/// Mixes what was read, adds the left to the even lines and the right to the odd ones, and writes
/// the sums to the lines.
FX_REVERB_KERNEL void fx_reverb_write(
    const fx_reverb_network *_Nonnull network, const float *_Nonnull left,
    const float *_Nonnull right, long frame_count);

/// Runs samples through an all-pass whose ring has `length` frames and returns its next position.
/// The gain is `gain` plus a step a frame from the one on that is `place` frames before the first.
FX_REVERB_KERNEL long fx_allpass(
    int level, float *_Nonnull ring, long length, long position, float gain, float step, long place,
    float *_Nonnull samples, long frame_count);
