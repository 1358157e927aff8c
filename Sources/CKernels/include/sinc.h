// Interpolation between samples by windowed sines over sixteen of them.
#pragma once

#define FX_SINC_KERNEL __attribute__((swift_attr("@_noLocks")))
#define FX_SINC_TAPS 16

/// Writes for each frame the sum of sixteen samples, the frame's own the oldest of them, each times
/// its tap. `input` has `frame_count` + 15 samples and is other memory. The
/// bits do not depend on `level` (see `fx_vector_level`).
FX_SINC_KERNEL void fx_sinc_fixed(
    int level, const float *_Nonnull taps, const float *_Nonnull input, float *_Nonnull output,
    long frame_count);

/// The same bits for one frame, with taps on the way from one row of sixteen to the next.
FX_SINC_KERNEL float fx_sinc_between(
    const float *_Nonnull rows, float share, const float *_Nonnull input);
