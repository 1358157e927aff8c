// Render thread. A vector holds eight lines where each frame depends on the previous one (the
// losses), and eight frames everywhere else.
#include "reverb.h"

#include "lanes.h"

#define LINES FX_REVERB_LINES
#define MOVING FX_REVERB_MOVING
#define TAPS FX_REVERB_TAPS
#define ROW (FX_REVERB_CHUNK + FX_REVERB_PAD)

// The samples of a line from `delay` frames ago on, contiguous: in place, or copied.
INLINE const float *past(const fx_reverb_line *line, long delay, float *copy, long count) {
  long start = line->position - delay;
  if (start < 0) start += line->capacity;
  long first = line->capacity - start;
  if (count <= first) return line->samples + start;
  memcpy(copy, line->samples + start, (size_t)first * sizeof(float));
  memcpy(copy + first, line->samples, (size_t)(count - first) * sizeof(float));
  return copy;
}

// Interpolates the frames of one moving line.
INLINE void move(
    const fx_reverb_line *line, const float *weights, long place, float *output, long frame_count) {
  float copy[FX_REVERB_CHUNK + TAPS + FX_REVERB_PAD];
  const float *oldest = past(line, line->delay + TAPS - 1, copy, frame_count + TAPS - 1);
  const float *steps = weights + MOVING * TAPS;
  float8 time = (float8){0, 1, 2, 3, 4, 5, 6, 7} + (float)place;
  for (long frame = 0; frame < frame_count; frame += 8) {
    float8 sum = 0;
    UNROLLED for (int tap = 0; tap < TAPS; tap++) {
      float8 weight = (float8)weights[tap * MOVING] + time * (float8)steps[tap * MOVING];
      sum += weight * load(oldest + frame + TAPS - 1 - tap);
    }
    store(sum, output + frame);
    time += 8;
  }
}

typedef struct {
  float8 feed, keep, lift, feeding, keeping, lifting, smoothed, slow;
} group_losses;

// Applies the losses of eight lines to one frame, `time` frames after the start of the stretch.
INLINE float8 lose(group_losses *g, float8 x, float bass, float time, int is_moving, int has_bass) {
  float8 feed = g->feed, keep = g->keep, lift = g->lift;
  if (is_moving) {
    feed += time * g->feeding;
    keep += time * g->keeping;
    lift += time * g->lifting;
  }
  g->smoothed = feed * x + keep * g->smoothed;
  if (!has_bass) return g->smoothed;
  g->slow += bass * (g->smoothed - g->slow);
  return g->smoothed + lift * g->slow;
}

// Applies the losses of all lines to `frame_count` frames.
INLINE void lose_all(
    const fx_reverb_network *network, const float *const *sources, long place, long frame_count,
    const int is_moving, const int has_bass) {
  const float *losses = network->losses;
  float *states = network->states;
  const float bass = network->bass;
  for (long group = 0; group < LINES; group += 8) {
    group_losses g = {
        load(losses + group), load(losses + LINES + group), load(losses + 2 * LINES + group),
        load(losses + 3 * LINES + group), load(losses + 4 * LINES + group),
        load(losses + 5 * LINES + group), load(states + group), load(states + LINES + group)};
    if (!has_bass) g.slow = 0;
    const float *const *from = sources + group;
    float *heard = network->heard + group * ROW;
    long frame = 0;
    for (; frame + 4 <= frame_count; frame += 4) {
      float8 x[4];
      UNROLLED for (int i = 0; i < 4; i++) {
        x[i] = __builtin_shufflevector(
            load4(from[i] + frame), load4(from[i + 4] + frame), 0, 1, 2, 3, 4, 5, 6, 7);
      }
      transpose(&x[0], &x[1], &x[2], &x[3]);
      UNROLLED for (int i = 0; i < 4; i++) {
        x[i] = lose(&g, x[i], bass, (float)(int)(place + frame + i), is_moving, has_bass);
      }
      transpose(&x[0], &x[1], &x[2], &x[3]);
      UNROLLED for (int i = 0; i < 4; i++) {
        store4(x[i].lo, heard + i * ROW + frame);
        store4(x[i].hi, heard + (i + 4) * ROW + frame);
      }
    }
    for (; frame < frame_count; frame++) {
      float8 x;
      for (int i = 0; i < 8; i++) x[i] = from[i][frame];
      x = lose(&g, x, bass, (float)(int)(place + frame), is_moving, has_bass);
      for (int i = 0; i < 8; i++) heard[i * ROW + frame] = x[i];
    }
    store(g.smoothed, states + group);
    store(g.slow, states + LINES + group);
  }
}

INLINE void read_all(const fx_reverb_network *network, long place, long frame_count) {
  const float *sources[LINES];
  float copies[LINES][ROW];
  for (long i = 0; i < MOVING; i++) {
    move(network->lines + i, network->weights + i, place, copies[i], frame_count);
    sources[i] = copies[i];
  }
  for (long i = MOVING; i < LINES; i++) {
    sources[i] = past(network->lines + i, network->lines[i].delay, copies[i], frame_count);
  }
  if (network->is_moving) {
    lose_all(network, sources, place, frame_count, 1, 1);
  } else if (network->has_bass) {
    lose_all(network, sources, place, frame_count, 0, 1);
  } else {
    lose_all(network, sources, place, frame_count, 0, 0);
  }
}

INLINE void sum_all(
    const fx_reverb_network *network, long side, long pattern, const float *early, float level,
    float *output, long frame_count) {
  const float *rows = network->heard + side * ROW;
  float signs[LINES / 2];
  for (long i = 0; i < LINES / 2; i++) signs[i] = __builtin_parityl(i & pattern) ? -1 : 1;
  for (long frame = 0; frame < frame_count; frame += 8) {
    float8 sum = 0;
    UNROLLED for (long i = 0; i < LINES / 2; i++) sum += signs[i] * load(rows + 2 * i * ROW + frame);
    if (frame + 8 <= frame_count) {
      store(sum + load(early + frame) * level, output + frame);
    } else {
      for (long i = frame; i < frame_count; i++) output[i] = sum[i - frame] + early[i] * level;
    }
  }
}

// Two rounds of sums and differences: four rows of a Hadamard matrix.
INLINE void mix4(float8 *a, float8 *b, float8 *c, float8 *d) {
  float8 ab = *a + *b, AB = *a - *b, cd = *c + *d, CD = *c - *d;
  *a = ab + cd;
  *b = AB + CD;
  *c = ab - cd;
  *d = AB - CD;
}

// Where the frames of a line are written: directly to its ring, or first to its row of `heard`
// where they reach the end of the ring or are not whole vectors.
INLINE float *target(const fx_reverb_network *network, long i, long frame_count) {
  const fx_reverb_line *line = network->lines + i;
  const int is_whole = frame_count % 8 == 0 && frame_count <= line->capacity - line->position;
  return is_whole ? line->samples + line->position : network->heard + i * ROW;
}

// Copies the frames in the line's row of `heard` to its ring.
INLINE void write_line(const fx_reverb_line *line, const float *row, long frame_count) {
  long rest = line->capacity - line->position;
  long first = frame_count < rest ? frame_count : rest;
  memcpy(line->samples + line->position, row, (size_t)first * sizeof(float));
  memcpy(line->samples, row + first, (size_t)(frame_count - first) * sizeof(float));
}

INLINE void write_all(
    const fx_reverb_network *network, const float *left, const float *right, long frame_count) {
  const float *heard = network->heard;
  // Copied where the last vector would read beyond their end.
  float copies[2][ROW];
  const float *inputs[2] = {left, right};
  if (frame_count % 8 != 0) {
    UNROLLED for (int side = 0; side < 2; side++) {
      memcpy(copies[side], inputs[side], (size_t)frame_count * sizeof(float));
      inputs[side] = copies[side];
    }
  }
  float *targets[LINES];
  for (long i = 0; i < LINES; i++) targets[i] = target(network, i, frame_count);
  // The Hadamard matrix as two rounds within four lines and two across them.
  for (long frame = 0; frame < frame_count; frame += 8) {
    float8 x[LINES];
    UNROLLED for (int i = 0; i < LINES; i++) x[i] = load(heard + i * ROW + frame);
    UNROLLED for (int i = 0; i < LINES; i += 4) mix4(&x[i], &x[i + 1], &x[i + 2], &x[i + 3]);
    UNROLLED for (int i = 0; i < 4; i++) mix4(&x[i], &x[i + 4], &x[i + 8], &x[i + 12]);
    UNROLLED for (int i = 0; i < LINES; i++)
      store(0.25f * x[i] + load(inputs[i & 1] + frame), targets[i] + frame);
  }
  for (long i = 0; i < LINES; i++) {
    fx_reverb_line *line = network->lines + i;
    const float *row = heard + i * ROW;
    if (targets[i] == row) write_line(line, row, frame_count);
    long next = line->position + frame_count;
    line->position = next < line->capacity ? next : next - line->capacity;
  }
}

// At most one round through a ring, with a gain that may change.
INLINE void pass(
    float *restrict past, float *restrict now, float gain, float step, long place, long count,
    const int is_moving) {
  for (long i = 0; i < count; i++) {
    float factor = is_moving ? gain + (float)(int)(place + i) * step : gain;
    float delayed = past[i], input = now[i];
    float output = delayed - factor * input;
    past[i] = input + factor * output;
    now[i] = output;
  }
}

INLINE long allpass(
    float *ring, long length, long position, float gain, float step, long place, float *samples,
    long frame_count) {
  while (frame_count > 0) {
    long count = length - position < frame_count ? length - position : frame_count;
    if (step == 0) {
      pass(ring + position, samples, gain, 0, 0, count, 0);
    } else {
      pass(ring + position, samples, gain, step, place, count, 1);
    }
    position = position + count < length ? position + count : 0;
    place += count;
    samples += count;
    frame_count -= count;
  }
  return position;
}

typedef int32_t int4 __attribute__((ext_vector_type(MOVING)));

// The weights of each line's delay (cubic interpolation by Lagrange), for the samples from the
// delay `newest` on: the whole frames of the line's delay less one, or less two.
INLINE void weigh(float4 delay, int4 newest, float4 *weights) {
  int4 whole = __builtin_convertvector(delay, int4);
  float4 f = delay - __builtin_convertvector(whole, float4);
  const float4 cubic[4] = {
      f * (1 - f) * (f - 2) * (1 / 6.0f), (f + 1) * (f - 1) * (f - 2) * 0.5f,
      (f + 1) * f * (2 - f) * 0.5f, (f + 1) * f * (f - 1) * (1 / 6.0f)};
  int4 is_first = whole - 1 == newest;
  weights[0] = is_first ? cubic[0] : 0;
  UNROLLED for (int tap = 1; tap < 4; tap++) weights[tap] = is_first ? cubic[tap] : cubic[tap - 1];
  weights[4] = is_first ? 0 : cubic[3];
}

void fx_reverb_place(
    const fx_reverb_network *network, float4 start, float4 end, float *weights) {
  int4 first = __builtin_convertvector(start, int4), last = __builtin_convertvector(end, int4);
  int4 newest = (first < last ? first : last) - 1;
  float4 from[TAPS], to[TAPS];
  weigh(start, newest, from);
  weigh(end, newest, to);
  UNROLLED for (int tap = 0; tap < TAPS; tap++) {
    store4(from[tap], weights + tap * MOVING);
    store4((to[tap] - from[tap]) * (1.0f / FX_REVERB_CHUNK), weights + (TAPS + tap) * MOVING);
  }
  UNROLLED for (int i = 0; i < MOVING; i++) network->lines[i].delay = newest[i];
}

LEVELS(
    void, read_all, (const fx_reverb_network *network, long place, long frame_count), network, place,
    frame_count)
void fx_reverb_read(const fx_reverb_network *network, long place, long frame_count) {
  CALL(network->level, read_all, network, place, frame_count);
}

LEVELS(
    void, sum_all,
    (const fx_reverb_network *network, long side, long pattern, const float *early, float level,
     float *output, long frame_count),
    network, side, pattern, early, level, output, frame_count)
void fx_reverb_sum(
    const fx_reverb_network *network, long side, long pattern, const float *early, float level,
    float *output, long frame_count) {
  CALL(network->level, sum_all, network, side, pattern, early, level, output, frame_count);
}

LEVELS(
    void, write_all,
    (const fx_reverb_network *network, const float *left, const float *right, long frame_count),
    network, left, right, frame_count)
void fx_reverb_write(
    const fx_reverb_network *network, const float *left, const float *right, long frame_count) {
  CALL(network->level, write_all, network, left, right, frame_count);
}

LEVELS(
    long, allpass,
    (float *ring, long length, long position, float gain, float step, long place, float *samples,
     long frame_count),
    ring, length, position, gain, step, place, samples, frame_count)
long fx_allpass(
    int level, float *ring, long length, long position, float gain, float step, long place,
    float *samples, long frame_count) {
  CALL(level, allpass, ring, length, position, gain, step, place, samples, frame_count);
}
