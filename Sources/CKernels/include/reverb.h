// The late part of a reverb: sixteen delay lines that feed each other. See `ReverbNetwork` in FxUnits
// for the meaning of the numbers.
#pragma once

#include <stdint.h>

#include "vectors.h"

#define FX_REVERB_KERNEL __attribute__((swift_attr("@_noLocks")))

#define FX_REVERB_LINES 16
/// The first lines, whose delays move.
#define FX_REVERB_MOVING 4
/// Weights of a moving delay: a cubic's four, and one more for a delay that passes a whole frame.
#define FX_REVERB_TAPS 5
/// The most frames per call, within one stretch of a moving delay.
#define FX_REVERB_CHUNK 32
/// Readable samples after every ring and every row of `heard`.
#define FX_REVERB_PAD 8

typedef struct {
  /// `capacity` + FX_REVERB_PAD samples.
  float *_Nonnull samples;
  int64_t capacity;
  /// Where the next frame is written.
  int64_t position;
  /// The delay in frames; for a moving line, the current delay of its newest tap.
  int64_t delay;
} fx_reverb_line;

typedef struct {
  fx_reverb_line *_Nonnull lines;
  /// Rows with one number per line: the share of a frame that enters the low pass, the share that
  /// the low pass keeps, the level of the bass to add; then three rows with their increments per
  /// frame of a stretch.
  const float *_Nonnull losses;
  /// Whether any of these increments is not 0.
  int32_t is_moving;
  /// Whether any line's level of the bass is not 0.
  int32_t has_bass;
  /// The instructions to use, see `fx_vector_level`; the bits do not depend on it.
  int32_t level;
  /// The one-pole low pass that finds the bass.
  float bass;
  /// For each tap a row with one weight per moving line at the start of the stretch, then such rows
  /// with the increments per frame.
  const float *_Nonnull weights;
  /// Two rows with one number per line: the states of the low passes.
  float *_Nonnull states;
  /// The output of the lines in this call: a row of FX_REVERB_CHUNK + FX_REVERB_PAD per line.
  float *_Nonnull heard;
} fx_reverb_network;

/// Sets the delay of each moving line, in frames, at the start and at the end of a stretch: less
/// than a frame apart, at least FX_REVERB_CHUNK + 2. `weights` are the network's.
FX_REVERB_KERNEL void fx_reverb_place(
    const fx_reverb_network *_Nonnull network, fx_f4 start, fx_f4 end, float *_Nonnull weights);

/// Reads `frame_count` frames of every line into `heard`, with the line's losses; `place` is the
/// first frame's position in the stretch.
FX_REVERB_KERNEL void fx_reverb_read(
    const fx_reverb_network *_Nonnull network, long place, long frame_count);

/// Writes the sum of the lines of one side, the even (0) or the odd (1) ones, and of the early part
/// times its level. A line is inverted where its number in the side and `pattern` have an odd
/// number of bits in common.
FX_REVERB_KERNEL void fx_reverb_sum(
    const fx_reverb_network *_Nonnull network, long side, long pattern,
    const float *_Nonnull early, float level, float *_Nonnull output, long frame_count);

/// Mixes the frames that were read, adds the left input to the even lines and the right input to
/// the odd ones, and writes the sums to the lines.
FX_REVERB_KERNEL void fx_reverb_write(
    const fx_reverb_network *_Nonnull network, const float *_Nonnull left,
    const float *_Nonnull right, long frame_count);

/// Runs samples through an all-pass whose ring has `length` frames, and returns its next position.
/// The gain is `gain` at `place` frames before the first sample, and changes by `step` per frame.
FX_REVERB_KERNEL long fx_allpass(
    int level, float *_Nonnull ring, long length, long position, float gain, float step, long place,
    float *_Nonnull samples, long frame_count);
