// Rounding to few bits with triangular dither, for files and devices.
#pragma once

#include <stdint.h>

#pragma STDC FP_CONTRACT OFF

#define FX_DITHER static inline __attribute__((always_inline, swift_attr("@_noLocks")))

/// Bits below one step of a coarse sample; finer bits are ignored.
#define FX_DITHER_BITS 15

/// The key of a sample's number. The keys do not simply repeat after 2^32 samples.
FX_DITHER uint32_t fx_dither_key(uint64_t number) {
  return (uint32_t)number + (uint32_t)(number >> 32) * 0x9e3779b9u;
}

/// Triangular noise between -1 and 1 step, in 2^-15 steps: the difference of two uniform numbers,
/// which are halves of a hash of the key (C. Wellons, "Prospecting for hash functions", 2018).
FX_DITHER int32_t fx_triangular(uint32_t key) {
  uint32_t bits = (key ^ key >> 16) * 0x7feb352du;
  bits = (bits ^ bits >> 15) * 0x846ca68bu;
  bits ^= bits >> 16;
  return (int32_t)(bits & 0x7fff) - (int32_t)(bits >> 17);
}

/// Converts a sample to a whole number of steps, of which `steps` are full scale: adds the dither
/// of a key, clips, and rounds to the nearest. NaN gives the dither alone. `steps` is a power of
/// two, 2^15 at most.
FX_DITHER int32_t fx_dithered(float sample, uint32_t key, int32_t steps) {
  const float scale = (float)(steps << FX_DITHER_BITS);
  float value = sample * scale;
  value = value > scale ? scale : value;
  value = value < -scale ? -scale : value;
  value = value == value ? value : 0;
  int32_t sum = (int32_t)value + fx_triangular(key) + (1 << (FX_DITHER_BITS - 1));
  int32_t rounded = sum >> FX_DITHER_BITS;
  rounded = rounded < steps ? rounded : steps - 1;
  return rounded > -steps ? rounded : -steps;
}

/// Writes one or two channels as interleaved 16-bit integers with dither (see `fx_dithered`). The
/// samples are numbered from `number` on, with `step` numbers per frame. With two channels and a
/// step of 1 both get the same dither. The bits do not depend on `level` (see `fx_vector_level`).
__attribute__((swift_attr("@_noLocks"))) void fx_dither_16(
    int level, const float *_Nonnull const *_Nonnull channels, long channel_count,
    long frame_count, uint64_t number, long step, int16_t *_Nonnull target);
