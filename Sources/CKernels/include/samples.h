// For files: the levels of a block, and the conversion between samples and integers.
#pragma once

#define FX_SAMPLE_KERNEL __attribute__((swift_attr("@_noLocks")))

/// Peak and faults of a channel's block.
typedef struct {
  /// The largest finite magnitude.
  float peak;
  /// Finite samples beyond full scale.
  long clipped;
  /// Samples that are infinite or NaN.
  long non_finite;
} fx_level;

/// `level` selects instructions as in `fx_vector_level`; the result does not depend on it.
FX_SAMPLE_KERNEL fx_level fx_measure(
    int level, const float *_Nonnull samples, long frame_count);

/// Writes one or two channels as interleaved 24-bit integers in three bytes, little-endian: times
/// 2^23, clipped, rounded to the nearest step and ties to even; 0 for NaN. Returns the number of
/// written frames, which may be 0: the caller writes the rest. Writes nothing after `frame_count`
/// frames. The rounding mode must be to nearest.
FX_SAMPLE_KERNEL long fx_pack_24(
    int level, const float *_Nonnull const *_Nonnull channels, long channel_count,
    long frame_count, void *_Nonnull target);

/// Reads one or two channels of interleaved little-endian integers, of 16 bits in two bytes or of
/// 24 bits in three, full scale at ±1, into each channel from `offset` on. Returns the number of
/// frames read, which may be 0: the caller reads the rest. Reads nothing after `frame_count`
/// frames.
FX_SAMPLE_KERNEL long fx_unpack(
    int level, int bits, const void *_Nonnull frames, long channel_count, long frame_count,
    float *_Nonnull const *_Nonnull channels, long offset);
