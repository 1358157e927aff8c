// Interpolation between samples with windowed sines over sixteen samples.
#pragma once

#define FX_SINC_KERNEL __attribute__((swift_attr("@_noLocks")))
#define FX_SINC_TAPS 16
/// Rows of taps for a frame; one more row follows.
#define FX_SINC_ROWS 256

/// Writes for each frame the sum of sixteen samples, each multiplied by its tap; the frame's own
/// sample is the oldest. `input` has `frame_count` + 15 samples and is separate memory. The bits do
/// not depend on `level` (see `fx_vector_level`).
FX_SINC_KERNEL void fx_sinc_fixed(
    int level, const float *_Nonnull taps, const float *_Nonnull input, float *_Nonnull output,
    long frame_count);

/// The same bits for one frame, with taps that are interpolated between a row of sixteen and the
/// next.
FX_SINC_KERNEL float fx_sinc_between(
    const float *_Nonnull rows, float share, const float *_Nonnull input);

/// A delay in whole frames and a fraction of a frame, 0 up to, not including, 1.
typedef struct {
  long frames;
  float fraction;
} fx_fractional_delay;

/// Reads a ring at delays of 8 frames or more, frame by frame. Where a delay is whole, the sample
/// is unchanged. The length of `ring` is a power of two, `position` is the index of the first
/// frame, and `rows` has FX_SINC_ROWS + 1 rows of taps. The bits do not depend on `level`.
FX_SINC_KERNEL void fx_sinc_moving(
    int level, const float *_Nonnull rows, const float *_Nonnull ring, long capacity, long position,
    const fx_fractional_delay *_Nonnull delays, float *_Nonnull output, long frame_count);
