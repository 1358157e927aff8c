#include "samples.h"

#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// Bit patterns have the order of the magnitudes.
#define INFINITY_BITS 0x7f800000
#define ONE_BITS 0x3f800000
// Few enough samples for 32-bit counters.
#define PIECE (1L << 20)

static inline __attribute__((always_inline)) fx_level measure(
    const float *samples, long frame_count) {
  int32_t highest = 0;
  fx_level level = {0, 0, 0};
  for (long start = 0; start < frame_count; start += PIECE) {
    long end = start + PIECE < frame_count ? start + PIECE : frame_count;
    int32_t clipped = 0, non_finite = 0;
    for (long i = start; i < end; i++) {
      int32_t bits;
      memcpy(&bits, samples + i, sizeof bits);
      bits &= 0x7fffffff;
      int32_t finite = bits < INFINITY_BITS ? bits : 0;
      highest = finite > highest ? finite : highest;
      clipped += finite > ONE_BITS;
      non_finite += bits >= INFINITY_BITS;
    }
    level.clipped += clipped;
    level.non_finite += non_finite;
  }
  memcpy(&level.peak, &highest, sizeof level.peak);
  return level;
}

#if defined(__x86_64__)
__attribute__((target("arch=x86-64-v3"))) static fx_level measure_avx2(
    const float *samples, long frame_count) {
  return measure(samples, frame_count);
}
#endif

fx_level fx_measure(int level, const float *samples, long frame_count) {
#if defined(__x86_64__)
  if (level > 0) return measure_avx2(samples, frame_count);
#else
  (void)level;
#endif
  return measure(samples, frame_count);
}

#if defined(__x86_64__)
#define AVX2 __attribute__((target("arch=x86-64-v3")))
#define AVX2_INLINE static inline __attribute__((always_inline, target("arch=x86-64-v3")))

// Eight samples as integers. A product with a power of two is exact, so it is rounded only once.
AVX2_INLINE __m256i rounded(const float *samples) {
  __m256 value = _mm256_mul_ps(_mm256_loadu_ps(samples), _mm256_set1_ps(8388608.0f));
  // If one of two numbers is NaN, min and max return the second.
  value = _mm256_and_ps(value, _mm256_cmp_ps(value, value, _CMP_ORD_Q));
  value = _mm256_min_ps(value, _mm256_set1_ps(8388607.0f));
  value = _mm256_max_ps(value, _mm256_set1_ps(-8388608.0f));
  return _mm256_cvtps_epi32(value);
}

// Four integers as twelve bytes; four more bytes after them are overwritten.
AVX2_INLINE void store_packed(uint8_t *target, __m128i values) {
  const __m128i order =
      _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
  _mm_storeu_si128((__m128i *)target, _mm_shuffle_epi8(values, order));
}

AVX2 static long pack_mono(const float *samples, long frame_count, uint8_t *target) {
  long frame = 0;
  // Two more frames contain the overwritten bytes.
  for (; frame + 10 <= frame_count; frame += 8) {
    __m256i values = rounded(samples + frame);
    store_packed(target + 3 * frame, _mm256_castsi256_si128(values));
    store_packed(target + 3 * frame + 12, _mm256_extracti128_si256(values, 1));
  }
  return frame;
}

AVX2 static long pack_stereo(
    const float *left, const float *right, long frame_count, uint8_t *target) {
  long frame = 0;
  for (; frame + 9 <= frame_count; frame += 8) {
    __m256i l = rounded(left + frame), r = rounded(right + frame);
    // Frames 0, 1 and 4, 5; frames 2, 3 and 6, 7.
    __m256i even = _mm256_unpacklo_epi32(l, r), odd = _mm256_unpackhi_epi32(l, r);
    uint8_t *place = target + 6 * frame;
    store_packed(place, _mm256_castsi256_si128(even));
    store_packed(place + 12, _mm256_castsi256_si128(odd));
    store_packed(place + 24, _mm256_extracti128_si256(even, 1));
    store_packed(place + 36, _mm256_extracti128_si256(odd, 1));
  }
  return frame;
}

// Stores eight integers of `bits` bits, in the high end of their lanes, as samples.
AVX2_INLINE void store_samples(float *target, __m256i values, int bits) {
  __m256 whole = _mm256_cvtepi32_ps(_mm256_srai_epi32(values, 32 - bits));
  _mm256_storeu_ps(target, _mm256_mul_ps(whole, _mm256_set1_ps(1.0f / (float)(1 << (bits - 1)))));
}

// Loads twice four integers of three bytes into the high end of their lanes; also reads four more
// bytes after each twelve.
AVX2_INLINE __m256i load_packed(const uint8_t *low, const uint8_t *high) {
  const __m256i order = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(-1, 0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11));
  __m256i bytes = _mm256_inserti128_si256(
      _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)low)),
      _mm_loadu_si128((const __m128i *)high), 1);
  return _mm256_shuffle_epi8(bytes, order);
}

AVX2 static long unpack_mono_16(const uint8_t *frames, long frame_count, float *target) {
  long frame = 0;
  for (; frame + 8 <= frame_count; frame += 8) {
    __m256i values =
        _mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)(frames + 2 * frame)));
    store_samples(target + frame, _mm256_slli_epi32(values, 16), 16);
  }
  return frame;
}

AVX2 static long unpack_stereo_16(
    const uint8_t *frames, long frame_count, float *left, float *right) {
  long frame = 0;
  for (; frame + 8 <= frame_count; frame += 8) {
    __m256i values = _mm256_loadu_si256((const __m256i *)(frames + 4 * frame));
    store_samples(left + frame, _mm256_slli_epi32(values, 16), 16);
    store_samples(right + frame, values, 16);
  }
  return frame;
}

AVX2 static long unpack_mono_24(const uint8_t *frames, long frame_count, float *target) {
  long frame = 0;
  // Two more frames contain the extra bytes that are read.
  for (; frame + 10 <= frame_count; frame += 8) {
    const uint8_t *place = frames + 3 * frame;
    store_samples(target + frame, load_packed(place, place + 12), 24);
  }
  return frame;
}

AVX2 static long unpack_stereo_24(
    const uint8_t *frames, long frame_count, float *left, float *right) {
  long frame = 0;
  for (; frame + 9 <= frame_count; frame += 8) {
    const uint8_t *place = frames + 6 * frame;
    // Frames 0, 1 and 4, 5; frames 2, 3 and 6, 7.
    __m256 even = _mm256_castsi256_ps(load_packed(place, place + 24));
    __m256 odd = _mm256_castsi256_ps(load_packed(place + 12, place + 36));
    store_samples(left + frame, _mm256_castps_si256(_mm256_shuffle_ps(even, odd, 0x88)), 24);
    store_samples(right + frame, _mm256_castps_si256(_mm256_shuffle_ps(even, odd, 0xdd)), 24);
  }
  return frame;
}
#endif

long fx_pack_24(
    int level, const float *const *channels, long channel_count, long frame_count, void *target) {
#if defined(__x86_64__)
  if (level > 0 && channel_count == 1) return pack_mono(channels[0], frame_count, target);
  if (level > 0 && channel_count == 2)
    return pack_stereo(channels[0], channels[1], frame_count, target);
#else
  (void)level, (void)channels, (void)channel_count, (void)frame_count, (void)target;
#endif
  return 0;
}

long fx_unpack(
    int level, int bits, const void *frames, long channel_count, long frame_count,
    float *const *channels, long offset) {
#if defined(__x86_64__)
  if (level > 0 && bits == 16 && channel_count == 1)
    return unpack_mono_16(frames, frame_count, channels[0] + offset);
  if (level > 0 && bits == 16 && channel_count == 2)
    return unpack_stereo_16(frames, frame_count, channels[0] + offset, channels[1] + offset);
  if (level > 0 && bits == 24 && channel_count == 1)
    return unpack_mono_24(frames, frame_count, channels[0] + offset);
  if (level > 0 && bits == 24 && channel_count == 2)
    return unpack_stereo_24(frames, frame_count, channels[0] + offset, channels[1] + offset);
#else
  (void)level, (void)bits, (void)frames, (void)channel_count, (void)frame_count, (void)channels,
      (void)offset;
#endif
  return 0;
}
