// Render thread. A vector holds eight lines where each frame depends on the previous one (the low
// passes), and eight frames in the matrix.
#include "eight_lines.h"

#include "lanes.h"

#define LINES FX_EIGHT_LINES
// The factor that makes eight sums and differences orthogonal: 1 / sqrt(8).
#define SHARE 0.353553391f

INLINE void read_lines(
    const float *const *lines, const float *feed, const float *keep, float *smoothed, float *rows,
    long stride, long frame_count) {
  const float8 feeds = load(feed), keeps = load(keep);
  float8 y = load(smoothed);
  long frame = 0;
  for (; frame + 4 <= frame_count; frame += 4) {
    float8 x[4];
    UNROLLED for (int i = 0; i < 4; i++) {
      x[i] = __builtin_shufflevector(
          load4(lines[i] + frame), load4(lines[i + 4] + frame), 0, 1, 2, 3, 4, 5, 6, 7);
    }
    transpose(&x[0], &x[1], &x[2], &x[3]);
    UNROLLED for (int i = 0; i < 4; i++) {
      y = feeds * x[i] + keeps * y;
      x[i] = y;
    }
    transpose(&x[0], &x[1], &x[2], &x[3]);
    UNROLLED for (int i = 0; i < 4; i++) {
      store4(x[i].lo, rows + i * stride + frame);
      store4(x[i].hi, rows + (i + 4) * stride + frame);
    }
  }
  for (; frame < frame_count; frame++) {
    float8 x;
    for (int i = 0; i < LINES; i++) x[i] = lines[i][frame];
    y = feeds * x + keeps * y;
    for (int i = 0; i < LINES; i++) rows[i * stride + frame] = y[i];
  }
  store(y, smoothed);
}

// A row of the Hadamard matrix of order 4 times every second row of the lines: the output of one
// side.
INLINE void sum_lines(
    const float *restrict rows, long stride, float second, float third, float *restrict output,
    long frame_count) {
  const float *a = rows, *b = rows + 2 * stride, *c = rows + 4 * stride, *d = rows + 6 * stride;
  const float fourth = second * third;
  for (long i = 0; i < frame_count; i++) {
    output[i] = (a[i] + second * b[i]) + (third * c[i] + fourth * d[i]);
  }
}

// The matrix as three rounds of sums and differences.
INLINE void mix(float8 *x, float8 left, float8 right) {
  float8 b[LINES], c[LINES];
  UNROLLED for (int i = 0; i < LINES; i += 2) {
    b[i] = x[i] + x[i + 1];
    b[i + 1] = x[i] - x[i + 1];
  }
  UNROLLED for (int i = 0; i < LINES; i += 4) {
    UNROLLED for (int j = 0; j < 2; j++) {
      c[i + j] = b[i + j] + b[i + j + 2];
      c[i + j + 2] = b[i + j] - b[i + j + 2];
    }
  }
  UNROLLED for (int i = 0; i < 4; i++) {
    float8 input = i % 2 == 0 ? left : right;
    x[i] = SHARE * (c[i] + c[i + 4]) + input;
    x[i + 4] = SHARE * (c[i] - c[i + 4]) + input;
  }
}

INLINE void write_lines(
    const float *rows, long stride, const float *left, const float *right, float *const *lines,
    long frame_count) {
  float8 x[LINES];
  long frame = 0;
  for (; frame + 8 <= frame_count; frame += 8) {
    UNROLLED for (int i = 0; i < LINES; i++) x[i] = load(rows + i * stride + frame);
    mix(x, load(left + frame), load(right + frame));
    UNROLLED for (int i = 0; i < LINES; i++) store(x[i], lines[i] + frame);
  }
  if (frame == frame_count) return;
  const size_t rest = (size_t)(frame_count - frame) * sizeof(float);
  float8 inputs[2] = {0};
  memcpy(&inputs[0], left + frame, rest);
  memcpy(&inputs[1], right + frame, rest);
  for (int i = 0; i < LINES; i++) {
    x[i] = 0;
    memcpy(&x[i], rows + i * stride + frame, rest);
  }
  mix(x, inputs[0], inputs[1]);
  for (int i = 0; i < LINES; i++) memcpy(lines[i] + frame, &x[i], rest);
}

LEVELS(
    void, read_lines,
    (const float *const *lines, const float *feed, const float *keep, float *smoothed, float *rows,
     long stride, long frame_count),
    lines, feed, keep, smoothed, rows, stride, frame_count)
void fx_eight_lines_read(
    int level, const float *const *lines, const float *feed, const float *keep, float *smoothed,
    float *rows, long stride, long frame_count) {
  CALL(level, read_lines, lines, feed, keep, smoothed, rows, stride, frame_count);
}

LEVELS(
    void, sum_lines,
    (const float *restrict rows, long stride, float second, float third, float *restrict output,
     long frame_count),
    rows, stride, second, third, output, frame_count)
void fx_eight_lines_sum(
    int level, const float *rows, long stride, long pattern, float *output, long frame_count) {
  const float second = pattern & 1 ? 1 : -1, third = pattern & 2 ? -1 : 1;
  CALL(level, sum_lines, rows, stride, second, third, output, frame_count);
}

LEVELS(
    void, write_lines,
    (const float *rows, long stride, const float *left, const float *right, float *const *lines,
     long frame_count),
    rows, stride, left, right, lines, frame_count)
void fx_eight_lines_write(
    int level, const float *rows, long stride, const float *left, const float *right,
    float *const *lines, long frame_count) {
  CALL(level, write_lines, rows, stride, left, right, lines, frame_count);
}
