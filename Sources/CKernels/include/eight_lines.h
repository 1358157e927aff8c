// The late part of the reverb before revision 3: eight delay lines that feed each other. See
// `FeedbackDelayNetwork` in FxUnits.
#pragma once

#define FX_EIGHT_LINES 8
#define FX_EIGHT_LINES_KERNEL __attribute__((swift_attr("@_noLocks")))

/// Reads `frame_count` frames of every line through its low pass, `y = feed * x + keep * y`, into
/// rows of `stride` frames. `smoothed` holds the states of the low passes. The bits do not depend
/// on `level` (see `fx_vector_level`).
FX_EIGHT_LINES_KERNEL void fx_eight_lines_read(
    int level, const float *_Nonnull const *_Nonnull lines, const float *_Nonnull feed,
    const float *_Nonnull keep, float *_Nonnull smoothed, float *_Nonnull rows, long stride,
    long frame_count);

/// Writes the sum of every second row from `rows` on: the lines of one side. `pattern`, 0 to 3,
/// selects the polarities.
FX_EIGHT_LINES_KERNEL void fx_eight_lines_sum(
    int level, const float *_Nonnull rows, long stride, long pattern, float *_Nonnull output,
    long frame_count);

/// Mixes the rows with a Hadamard matrix, adds the left input to the even lines and the right input
/// to the odd ones, and writes the sums to the lines.
FX_EIGHT_LINES_KERNEL void fx_eight_lines_write(
    int level, const float *_Nonnull rows, long stride, const float *_Nonnull left,
    const float *_Nonnull right, float *_Nonnull const *_Nonnull lines, long frame_count);
