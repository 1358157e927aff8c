#include "dither.h"

#include <string.h>

// Both channels are written at once, as one vector of integers.
static inline __attribute__((always_inline)) void dither_stereo(
    const float *left, const float *right, long frame_count, uint32_t key, uint32_t step,
    int16_t *target) {
  const uint32_t other = step > 1;
  for (long frame = 0; frame < frame_count; frame++) {
    uint32_t first = key + (uint32_t)frame * step;
    uint32_t low = (uint32_t)fx_dithered(left[frame], first, 32768) & 0xffff;
    uint32_t high = (uint32_t)fx_dithered(right[frame], first + other, 32768) << 16;
    uint32_t both = low | high;
    memcpy(target + 2 * frame, &both, sizeof both);
  }
}

static inline __attribute__((always_inline)) void dither_mono(
    const float *samples, long frame_count, uint32_t key, uint32_t step, int16_t *target) {
  for (long frame = 0; frame < frame_count; frame++)
    target[frame] = (int16_t)fx_dithered(samples[frame], key + (uint32_t)frame * step, 32768);
}

static inline __attribute__((always_inline)) void dither(
    const float *left, const float *right, long frame_count, uint32_t key, long step,
    int16_t *target) {
  if (right)
    dither_stereo(left, right, frame_count, key, (uint32_t)step, target);
  else
    dither_mono(left, frame_count, key, (uint32_t)step, target);
}

#if defined(__x86_64__)
__attribute__((target("arch=x86-64-v3"))) static void dither_avx2(
    const float *left, const float *right, long frame_count, uint32_t key, long step,
    int16_t *target) {
  dither(left, right, frame_count, key, step, target);
}
#endif

void fx_dither_16(
    int level, const float *const *channels, long channel_count, long frame_count, uint64_t number,
    long step, int16_t *target) {
  long done = 0;
  while (done < frame_count) {
    // Up to the frame where the key jumps.
    long left = (long)((((number >> 32) + 1) << 32) - number + (uint64_t)step - 1) / step;
    long count = frame_count - done < left ? frame_count - done : left;
    const float *first = channels[0] + done;
    const float *second = channel_count == 2 ? channels[1] + done : 0;
    int16_t *place = target + done * channel_count;
#if defined(__x86_64__)
    if (level > 0)
      dither_avx2(first, second, count, fx_dither_key(number), step, place);
    else
#endif
      dither(first, second, count, fx_dither_key(number), step, place);
    done += count;
    number += (uint64_t)(count * step);
  }
  (void)level;
}
