// Checks whether samples are finite, and whether they are silent.
#pragma once

#define FX_GUARD_KERNEL __attribute__((swift_attr("@_noLocks")))

/// Returns 1 when no sample of any channel is infinite or NaN, 0 otherwise. Floating-point
/// exceptions must be masked. `level` as in `fx_vector_level`.
FX_GUARD_KERNEL int fx_is_finite(
    int level, float *_Nonnull const *_Nonnull channels, long channel_count, long frame_count);

/// The first frame with a sample that is infinite or NaN in any channel; `frame_count` when there
/// is none. `is_infinite` is set to 1 where that sample is an infinity.
FX_GUARD_KERNEL long fx_first_not_finite(
    float *_Nonnull const *_Nonnull channels, long channel_count, long frame_count, int *_Nonnull is_infinite);

/// Sets every sample that is infinite or NaN to 0, and returns their number.
FX_GUARD_KERNEL long fx_clear_not_finite(
    float *_Nonnull const *_Nonnull channels, long channel_count, long frame_count);

/// Copies the last sample of each channel.
FX_GUARD_KERNEL static inline void fx_copy_last_samples(
    float *_Nonnull const *_Nonnull channels, long channel_count, long frame_count,
    float *_Nonnull last) {
#pragma clang loop vectorize(disable) unroll(disable)
  for (long channel = 0; channel < channel_count; channel++) {
    last[channel] = channels[channel][frame_count - 1];
  }
}

/// 1 when all samples are zeros of one sign, 0 otherwise.
FX_GUARD_KERNEL int fx_is_silent(const float *_Nonnull samples, long count);
