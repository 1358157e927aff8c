// What files are made of: levels of a block, and samples as integers.
#pragma once

#define FX_SAMPLE_KERNEL __attribute__((swift_attr("@_noLocks")))

/// Peak and faults of a channel's block.
typedef struct {
  /// The largest finite magnitude.
  float peak;
  /// Finite samples beyond full scale.
  long clipped;
  /// Infinities and what is not a number.
  long non_finite;
} fx_level;

/// `level` of instructions as in `fx_vector_level`; the result does not depend on it.
FX_SAMPLE_KERNEL fx_level fx_measure(
    int level, const float *_Nonnull samples, long frame_count);

/// Writes one or two channels as interleaved integers of 24 bits in three bytes, little-endian:
/// times 2^23, clipped, rounded to the nearest step and ties to even; 0 for what is not a number.
/// Returns the frames that it has written, which may be none: the caller writes the rest. It writes
/// nothing behind `frame_count` frames. Rounding is to be to the nearest.
FX_SAMPLE_KERNEL long fx_pack_24(
    int level, const float *_Nonnull const *_Nonnull channels, long channel_count,
    long frame_count, void *_Nonnull target);

/// Reads one or two channels of interleaved integers, little-endian and of 16 bits in two bytes or of 24
/// in three, full scale at ±1, into each channel from `offset` on. Returns the frames that it has read,
/// which may be none: the caller reads the rest. It reads nothing behind `frame_count` frames.
FX_SAMPLE_KERNEL long fx_unpack(
    int level, int bits, const void *_Nonnull frames, long channel_count, long frame_count,
    float *_Nonnull const *_Nonnull channels, long offset);
